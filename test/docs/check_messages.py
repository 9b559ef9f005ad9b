#!/usr/bin/env python3
"""check_messages.py ROOT: messages that pages quote and tests that they cite exist in the sources.

A page quotes messages in the first column of a table whose header begins with "message", and after "diagnostics report" or
"diagnostics show". It cites tests in the last column of a table whose header ends with "test", "tests" or "tried by".
"""
import re
import sys
from pathlib import Path


def sources(root):
    """All texts that programs print, with split C++ string literals joined."""
    files = [*root.glob("src/**/*.cpp"), *root.glob("scripts/*"), root / "CMakeLists.txt"]
    return re.sub(r'"\s*\n\s*"', "", "\n".join(file.read_text() for file in files))


def quotations(page):
    """(row, quoted message); (row, None) for a row of a table of messages that quotes none."""
    inside = False
    for line in page.read_text().splitlines():
        inside = line.startswith("| message |") or (inside and line.startswith("|"))
        if inside and not line.startswith(("| message |", "|---")):
            for text in re.findall(r"`([^`]+)`", line.split("|")[1]) or [None]:
                yield line, text
    for text in re.findall(r"diagnostics\s+(?:report|show)\s+`([^`]+)`", page.read_text(), re.I):
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
    inside = False
    for line in page.read_text().splitlines():
        inside = bool(re.match(r"\|.*\| (tests?|tried by) \|$", line)) or (inside and line.startswith("|"))
        if inside:
            yield from re.findall(r"`(\w+(?:\.\w+)?)`", line.split("|")[-2])


def main():
    root = Path(sys.argv[1]).resolve()
    text_of_sources, wrong, count = sources(root), [], 0
    for page in pages(root):
        for line, text in quotations(page):
            count += 1
            if text is None:
                wrong.append(f"{page.name}: quotes no message in: {line}")
            elif text not in text_of_sources:
                wrong.append(f"{page.name}: no source contains the message '{text}'")
    known, cited = tests_of(root), 0
    for page in pages(root):
        for test in cited_tests(page):
            cited += 1
            if test not in known:
                wrong.append(f"{page.name}: there is no test {test}")
    print(*wrong, f"{count} quotations and {cited} tests, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count < 30 or cited < 50 else 0


sys.exit(main())
