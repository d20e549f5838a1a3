"""A transformer in PyTorch, written out stage by stage so that each stage can be looked at and has a gradient.

It shares nothing with Headlight's own code. It uses PyTorch's functions where they exist (linear, layer_norm, batch
statistics, gelu, silu, softmax, embedding). The rest follows the papers and, for what they leave open, the Hugging Face
library: rotary positions and their scalings (Su et al. 2021; Chen et al. 2023; Peng et al. 2023; Llama 3.1), ALiBi
(Press et al. 2022), T5's buckets (Raffel et al. 2020), RMS norm (Zhang and Sennrich 2019).
"""

import math

import torch
import torch.nn.functional as F

from make_attention import visible

F64 = torch.float64
ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu,
               "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x), "squared_relu": lambda x: F.relu(x) ** 2,
               "gelu_tanh": lambda x: F.gelu(x, approximate="tanh")}


def capped(x, limit):
    """Applies a softcap as in Gemma 2."""
    return limit * torch.tanh(x / limit)


def sinusoids(length, width, order):
    """Returns [length, width]. Both orders have the paper's frequencies, as in Marian. An odd width has one more sine
    than cosines."""
    angles = torch.tensor([[t / 10000 ** (2 * (c // 2) / width) for c in range(width)] for t in range(length)],
                          dtype=F64)
    table = torch.empty(length, width, dtype=F64)
    sines, cosines = angles[:, 0::2].sin(), angles[:, 1::2].cos()
    if order == "halves":
        return torch.cat([sines, cosines], dim=1)
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table


def rotary_frequencies(rotary, width, length):
    """Returns the radians per position for each pair of dimensions, and the factor of cosine and sine."""
    base, factor, original = rotary["base"], rotary.get("factor", 1.0), rotary.get("original_length", 0)
    scaling = rotary.get("scaling", "none")
    if scaling == "dynamic" and length > original:
        base *= (factor * length / original - (factor - 1)) ** (width / (width - 2))
    plain = base ** (-torch.arange(0, width, 2, dtype=F64) / width)
    if scaling == "linear":
        return plain / factor, 1.0
    if scaling == "yarn":
        def dimension(turns):
            return width * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base))
        low = max(math.floor(dimension(rotary.get("beta_fast", 32))), 0)
        high = min(math.ceil(dimension(rotary.get("beta_slow", 1))), width - 1)
        if low == high:
            high += 0.001
        ramp = ((torch.arange(width // 2, dtype=F64) - low) / (high - low)).clamp(0, 1)
        return plain / factor * ramp + plain * (1 - ramp), rotary.get("attention_factor") or 0.1 * math.log(factor) + 1
    if scaling == "llama3":
        low, high = rotary["low_frequency_factor"], rotary["high_frequency_factor"]
        wavelengths = 2 * math.pi / plain
        smooth = (original / wavelengths - low) / (high - low)
        between = (1 - smooth) * plain / factor + smooth * plain
        scaled = torch.where(wavelengths > original / low, plain / factor, plain)
        medium = (wavelengths >= original / high) & (wavelengths <= original / low)
        return torch.where(medium, between, scaled), 1.0
    return plain, 1.0


def rotate(x, rotary):
    """Rotates the first `width` dimensions of x [B, H, T, d], in pairs of i and i + width/2."""
    length, width = x.shape[2], rotary.get("width") or x.shape[3]
    frequencies, factor = rotary_frequencies(rotary, width, length)
    angles = torch.outer(torch.arange(length, dtype=F64), frequencies).repeat(1, 2)
    turning, rest = x[..., :width], x[..., width:]
    first, second = turning.chunk(2, dim=-1)
    turned = turning * angles.cos() * factor + torch.cat([-second, first], dim=-1) * angles.sin() * factor
    return torch.cat([turned, rest], dim=-1)


def alibi_slopes(heads):
    nearest = 2 ** math.floor(math.log2(heads))
    slopes = [2 ** (-8 * (h + 1) / nearest) for h in range(nearest)]
    return slopes + [2 ** (-4 * (2 * h + 1) / nearest) for h in range(heads - nearest)]


def relative_buckets(queries, keys, buckets, maximum, both_ways):
    """Returns [T, S] rows of T5's bias table."""
    distance = torch.arange(keys).unsqueeze(0) - torch.arange(queries).unsqueeze(1)
    offset = torch.zeros_like(distance)
    if both_ways:
        buckets //= 2
        offset = (distance > 0) * buckets
        distance = distance.abs()
    else:
        distance = (-distance).clamp(min=0)
    exact = buckets // 2
    far = exact + (torch.log(distance.clamp(min=1).to(F64) / exact) / math.log(maximum / exact)
                   * (buckets - exact)).long()
    return offset + torch.where(distance < exact, distance, far.clamp(max=buckets - 1))


class Stack:
    """A stack of layers, with stages under `prefix` and parameters in `weights`. `real` [B, T] is true for tokens,
    false for padding."""

    def __init__(self, model, weights, prefix, stages, real):
        self.model, self.weights, self.prefix, self.stages, self.real = model, weights, prefix, stages, real

    def note(self, name, tensor):
        if tensor.requires_grad and not tensor.is_leaf:
            tensor.retain_grad()
        self.stages[self.prefix + name] = tensor
        return tensor

    def norm(self, x, gain, bias):
        norm = self.model["norm"]
        if norm["kind"] == "layer":
            return F.layer_norm(x, x.shape[-1:], gain, bias, norm["epsilon"])
        if norm["kind"] == "rms":
            x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + norm["epsilon"])
        elif norm["kind"] == "batch":
            variance, mean = torch.var_mean(x[self.real], dim=0, unbiased=False)
            x = (x - mean) / torch.sqrt(variance + norm["epsilon"])
        x = x * gain if gain is not None else x
        return x + bias if bias is not None else x

    def embed(self, tokens, types, table):
        model, weights, x = self.model, self.weights, self.note("embeddings", F.embedding(tokens, table))
        T, E = x.shape[1:]
        parts = []
        if model["positions"] == "sinusoidal":
            parts.append(sinusoids(T, E, model["sinusoid_order"]))
        elif model["positions"] == "learned":
            parts.append(weights["position_embeddings"][model["position_offset"]:][:T])
        if "token_types" in weights:
            parts.append(F.embedding(types, weights["token_types"]))
        if model["scale_embeddings"] or parts:
            x = x * math.sqrt(model["width"]) if model["scale_embeddings"] else x
            x = self.note("embedding_sum", sum(parts, x))
        if model["norm"]["embedding"]:
            x = self.norm(x, weights.get("embedding_norm_gain"), weights.get("embedding_norm_bias"))
        x = self.note("positioned", x)
        if "embedding_projection" in weights:
            x = self.note("embedding_projected", F.linear(x, weights["embedding_projection"].T,
                                                          weights.get("embedding_projection_bias")))
        return x

    def position_bias(self, T, S):
        model = self.model
        if model["positions"] == "alibi":
            apart = (torch.arange(S).unsqueeze(0) - torch.arange(T).unsqueeze(1)).abs()
            slopes = model.get("alibi_slopes") or alibi_slopes(model["heads"])
            slopes = torch.tensor(slopes, dtype=F64).view(1, -1, 1, 1)
            return (-slopes * apart).requires_grad_()
        if model["positions"] == "relative":
            buckets = relative_buckets(T, S, model["relative"]["buckets"], model["relative"]["maximum_distance"],
                                       both_ways=self.prefix != "decoder.")
            return F.embedding(buckets, self.weights["position_bias"]).permute(2, 0, 1).unsqueeze(0)
        return None

    def attention(self, name, weights, x, memory, seen):
        """Computes softmax((q·kᵀ)·scale + bias + mask)·v of all heads. Without `memory`, x attends to itself."""
        model, (B, T, _) = self.model, x.shape
        H, G, d = model["heads"], model["key_value_heads"], model["head_size"]
        v = model.get("value_size", d)
        source = x if memory is None else memory
        S = source.shape[1]

        def note(stage, tensor):
            return self.note(name + "." + stage, tensor)

        def heads(which, of, count):
            y = F.linear(of, weights[which].T, weights.get(which + "_bias"))
            return y.view(B, y.shape[1], count, -1).transpose(1, 2)

        def normed(which, y):
            """Normalises each head on its own, or all heads as one row."""
            gain, bias = weights.get(which + "_norm_gain"), weights.get(which + "_norm_bias")
            y = note("projected_" + which, y)
            if model["query_key_norm"] == "per_head":
                return self.norm(y, gain, bias)
            together = self.norm(y.transpose(1, 2).flatten(2), gain, bias)
            return together.unflatten(2, (y.shape[1], d)).transpose(1, 2)

        query, key = heads("query", x, H), heads("key", source, G)
        if model.get("query_key_norm", "none") != "none":
            query, key = normed("query", query), normed("key", key)
        if model["positions"] == "rotary" and memory is None:
            query = rotate(note("unrotated_query", query), model["rotary"])
            key = rotate(note("unrotated_key", key), model["rotary"])
        query, key = note("query", query), note("key", key)
        value = note("value", heads("value", source, G))
        group = torch.arange(H) * G // H
        scores = note("scores", torch.einsum("bhtd,bhsd->bhts", query, key[:, group]))
        scale = model["scale"]
        divisor = {"square_root": math.sqrt(d), "off": 1.0}.get(scale, scale)
        numbers = note("scaled_scores", scores / divisor)
        if "score_cap" in model:
            numbers = note("capped_scores", capped(numbers, model["score_cap"]))
        bias = self.position_bias(T, S) if memory is None else None
        if bias is not None:
            numbers = note("biased_scores", numbers + note("position_bias", bias))

        def weigh(of):
            divided = of / model["temperature"]
            return torch.softmax(divided, dim=-1) if model["softmax"] else divided

        if model["mask_after_softmax"]:
            attention = note("unmasked_weights", weigh(numbers)) * seen
        else:
            hidden = model.get("mask_value", -math.inf)
            masked = note("masked_scores", numbers.masked_fill(~seen, hidden))
            if hidden == -math.inf:  # the softmax of a fully masked row would be NaN, so it reads zeros, and its weights are set to 0
                blind = ~seen.any(-1, keepdim=True)
                attention = torch.where(seen, weigh(masked.masked_fill(blind, 0.0)), torch.zeros_like(masked))
            else:
                attention = weigh(masked)
        attention = note("weights", attention)
        context = note("context", attention @ value[:, group])
        together = note("concatenated", context.transpose(1, 2).reshape(B, T, H * v))
        if "output" not in weights:
            return together
        by_head = weights["output"].view(H, v, -1)
        with torch.no_grad():
            note("head_outputs", torch.einsum("bhtd,hdc->bhtc", context, by_head))
        return note("output", F.linear(together, weights["output"].T, weights.get("output_bias")))

    def feed_forward(self, name, weights, x):
        kind = self.model["feed_forward"]
        activation = ACTIVATIONS[kind["activation"]]
        if kind["gated"]:
            gate = self.note(name + ".gate", F.linear(x, weights["gate"].T, weights.get("gate_bias")))
        hidden = self.note(name + ".hidden", F.linear(x, weights["hidden"].T, weights.get("hidden_bias")))
        activated = self.note(name + ".activated", activation(gate) * hidden if kind["gated"] else activation(hidden))
        return self.note(name + ".output", F.linear(activated, weights["output"].T, weights.get("output_bias")))

    def before(self, name, weights, x):
        norm = self.model["norm"]
        if norm["kind"] == "none" or norm["place"] not in ("before", "before_and_output"):
            return x
        return self.note(name + ".norm", self.norm(x, weights.get("norm_gain"), weights.get("norm_bias")))

    def made(self, name, weights, x, part):
        """Returns the output of a part of a layer, normalised if the model does so."""
        y, norm = part(x), self.model["norm"]
        if norm["kind"] == "none" or "output" not in norm["place"]:
            return y
        return self.note(name + ".output_norm", self.norm(y, weights.get("output_norm_gain"),
                                                          weights.get("output_norm_bias")))

    def beside(self, x, parts):
        """Adds the outputs of parallel parts, which all read x, to x. `parts` are (name, weights, function)."""
        total = x if self.model["residual"] else 0
        shared = None
        for name, weights, part in parts:
            if shared is None or not self.model.get("shared_norm", False):
                shared = self.before(name, weights, x)
            total = total + self.made(name, weights, shared, part)
        return total

    def around(self, name, weights, x, part):
        """Applies a part of a layer, with its norm and its residual connection."""
        kind, place, residual = self.model["norm"]["kind"], self.model["norm"]["place"], self.model["residual"]
        after = kind != "none" and place == "after"
        gain, bias = weights.get("norm_gain"), weights.get("norm_bias")
        y = self.made(name, weights, self.before(name, weights, x), part)
        if residual:
            y = x + y
        if after:
            y = self.norm(self.note(name + ".residual_sum", y) if residual else y, gain, bias)
        if (residual or after) and not name.endswith("feed_forward"):
            self.note(name + ".residual", y)
        return y

    def layers(self, x, seen, memory=None, seen_of_memory=None):
        layers = self.weights["layers"]
        count = len(layers) if self.prefix == "encoder." else self.model.get("layer_count", len(layers))
        for index in range(count):
            layer, place = layers[index * len(layers) // count], f"layers.{index}."
            x = self.note(place + "input", x)
            parts, near = [], seen
            windows = self.model.get("windows", []) if self.prefix != "encoder." else []
            if windows and windows[index % len(windows)]:
                T = torch.arange(x.shape[1])
                near = seen & ((T[:, None] - T).abs() < windows[index % len(windows)])
            for name, of, visible_keys in (("self_attention", None, near), ("cross_attention", memory, seen_of_memory)):
                if name in layer:
                    parts.append((place + name, layer[name],
                                  lambda y, name=name, of=of, visible_keys=visible_keys:
                                  self.attention(place + name, layer[name], y, of, visible_keys)))
            if "feed_forward" in layer:
                parts.append((place + "feed_forward", layer["feed_forward"],
                              lambda y: self.feed_forward(place + "feed_forward", layer["feed_forward"], y)))
            if self.model.get("parallel", False):
                x = self.beside(x, parts)
            else:
                for part in parts:
                    x = self.around(*part[:2], x, part[2])
            x = self.note(place + "output", x)
        if self.model["norm"]["final"]:
            x = self.note("final_norm", self.norm(x, self.weights.get("final_norm_gain"),
                                                  self.weights.get("final_norm_bias")))
        return x

    def head(self, x, table):
        """Notes the predictions from the output of the last layer. Their names have no prefix."""
        model, weights, head = self.model, self.weights, self.model["head"]
        self.prefix = ""
        if head["kind"] == "classifier":
            last = self.real.sum(1) - 1
            rows = {"first": lambda: x[:, 0], "last": lambda: x[torch.arange(len(x)), last],
                    "mean": lambda: (x * self.real.unsqueeze(-1)).sum(1) / self.real.sum(1, keepdim=True)}
            pooled = rows[head["pooling"]]()
            if "pooler" in weights:
                pooled = torch.tanh(F.linear(pooled, weights["pooler"].T, weights.get("pooler_bias")))
            pooled = self.note("pooled", pooled)
            self.note("class_logits", F.linear(pooled, weights["classifier"].T, weights.get("classifier_bias")))
        elif head["kind"] != "none":
            if head["kind"] == "masked_language":
                x = ACTIVATIONS[head["activation"]](F.linear(x, weights["head_transform"].T,
                                                             weights.get("head_transform_bias")))
                if head["norm"]:
                    x = self.norm(x, weights.get("head_norm_gain"), weights.get("head_norm_bias"))
                x = self.note("head_input", x)
            elif head["scaled"]:
                x = self.note("head_input", x * model["width"] ** -0.5)
            matrix = weights["output_matrix"].T if "output_matrix" in weights else table
            logits = F.linear(x, matrix, weights.get("output_bias"))
            if "logit_cap" in model:
                logits = capped(self.note("uncapped_logits", logits), model["logit_cap"])
            logits = self.note("logits", logits)
            self.note("probabilities", torch.softmax(logits, dim=-1))


def of_encoder(model):
    """Returns the model with the sizes of its encoder, if the encoder has its own."""
    sizes = {key: value for key, value in model.get("encoder", {}).items() if isinstance(value, int)}
    own = {**model, **{key: sizes[key] for key in ("heads", "head_size", "value_size") if key in sizes}}
    own["key_value_heads"] = sizes.get("key_value_heads", own["heads"] if "heads" in sizes else model["key_value_heads"])
    if "head_size" in sizes and "value_size" not in sizes:
        own["value_size"] = model.get("value_size", model["head_size"])
    if "feed_forward_width" in sizes:
        own["feed_forward"] = {**model["feed_forward"], "width": sizes["feed_forward_width"]}
    return own


def padded(model, batch):
    """Returns token ids and types [B, T], and a mask that is true for tokens and false for padding."""
    words = {word: index for index, word in enumerate(model["vocabulary"])}
    T = max([batch.get("length", 0)] + [len(tokens) for tokens in batch["tokens"]])
    ids = torch.tensor([[words[word] for word in tokens + ["[PAD]"] * (T - len(tokens))] for tokens in batch["tokens"]])
    types = torch.tensor([row + [0] * (T - len(row)) for row in batch.get("token_types", [[]] * len(ids))])
    return ids, types, ids != words["[PAD]"]


def seen_by(masks, T, real):
    """Returns [B, 1, T, S], true where a query may see a key. `real` describes the keys."""
    S = real.shape[1]
    most = max(T, S)
    rows = []
    for b in range(len(real)):
        # visible() expects T = S; the first T rows and S columns of the larger square are the same.
        rows.append(visible(masks, b, most, int(real[b].sum()))[:T, :S])
    return torch.stack(rows).unsqueeze(1)


def compute(document):
    """Returns all stages of {"model", "batch", "source", "masks", "encoder_masks", "cross_masks"} in order. They keep
    their gradients."""
    model, stages = document["model"], {}
    table = model["token_embeddings"]
    ids, types, real = padded(model, document["batch"])
    T = ids.shape[1]
    memory = seen_of_memory = None
    prefix = "decoder." if "encoder" in model else ""
    if "source" in document:
        source_ids, source_types, source_real = padded(model, document["source"])
        weights = model.get("encoder", model)
        source = Stack(of_encoder(model), weights, "encoder." if "encoder" in model else "source.", stages, source_real)
        memory = source.embed(source_ids, source_types, weights.get("token_embeddings", table))
        if "encoder" in model:
            memory = source.layers(memory, seen_by(document["encoder_masks"], source_ids.shape[1], source_real))
        seen_of_memory = seen_by(document["cross_masks"], T, source_real)
    stack = Stack(model, model, prefix, stages, real)
    x = stack.embed(ids, types, table)
    x = stack.layers(x, seen_by(document["masks"], T, real), memory, seen_of_memory)
    stack.head(x, table)
    return stages
