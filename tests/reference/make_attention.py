#!/usr/bin/env python3
"""Writes tests/data/attention/*.json: the results of PyTorch in float64 for small attention layers.

It shares nothing with Headlight's own code: queries, keys and values are torch.nn.functional.linear, scores are an
einsum, softmax is torch.softmax with -inf where a key is hidden. Inputs are rounded to 32-bit floats, so that both
sides start from the same numbers.
"""

import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "attention"
F64 = torch.float64


def draw(generator, *shape, deviation=1.0):
    values = torch.randn(*shape, generator=generator, dtype=F64) * deviation
    return values.to(torch.float32).to(F64)


def visible(masks, b, T, length):
    """Returns [T, T] booleans: True where query i may see key j. Layers can only hide keys. Cells override them."""
    i = torch.arange(T).unsqueeze(1)
    j = torch.arange(T).unsqueeze(0)
    seen = torch.ones(T, T, dtype=torch.bool)
    for mask in masks:
        kind = mask["kind"]
        if kind == "causal":
            seen &= torch.tril(torch.ones(T, T, dtype=torch.bool))
        elif kind == "padding":
            seen &= (j < length).expand(T, T)
        elif kind == "window" and mask["both_ways"]:
            seen &= (i - j).abs() <= mask["width"]
        elif kind == "window":
            seen &= (j <= i) & (j > i - mask["width"])
        elif kind == "prefix":
            seen &= (j <= i) | (j < mask["length"])
        elif kind == "blocks":
            seen &= (i // mask["size"]) == (j // mask["size"])
        elif kind == "diagonal":
            seen &= ~torch.eye(T, dtype=torch.bool)
        elif kind == "cells":
            for cell in mask["cells"]:
                if cell.get("sequence", b) == b:
                    seen[cell["query"], cell["key"]] = cell["visible"]
        else:
            raise ValueError(kind)
    return seen


def sinusoids(T, C):
    table = torch.zeros(T, C, dtype=F64)
    for t in range(T):
        for c in range(0, C, 2):
            table[t, c] = math.sin(t / 10000 ** (c / C))
            if c + 1 < C:
                table[t, c + 1] = math.cos(t / 10000 ** (c / C))
    return table


def compute(case, embeddings, weights, lengths):
    B, T, C = embeddings.shape
    H, d = case["heads"], case["head_size"]
    stages = {"embeddings": embeddings}
    x = embeddings
    if case["positions"] == "sinusoidal":
        x = x + sinusoids(T, C)
        stages["embedding_sum"] = x
    stages["positioned"] = stages["layers.0.input"] = x

    def heads(name):
        y = F.linear(x, weights[name].T, weights.get(name + "_bias"))
        return y.view(B, T, H, d).transpose(1, 2)

    query, key, value = heads("query"), heads("key"), heads("value")
    scores = torch.einsum("bhtd,bhsd->bhts", query, key)
    for said in case.get("scores", []):
        scores[said["sequence"], said["head"], said["query"], said["key"]] = said["score"]
    scale = {"square_root": 1 / math.sqrt(d), "off": 1.0}.get(case["scale"])
    scaled = scores * scale if scale is not None else scores / case["scale"]
    seen = torch.stack([visible(case["masks"], b, T, lengths[b]) for b in range(B)]).unsqueeze(1)
    value_of_hidden = case.get("mask_value", -math.inf)
    masked = scaled.masked_fill(~seen, value_of_hidden)

    def weigh(numbers):
        divided = numbers / case["temperature"]
        return torch.softmax(divided, dim=-1) if case.get("softmax", True) else divided

    if case.get("mask_after_softmax"):
        unmasked = weigh(scaled)
        attention = unmasked * seen
    else:
        attention = weigh(masked)
        if value_of_hidden == -math.inf:
            attention = torch.where(seen, attention, torch.zeros_like(attention))
    states = {said["head"]: said["state"] for said in case.get("head_states", [])}
    for head, state in states.items():
        if state == "uniform":
            count = seen[:, 0].sum(-1, keepdim=True)
            attention[:, head] = seen[:, 0].to(F64) / count.clamp(min=1)
    context = attention @ value
    for head, state in states.items():
        if state == "zero":
            context[:, head] = 0
        elif state == "mean":
            for b in range(B):
                context[b, head] = context[b, head, :lengths[b]].mean(dim=0)
    concatenated = context.transpose(1, 2).reshape(B, T, H * d)
    for name, tensor in [("query", query), ("key", key), ("value", value), ("scores", scores),
                         ("scaled_scores", scaled),
                         ("unmasked_weights", unmasked) if case.get("mask_after_softmax") else ("masked_scores", masked),
                         ("weights", attention), ("context", context), ("concatenated", concatenated)]:
        stages["layers.0.self_attention." + name] = tensor
    if "output" in weights:
        stages["layers.0.self_attention.output"] = F.linear(concatenated, weights["output"].T,
                                                            weights.get("output_bias"))
        stages["layers.0.self_attention.head_outputs"] = context @ weights["output"].view(H, d, -1)
    stages["layers.0.output"] = stages.get("layers.0.self_attention.output", concatenated)
    return stages


def number(x):
    if x == -math.inf:
        return "-inf"
    assert math.isfinite(x)
    return float(f"{x:.9g}")


def flat(tensor):
    return {"shape": list(tensor.shape), "values": [number(x) for x in tensor.contiguous().flatten().tolist()]}


def write(name, seed, T=5, C=8, heads=2, head_size=None, lengths=None, masks=(), biases=False, output=True,
          output_bias=False, scale="square_root", temperature=1.0, positions="none", deviation=1.0, **what_if):
    """Writes a case. `what_if` may set mask_value, mask_after_softmax, softmax, scores and head_states."""
    generator = torch.Generator().manual_seed(seed)
    lengths = lengths or [T]
    d = head_size or C // heads
    case = {"heads": heads, "head_size": d, "scale": scale, "temperature": temperature, "positions": positions,
            "masks": list(masks), **what_if}
    embeddings = draw(generator, len(lengths), T, C)
    weights = {which: draw(generator, C, heads * d, deviation=deviation / math.sqrt(C))
               for which in ("query", "key", "value")}
    if biases:
        for which in ("query", "key", "value"):
            weights[which + "_bias"] = draw(generator, heads * d, deviation=0.5)
    if output:
        weights["output"] = draw(generator, heads * d, C, deviation=1 / math.sqrt(heads * d))
        if output_bias:
            weights["output_bias"] = draw(generator, C, deviation=0.5)
    stages = compute(case, embeddings, weights, lengths)
    interventions = {key: [{"layer": 0, **said} for said in case[of]]
                     for key, of in (("heads", "head_states"), ("scores", "scores")) if of in case}
    config = {key: case[key] for key in case if key not in ("masks", "head_states", "scores")}
    document = {
        "model": {"width": C, **config,
                  "layers": [{"self_attention": {key: flat(value) for key, value in weights.items()}}]},
        "batch": {"tokens": [["w"] * length for length in lengths], "length": T,
                  "embeddings": [flat(rows) for rows in embeddings]},
        "masks": case["masks"],
        **({"interventions": interventions} if interventions else {}),
        "stages": {key: flat(value) for key, value in stages.items()},
    }
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(document, separators=(",", ":")) + "\n")
    return path.stat().st_size


CAUSAL, PADDING = {"kind": "causal"}, {"kind": "padding"}


def window(width, both_ways):
    return {"kind": "window", "width": width, "both_ways": both_ways}


def cells(*said):
    return {"kind": "cells", "cells": [dict(zip(("query", "key", "visible", "sequence"), one)) for one in said]}


def score(sequence, head, query, key, score):
    return {"sequence": sequence, "head": head, "query": query, "key": key, "score": score}


def states(**by_head):
    return [{"head": int(head[1:]), "state": state} for head, state in by_head.items()]


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    total = sum([
        write("one_head", 1, heads=1),
        write("one_token", 2, T=1, heads=1, C=4),
        write("two_heads_causal", 3, masks=[CAUSAL]),
        write("three_heads_odd_size", 4, T=4, C=9, heads=3, masks=[CAUSAL]),
        write("four_heads_biases", 5, heads=4, biases=True, output_bias=True),
        write("eight_heads", 6, T=6, C=16, heads=8, masks=[CAUSAL], biases=True),
        write("batch_padding", 7, T=6, lengths=[6, 3, 1], masks=[PADDING]),
        write("batch_causal_padding", 8, T=5, lengths=[2, 5], masks=[CAUSAL, PADDING], biases=True),
        write("window_causal", 9, T=7, masks=[window(3, False)]),
        write("window_both_ways", 10, T=7, masks=[window(2, True)]),
        write("cells", 11, T=4, masks=[CAUSAL, cells((0, 3, True), (2, 0, False), (3, 3, False))]),
        write("cells_of_one_sequence", 12, T=4, lengths=[4, 4], masks=[cells((1, 2, False, 1), (0, 0, False))]),
        write("row_sees_nothing", 13, T=4, masks=[CAUSAL, cells((0, 0, False), *[(2, j, False) for j in range(4)])],
              output_bias=True),
        write("no_output_matrix", 14, output=False),
        write("wide_heads", 15, T=4, C=6, heads=2, head_size=5),
        write("scale_number", 16, scale=2.5),
        write("scale_off", 17, scale="off", masks=[CAUSAL]),
        write("temperature_hot", 18, temperature=4.0),
        write("temperature_cold", 19, temperature=0.125, masks=[CAUSAL]),
        write("sinusoidal", 20, positions="sinusoidal", masks=[CAUSAL]),
        write("sinusoidal_odd_width", 21, T=6, C=7, heads=1, positions="sinusoidal", lengths=[6, 4], masks=[PADDING]),
        write("large_scores", 22, deviation=12.0, scale="off"),
        write("window_padding_cells", 23, T=6, C=12, heads=3, lengths=[6, 4], biases=True,
              masks=[window(2, True), PADDING, cells((0, 5, True))], positions="sinusoidal", temperature=0.5),
        write("prefix", 24, T=5, C=6, masks=[{"kind": "prefix", "length": 2}]),
        write("blocks", 25, T=5, C=6, masks=[{"kind": "blocks", "size": 2}, CAUSAL]),
        write("diagonal", 26, T=4, C=6, lengths=[4, 3], masks=[{"kind": "diagonal"}, PADDING]),
        write("mask_value", 27, T=4, C=6, masks=[CAUSAL, cells(*[(2, j, False) for j in range(4)])], mask_value=-1e9,
              temperature=2.0),
        write("mask_value_small", 28, T=4, C=6, lengths=[4, 2], masks=[PADDING], mask_value=-1e4),
        write("mask_after_softmax", 29, T=4, C=6, masks=[CAUSAL, cells((0, 0, False))], mask_after_softmax=True,
              temperature=0.5),
        write("no_softmax", 30, T=4, C=6, masks=[CAUSAL], softmax=False, temperature=2.0),
        write("no_softmax_mask_after", 31, T=4, C=6, masks=[CAUSAL], softmax=False, mask_after_softmax=True),
        write("no_softmax_mask_value", 32, T=4, C=6, masks=[CAUSAL], softmax=False, mask_value=-3.0),
        write("head_zero", 33, T=4, C=6, heads=3, masks=[CAUSAL], head_states=states(h1="zero")),
        write("head_mean", 34, T=5, C=6, heads=2, lengths=[5, 3], masks=[PADDING], head_states=states(h0="mean"),
              output_bias=True),
        write("head_uniform", 35, T=4, C=6, heads=2, masks=[CAUSAL, cells((0, 0, False))],
              head_states=states(h1="uniform")),
        write("all_states", 36, T=4, C=8, heads=4, lengths=[4, 2], masks=[CAUSAL], mask_after_softmax=True,
              head_states=states(h0="zero", h1="mean", h2="uniform")),
        write("scores_set_by_hand", 37, T=4, C=6, heads=2, lengths=[4, 3], masks=[CAUSAL, PADDING],
              scores=[score(0, 0, 2, 1, 3.5), score(0, 1, 3, 3, -2.0), score(1, 0, 0, 2, 9.0), score(1, 1, 1, 0, 0.0)]),
    ])
    print(f"{len(list(FOLDER.glob('*.json')))} files, {total} bytes, PyTorch {torch.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
