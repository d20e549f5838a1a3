"""Small folders with random models of other encoders and encoder-decoders, written like those of
make_decoder_folders.py: with NumPy alone, and every stage in float64. Names on the command line select cases."""

import json
import pathlib
import shutil
import sys

from decoders import files
from encoders import bart, bert, clip, vit, whisper

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "folders"


def main():
    for family in (bert, bart, vit, clip, whisper):
        for name, case in family.CASES.items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            config, tensors, inputs, stages, dtype, *preparation = case()
            shutil.rmtree(FOLDER / name, ignore_errors=True)
            files.write_folder(FOLDER / name, config, tensors, dtype)
            if preparation:  # for pictures and audio
                path = FOLDER / name / "preprocessor_config.json"
                path.write_text(json.dumps(preparation[0], indent=2, sort_keys=True) + "\n")
            metadata = {key: json.dumps(value) for key, value in inputs.items()}
            files.write_safetensors(FOLDER / f"{name}.safetensors", stages, metadata)


if __name__ == "__main__":
    main()
