#!/usr/bin/env python3
"""check_messages.py ROOT: what the pages' tables quote under "it says" is what the program, the scripts or the build say, and the tests that tables cite are there."""
import re
import sys
from pathlib import Path


def sources(root):
    """All that speaks, with texts that C++ splits over several lines made whole."""
    files = [*root.glob("src/**/*.cpp"), *root.glob("scripts/*"), root / "CMakeLists.txt"]
    return re.sub(r'"\s*\n\s*"', "", "\n".join(file.read_text() for file in files))


def quotations(page):
    """(row, quoted text) of the first column of each table whose header begins with "it says", and of what diagnostics say."""
    inside = False
    for line in page.read_text().splitlines():
        inside = line.startswith("| it says |") or (inside and line.startswith("|"))
        if inside and not line.startswith(("| it says |", "|---")):
            for text in re.findall(r"`([^`]+)`", line.split("|")[1]) or [None]:
                yield line, text
    for text in re.findall(r"[Dd]iagnostics say `([^`]+)`", page.read_text()):
        yield text, text


def pages(root):
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def tests_of(root):
    """Names of the C++ tests: suites, and suite.test."""
    names = set()
    for file in root.glob("test/**/*.cpp"):
        for suite, test in re.findall(r"TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", file.read_text()):
            names |= {suite, f"{suite}.{test}"}
    return names


def cited_tests(page):
    """What stands in the last column of tables that have one of tests."""
    inside = False
    for line in page.read_text().splitlines():
        inside = bool(re.match(r"\|.*\| (tests?|tried by) \|$", line)) or (inside and line.startswith("|"))
        if inside:
            yield from re.findall(r"`(\w+(?:\.\w+)?)`", line.split("|")[-2])


def main():
    root = Path(sys.argv[1]).resolve()
    said, wrong, count = sources(root), [], 0
    for page in pages(root):
        for line, text in quotations(page):
            count += 1
            if text is None:
                wrong.append(f"{page.name}: quotes nothing in: {line}")
            elif text not in said:
                wrong.append(f"{page.name}: nothing says '{text}'")
    known, cited = tests_of(root), 0
    for page in pages(root):
        for test in cited_tests(page):
            cited += 1
            if test not in known:
                wrong.append(f"{page.name}: there is no test {test}")
    print(*wrong, f"{count} quotations and {cited} tests, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count < 10 or cited < 50 else 0


sys.exit(main())
