"""Small folders with random models of every family, as Hugging Face's libraries write them, and beside each folder every
stage of one computation in float64, after the families' papers.

Writes tests/data/folders/NAME/ and tests/data/folders/NAME.safetensors. Every family is a file of families/."""

import pathlib
import shutil
import sys

from families import bart, bert, files, gpt, llama, t5

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "folders"


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    for family in (gpt, llama, bert, bart, t5):
        for name, case in family.CASES.items():
            config, tensors, inputs, stages = case()
            files.write_folder(FOLDER / name, config, tensors, getattr(family, "SHARDED", {}).get(name, 1))
            files.write_trace(FOLDER / f"{name}.safetensors", stages, inputs)
    paths = [path for path in FOLDER.rglob("*") if path.is_file()]
    print(f"{len(paths)} files, {sum(path.stat().st_size for path in paths)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
