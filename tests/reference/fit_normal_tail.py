#!/usr/bin/env python3
"""The polynomial of core/kernels/vectors.h: prints its coefficients and the largest relative error.

Φ(−x)·exp(x²/2) = t·P(t) with t = 1/(1 + 0.3·x), for x from 0 to the end of the range of floats. Lawson's reweighted
least squares finds the polynomial of this degree with the smallest maximum relative error.
"""
import math

import numpy as np
import torch

PACE, DEGREE, FARTHEST = 0.3, 7, 14.0

smallest = 1 / (1 + PACE * FARTHEST)
t = (1 + smallest) / 2 + (1 - smallest) / 2 * np.cos(np.linspace(0, np.pi, 4000))
x = np.maximum((1 / t - 1) / PACE, 0)
wanted = (torch.special.erfcx(torch.from_numpy(x) / math.sqrt(2)) / 2).numpy()
powers = np.vander(t, DEGREE + 1, increasing=True) * t[:, None] / wanted[:, None]
weights = np.full_like(t, 1 / len(t))
for _ in range(200):
    root = np.sqrt(weights)
    coefficients, *_ = np.linalg.lstsq(powers * root[:, None], root, rcond=None)
    error = np.abs(powers @ coefficients - 1)
    weights *= error
    weights /= weights.sum()
print(", ".join(f"{number:.9g}f" for number in coefficients))
print(f"largest relative error {error.max():.2g}")
