#!/usr/bin/env python3
"""Tests the table of script/bench, and that it runs all benchmarks."""
import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
LOADER = SourceFileLoader("bench", str(ROOT / "script/bench"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", LOADER))
LOADER.exec_module(bench)

OUTPUT = """********* Start testing of LinesBenchmark *********
PASS   : LinesBenchmark::hover()
paint, median\t12.345\tms\t10
paint, 99 %\t15.000\tms\t33
frame, median\t3.000\tms\t
frame, 99 %\t17.500\tms\t16
memory\t583.200\tMB\t600
long text\trefused\tMB\t900
start\t120.400\tms\t
"""


class Table(unittest.TestCase):
    def test_rows(self):
        rows = bench.rows_in(OUTPUT)
        self.assertEqual(len(rows), 7)
        self.assertEqual(rows[0], ("paint, median", 12.345, "ms", 10))
        self.assertEqual(rows[5], ("long text", None, "MB", 900))
        self.assertEqual(rows[6], ("start", 120.4, "ms", None))

    def test_a_missed_limit_is_marked(self):
        self.assertEqual(bench.table(bench.rows_in(OUTPUT))[2:], [
            "| paint | **12.3 ms** | 15.0 ms | 10 ms, 99 %: 33 ms | missed |",
            "| frame | 3 ms | **17.5 ms** | 99 %: 16 ms | missed |",
            "| memory | 583 MB |  | 600 MB |  |",
            "| long text | **refused** |  | 900 MB | missed |",
            "| start | 120 ms |  |  |  |"])

    def test_turns_give_medians(self):
        turns = [[("a", value, "ms", 5.0), ("b", other, "MB", None)] for value, other in ((1, 7), (9, None), (4, 8))]
        self.assertEqual(bench.joined(turns), [("a", 4, "ms", 5.0), ("b", None, "MB", None)])

    def test_only_its_part_of_the_page_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("a\n<!-- promised -->\nold\n<!-- /promised -->\nb\n<!-- measured -->\nc\n<!-- /measured -->\n")
            bench.measuring.put_into(page, "promised", "new\n")
            self.assertEqual(page.read_text(), "a\n<!-- promised -->\nnew\n<!-- /promised -->\nb\n"
                                               "<!-- measured -->\nc\n<!-- /measured -->\n")
        text = (ROOT / "docs/performance.md").read_text()
        for mark in ("promised", "measured"):
            self.assertEqual(text.count(f"<!-- {mark} -->"), 1)
            self.assertEqual(text.count(f"<!-- /{mark} -->"), 1)


class Programs(unittest.TestCase):
    def test_every_benchmark_is_known(self):
        files = {path.stem.removeprefix("bench_") for path in (ROOT / "tests/bench").glob("bench_*.cpp")}
        self.assertEqual(files, {name for name, _ in bench.PROMISED} | set(bench.OTHERS))

    def test_their_functions_exist(self):
        for name, functions in bench.PROMISED:
            text = (ROOT / f"tests/bench/bench_{name}.cpp").read_text()
            slots = set(re.findall(r"^    void (\w+)\(\) \{", text[text.index("private slots:"):], re.MULTILINE))
            slots -= {"init", "initTestCase"} | {slot for slot in slots if slot.endswith("_data")}
            self.assertEqual({function.partition(":")[0] for function in functions}, slots, name)


if __name__ == "__main__":
    unittest.main()
