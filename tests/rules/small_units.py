#!/usr/bin/env python3
"""small_units.py ROOT: fails when a small unit has a single user.

A unit is a header with its source. If it has at most 60 lines and only one other unit of the program
includes it, its text belongs in that unit, where it is read anyway. A unit that a test includes may
stay, because without its own header it may not be testable.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

MOST_LINES = 60

# Small units with a single user that stay, each with the reason.
EXCEPTIONS: dict[str, str] = {}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)\.h"', re.MULTILINE)


def sources_in(root, folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path.relative_to(root).with_suffix("").as_posix(), path


def main():
    root = Path(sys.argv[1])
    lines = defaultdict(int)
    headers = set()
    users = defaultdict(set)
    for unit, path in sources_in(root, ("core", "ui", "app")):
        text = path.read_text(encoding="utf-8")
        lines[unit] += text.count("\n")
        if path.suffix == ".h":
            headers.add(unit)
        for included in INCLUDE.findall(text):
            if included != unit:
                users[included].add(unit)
    tested = set()
    for _, path in sources_in(root, ("tests",)):
        tested.update(INCLUDE.findall(path.read_text(encoding="utf-8")))
    if not any(len(users[unit]) == 1 for unit in headers) or not headers & tested:
        sys.exit("no unit has a single user, or none is tested: this rule does not find the includes")

    small = {unit for unit in headers - tested if lines[unit] <= MOST_LINES and len(users[unit]) <= 1}
    problems = [
        f"{unit}: {lines[unit]} lines, included only by {next(iter(users[unit]), 'its own source')}"
        for unit in sorted(small - EXCEPTIONS.keys())
    ]
    problems += [f"{unit}: is no longer an exception" for unit in sorted(EXCEPTIONS.keys() - small)]
    if problems:
        sys.exit(
            f"units of at most {MOST_LINES} lines with a single user belong in it, or in the list of exceptions "
            "with a reason:\n" + "\n".join(problems)
        )


main()
