"""Reads a safetensors file as PyTorch tensors."""
import mmap

import torch

from model_files import header


def read(path):
    info, begin = header(path)
    metadata = info.pop("__metadata__")
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    tensors = {}
    for name, one in info.items():
        first, last = one["data_offsets"]
        numbers = torch.frombuffer(data, dtype=torch.float32, count=(last - first) // 4,
                                   offset=begin + first)
        tensors[name] = numbers.reshape(one["shape"]).clone()
    return tensors, metadata
