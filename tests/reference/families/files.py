"""Writes folders as Hugging Face's libraries do. https://github.com/huggingface/safetensors#format"""

import json
import struct

import torch

DTYPES = {torch.float32: "F32", torch.bfloat16: "BF16", torch.float16: "F16", torch.int64: "I64", torch.uint8: "U8"}


def bytes_of(tensor):
    tensor = tensor.contiguous()
    if tensor.dtype == torch.bfloat16:  # not supported by NumPy
        return tensor.view(torch.int16).numpy().tobytes()
    return tensor.numpy().tobytes()


def write_safetensors(path, tensors, metadata):
    header, end = {"__metadata__": metadata}, 0
    for name, tensor in tensors.items():
        begin, end = end, end + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(map(bytes_of, tensors.values())))


def write_sharded(folder, tensors, parts):
    """Distributes the tensors over the files in turn, so that each layer is in several files."""
    files = [f"model-{part + 1:05}-of-{parts:05}.safetensors" for part in range(parts)]
    place = {name: files[index % parts] for index, name in enumerate(tensors)}
    for file in files:
        write_safetensors(folder / file, {name: tensors[name] for name in tensors if place[name] == file},
                          {"format": "pt"})
    size = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
    index = {"metadata": {"total_size": size}, "weight_map": place}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2, sort_keys=True) + "\n")


def read_safetensors(path):
    data = path.read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    kinds = {word: dtype for dtype, word in DTYPES.items()}
    tensors = {}
    for name, of in json.loads(data[8:start]).items():
        if name != "__metadata__":
            begin, end = of["data_offsets"]
            numbers = torch.frombuffer(bytearray(data[start + begin:start + end]), dtype=kinds[of["dtype"]])
            tensors[name] = numbers.reshape(of["shape"])
    return tensors


def write_folder(folder, config, tensors, parts=1):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    if parts > 1:
        write_sharded(folder, tensors, parts)
    else:
        write_safetensors(folder / "model.safetensors", tensors, {"format": "pt"})


def write_trace(path, stages, inputs):
    """Writes the stages, rounded to 32 bits. `inputs` has lists of ids or types by name."""
    write_safetensors(path, {name: tensor.float() for name, tensor in stages.items()},
                      {name: json.dumps(value) for name, value in inputs.items()})
