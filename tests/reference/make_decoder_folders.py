"""Small folders with random models of other decoders, written like those of make_folders.py, but with NumPy alone.
Writes tests/data/folders/NAME/ and tests/data/folders/NAME.safetensors for every case of decoders/. Names on the
command line select cases."""

import pathlib
import shutil
import sys

from decoders import deberta, deepseek, files, gpt_oss, layer_norm, llama4, rms

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "folders"


def main():
    for family in (rms, layer_norm, gpt_oss, deberta, deepseek, llama4):
        for name, case in family.CASES.items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            config, tensors, ids, stages, dtype = case()
            shutil.rmtree(FOLDER / name, ignore_errors=True)
            files.write_folder(FOLDER / name, config, tensors, dtype)
            files.write_trace(FOLDER / f"{name}.safetensors", stages, ids)


if __name__ == "__main__":
    main()
