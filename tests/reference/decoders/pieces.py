"""Common parts of the decoders: random tensors, a trace that notes every stage under its name, norms, rotations and the
attention itself. Everything is computed in float64, with NumPy only, from the numbers of the folder's file."""

import math

import numpy as np

VOCABULARY = 23


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def silu(x):
    return x / (1 + np.exp(-x))


# The activations, by their names in config.json.
ACTIVATIONS = {"relu": lambda x: np.maximum(x, 0), "gelu": gelu, "gelu_new": gelu_tanh, "gelu_pytorch_tanh": gelu_tanh,
               "silu": silu, "quick_gelu": lambda x: x / (1 + np.exp(-1.702 * x))}


class Draw:
    """Random tensors as files store them: linear maps are [out, in], and all numbers are exact in `dtype`."""

    def __init__(self, seed, dtype="F32"):
        self.random, self.dtype, self.tensors = np.random.RandomState(seed), dtype, {}

    def add(self, name, *shape, deviation=1.0, mean=0.0):
        numbers = (self.random.standard_normal(shape) * deviation + mean).astype(np.float32)
        if self.dtype == "BF16":  # rounds half to even
            bits = numbers.view(np.uint32)
            bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
            numbers = bits.astype(np.uint32).view(np.float32)
        elif self.dtype == "F16":
            numbers = numbers.astype(np.float16).astype(np.float32)
        self.tensors[name] = numbers

    def ids(self, count):
        """Returns different random ids."""
        return [int(i) for i in self.random.permutation(VOCABULARY)[:count]]

    def linear(self, name, inputs, outputs, bias=True):
        self.add(name + ".weight", outputs, inputs, deviation=1 / math.sqrt(inputs))
        if bias:
            self.add(name + ".bias", outputs, deviation=0.3)

    def norm(self, name, width, mean=1.0, bias=False):
        self.add(name + ".weight", width, deviation=0.2, mean=mean)
        if bias:
            self.add(name + ".bias", width, deviation=0.3)

    def words(self, name, width, rows=VOCABULARY, deviation=0.7):
        self.add(name + ".weight", rows, width, deviation=deviation)


class Numbers:
    """The tensors of a file by name, in float64. A missing name is an error, except for get()."""

    def __init__(self, tensors):
        self.tensors = tensors

    def __getitem__(self, name):
        return self.tensors[name].astype(np.float64)

    def get(self, name):
        return self[name] if name in self.tensors else None

    def linear(self, x, name):
        bias = self.get(name + ".bias")
        y = x @ self[name + ".weight"].T
        return y if bias is None else y + bias

    def layer_norm(self, x, name, epsilon):
        centred = x - x.mean(-1, keepdims=True)
        y = centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + epsilon)
        return y * self[name + ".weight"] + self[name + ".bias"]


def rms_norm(x, gain, epsilon):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + epsilon) * gain


class Trace:
    """Stages by name, in the order of the computation, with an axis for the single sequence. under() returns the same
    trace with a prefix."""

    def __init__(self, stages=None, prefix=""):
        self.stages, self.prefix = {} if stages is None else stages, prefix

    def under(self, prefix):
        return Trace(self.stages, self.prefix + prefix)

    def note(self, name, x):
        assert self.prefix + name not in self.stages, self.prefix + name
        self.stages[self.prefix + name] = x[np.newaxis]
        return x


def heads(x, count):
    """Splits [T, count·d] into [count, T, d]."""
    return np.stack(np.split(x, count, axis=-1))


def frequencies(base, dimensions):
    """Returns the radians per token for each pair of dimensions."""
    return base ** (-np.arange(0, dimensions, 2) / dimensions)


def turned(x, turns, neighbours=False, factor=1.0):
    """Rotates the first dimensions of x [H, T, d] as complex numbers. Dimension i is the real part and i + r/2 the
    imaginary part or, with `neighbours`, 2i and 2i + 1."""
    r = 2 * len(turns)
    real, imaginary = (x[..., 0:r:2], x[..., 1:r:2]) if neighbours else (x[..., :r // 2], x[..., r // 2:r])
    z = (real + 1j * imaginary) * factor * np.exp(1j * np.outer(np.arange(x.shape[1]), turns))
    y = x.copy()
    if neighbours:
        y[..., 0:r:2], y[..., 1:r:2] = z.real, z.imag
    else:
        y[..., :r // 2], y[..., r // 2:r] = z.real, z.imag
    return y


def hidden_keys(length, window=None):
    """True where a key is after its query, or at least `window` tokens before it."""
    place = np.arange(length)
    hidden = place[None, :] > place[:, None]
    return hidden if window is None else hidden | (place[:, None] - place[None, :] >= window)


def softmax(x):
    y = np.exp(x - x.max(-1, keepdims=True))
    return y / y.sum(-1, keepdims=True)


def slopes_of(count):
    """Returns ALiBi's slopes as build_alibi_tensor() of transformers computes them."""
    power = 2 ** math.floor(math.log2(count))
    slopes = [2 ** (-(2 ** -(math.log2(power) - 3)) * i) for i in range(1, power + 1)]
    extra = 2 ** -(math.log2(2 * power) - 3)
    return np.array(slopes + [2 ** (-extra * i) for i in range(1, 2 * (count - power) + 1, 2)])


def attend(trace, query, key, value, hidden, factor, output, output_bias=None, cap=None, alibi=False, shown=None,
           sinks=None):
    """Returns the output of the block for query [H, T, d], and key and value [G, T, d]. `output` is [C, H·d] as in the
    file. `shown` is the order in which Headlight shows the dimensions of queries and keys. `sinks` [H] is an
    additional column of scores, whose weights are noted separately."""
    trace.note("query", query if shown is None else query[..., shown])
    trace.note("key", key if shown is None else key[..., shown])
    trace.note("value", value)
    share = len(query) // len(key)
    key, value = np.repeat(key, share, axis=0), np.repeat(value, share, axis=0)
    scores = trace.note("scores", query @ key.transpose(0, 2, 1))
    scores = trace.note("scaled_scores", scores * factor)
    if cap:
        scores = trace.note("capped_scores", cap * np.tanh(scores / cap))
    if alibi:
        place, slopes = np.arange(query.shape[1]), slopes_of(len(query))[:, None, None]
        as_published = softmax(np.where(hidden, -np.inf, scores + slopes * place[None, None, :]))
        bias = trace.note("position_bias", -slopes * np.abs(place[None, :, None] - place[None, None, :]))
        scores = trace.note("biased_scores", scores + bias)
    scores = trace.note("masked_scores", np.where(hidden, -np.inf, scores))
    if sinks is None:
        weights = trace.note("weights", softmax(scores))
    else:
        column = np.broadcast_to(sinks[:, None, None], (*scores.shape[:2], 1))
        both = softmax(np.concatenate([scores, column], axis=-1))
        weights = trace.note("weights", both[..., :-1])
        trace.note("sink_weights", both[..., -1:])
    assert not alibi or np.abs(weights - as_published).max() < 1e-14
    context = trace.note("context", weights @ value)
    together = trace.note("concatenated", np.concatenate(list(context), axis=-1))
    d = context.shape[-1]
    trace.note("head_outputs", np.stack([context[h] @ output[:, h * d:(h + 1) * d].T for h in range(len(context))]))
    made = together @ output.T
    return trace.note("output", made if output_bias is None else made + output_bias)


def predict(trace, x, matrix, bias=None, cap=None):
    """Notes the logits and their softmax. `matrix` is [V, C]."""
    logits = x @ matrix.T
    if bias is not None:
        logits = logits + bias
    if cap:
        logits = cap * np.tanh(trace.note("uncapped_logits", logits) / cap)
    trace.note("probabilities", softmax(trace.note("logits", logits)))
