#!/usr/bin/env python3
"""check_paths.py ROOT: every path of the repository that a page names in backticks exists.

In the walks of docs/architecture.md, a step "N. `FILE`, `function()`" names a function that the file must contain.
"""
import re
import sys
from pathlib import Path

FOLDERS = "benchmarks|cmake|config|docs|examples|include|launch|scripts|src|test|urdf"
NAMED = re.compile(rf"(?<![\w/.$-])((?:{FOLDERS})/[\w./{{}},*-]*)")
STEP = re.compile(r"^\d+\. `([^`]+)`, `(?:\w+::)*~?(\w+)\(\)`", re.M)
PLACEHOLDER = re.compile(r"/[A-Z]+(?:/|$)")  # as in test/fuzz/corpus/TARGET


def spelled_out(path):
    """a/{b,c}.hpp as a/b.hpp and a/c.hpp."""
    braces = re.search(r"\{([^}]*)\}", path)
    if not braces:
        return [path]
    return [p for name in braces[1].split(",") for p in spelled_out(path[:braces.start()] + name + path[braces.end():])]


def main():
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
    for path, function in STEP.findall((root / "docs/architecture.md").read_text()):
        steps += 1
        file = root / path
        if file.is_file() and not re.search(rf"\b{function}\b", file.read_text()):
            wrong.append(f"docs/architecture.md: {path} has no {function}()")
    print(*wrong, f"{count} paths and {steps} steps in {len(pages)} pages, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count < 50 or steps < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
