#!/usr/bin/env python3
"""described_folders.py ROOT: compares the folders of layers.txt with the tree in docs/architecture.md.

Fails when a folder is neither an entry of the tree nor named in the text of the folder above it, when
two entries describe the same folder, and when an entry is not a folder.
"""

import re
import sys
from pathlib import Path

ENTRY = re.compile(r"( *)((?:[a-z_]+/  ?)*[a-z_]+/)(?:\s+(?=\S)|$)")


def entries_in(tree):
    """Returns (folder, text) for every entry. The text continues below the entry, further to the right."""
    above = []  # (indentation, folder)
    found = []
    for line in tree:
        match = ENTRY.match(line)
        indentation = len(line) - len(line.lstrip())
        if not match or (found and indentation > above[-1][0] + 4):
            folders, text = found[-1]
            found[-1] = (folders, text + " " + line)
            continue
        while above and above[-1][0] >= indentation:
            above.pop()
        prefix = above[-1][1] + "/" if above else ""
        names = match.group(2).split()
        above.append((indentation, prefix + names[0].rstrip("/")))
        found.append(([prefix + name.rstrip("/") for name in names], line[match.end() :]))
    return [(folder, text) for folders, text in found for folder in folders]


def main():
    root = Path(sys.argv[1])
    page = (root / "docs/architecture.md").read_text(encoding="utf-8")
    entries = entries_in(page.split("```\n")[1].splitlines())
    folders = [
        line.split()[0]
        for line in (root / "layers.txt").read_text(encoding="utf-8").splitlines()
        if re.match("[a-z]", line)
    ]
    described = [folder for folder, _ in entries]
    texts = dict(entries)

    def is_named_above(folder):
        above, _, name = folder.rpartition("/")
        while above and above not in texts:
            above = above.rpartition("/")[0]
        return above != "" and re.search(rf"(?<![a-z_]){name}/", texts[above]) is not None

    problems = [
        f"{folder}: not described" for folder in folders if folder not in texts and not is_named_above(folder)
    ]
    problems += [f"{folder}: described twice" for folder in sorted(set(described)) if described.count(folder) > 1]
    problems += [f"{folder}: no folder" for folder in described if not (root / folder).is_dir()]
    if len(described) < 50:
        problems.append("the tree is not found")
    if problems:
        sys.exit("docs/architecture.md:\n" + "\n".join(problems))


main()
