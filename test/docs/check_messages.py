#!/usr/bin/env python3
"""check_messages.py ROOT: what the pages' tables quote under "it says" is what the program, the scripts or the build say."""
import re
import sys
from pathlib import Path


def sources(root):
    """All that speaks, with texts that C++ splits over several lines made whole."""
    files = [*root.glob("src/**/*.cpp"), *root.glob("scripts/*"), root / "CMakeLists.txt"]
    return re.sub(r'"\s*\n\s*"', "", "\n".join(file.read_text() for file in files))


def quotations(page):
    """(row, quoted text) of the first column of each table whose header begins with "it says"."""
    inside = False
    for line in page.read_text().splitlines():
        inside = line.startswith("| it says |") or (inside and line.startswith("|"))
        if inside and not line.startswith(("| it says |", "|---")):
            for text in re.findall(r"`([^`]+)`", line.split("|")[1]) or [None]:
                yield line, text


def main():
    root = Path(sys.argv[1]).resolve()
    said, wrong, count = sources(root), [], 0
    for page in sorted((root / "docs").glob("*.md")):
        for line, text in quotations(page):
            count += 1
            if text is None:
                wrong.append(f"{page.name}: quotes nothing in: {line}")
            elif text not in said:
                wrong.append(f"{page.name}: nothing says '{text}'")
    print(*wrong, f"{count} quotations, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count < 10 else 0


sys.exit(main())
