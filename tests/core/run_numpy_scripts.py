"""Runs the scripts of a file, each below a line "#### VALUE", and compares what they print with their values.

    run_numpy_scripts.py FILE COUNT
"""
import contextlib
import io
import math
import pathlib
import sys

_, *scripts = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").split("#### ")
wrong = abs(len(scripts) - int(sys.argv[2]))
for text in scripts:
    expected, script = text.split("\n", 1)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, "copied", "exec"), {})
    value = float(printed.getvalue())
    same = value == float(expected) or math.isclose(value, float(expected), rel_tol=2e-5, abs_tol=2e-5)
    if not same:
        wrong += 1
        print(f"the script gives {value}, the trace {expected}\n{script}", file=sys.stderr)
sys.exit(1 if wrong else 0)
