"""The tensor types of GGUF, decoded with NumPy from their layouts in ggml-common.h. Every function converts whole
blocks, uint8 [blocks, bytes], to float32 [blocks, numbers]."""

import numpy as np

F = np.float32


def half(blocks, at):
    return blocks[:, at:at + 2].copy().view(np.float16).astype(F)


def halves_of_bytes(blocks):
    """Returns the low halves of all bytes, then the high ones."""
    return np.concatenate([blocks & 15, blocks >> 4], axis=1)


def signed(array):
    return array.astype(np.int32)


def fifth(blocks, at):
    word = blocks[:, at:at + 4].copy().view("<u4")
    return ((word >> np.arange(32, dtype=np.uint32)) & 1).astype(np.int32) << 4


def f32(blocks):
    return blocks.copy().view("<f4")


def f16(blocks):
    return blocks.copy().view("<f2").astype(F)


def bf16(blocks):
    return (blocks.copy().view("<u2").astype(np.uint32) << 16).view(F)


def f64(blocks):
    return blocks.copy().view("<f8").astype(F)


def q8_0(blocks):
    return half(blocks, 0) * blocks[:, 2:].copy().view(np.int8).astype(F)


def q4_0(blocks):
    return half(blocks, 0) * (signed(halves_of_bytes(blocks[:, 2:])) - 8).astype(F)


def q4_1(blocks):
    return half(blocks, 0) * halves_of_bytes(blocks[:, 4:]).astype(F) + half(blocks, 2)


def q5_0(blocks):
    return half(blocks, 0) * (signed(halves_of_bytes(blocks[:, 6:])) + fifth(blocks, 2) - 16).astype(F)


def q5_1(blocks):
    return half(blocks, 0) * (signed(halves_of_bytes(blocks[:, 8:])) + fifth(blocks, 4)).astype(F) + half(blocks, 2)


IQ4 = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], F)


def iq4_nl(blocks):
    return half(blocks, 0) * IQ4[halves_of_bytes(blocks[:, 2:])]


def two_bits(bytes_):
    """Converts [blocks, 64] to [blocks, 256]: each 32 bytes give their bits 0-1, then 2-3, 4-5, 6-7."""
    halves = bytes_.reshape(-1, 2, 1, 32)
    shifts = np.arange(0, 8, 2, dtype=np.uint8).reshape(1, 1, 4, 1)
    return ((halves >> shifts) & 3).reshape(-1, 256)


def each(scales, width):
    return np.repeat(scales, width, axis=1)


def q2_k(blocks):
    scales, q = blocks[:, :16], two_bits(blocks[:, 16:80])
    factor = half(blocks, 80) * (scales & 15).astype(F)
    least = half(blocks, 82) * (scales >> 4).astype(F)
    return each(factor, 16) * q.astype(F) - each(least, 16)


def q3_k(blocks):
    hmask, q, packed = blocks[:, :32], two_bits(blocks[:, 32:96]), signed(blocks[:, 96:108])
    third = (hmask[:, None, :] >> np.arange(8, dtype=np.uint8).reshape(1, 8, 1) & 1).reshape(-1, 256)
    low = np.concatenate([packed[:, :8] & 15, packed[:, :8] >> 4], axis=1)
    high = np.concatenate([packed[:, 8:] >> shift & 3 for shift in (0, 2, 4, 6)], axis=1)
    factor = half(blocks, 108) * ((low | high << 4) - 32).astype(F)
    return each(factor, 16) * (signed(q) - 4 * (1 - signed(third))).astype(F)


def six_bits(packed):
    a, b, c = packed[:, :4], packed[:, 4:8], packed[:, 8:]
    scales = np.concatenate([a & 63, c & 15 | a >> 6 << 4], axis=1)
    least = np.concatenate([b & 63, c >> 4 | b >> 6 << 4], axis=1)
    return scales.astype(F), least.astype(F)


def nibbles_of_32(bytes_):
    """Converts [blocks, 128] to [blocks, 256]: each 32 bytes give their low halves, then the high ones."""
    groups = bytes_.reshape(-1, 4, 1, 32)
    return (groups >> np.array([0, 4], np.uint8).reshape(1, 1, 2, 1) & 15).reshape(-1, 256)


def q4_k(blocks):
    scales, least = six_bits(blocks[:, 4:16])
    factor = each(half(blocks, 0) * scales, 32)
    return factor * nibbles_of_32(blocks[:, 16:]).astype(F) - each(half(blocks, 2) * least, 32)


def q5_k(blocks):
    scales, least = six_bits(blocks[:, 4:16])
    fifths = (blocks[:, None, 16:48] >> np.arange(8, dtype=np.uint8).reshape(1, 8, 1) & 1).reshape(-1, 256)
    q = nibbles_of_32(blocks[:, 48:]) + (fifths << 4)
    return each(half(blocks, 0) * scales, 32) * q.astype(F) - each(half(blocks, 2) * least, 32)


def q6_k(blocks):
    low = blocks[:, :128].reshape(-1, 2, 1, 64) >> np.array([0, 4], np.uint8).reshape(1, 1, 2, 1) & 15
    high = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> np.array([0, 2, 4, 6], np.uint8).reshape(1, 1, 4, 1) & 3
    q = signed(low.reshape(-1, 256)) + (signed(high.reshape(-1, 256)) << 4) - 32
    scales = blocks[:, 192:208].copy().view(np.int8).astype(F)
    return each(half(blocks, 208) * scales, 16) * q.astype(F)


# By name: type number, numbers per block, bytes per block, function, offsets of the block's half-precision scales.
TYPES = {
    "F32": (0, 1, 4, f32, ()),
    "F16": (1, 1, 2, f16, ()),
    "BF16": (30, 1, 2, bf16, ()),
    "F64": (28, 1, 8, f64, ()),
    "Q8_0": (8, 32, 34, q8_0, (0,)),
    "Q4_0": (2, 32, 18, q4_0, (0,)),
    "Q4_1": (3, 32, 20, q4_1, (0, 2)),
    "Q5_0": (6, 32, 22, q5_0, (0,)),
    "Q5_1": (7, 32, 24, q5_1, (0, 2)),
    "Q2_K": (10, 256, 84, q2_k, (80, 82)),
    "Q3_K": (11, 256, 110, q3_k, (108,)),
    "Q4_K": (12, 256, 144, q4_k, (0, 2)),
    "Q5_K": (13, 256, 176, q5_k, (0, 2)),
    "Q6_K": (14, 256, 210, q6_k, (208,)),
    "IQ4_NL": (20, 32, 18, iq4_nl, (0,)),
}


def decoded(name, data, shape):
    _, numbers, size, function, _ = TYPES[name]
    return function(np.frombuffer(data, np.uint8).reshape(-1, size)).reshape(shape)


def random_blocks(name, count, random):
    """Returns blocks with random bits, but with scales of a usual size."""
    _, numbers, size, _, scales = TYPES[name]
    if not scales:
        values = random.normal(size=count * numbers)
        if name == "BF16":
            return (values.astype(F).view(np.uint32) >> 16).astype("<u2").tobytes()
        return values.astype({"F32": "<f4", "F16": "<f2", "F64": "<f8"}[name]).tobytes()
    blocks = random.integers(0, 256, (count, size), dtype=np.uint8)
    for at in scales:
        scale = random.uniform(0.001, 0.05, (count, 1)) * random.choice([-1, 1], (count, 1))
        blocks[:, at:at + 2] = scale.astype("<f2").view(np.uint8)
    return blocks.tobytes()
