"""Writes folders as Hugging Face's libraries do. https://github.com/huggingface/safetensors#format"""

import json
import struct

import numpy as np


def type_of(numbers, dtype):
    return "U8" if numbers.dtype == np.uint8 else dtype


def bytes_of(numbers, dtype):
    numbers = np.ascontiguousarray(numbers)
    if type_of(numbers, dtype) == "U8":
        return numbers.tobytes()
    if dtype == "BF16":
        return (numbers.view(np.uint32) >> 16).astype("<u2").tobytes()
    return numbers.astype({"F16": "<f2", "F32": "<f4"}[dtype]).tobytes()


def write_safetensors(path, tensors, metadata, dtype="F32"):
    header, end = {"__metadata__": metadata}, 0
    parts = [bytes_of(numbers, dtype) for numbers in tensors.values()]
    for (name, numbers), part in zip(tensors.items(), parts):
        begin, end = end, end + len(part)
        header[name] = {"dtype": type_of(numbers, dtype), "shape": list(numbers.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def write_folder(folder, config, tensors, dtype):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    write_safetensors(folder / "model.safetensors", tensors, {"format": "pt"}, dtype)


def write_trace(path, stages, ids):
    """Writes the stages, rounded to 32 bits."""
    write_safetensors(path, stages, {"token_ids": json.dumps(ids)})
