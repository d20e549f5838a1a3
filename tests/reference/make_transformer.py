#!/usr/bin/env python3
"""Writes tests/data/transformer/*.json: complete transformers as PyTorch computes them in float64, every stage and the
gradient of a scalar with respect to every parameter and every stage. The computation is transformer.py.

    make_transformer.py            writes the files
    make_transformer.py --check    compares the computation with others, see check_transformer.py
"""

import json
import math
import pathlib
import sys

import torch

import transformer

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "transformer"
F64 = torch.float64
WORDS = ["[PAD]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat", "on", "a", "mat", "."]
STAGE_DIGITS, GRADIENT_DIGITS = 7, 6
CAUSAL, PADDING = {"kind": "causal"}, {"kind": "padding"}


def window(width, both_ways=False):
    return {"kind": "window", "width": width, "both_ways": both_ways}


def cells(*said):
    return {"kind": "cells", "cells": [dict(zip(("query", "key", "visible"), one)) for one in said]}


# --- numbers -----------------------------------------------------------------------------------------------------

def draw(generator, *shape, deviation=1.0, mean=0.0):
    """Returns numbers with four decimals, rounded to 32-bit floats, so that both sides read the same short numbers."""
    values = torch.randn(*shape, generator=generator, dtype=F64) * deviation + mean
    return values.round(decimals=4).to(torch.float32).to(F64)


def number(x, decimals):
    if x == -math.inf:
        return "-inf"
    assert math.isfinite(x)
    short = round(x, decimals)
    if short == 0 and x != 0:  # almost 0 must not be mistaken for exactly 0
        return float(f"{x:.1g}")
    return int(short) if short == int(short) else short


def flat(tensor, digits, floor=0.0, hidden=-math.inf):
    """Returns numbers with as many decimals as give `digits` digits to the largest one, or to `floor` if that is
    larger. The value of hidden scores does not count as the largest."""
    values = tensor.flatten().tolist()
    largest = max([floor] + [abs(x) for x in values if x != hidden])
    decimals = digits - 1 - math.floor(math.log10(largest)) if largest else 0
    return {"shape": list(tensor.shape), "values": [number(x, decimals) for x in values]}


def drawn(tensor):
    """Returns the four decimals of a number from draw()."""
    return {"shape": list(tensor.shape), "values": [number(x, 4) for x in tensor.flatten().tolist()]}


def parameters_of(model, path=""):
    """Yields (path, tensor) for all parameters in the nested dictionaries and lists."""
    for key, value in model.items() if isinstance(model, dict) else enumerate(model):
        if isinstance(value, torch.Tensor):
            yield f"{path}{key}", value
        elif isinstance(value, (dict, list)):
            yield from parameters_of(value, f"{path}{key}.")


def written(value):
    if isinstance(value, torch.Tensor):
        return drawn(value)
    if isinstance(value, dict):
        return {key: written(one) for key, one in value.items()}
    return [written(one) for one in value] if isinstance(value, list) else value


# --- models ------------------------------------------------------------------------------------------------------

def configured(**said):
    """Returns a config with every field that has an effect. `said` has the fields of a session file, including
    groups."""
    model = {"width": 8, "heads": 2, "scale": "square_root", "temperature": 1.0, "softmax": True,
             "mask_after_softmax": False, "positions": "none", "residual": True, "scale_embeddings": False,
             "vocabulary": WORDS, **said}
    model.setdefault("head_size", model["width"] // model["heads"])
    model.setdefault("key_value_heads", model["heads"])
    model.setdefault("embedding_width", model["width"])
    if model["positions"] == "sinusoidal":
        model.setdefault("sinusoid_order", "interleaved")
    if model["positions"] == "learned":
        model.setdefault("position_offset", 0)
    model["norm"] = {"kind": "none", "place": "before", "epsilon": 1e-5, "final": False, "embedding": False,
                     **model.get("norm", {})}
    if "feed_forward" in model:
        model["feed_forward"] = {"gated": False, **model["feed_forward"]}
    kind = model.get("head", {}).get("kind", "none")
    model["head"] = {"kind": kind, **({"scaled": False} if "language" in kind else {}), **model.get("head", {})}
    return model


class Learned:
    """Draws the parameters of a model in their order in the file."""

    def __init__(self, generator, model, biases):
        self.generator, self.model, self.biases = generator, model, biases

    def matrix(self, rows, columns):
        return draw(self.generator, rows, columns, deviation=1 / math.sqrt(rows))

    def bias(self, width):
        return draw(self.generator, width, deviation=0.3)

    def norm(self, into, prefix, width):
        kind = self.model["norm"]["kind"]
        if kind != "none":
            into[prefix + "_gain"] = draw(self.generator, width, deviation=0.2, mean=1.0)
        if kind in ("layer", "batch"):
            into[prefix + "_bias"] = self.bias(width)

    def maps(self, into, **shapes):
        for name, shape in shapes.items():
            into[name] = self.matrix(*shape)
            if self.biases:
                into[name + "_bias"] = self.bias(shape[1])

    def attention(self, output):
        C, d = self.model["width"], self.model["head_size"]
        heads, groups = self.model["heads"] * d, self.model["key_value_heads"] * d
        v = self.model.get("value_size", d)
        weights = {}
        self.maps(weights, query=(C, heads), key=(C, groups), value=(C, self.model["key_value_heads"] * v))
        if output:
            self.maps(weights, output=(self.model["heads"] * v, C))
        together = self.model.get("query_key_norm", "none")
        if together != "none":
            self.norm(weights, "query_norm", heads if together == "all_heads" else d)
            self.norm(weights, "key_norm", groups if together == "all_heads" else d)
        self.norms(weights, C)
        return weights

    def norms(self, into, width, shared=False):
        """Draws the norms around a block, if the model has them."""
        place = self.model["norm"]["place"]
        if place != "output" and not shared:
            self.norm(into, "norm", width)
        if "output" in place:
            self.norm(into, "output_norm", width)

    def feed_forward(self):
        C, F = self.model["width"], self.model["feed_forward"]["width"]
        weights = {}
        if self.model["feed_forward"]["gated"]:
            self.maps(weights, gate=(C, F))
        self.maps(weights, hidden=(C, F), output=(F, C))
        self.norms(weights, C, self.model.get("shared_norm", False))
        return weights

    def stack(self, into, layers, attentions, embeddings, positions, types, output=True):
        """Draws the parameters before, in and after the layers. `positions` and `types` are numbers of rows."""
        model, C, E = self.model, self.model["width"], self.model["embedding_width"]
        if embeddings:
            into["token_embeddings"] = draw(self.generator, len(WORDS), E, deviation=0.8)
        if model["positions"] == "learned":
            into["position_embeddings"] = draw(self.generator, positions, E, deviation=0.5)
        if types:
            into["token_types"] = draw(self.generator, types, E, deviation=0.5)
        if model["norm"]["embedding"]:
            self.norm(into, "embedding_norm", E)
        if E != C:
            self.maps(into, embedding_projection=(E, C))
        if model["positions"] == "relative":
            into["position_bias"] = draw(self.generator, model["relative"]["buckets"], model["heads"])
        into["layers"] = []
        for _ in range(layers):
            layer = {name: self.attention(output) for name in attentions}
            if "feed_forward" in model:
                layer["feed_forward"] = self.feed_forward()
            into["layers"].append(layer)
        if model["norm"]["final"]:
            self.norm(into, "final_norm", C)

    def head(self, into, tied, output_bias, pooler):
        model, head, C, E = self.model, self.model["head"], self.model["width"], self.model["embedding_width"]
        if head["kind"] == "masked_language":
            self.maps(into, head_transform=(C, E))
            if head["norm"]:
                self.norm(into, "head_norm", E)
        if head["kind"] in ("language", "masked_language"):
            if not tied:
                into["output_matrix"] = self.matrix(E if head["kind"] == "masked_language" else C, len(WORDS))
            if output_bias:
                into["output_bias"] = self.bias(len(WORDS))
        if head["kind"] == "classifier":
            if pooler:
                self.maps(into, pooler=(C, C))
            self.maps(into, classifier=(C, head["classes"]))


def batch_of(texts, length=None, types=None):
    batch = {"tokens": [text.split() for text in texts]}
    batch["length"] = max(length or 0, max(len(tokens) for tokens in batch["tokens"]))
    if types:
        batch["token_types"] = [[int(digit) for digit in row] for row in types]
    return batch


def make(seed, *texts, source=None, length=None, source_length=None, token_types=None, masks=(), encoder_masks=(),
         cross_masks=(), layers=2, encoder_layers=0, attentions=("self_attention",), biases=True, positions_known=8,
         types_known=0, own_encoder_embeddings=False, output=True, tied=False, output_bias=False, pooler=False,
         loss=None, **config):
    """Returns a document without results. `loss`: the stages that the loss is a sum over; the last stage by default."""
    generator = torch.Generator().manual_seed(seed)
    model = configured(**config)
    learned = Learned(generator, model, biases)
    learned.stack(model, layers, attentions, True, positions_known, types_known, output)
    if encoder_layers:
        model["encoder"] = dict(model.get("encoder", {}))
        learned = Learned(generator, transformer.of_encoder(model), biases)
        learned.stack(model["encoder"], encoder_layers, ("self_attention",), own_encoder_embeddings, positions_known, 0)
    Learned(generator, model, biases).head(model, tied, output_bias, pooler)
    document = {"model": model, "batch": batch_of(texts, length, token_types), "masks": list(masks)}
    if source:
        document.update(source=batch_of(source, source_length), cross_masks=list(cross_masks))
    if encoder_layers:
        document["encoder_masks"] = list(encoder_masks)
    return document, loss, generator


def last_stage(stages):
    """Returns the stage that a loss is usually computed from."""
    for name in ("class_logits", "logits"):
        if name in stages:
            return name
    return next(reversed(stages))


def results(document, loss, generator):
    """Returns the stages, the loss as a list of stages with constant gradients, and its gradients."""
    parameters = dict(parameters_of(document["model"]))
    for parameter in parameters.values():
        parameter.requires_grad_()
    stages = transformer.compute(document)
    about = [{"stage": name, "gradient": draw(generator, *stages[name].shape)}
             for name in loss or [last_stage(stages)]]
    sum((stages[part["stage"]] * part["gradient"]).sum() for part in about).backward()
    # Separate, because a parameter and its stage may have the same name ("layers.0.self_attention.query").
    gradients = {kind: {name: tensor.grad for name, tensor in tensors.items()
                        if tensor.requires_grad and tensor.grad is not None}
                 for kind, tensors in (("parameters", parameters), ("stages", stages))}
    return stages, about, gradients


def write(name, case):
    document, loss, generator = case
    stages, about, gradients = results(document, loss, generator)
    hidden = document["model"].get("mask_value", -math.inf)
    document = {key: written(value) for key, value in document.items()}
    document["stages"] = {key: flat(value, STAGE_DIGITS, 1.0, hidden) for key, value in stages.items()}
    document["loss"] = written(about)
    document["gradients"] = {kind: {key: flat(value, GRADIENT_DIGITS) for key, value in of.items()}
                             for kind, of in gradients.items()}
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(document, separators=(",", ":")) + "\n")
    return path.stat().st_size


def main():
    if sys.argv[1:] == ["--check"]:
        import check_transformer
        return check_transformer.main()
    from transformer_cases import CASES
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    sizes = {name: write(name, case()) for name, case in CASES.items()}
    for name, size in sorted(sizes.items(), key=lambda one: -one[1])[:8]:
        print(f"{size:8} {name}", file=sys.stderr)
    print(f"{len(sizes)} files, {sum(sizes.values())} bytes, PyTorch {torch.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
