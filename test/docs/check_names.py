#!/usr/bin/env python3
"""check_names.py ROOT: no two files of the library define a type of the same qualified name.

A program that links both has two types of one name. The linker keeps one copy of each of their inline functions, for example of the
constructors, and one of the types gets those of the other. Types in unnamed namespaces and in functions are not visible to the linker.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

# Raw strings, comments, strings, characters and lines of the preprocessor: braces in them mean nothing.
SILENT = re.compile(r'''R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|.)*?$''',
                    re.M | re.S)
# A word "class" in the parameters of a template opens nothing.
SCOPE = re.compile(r"(?:(?<![<,])(?<![<,] )\b(namespace|struct|class|union|enum(?: +(?:class|struct))?)\b([^;{}()=]*))?([{}])")
NAME = re.compile(r"\s*(?:\[\[.*?\]\]\s*)?([\w:]+(?:<.*>)?)")


def types(text):
    """The qualified names of all types that the text defines and that have linkage."""
    scopes = []  # names of what is open; None: a function, an unnamed namespace or an initialiser
    for kind, head, brace in SCOPE.findall(SILENT.sub(" ", text)):
        if brace == "}":
            del scopes[-1:]
            continue
        name = NAME.match(head) if kind else None
        scopes.append(name[1] if name else None)
        if name and kind != "namespace" and None not in scopes:
            yield "::".join(scopes)


def main():
    root = Path(sys.argv[1]).resolve()
    files = defaultdict(set)
    for folder in ("include", "src"):
        for file in (root / folder).rglob("*.[ch]pp"):
            for name in types(file.read_text()):
                files[name].add(str(file.relative_to(root)))
    wrong = [f"{name}: {', '.join(sorted(where))}" for name, where in sorted(files.items()) if len(where) > 1]
    print(*wrong, f"{len(files)} types, {len(wrong)} in several files", sep="\n")
    return 1 if wrong or len(files) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
