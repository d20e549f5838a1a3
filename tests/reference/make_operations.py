#!/usr/bin/env python3
"""What PyTorch's float64 and its autograd make of every operation, for tests/core/operations. Writes tests/data/operations.

Inputs are rounded to float32 first, so that the test starts from the very same numbers. `arriving` is the gradient that
comes back from what follows; a member named `…_gradient` is what autograd makes of it.
"""
import json
import math
import pathlib

import torch

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
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "squared_relu": lambda x: torch.relu(x) ** 2,
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


def softmax():
    cases = []
    for name, count, temperature, hidden in [
        ("usual", 6, 1.0, []),
        ("hot", 6, 3.0, []),
        ("cold, some hidden", 7, 0.25, [0, 5]),
        ("one", 1, 1.0, []),
        ("long", 65, 0.5, [64]),
    ]:
        scores = numbers(count)
        masked = scores.masked_fill(torch.tensor([i in hidden for i in range(count)]), -math.inf)
        weights = torch.softmax(masked / temperature, dim=0)
        jacobian = torch.autograd.functional.jacobian(lambda x: torch.softmax(x / temperature, dim=0), masked)
        said = {"temperature": temperature, "hidden": hidden, "jacobian_norm": jacobian.norm()}
        if count < 10:
            said["jacobian"] = jacobian
        cases.append(case(name, {"scores": scores}, weights, **said))
    save("softmax", cases)


def linear():
    cases = []
    for name, rows, width, out_width, biased in [
        ("usual", 3, 4, 5, True),
        ("no bias", 2, 3, 4, False),
        ("one row", 1, 5, 3, True),
        ("one column in", 4, 1, 3, True),
        ("one column out", 4, 3, 1, True),
    ]:
        x, weight = numbers(rows, width), numbers(width, out_width)
        bias = numbers(out_width) if biased else None
        out = x @ weight if bias is None else x @ weight + bias
        cases.append(case(name, {"x": x, "weight": weight, "bias": bias}, out))
    save("linear", cases)


def scores():
    cases = []
    for name, queries, keys, width in [("self", 4, 4, 3), ("cross", 2, 5, 4), ("one of each", 1, 1, 1)]:
        query, key = numbers(queries, width), numbers(keys, width)
        cases.append(case(name, {"query": query, "key": key}, query @ key.T, product="scores"))
        weights, value = numbers(queries, keys), numbers(keys, width)
        cases.append(case(name, {"weights": weights, "value": value}, weights @ value, product="context"))
    save("scores", cases)


def pooling():
    cases = []
    for name, take in [
        ("first", lambda x, length: x[0]),
        ("last", lambda x, length: x[length - 1]),
        ("mean", lambda x, length: x[:length].mean(0)),
    ]:
        for rows, length, columns in [(4, 3, 5), (3, 3, 1), (1, 1, 2)]:
            x = numbers(rows, columns)
            cases.append(case(name, {"x": x}, take(x, length), length=length))
    save("pooling", cases)


def sinusoid():
    """The interleaved columns by the paper's formula; sorted, the even ones come first."""
    cases = []
    for length, width in [(5, 6), (4, 7), (3, 1), (2, 2)]:
        pair = torch.arange(width) // 2
        angle = torch.arange(length).double()[:, None] / 10000 ** (2 * pair.double() / width)
        interleaved = torch.where(torch.arange(width) % 2 == 0, angle.sin(), angle.cos())
        halves = torch.cat([interleaved[:, 0::2], interleaved[:, 1::2]], dim=1)
        cases.append({"length": length, "width": width, "interleaved": written(interleaved), "halves": written(halves)})
    save("position", cases)


def rotary_frequencies(width, length, base=10000.0, scaling="none", factor=1.0, original_length=0, low=1.0, high=4.0,
                       beta_fast=32.0, beta_slow=1.0):
    index = torch.arange(width // 2).double()
    if scaling == "dynamic":
        seen = max(length, original_length)
        base = base * (factor * seen / original_length - (factor - 1)) ** (width / (width - 2))
    frequency = base ** (-2 * index / width)
    if scaling == "linear":
        return frequency / factor
    if scaling == "yarn":
        def turning(times):
            return width * math.log(original_length / (times * 2 * math.pi)) / (2 * math.log(base))
        first, last = max(math.floor(turning(beta_fast)), 0), min(math.ceil(turning(beta_slow)), width - 1)
        ramp = ((index - first) / ((last - first) or 0.001)).clamp(0, 1)
        return frequency / factor * ramp + frequency * (1 - ramp)
    if scaling == "llama3":
        length_of_wave = 2 * math.pi / frequency
        smooth = (original_length / length_of_wave - low) / (high - low)
        medium = (1 - smooth) * frequency / factor + smooth * frequency
        slow = torch.where(length_of_wave > original_length / low, frequency / factor, medium)
        return torch.where(length_of_wave < original_length / high, frequency, slow)
    return frequency


def rotary():
    """A pair of dimensions is one complex number, multiplied by e^(i·angle)."""
    cases = []
    for name, head_size, width, length, said in [
        ("usual", 6, 6, 5, {}),
        ("half of the head", 8, 4, 4, {"base": 500.0}),
        ("one pair", 2, 2, 3, {}),
        ("odd head", 5, 4, 3, {}),
        ("one token", 4, 4, 1, {}),
        ("linear", 6, 6, 4, {"scaling": "linear", "factor": 4.0}),
        ("dynamic, short", 6, 6, 4, {"scaling": "dynamic", "factor": 2.0, "original_length": 8}),
        ("dynamic, long", 6, 6, 7, {"scaling": "dynamic", "factor": 3.0, "original_length": 4}),
        ("yarn", 16, 16, 3, {"scaling": "yarn", "factor": 4.0, "original_length": 4096}),
        ("yarn, own factors", 16, 16, 3, {"scaling": "yarn", "base": 1e6, "factor": 8.0, "original_length": 512,
                                          "beta_fast": 24.0, "beta_slow": 2.0, "attention_factor": 1.25}),
        ("yarn of a small base", 8, 8, 3, {"scaling": "yarn", "base": 10.0, "factor": 4.0, "original_length": 8192,
                                           "beta_fast": 4000.0}),
        ("yarn of a short original", 4, 4, 3, {"scaling": "yarn", "factor": 2.0, "original_length": 4}),
        ("llama3", 16, 16, 3, {"scaling": "llama3", "base": 500000.0, "factor": 8.0, "original_length": 8192}),
        ("llama3, own factors", 8, 8, 5, {"scaling": "llama3", "factor": 4.0, "original_length": 64, "low": 2.0,
                                          "high": 3.0}),
    ]:
        attention = said.pop("attention_factor", 0.0)
        frequency = rotary_frequencies(width, length, **said)
        length_of_turn = 1.0
        if said.get("scaling") == "yarn":
            length_of_turn = attention or 0.1 * math.log(said["factor"]) + 1
        angle = torch.arange(length).double()[:, None] * frequency
        x = numbers(length, head_size)
        pairs = torch.complex(x[:, : width // 2], x[:, width // 2 : width])
        turned = pairs * torch.polar(torch.full_like(angle, length_of_turn), angle)
        out = torch.cat([turned.real, turned.imag, x[:, width:]], dim=1)
        cases.append(case(name, {"x": x}, out, width=width, attention_factor=attention, frequencies=frequency, **said))
    save("rotary", cases)


def alibi():
    """The authors' recursion for numbers of heads that are no power of two."""
    def slopes(heads):
        power = 2 ** math.floor(math.log2(heads))
        if power == heads:
            return [2 ** (-8 * (h + 1) / heads) for h in range(heads)]
        return slopes(power) + slopes(2 * power)[0::2][: heads - power]

    save("alibi", [{"heads": heads, "slopes": written(slopes(heads))} for heads in [1, 2, 3, 6, 8, 12, 16, 25]])


def relative_buckets(distance, both_ways, buckets, maximum_distance):
    """As T5 does, in float32: what falls on the edge of a bucket depends on it."""
    first = torch.zeros_like(distance)
    if both_ways:
        buckets //= 2
        first = (distance > 0).long() * buckets
        away = distance.abs()
    else:
        away = (-distance).clamp(min=0)
    alone = buckets // 2
    share = torch.log(away.float() / alone) / math.log(maximum_distance / alone)
    far = (alone + (share * (buckets - alone)).long()).clamp(max=buckets - 1)
    return first + torch.where(away < alone, away, far)


def relative_position():
    cases = []
    for buckets, maximum_distance in [(32, 128), (8, 20), (16, 64), (6, 9)]:
        for both_ways in [True, False]:
            said = {"buckets": buckets, "maximum_distance": maximum_distance, "both_ways": both_ways}
            farthest = maximum_distance + 5
            every = torch.arange(-farthest, farthest + 1)
            of_every = relative_buckets(every, both_ways, buckets, maximum_distance)
            said["of_every_distance"] = of_every
            table, head = numbers(buckets, 2), 1
            queries, keys = (5, 7) if buckets < 10 else (3, 3)
            apart = torch.arange(keys)[None, :] - torch.arange(queries)[:, None]
            bias = table[relative_buckets(apart, both_ways, buckets, maximum_distance), head]
            cases.append(case("bias", {"table": table}, bias, head=head, **said))
    save("relative_position", cases)


def head_state():
    cases = []
    for rows, real, columns in [(4, 3, 3), (1, 1, 2), (3, 3, 1)]:
        x = numbers(rows, columns)
        cases.append(case("mean", {"x": x}, x[:real].mean(0).expand(rows, columns), real=real))
    save("head_state", cases)


if __name__ == "__main__":
    for make in [layer_norm, rms_norm, batch_norm, activation, softmax, linear, scores, pooling, sinusoid, rotary, alibi,
                 relative_position, head_state]:
        torch.manual_seed(20)  # so that another case does not change other files
        make()
