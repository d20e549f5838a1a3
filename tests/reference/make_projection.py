#!/usr/bin/env python3
"""Principal components by NumPy's SVD, for tst_projection. Writes tests/data/projection/principal.json.

The test has the same formula for the vectors, so only the results are stored: for few and many vectors, narrow and wide
ones.
"""
import json
import pathlib

import numpy as np


def vectors(count: int, width: int) -> np.ndarray:
    i, j = np.meshgrid(np.arange(count), np.arange(width), indexing="ij")
    scale = 1 / (1 + j)  # so that some directions matter more than others
    return (scale * np.sin(1.0 + i * 12.9898 + j * 78.233)).astype(np.float32)


cases = []
for count, width in [(7, 5), (40, 300), (300, 5), (300, 280), (2, 3), (3, 2)]:
    rows = vectors(count, width).astype(np.float64)
    centred = rows - rows.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    axes = axes[:2]
    axes *= np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
    points = centred @ axes.T
    cases.append({
        "count": count,
        "width": width,
        "share": (sizes[:2] ** 2 / (sizes**2).sum()).tolist(),
        "points": points[:4].tolist(),
    })

target = pathlib.Path(__file__).parent.parent / "data" / "projection" / "principal.json"
target.parent.mkdir(exist_ok=True)
target.write_text(json.dumps(cases, indent=1) + "\n")
