"""The states of the window that script/pictures photographs with --states, and the files that they need."""

import json
import random
import struct

WORDS = "the cat sat on a mat and looked at its tail while birds sang in old trees".split()
WEIGHTS = "--view close-up --stage weights"

# Like PICTURES in script/pictures. FILES/ is the folder of write_files(). "now" as the first step: does not wait for the end of
# the computation, neither before nor after the steps. "now" as the last step: does not wait for the end of what the steps started.
STATES = {
    "computing": (f"FILES/deep-and-long.headlight {WEIGHTS}", "1280x720", "now\nwait 1", ""),
    "out-of-date": (f"FILES/long.headlight {WEIGHTS} --query 2000 --key 1500", "1280x720", "wait 10\nsettle\nkey c\nwait 0.8\nnow", ""),
    "nothing-selected": ("cat --view close-up --stage scores --query none --key none", "1280x720", "", ""),
    "sees-nothing": (f"FILES/sees-nothing.headlight {WEIGHTS} --query 0", "1280x720", "", ""),
    "two-sequences": ("cross-attention --view close-up --block cross --stage weights --query 1", "1280x720", "", ""),
    "batch": (f"batch {WEIGHTS} --query 1", "1280x720", "", ""),
    "shared-keys": ("FOLDERS/llama-grouped-tied --token-ids 4,5,6,7,8 --view close-up --stage scores --head 1 --query 3 --key 1",
                    "1280x720", "", ""),
    "capture": ("FILES/weights.safetensors --view close-up --query 3", "1280x720", "", ""),
    "4096-tokens": (f"FILES/long.headlight {WEIGHTS} --query 2000 --key 1500", "1280x720", "wait 10", ""),
    "100-layers": (f"FILES/deep.headlight {WEIGHTS} --layer 99 --head 63 --query 3", "1280x720", "", ""),
    "one-token": (f"FILES/one.headlight {WEIGHTS} --query 0", "1280x720", "", ""),
    "empty-text": (f"cat {WEIGHTS} --query 2", "1280x720", "mousemove 400 56 click 1\nkey ctrl+a\nkey BackSpace\nwait 1\nnow", ""),
}
# The twelve moments of the show for a class. It covers the screen, which is 16 pixels larger than the window.
STATES |= {f"show-{moment + 1:02}": ("--theme light", "1264x704", "\n".join(["key F11", "settle", *["key space"] * moment]), "1280x720+0+0")
           for moment in range(12)}


def session(title, texts, width, heads, layers, **more):
    def parameters(seed):
        return {"random": {"seed": seed, "scale": 0.4}}

    names = ("query", "key", "value", "output")
    return {
        "headlight": 2, "title": title,
        "batch": {"sequences": [{"text": text} for text in texts]},
        "model": {
            "width": width, "heads": heads, "head_size": width // heads, "layer_count": layers, "positions": "sinusoidal",
            "embeddings": {"others": {"random": {"seed": 5}}},
            "residual": True, "norm": {"kind": "layer", "place": "before"},
            "layers": [{"self_attention": {name: parameters(seed) for seed, name in enumerate(names, 1)}}],
        },
        **more,
    }


def capture(heads, tokens):
    """Returns a .safetensors file with the attention weights of two layers, and nothing else."""
    chance = random.Random(1)
    header, data = {}, b""
    for layer in range(2):
        begin = len(data)
        for row in range(heads * tokens):
            seen = [chance.random() if key <= row % tokens else 0 for key in range(tokens)]
            data += struct.pack(f"<{tokens}f", *(weight / sum(seen) for weight in seen))
        header[f"attentions.{layer}"] = {"dtype": "F32", "shape": [heads, tokens, tokens], "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def write_files(folder):
    """Writes the sessions and the capture that STATES names. They are random, and always the same."""
    chance = random.Random(1)
    long = " ".join(chance.choice(WORDS) for _ in range(4096))
    causal = {"masks": [{"kind": "causal"}]}
    nothing = {"masks": [{"kind": "cells", "cells": [{"query": 0, "key": key} for key in range(6)]}]}
    sessions = {
        "long": session("A long text", [long], 64, 4, 2, **causal),
        "deep-and-long": session("Long and deep", [long], 64, 4, 12, **causal),
        "deep": session("100 layers of 64 heads", ["The cat sat on the mat"], 128, 64, 100),
        "one": session("One token", ["cat"], 16, 2, 1),
        "sees-nothing": session("A row that sees nothing", ["The cat sat on the mat"], 16, 2, 1, **nothing),
    }
    for name, content in sessions.items():
        (folder / f"{name}.headlight").write_text(json.dumps(content))
    (folder / "weights.safetensors").write_bytes(capture(4, 7))
