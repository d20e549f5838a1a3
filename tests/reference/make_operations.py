#!/usr/bin/env python3
"""What PyTorch's float64 and its autograd make of every operation, for tests/core/operations. Writes tests/data/operations.

Inputs are rounded to float32 first, so that the test starts from the very same numbers. `arriving` is the gradient that
comes back from what follows; a member named `…_gradient` is what autograd makes of it.
"""
import json
import pathlib

import torch

torch.manual_seed(20)
TARGET = pathlib.Path(__file__).parent.parent / "data" / "operations"


def numbers(*shape, scale=1.0, shift=0.0):
    return (torch.randn(*shape, dtype=torch.float64) * scale + shift).float().double().requires_grad_()


def written(value):
    if isinstance(value, torch.Tensor):
        return written(value.detach().tolist())
    if isinstance(value, list):
        return [written(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def case(name, inputs, out, **said):
    """The inputs, what came out, and the gradients that flow back to every input."""
    arriving = torch.randn_like(out).float().double()
    wanted = {key: value for key, value in inputs.items() if value is not None}
    gradients = torch.autograd.grad(out, list(wanted.values()), arriving)
    members = {"name": name, **said, **wanted, "out": out, "arriving": arriving}
    members |= {f"{key}_gradient": gradient for key, gradient in zip(wanted, gradients)}
    return {key: written(value) for key, value in members.items()}


def save(name, cases):
    TARGET.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases)
    (TARGET / f"{name}.json").write_text(f"[\n{lines}\n]\n")


def layer_norm():
    cases = []
    for name, rows, columns, shift, scale, gained, biased, epsilon in [
        ("usual", 4, 6, 0, 1, True, True, 1e-5),
        ("one row", 1, 5, 0, 1, True, True, 1e-12),
        ("one column", 3, 1, 0, 1, True, True, 1e-5),
        ("odd width, no gain and bias", 3, 7, 0, 1, False, False, 1e-5),
        ("no bias", 2, 4, 0, 1, True, False, 1e-5),
        ("a mean that is large beside what varies", 2, 8, 1000, 2, True, True, 1e-5),
        ("wide", 2, 33, 0.5, 3, True, True, 0.0),
    ]:
        x = numbers(rows, columns, scale=scale, shift=shift)
        gain = numbers(columns, scale=0.5, shift=1) if gained else None
        bias = numbers(columns) if biased else None
        out = torch.nn.functional.layer_norm(x, (columns,), gain, bias, epsilon)
        cases.append(case(name, {"x": x, "gain": gain, "bias": bias}, out, epsilon=epsilon))
    save("layer_norm", cases)


def rms_norm():
    cases = []
    for name, rows, columns, gained, epsilon in [
        ("usual", 4, 6, True, 1e-6),
        ("one row", 1, 5, True, 1e-6),
        ("one column", 3, 1, True, 1e-2),
        ("odd width, no gain", 3, 7, False, 1e-6),
        ("wide", 2, 33, True, 0.0),
    ]:
        x = numbers(rows, columns)
        gain = numbers(columns, scale=0.5, shift=1) if gained else None
        out = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon)
        cases.append(case(name, {"x": x, "gain": gain}, out if gain is None else out * gain, epsilon=epsilon))
    save("rms_norm", cases)


def batch_norm():
    """x is [B, T, C]. Without padding this is PyTorch's own batch norm, which is asserted."""
    cases = []
    for name, shape, lengths, affine, epsilon in [
        ("usual", (3, 4, 5), [4, 4, 4], True, 1e-5),
        ("padding", (3, 4, 5), [4, 1, 2], True, 1e-5),
        ("padding, no gain and bias", (2, 3, 3), [2, 3], False, 1e-3),
        ("one sequence, one column", (1, 6, 1), [5], True, 0.0),
        ("one token", (1, 1, 3), [1], True, 1e-5),
    ]:
        x = numbers(*shape, scale=2, shift=1)
        gain = numbers(shape[2], scale=0.5, shift=1) if affine else None
        bias = numbers(shape[2]) if affine else None
        real = torch.cat([x[b, :length] for b, length in enumerate(lengths)])
        out = (x - real.mean(0)) / torch.sqrt(real.var(0, unbiased=False) + epsilon)
        out = out * gain + bias if affine else out
        if all(length == shape[1] for length in lengths) and len(real) > 1:
            own = torch.nn.functional.batch_norm(real, None, None, gain, bias, True, eps=epsilon)
            assert torch.allclose(out.reshape(own.shape), own, atol=1e-12)
        cases.append(case(name, {"x": x, "gain": gain, "bias": bias}, out, lengths=lengths, epsilon=epsilon))
    save("batch_norm", cases)


ACTIVATIONS = {
    "relu": torch.relu,
    "gelu": torch.nn.functional.gelu,
    "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    "silu": torch.nn.functional.silu,
}


def activation():
    cases = []
    for name, function in ACTIVATIONS.items():
        near = torch.linspace(-6, 6, 25, dtype=torch.float64) + 0.1
        x = torch.cat([near, torch.tensor([-20.0, 20.0, -1e3, 1e3, -1e30, 1e30])]).float().double().requires_grad_()
        cases.append(case(name, {"x": x}, function(x), gated=False))
        gate, hidden = numbers(9, scale=2), numbers(9)
        cases.append(case(name, {"gate": gate, "hidden": hidden}, function(gate) * hidden, gated=True))
    save("activation", cases)


if __name__ == "__main__":
    layer_norm()
    rms_norm()
    batch_norm()
    activation()
