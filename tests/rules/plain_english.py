#!/usr/bin/env python3
"""Fails if C++ comments contain more patterns of hard-to-read English than plain_english.allowed permits.

usage: plain_english.py ROOT [--list]    --list prints every match

CONTRIBUTING.md explains the rules. A comment that ends in "english: ok" is skipped.
"""
import collections
import pathlib
import re
import sys

RULES = {
    "opens-with-clause": r"^(What|Which|Whose|Whoever|Whatever|That|Those)\b(?!.*\?)",
    "opens-with-preposition": r"^(Of|By|Behind|Beside|Beneath)\s",
    "unnamed-actor": r"\b(the person|a person|persons?'s|(some|no|any)body|whoever|who (asks|wants))\b",
    "not-nan": r"\bnumbers?( that)? (is|are|was|were) none|\bwhat (is )?no number|\bthat are none|\bwhat is none",
    "programs-say": r"\b(says?|speaks?|spoken?|said) of\b|\b(is|are|was|were|be|been) (said|spoken|told)\b(?! apart| to)",
    "stands-there": r"\b(stands?|stood|lies?) (in|at|for|beside|beneath|behind|before|there|where|as|on|over|by|alone"
                    r"|together)\b|\b(in|into|out of) sight\b",
    "archaic": r"\b(anew|beneath|otherwise than|(is|are|was|were|be) otherwise|goes? on with|once more)\b"
               r"|\b(is|are|was|were|be) (gone|come) (to|through|back)\b",
    "made-of-what": r"\b(make|making|made|make[sd]? \w+) (?:\w+ ){0,4}of (what|it|them|that|those|these|which|all)\b",
    "stacked-pronouns": r"\b(all that|that which|of what|those that|such as are|what else|whatever else|of whom|of which)\b",
    "those-of": r"^(The|the) same of\b|^(that|those) of\b|, those of\b|; that of\b",
    "old-terms": r"\b(rivals?|racing|raced|races?|way back|errands?)\b|\bmoments? (that|before|after|shown|kept|is|was)\b",
    "fragment-with-preposition": r"^(of|that|whether|else|whose) ",
}
FOLDERS = ("core", "ui", "app", "tests", "tools")
LINE = re.compile(r"^\s*//[/!]?<?\s?(.*)$")
TRAILING = re.compile(r"\S.*?//[/!]?<?\s(.*)$")
STRING = re.compile(r'"(?:\\.|[^"\\])*"')


def comments(path):
    """Yields (line number, text); adjacent comment lines are one text."""
    text, start = [], 0
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n") + [""], 1):
        whole = LINE.match(line)
        trailing = None if whole else TRAILING.search(STRING.sub('""', line))
        if whole and whole[1] and text:
            text.append(whole[1])
            continue
        if text:
            yield start, " ".join(text)
            text = []
        if (whole and whole[1]) or trailing:
            text, start = [(whole or trailing)[1]], number
    if text:
        yield start, " ".join(text)


def main():
    root = pathlib.Path(sys.argv[1])
    rules = {name: re.compile(pattern) for name, pattern in RULES.items()}
    found = collections.Counter()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            for number, text in comments(path):
                if re.match(r"namespace|clang-format|NOLINT|-{3}", text) or text.endswith("english: ok"):
                    continue
                for name, rule in rules.items():
                    if rule.search(text):
                        found[f"{folder} {name}"] += 1
                        if "--list" in sys.argv:
                            print(f"{path.relative_to(root)}:{number} [{name}] {text}")
    allowed = collections.Counter()
    for line in (root / "tests/rules/plain_english.allowed").read_text().splitlines():
        if line and not line.startswith("#"):
            key, count = line.rsplit(" ", 1)
            allowed[key] = int(count)
    failed = False
    for key in sorted(found | allowed):
        if found[key] > allowed[key]:
            print(f"{key}: {found[key]} comments, {allowed[key]} allowed: rewrite the new ones (--list prints them)")
            failed = True
        elif found[key] < allowed[key]:
            print(f"{key}: {found[key]} comments, {allowed[key]} allowed: lower the count in plain_english.allowed")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
