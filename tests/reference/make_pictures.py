"""Resizes a picture with Pillow, for tests/data/pictures. encoders/vit.py defines the picture."""

import json
import pathlib

import numpy as np
from PIL import Image

from encoders.vit import picture

FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "pictures" / "resized.json"


def main():
    cases = []
    for resample, name in ((Image.Resampling.BILINEAR, "bilinear"), (Image.Resampling.BICUBIC, "bicubic")):
        for height, width, to_height, to_width in ((13, 17, 6, 5), (5, 4, 9, 12), (40, 30, 8, 30), (7, 90, 7, 11),
                                                   (1, 1, 3, 2)):
            image = Image.fromarray(picture(height, width).astype(np.uint8))
            made = np.asarray(image.resize((to_width, to_height), resample))
            cases.append({"resampling": name, "from": [height, width], "to": [to_height, to_width],
                          "bytes": made.ravel().tolist()})
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("[" + ",\n ".join(json.dumps(case, separators=(",", ":")) for case in cases) + "]\n")


if __name__ == "__main__":
    main()
