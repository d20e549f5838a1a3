#!/usr/bin/env python3
"""loops_over_temporaries.py ROOT: fails when a range-based for loop reads an element of a result.

In `for (x : made()[i])` the result of made() is destroyed before the first round, because until
C++23 only the range itself is kept alive. Store the result in a variable. Tests are left out,
because in two of them the result is a reference.
"""

import re
import sys
from pathlib import Path

LOOP = re.compile(r"\bfor \(([^;{}]*?)\s:\s([^;{}]*?)\)\s*(?:\{|\n)", re.S)
ARGUMENTS = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
ELEMENT = re.compile(r"\w" + ARGUMENTS + r"\s*\[")


def main():
    root = Path(sys.argv[1])
    found = []
    for folder in ("core", "ui", "app", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            text = path.read_text(encoding="utf-8")
            found += [f"{path.relative_to(root)}:{text.count(chr(10), 0, loop.start()) + 1}: {' '.join(loop[2].split())}"
                      for loop in LOOP.finditer(text) if ELEMENT.search(loop[2])]
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
