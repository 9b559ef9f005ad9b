#!/usr/bin/env python3
"""check_tests.py ROOT: every test that a page names in backticks exists.

A page names a test as `Suite.Test`, or all tests of a suite as `Suite`. The second form counts only in
the last column of a table whose heading is "test" or "tests". "row N" there needs a test of test/faults
with that number. `a.b` in lower case is a parameter, and names with a file's extension are files.
"""
import re
import sys
from pathlib import Path

DEFINED = re.compile(r"^\s*(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", re.M)
ONE_TEST = re.compile(r"`([A-Z]\w+)\.([A-Z]\w+)`")
SUITE = re.compile(r"`([A-Z]\w*)`")
ROWS = re.compile(r"\brows? ([\d, ]+(?:and \d+|to \d+)?)")


def rows_named(cell):
    """The numbers in "row 5", "rows 11 and 32", "rows 1 to 14, 45, 65"."""
    for match in ROWS.finditer(cell + " "):
        text = match[1]
        for first, last in re.findall(r"(\d+) to (\d+)", text):
            yield from range(int(first), int(last) + 1)
        yield from map(int, re.findall(r"\d+", text))


def tests_of_table_cells(page):
    """The last cells of the rows of tables whose last column has the heading test or tests."""
    inside = False
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            inside = False
        elif cells[-1] in ("test", "tests"):
            inside = True
        elif inside:
            yield cells[-1]


def main(root):
    suites, tests, rows = set(), set(), set()
    for path in (root / "test").rglob("*.cpp"):
        for suite, test in DEFINED.findall(path.read_text()):
            suites.add(suite)
            tests.add((suite, test))
            row = re.match(r"Row(\d+)", test)
            if row:
                rows.add(int(row[1]))
    wrong, count = [], 0
    for path in sorted((root / "docs").rglob("*.md")):
        page = path.read_text()
        name = path.relative_to(root)
        for suite, test in ONE_TEST.findall(page):
            if suite not in suites:
                continue  # a message or type, such as `Header.Stamp`; suites of tables are checked below
            count += 1
            if (suite, test) not in tests:
                wrong.append(f"{name}: there is no test {suite}.{test}")
        for cell in tests_of_table_cells(page):
            for suite in SUITE.findall(cell) + [suite for suite, _ in ONE_TEST.findall(cell)]:
                count += 1
                if suite not in suites:
                    wrong.append(f"{name}: there is no suite {suite}")
            for row in rows_named(cell):
                count += 1
                if row not in rows:
                    wrong.append(f"{name}: no test in test/faults has the row {row}")
    print("\n".join(wrong) if wrong else f"{count} names of tests exist")
    return 1 if wrong or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
