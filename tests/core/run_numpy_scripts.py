"""Runs 0.py … (n-1).py of a folder and compares what each prints last with the number in its .txt."""
import contextlib
import io
import math
import pathlib
import sys

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
wrong = 0
for index in range(count):
    script = (folder / f"{index}.py").read_text(encoding="utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, f"{index}.py", "exec"), {})
    expected = float((folder / f"{index}.txt").read_text())
    value = float(printed.getvalue())
    same = value == expected or math.isclose(value, expected, rel_tol=2e-5, abs_tol=2e-5)
    if not same:
        wrong += 1
        print(f"{index}.py gives {value}, the trace {expected}\n{script}", file=sys.stderr)
sys.exit(1 if wrong else 0)
