"""Common parts of the families: random numbers, a trace that notes every stage under its name, and the attention
itself. Everything is computed in float64 from the numbers of the folder's file."""

import math

import torch
import torch.nn.functional as F

F64 = torch.float64
VOCABULARY = 23


def gelu_tanh(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


def silu(x):
    return x / (1 + torch.exp(-x))


# The activations, by their names in config.json.
ACTIVATIONS = {"relu": lambda x: x.clamp(min=0), "gelu": gelu, "gelu_new": gelu_tanh, "gelu_pytorch_tanh": gelu_tanh,
               "silu": silu, "swish": silu}


class Draw:
    """Random tensors as files store them: 32-bit floats, linear maps as [out, in]."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)

    def numbers(self, *shape, deviation=1.0, mean=0.0):
        return (torch.randn(*shape, generator=self.generator, dtype=F64) * deviation + mean).float()

    def ids(self, count, low=3):
        """Returns different random ids, but none of the first `low`, which are special in many vocabularies."""
        return (torch.randperm(VOCABULARY - low, generator=self.generator)[:count] + low).tolist()

    def linear(self, into, name, inputs, outputs, bias=True):
        into[name + ".weight"] = self.numbers(outputs, inputs, deviation=1 / math.sqrt(inputs))
        if bias:
            into[name + ".bias"] = self.numbers(outputs, deviation=0.3)

    def norm(self, into, name, width, gain="weight", bias="bias"):
        into[f"{name}.{gain}"] = self.numbers(width, deviation=0.2, mean=1.0)
        if bias:
            into[f"{name}.{bias}"] = self.numbers(width, deviation=0.3)

    def embedding(self, into, name, rows, width, deviation=0.7):
        into[name + ".weight"] = self.numbers(rows, width, deviation=deviation)


class Numbers:
    """The tensors of a file by name, in float64. A missing name is an error, except for get()."""

    def __init__(self, tensors):
        self.tensors = tensors

    def __getitem__(self, name):
        return self.tensors[name].to(F64)

    def __contains__(self, name):
        return name in self.tensors

    def get(self, name):
        return self[name] if name in self.tensors else None

    def linear(self, x, name):
        return F.linear(x, self[name + ".weight"], self.get(name + ".bias"))

    def layer_norm(self, x, name, epsilon, gain="weight", bias="bias"):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        y = (x - mean) / torch.sqrt(variance + epsilon) * self[f"{name}.{gain}"]
        return y + self[f"{name}.{bias}"] if f"{name}.{bias}" in self else y

    def rms_norm(self, x, name, epsilon):
        return x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + epsilon) * self[name + ".weight"]


class Trace(dict):
    """Stages by name, in the order of the computation. under() returns the same trace with a prefix."""

    def __init__(self, stages=None, prefix=""):
        super().__init__()
        self.stages = {} if stages is None else stages
        self.prefix = prefix

    def under(self, prefix):
        return Trace(self.stages, self.prefix + prefix)

    def note(self, name, tensor):
        assert self.prefix + name not in self.stages, self.prefix + name
        self.stages[self.prefix + name] = tensor
        return tensor


def heads(x, count):
    """Splits [1, T, count·d] into [1, count, T, d]."""
    return torch.stack(x.chunk(count, dim=-1), dim=1)


def nothing_hidden(queries, keys):
    return torch.zeros(queries, keys, dtype=torch.bool)


def future(length):
    """True where a key is after its query."""
    place = torch.arange(length)
    return place[None, :] > place[:, None]


def outside(length, window):
    """True where a key is after its query, or at least `window` tokens before it."""
    place = torch.arange(length)
    return future(length) | (place[:, None] - place[None, :] >= window)


def attend(trace, query, key, value, hidden, factor, output, output_bias=None, bias=None):
    """Returns the output of the block for query [1, H, T, d], and key and value [1, G, S, d]. `output` is [C, H·d] as
    in the file."""
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        trace.note(name, tensor)
    share = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(share, dim=1), value.repeat_interleave(share, dim=1)
    scores = trace.note("scores", query @ key.transpose(2, 3))
    scores = trace.note("scaled_scores", scores * factor)
    if bias is not None:
        scores = trace.note("biased_scores", scores + trace.note("position_bias", bias))
    scores = trace.note("masked_scores", scores.masked_fill(hidden, -math.inf))
    weights = trace.note("weights", torch.softmax(scores, dim=-1))
    context = trace.note("context", weights @ value)
    together = trace.note("concatenated", torch.cat(context.unbind(dim=1), dim=-1))
    d = context.shape[-1]
    trace.note("head_outputs", torch.stack([context[:, h] @ output[:, h * d:(h + 1) * d].T
                                            for h in range(context.shape[1])], dim=1))
    made = together @ output.T
    return trace.note("output", made if output_bias is None else made + output_bias)


def predict(trace, x, matrix, bias=None):
    """Notes the logits and their softmax. `matrix` is [V, C]."""
    logits = x @ matrix.T
    logits = trace.note("logits", logits if bias is None else logits + bias)
    trace.note("probabilities", torch.softmax(logits, dim=-1))
