"""Compares transformer.py with computations that are written differently: PyTorch's own transformer layers and batch
norm, rotation by complex numbers, and loops over buckets and slopes. Also compares the gradients of every case with
finite differences."""

import math

import torch

import make_transformer
import transformer
from transformer_cases import CASES

F64 = torch.float64


def close(name, ours, theirs, tolerance=1e-10):
    deviation = (ours - theirs).abs().max().item()
    assert deviation <= tolerance, f"{name}: {deviation:.2e}"
    print(f"{name:48} {deviation:.1e}")


def fill(module, weights, cross=None):
    """Copies our [in, out] matrices into the parameters of a torch.nn layer."""
    def attention(into, of):
        into.in_proj_weight.copy_(torch.cat([of[name] for name in ("query", "key", "value")], dim=1).T)
        into.in_proj_bias.copy_(torch.cat([of[name + "_bias"] for name in ("query", "key", "value")]))
        into.out_proj.weight.copy_(of["output"].T)
        into.out_proj.bias.copy_(of["output_bias"])
    with torch.no_grad():
        attention(module.self_attn, weights["self_attention"])
        norms = ["self_attention", "feed_forward"]
        if "cross_attention" in weights:
            attention(module.multihead_attn, weights["cross_attention"])
            norms.insert(1, "cross_attention")
        for number, name in enumerate(norms, 1):
            getattr(module, f"norm{number}").weight.copy_(weights[name]["norm_gain"])
            getattr(module, f"norm{number}").bias.copy_(weights[name]["norm_bias"])
        for linear, name in ((module.linear1, "hidden"), (module.linear2, "output")):
            linear.weight.copy_(weights["feed_forward"][name].T)
            linear.bias.copy_(weights["feed_forward"][name + "_bias"])
    return module.train()  # without dropout the result is the same, and the fused inference path is not used


def layer_of(kind, model):
    return kind(model["width"], model["heads"], model["feed_forward"]["width"], dropout=0.0,
                activation=transformer.ACTIVATIONS[model["feed_forward"]["activation"]],
                layer_norm_eps=model["norm"]["epsilon"], batch_first=True,
                norm_first=model["norm"]["place"] == "before", dtype=F64)


def check_layers():
    for name, prefix in (("encoder_pre_norm_classifier", ""), ("bert_masked_language", ""), ("gpt2", ""),
                         ("marian", "decoder."), ("bart", "decoder.")):
        document, _, _ = CASES[name]()
        model, stages = document["model"], transformer.compute(document)
        ids, _, real = transformer.padded(model, document["batch"])
        T = ids.shape[1]
        causal = {"kind": "causal"} in document["masks"]
        later = torch.ones(T, T, dtype=torch.bool).triu(1) if causal else None
        padding = {"kind": "padding"} in document["masks"]
        for index, weights in enumerate(model["layers"]):
            x, y = (stages[f"{prefix}layers.{index}.{end}"] for end in ("input", "output"))
            if prefix:
                _, _, source_real = transformer.padded(model, document["source"])
                count = len(model["encoder"]["layers"])
                layer = fill(layer_of(torch.nn.TransformerDecoderLayer, model), weights)
                theirs = layer(x, stages[f"encoder.layers.{count - 1}.output"], tgt_mask=later,
                               tgt_key_padding_mask=~real if padding else None, memory_key_padding_mask=~source_real)
            else:
                layer = fill(layer_of(torch.nn.TransformerEncoderLayer, model), weights)
                theirs = layer(x, src_mask=later, src_key_padding_mask=~real if padding else None)
            close(f"{name}, {prefix}layers.{index}", y, theirs)


def check_batch_norm():
    document, _, _ = CASES["batch_norm_pre"]()
    model, stages = document["model"], transformer.compute(document)
    _, _, real = transformer.padded(model, document["batch"])
    last = stages["layers.1.output"]
    theirs = torch.nn.functional.batch_norm(last[real], None, None, model["final_norm_gain"],
                                            model["final_norm_bias"], training=True, eps=model["norm"]["epsilon"])
    close("batch norm of real tokens", stages["final_norm"][real], theirs)


def check_positions():
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(1, 2, 7, 8, generator=generator, dtype=F64)
    pairs = torch.complex(x[..., :4], x[..., 4:])
    frequencies = torch.tensor([10000 ** (-i / 4) for i in range(4)], dtype=F64)
    angles = torch.outer(torch.arange(7, dtype=F64), frequencies)
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    close("rotary", transformer.rotate(x, {"base": 10000.0}), torch.cat([turned.real, turned.imag], dim=-1))
    for heads, expected in ((4, [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8]), (3, [2 ** -4, 2 ** -8, 2 ** -2]),
                            (6, [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8, 2 ** -1, 2 ** -3])):
        close(f"ALiBi slopes of {heads} heads", torch.tensor(transformer.alibi_slopes(heads)), torch.tensor(expected))

    def bucket(distance, buckets, maximum, both_ways):
        """Returns T5's bucket of a key at this distance, computed one number at a time."""
        first = 0
        if both_ways:
            buckets //= 2
            first = buckets if distance < 0 else 0
            distance = abs(distance)
        distance = max(distance, 0)
        exact = buckets // 2
        if distance < exact:
            return first + distance
        far = math.log(distance / exact) / math.log(maximum / exact) * (buckets - exact)
        return first + min(exact + int(far), buckets - 1)

    for both_ways in (False, True):
        theirs = [[bucket(i - j, 8, 11, both_ways) for j in range(20)] for i in range(20)]
        close(f"T5's buckets, {both_ways}", transformer.relative_buckets(20, 20, 8, 11, both_ways),
              torch.tensor(theirs))
    for order in ("interleaved", "halves"):
        table = transformer.sinusoids(5, 6, order)
        column = {"interleaved": (4, 5), "halves": (2, 5)}[order]
        angle = 3 / 10000 ** (4 / 6)
        close(f"sinusoids, {order}", table[3, list(column)],
              torch.tensor([math.sin(angle), math.cos(angle)], dtype=F64))


def check_slopes(step=1e-6):
    """Compares the gradient along one random direction through all parameters with central differences."""
    for name, case in CASES.items():
        document, loss, generator = case()
        _, about, gradients = make_transformer.results(document, loss, generator)
        parameters = dict(make_transformer.parameters_of(document["model"]))
        directions = {path: torch.randn(tensor.shape, generator=generator, dtype=F64)
                      for path, tensor in parameters.items()}

        def moved(by):
            with torch.no_grad():
                for path, tensor in parameters.items():
                    tensor += by * directions[path]
                stages = transformer.compute(document)
                return sum((stages[part["stage"]] * part["gradient"]).sum().item() for part in about)

        after, before = moved(step), moved(-2 * step)
        along = sum((gradient * directions[path]).sum().item() for path, gradient in gradients["parameters"].items())
        slope = (after - before) / (2 * step)
        assert abs(slope - along) <= 1e-5 * max(1, abs(slope)), f"{name}: {slope} is not {along}"
        print(f"{name:48} {abs(slope - along):.1e}")


def main():
    check_layers()
    check_batch_norm()
    check_positions()
    check_slopes()
