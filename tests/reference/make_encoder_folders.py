"""Small folders with random models of more encoders and encoder-decoders, as make_decoder_folders.py writes them: with
NumPy alone, every stage in float64. Names on the command line limit it to these."""

import json
import pathlib
import shutil
import sys

from decoders import files
from encoders import bart, bert

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "folders"


def main():
    for family in (bert, bart):
        for name, case in family.CASES.items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            config, tensors, inputs, stages, dtype = case()
            shutil.rmtree(FOLDER / name, ignore_errors=True)
            files.write_folder(FOLDER / name, config, tensors, dtype)
            metadata = {key: json.dumps(value) for key, value in inputs.items()}
            files.write_safetensors(FOLDER / f"{name}.safetensors", stages, metadata)


if __name__ == "__main__":
    main()
