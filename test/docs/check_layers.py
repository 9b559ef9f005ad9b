#!/usr/bin/env python3
"""check_layers.py ROOT: a layer includes only headers of the layers that docs/architecture.md lets it use.

A layer may use the layers in the last column of its row, and the layers that those may use, except layers with private headers.
Every layer may use src/support/. No layer includes a header of a front end.
"""
import re
import sys
from pathlib import Path

ROW = re.compile(r"^\| `(\w+)`( \(private headers\))? \|.*\|(.*)\|$", re.M)
INCLUDE = re.compile(r'^ *# *include [<"](?:spatial_dynamics/)?(\w+)/', re.M)


def allowed_layers(page):
    """For each layer of the table, itself and all that it may use."""
    rows = {name: (re.findall(r"`(\w+)`", uses), bool(private)) for name, private, uses in ROW.findall(page)}

    def closure(name):
        found = set(rows[name][0])
        for used in rows[name][0]:
            found |= {layer for layer in closure(used) if not rows[layer][1]}
        return found

    return {name: {name, "support"} | closure(name) for name in rows} | {"support": {"support"}}


def main():
    root = Path(sys.argv[1]).resolve()
    allowed = allowed_layers((root / "docs/architecture.md").read_text())
    folders = {folder.name for folder in (root / "src").iterdir() if folder.is_dir()}
    wrong, count = [], 0
    for layer, usable in allowed.items():
        for folder in (root / "src" / layer, root / "include/spatial_dynamics" / layer):
            for file in (f for f in folder.rglob("*") if f.is_file()):
                for used in folders.intersection(INCLUDE.findall(file.read_text())):
                    count += 1
                    if used not in usable:
                        wrong.append(f"{file.relative_to(root)}: {layer} may not use {used}")
    print(*wrong, f"{count} includes in {len(allowed)} layers, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count < 100 or len(allowed) < 11 else 0


if __name__ == "__main__":
    sys.exit(main())
