#!/usr/bin/env python3
"""check_paths.py ROOT: every path of the repository that a page names in backticks exists.

In the walks of docs/architecture.md, a step "N. `FILE`, `function()`: TEXT" names a function that the
file defines. The steps must be in the order in which they run:

- The file of an earlier step, or the program that the walk begins with, calls a step's function; or
  TEXT states who does: a thread, a callback, "called by".
- Functions that the body of an earlier step names are steps in the order of that body.
- If TEXT states that a step calls `other()` or runs step M, its file calls that function.
"""
import re
import sys
from pathlib import Path

FOLDERS = "benchmarks|cmake|config|docs|examples|include|launch|scripts|src|test|urdf"
NAMED = re.compile(rf"(?<![\w/.$-])((?:{FOLDERS})/[\w./{{}},*-]*)")
STEP = re.compile(r"^(\d+)\. `([^`]+)`, `((?:\w+::)*)~?(\w+)\(\)`(.*(?:\n(?:  +.*|)(?=\n|\Z))*)", re.M)
WALK = re.compile(r"^###+ ([^\n]*)\n(.*?)(?=^##|\Z)", re.M | re.S)
PROGRAM = re.compile(r"\]\(\.\./([\w/]+\.cpp)\)")
CALLS = re.compile(r"\bcalls\s+(?:[\w ]+'s\s+)?`(?:\w+::)*(\w+)\(\)`")
RUNS = re.compile(r"\bruns\s+steps?\s+(\d+)")
ENTERED = re.compile(r"\b(?:thread|callbacks?|called)\b")  # the step states who runs it
PLACEHOLDER = re.compile(r"/[A-Z]+(?:/|$)")  # as in test/fuzz/corpus/TARGET


def spelled_out(path):
    """a/{b,c}.hpp as a/b.hpp and a/c.hpp."""
    braces = re.search(r"\{([^}]*)\}", path)
    if not braces:
        return [path]
    return [p for name in braces[1].split(",") for p in spelled_out(path[:braces.start()] + name + path[braces.end():])]


def body_of(text, scope, function):
    """The code of all definitions of a function, from its parameters to the closing brace; None
    without one. clang-format puts that brace at the indentation of the first line."""
    found = ""
    for name in (f"{scope}{function}", function):
        for start in re.finditer(rf"^([ ]*)[^\n;=({{]*(?<![\w:.>])~?{re.escape(name)}\(", text, re.M):
            rest = text[start.end():]
            end = re.search(rf"(?:\{{.*\}}$|^{start[1]}\}})|;$", rest, re.M)
            if end and not end[0].endswith(";"):
                found += rest[:end.end()]
            elif end:  # a statement, or a body whose first line ends with a semicolon
                brace = re.search(rf"\{{$(?s:.*?)^{start[1]}\}}", rest, re.M)
                if brace and ";" not in rest[:brace.start()]:
                    found += rest[:brace.end()]
        if found:
            return found
    return None


def named_in(text, function):
    """Where the text names the function last, apart from its definition. `check_(` calls a stored
    `check`. -1 if nowhere."""
    definition = rf"^[^\n;=({{]*(?:\w+::)*{function}\("
    hits = [hit.start() for hit in re.finditer(rf"(?<!~)\b{function}_?\b", text)]
    defined = [range(*hit.span()) for hit in re.finditer(definition, text, re.M) if not hit[0].startswith(" ")]
    return max((hit for hit in hits if not any(hit in place for place in defined)), default=-1)


def check_walk(root, title, page):
    """Mistakes of a walk, and the number of its steps."""
    wrong, earlier = [], []  # earlier: (label, function, its body, its file)
    program = PROGRAM.search(page)
    if program:
        text = (root / program[1]).read_text()
        earlier.append((program[1], "main", text, text))
    steps = [(int(number), path, scope, function, text) for number, path, scope, function, text in STEP.findall(page)]
    names = {number: function for number, _, _, function, _ in steps}
    last = {}  # of each earlier body: the position and the name of the last step in it
    for number, path, scope, function, text in steps:
        label = f"{title}, step {number}"
        file = root / path
        if not file.is_file():
            continue  # reported as a path
        code = re.sub(r"//.*", "", file.read_text())
        body = body_of(code, scope, function)
        if body is None:
            wrong.append(f"{label}: {path} does not define {scope}{function}()")
            continue
        named = any(named_in(other, function) >= 0 for _, _, _, other in earlier)
        if earlier and not named and not ENTERED.search(text):
            wrong.append(f"{label}: no earlier step calls {function}(), and the step does not state who does")
        for who, caller, other, _ in earlier:
            position = named_in(other, function)
            if position < 0 or caller == function:
                continue
            before = last.get(who, (-1, ""))
            if position < before[0] and ";" in other[position:before[0]]:
                wrong.append(f"{label}: {who} calls {function}() before {before[1]}()")
            last[who] = max(before, (position, function))
        for other in CALLS.findall(text) + [names.get(int(first), "") for first in RUNS.findall(text)[:1]]:
            if named_in(code, other) < 0:
                wrong.append(f"{label}: {path} does not call {other}()")
        earlier.append((f"step {number}", function, body, code))
    return wrong, len(steps)


def check_itself():
    code = "int first(int a) {\n  return second(a);\n}\nint Class::last() const { return other_(3); }\n"
    assert "second(a)" in body_of(code, "", "first") and "other" not in body_of(code, "", "first")
    assert "other_(3)" in body_of(code, "Class::", "last") and body_of(code, "", "second") is None
    assert named_in("other_(3)", "other") == 0 and named_in("another(3)", "other") == -1
    assert named_in("int other() {\n}\n", "other") == -1


def main():
    check_itself()
    root = Path(sys.argv[1]).resolve()
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("*/README.md")]
    wrong, count, steps = [], 0, 0
    for page in pages:
        if page.name == "CHANGELOG.md":  # names files of earlier versions
            continue
        for quoted in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)):
            for path in (path for named in NAMED.findall(quoted) for path in spelled_out(named.rstrip("."))):
                count += 1
                if not any(root.glob(path)) and not PLACEHOLDER.search(path):
                    wrong.append(f"{page.relative_to(root)}: there is no {path}")
    for title, walk in WALK.findall((root / "docs/architecture.md").read_text()):
        mistakes, number = check_walk(root, title, walk)
        wrong += [f"docs/architecture.md: {mistake}" for mistake in mistakes]
        steps += number
    print(*wrong, f"{count} paths and {steps} steps in {len(pages)} pages, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count < 50 or steps < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
