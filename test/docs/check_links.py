#!/usr/bin/env python3
"""check_links.py ROOT: every link of the Markdown files leads to an existing file and heading."""
import re
import sys
from pathlib import Path

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)


def anchors(text):
    """The names that GitHub gives to headings."""
    names = set()
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        names.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return names


def main():
    root = Path(sys.argv[1]).resolve()
    pages = [p for p in root.rglob("*.md") if not re.match(r"build|install|\.", p.relative_to(root).parts[0])]
    dead, count = [], 0
    for page in pages:
        for target in LINK.findall(CODE.sub("", page.read_text())):
            if re.match(r"[a-z]+:", target):  # a link to another host is not checked
                continue
            count += 1
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            if not file.exists():
                dead.append(f"{page.relative_to(root)}: {target}: there is no such file")
            elif anchor and anchor not in anchors(file.read_text()):
                dead.append(f"{page.relative_to(root)}: {target}: there is no such heading")
    print("\n".join(dead) or f"{count} links in {len(pages)} pages")
    return 1 if dead or count < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
