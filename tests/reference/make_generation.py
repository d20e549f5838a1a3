#!/usr/bin/env python3
"""Writes tests/data/generation.json: the tokens that the language models of tests/data/transformer generate greedily,
in float64 and from scratch at every length. The computation is transformer.py.

Continues a file's first sequence, without padding. [PAD] is never chosen. `margin` is the smallest lead of a chosen
logit over the next one, which is far larger than the rounding error of 32 bits."""

import json
import pathlib

import torch

import transformer
from make_transformer import FOLDER

TOKENS = 12
SMALLEST_MARGIN = 1e-3


def tensors(value):
    """Converts every {"shape", "values"} to a tensor, wherever it is nested."""
    if isinstance(value, dict):
        if set(value) == {"shape", "values"}:
            return torch.tensor(value["values"], dtype=torch.float64).reshape(value["shape"])
        return {key: tensors(one) for key, one in value.items()}
    return [tensors(one) for one in value] if isinstance(value, list) else value


def first(batch):
    """Returns a batch of only the first sequence, without padding."""
    alone = {"tokens": batch["tokens"][:1], "length": len(batch["tokens"][0])}
    if "token_types" in batch:
        alone["token_types"] = [batch["token_types"][0][:alone["length"]]]
    return alone


def generate(document):
    words = document["model"]["vocabulary"]
    model = tensors(document["model"])
    batch = first(document["batch"])
    said = {"model": model, **{key: document[key] for key in ("masks", "encoder_masks", "cross_masks")
                               if key in document}}
    if "source" in document:
        said["source"] = first(document["source"])
    most = len(model["position_embeddings"]) - model["position_offset"] if "position_embeddings" in model else 1000
    ids, margin = [], float("inf")
    with torch.no_grad():
        for _ in range(TOKENS):
            if batch["length"] > most:
                break
            logits = transformer.compute({**said, "batch": batch})["logits"][0, -1]
            logits[words.index("[PAD]")] = -torch.inf
            best = logits.topk(2).values
            margin = min(margin, float(best[0] - best[1]))
            ids.append(int(logits.argmax()))
            batch["tokens"][0] = batch["tokens"][0] + [words[ids[-1]]]
            batch["length"] += 1
            if "token_types" in batch:
                batch["token_types"][0].append(batch["token_types"][0][-1])
    return {"ids": ids, "margin": margin}


def main():
    made = {}
    for path in sorted(FOLDER.glob("*.json")):
        document = json.loads(path.read_text())
        kind = document["model"]["head"]["kind"]
        if kind != "language":
            continue
        one = generate(document)
        if one["margin"] < SMALLEST_MARGIN:
            print(f"{path.stem}: left out, {one['margin']:.1e} decides")
            continue
        made[path.stem] = {"ids": one["ids"], "margin": float(f"{one['margin']:.2g}")}
    out = pathlib.Path(__file__).resolve().parent.parent / "data" / "generation.json"
    out.write_text("{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in made.items()) + "\n}\n")
    print(len(made), "models")


if __name__ == "__main__":
    main()
