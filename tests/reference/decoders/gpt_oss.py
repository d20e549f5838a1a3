"""GPT-OSS, after modeling_gpt_oss.py, integrations/mxfp4.py and modeling_rope_utils.py of transformers: a sink in the
softmax of every head, windows in some layers, YaRN without rounded limits, and experts with limited gates. The experts'
matrices are plain numbers or MXFP4 (blocks of 32 four-bit numbers and a scale), and gate and hidden columns
alternate."""

import math

import numpy as np

from .pieces import Draw, Numbers, Trace, VOCABULARY, attend, heads, hidden_keys, predict, rms_norm, softmax, turned

FOUR_BITS = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0])


def config_of(**fields):
    return {"architectures": ["GptOssForCausalLM"], "attention_bias": True, "attention_dropout": 0.0,
            "eos_token_id": 2, "experts_per_token": 2, "head_dim": 6, "hidden_act": "silu", "hidden_size": 32,
            "initial_context_length": 16, "initializer_range": 0.02, "intermediate_size": 64,
            "max_position_embeddings": 64, "model_type": "gpt_oss", "num_attention_heads": 4,
            "num_experts_per_tok": 2, "num_hidden_layers": 2, "num_key_value_heads": 2, "num_local_experts": 5,
            "output_router_logits": False, "pad_token_id": 3, "rms_norm_eps": 1e-5,
            "rope_scaling": {"beta_fast": 32.0, "beta_slow": 1.0, "factor": 4.0,
                             "original_max_position_embeddings": 16, "rope_type": "yarn", "truncate": False},
            "rope_theta": 150000, "router_aux_loss_coef": 0.9, "sliding_window": 3, "swiglu_limit": 7.0,
            "tie_word_embeddings": False, "use_cache": True, "vocab_size": VOCABULARY, **fields}


MXFP4 = {"quantization_config": {"modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"],
                                 "quant_method": "mxfp4"}}


def experts_of(draw, config, name):
    """Draws the experts' matrices: [N, in, out] each, or blocks [N, out, in / 32, 16] and their scales."""
    C, F, N = config["hidden_size"], config["intermediate_size"], config["num_local_experts"]
    for part, rows, columns in (("gate_up_proj", C, 2 * F), ("down_proj", F, C)):
        if "quantization_config" in config:
            count = rows // 32
            draw.tensors[f"{name}{part}_blocks"] = draw.random.randint(0, 256, (N, columns, count, 16)).astype(np.uint8)
            draw.tensors[f"{name}{part}_scales"] = draw.random.randint(121, 125, (N, columns, count)).astype(np.uint8)
        else:
            draw.add(name + part, N, rows, columns, deviation=1 / math.sqrt(rows))
        draw.add(f"{name}{part}_bias", N, columns, deviation=0.3)


def tensors_of(draw, config):
    C, d, bias = config["hidden_size"], config["head_dim"], config["attention_bias"]
    queries, keys = config["num_attention_heads"] * d, config["num_key_value_heads"] * d
    draw.words("model.embed_tokens", C)
    for layer in range(config["num_hidden_layers"]):
        name = f"model.layers.{layer}."
        draw.norm(name + "input_layernorm", C)
        for part, width in (("q", queries), ("k", keys), ("v", keys)):
            draw.linear(f"{name}self_attn.{part}_proj", C, width, bias)
        draw.linear(name + "self_attn.o_proj", queries, C, bias)
        draw.add(name + "self_attn.sinks", config["num_attention_heads"], deviation=1.5)
        draw.norm(name + "post_attention_layernorm", C)
        draw.linear(name + "mlp.router", C, config["num_local_experts"])
        experts_of(draw, config, name + "mlp.experts.")
    draw.norm("model.norm", C)
    if not config["tie_word_embeddings"]:
        draw.linear("lm_head", C, VOCABULARY, bias=False)


def matrix_of(W, name):
    """Returns the experts' matrices as [N, in, out]."""
    if name + "_blocks" not in W.tensors:
        return W[name]
    blocks, scales = W.tensors[name + "_blocks"], W.tensors[name + "_scales"].astype(np.int64)
    numbers = np.empty((*blocks.shape[:-1], 32))
    numbers[..., 0::2], numbers[..., 1::2] = FOUR_BITS[blocks & 15], FOUR_BITS[blocks >> 4]
    numbers = np.ldexp(numbers, scales[..., None] - 127)
    return numbers.reshape(*blocks.shape[:2], -1).transpose(0, 2, 1)


def turns_of(config):
    """Returns the radians per token for each pair of dimensions, and the factor of cosine and sine."""
    d, base = config["head_dim"], float(config.get("rope_theta", 150000))
    scaling = config.get("rope_scaling") or {}
    if config.get("rope_parameters"):
        scaling = config["rope_parameters"]
        base = scaling["rope_theta"]
    plain = base ** (-np.arange(0, d, 2) / d)
    if scaling.get("rope_type", "default") == "default":
        return plain, 1.0
    length, factor = scaling["original_max_position_embeddings"], scaling["factor"]

    def pair_with(rotations):
        return d * math.log(length / (rotations * 2 * math.pi)) / (2 * math.log(base))

    low, high = pair_with(scaling.get("beta_fast", 32)), pair_with(scaling.get("beta_slow", 1))
    if scaling.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, d - 1)
    if low == high:
        high += 0.001
    divided = np.clip((np.arange(d // 2) - low) / (high - low), 0, 1)
    return plain / factor * divided + plain * (1 - divided), 0.1 * math.log(factor) + 1


def by_experts(config, W, name, feed, x):
    """Returns the experts' output, computed one token after another."""
    N, C, F = config["num_local_experts"], config["hidden_size"], config["intermediate_size"]
    limit = config["swiglu_limit"]
    both, both_bias = matrix_of(W, name + "experts.gate_up_proj"), W[name + "experts.gate_up_proj_bias"]
    down, down_bias = matrix_of(W, name + "experts.down_proj"), W[name + "experts.down_proj_bias"]
    logits = feed.note("router_logits", W.linear(x, name + "router"))
    feed.note("router_probabilities", softmax(logits))
    weights = np.zeros_like(logits)
    gates, hiddens, activated = (np.zeros((len(x), N * F)) for _ in range(3))
    outputs, y = np.zeros((len(x), N * C)), np.zeros_like(x)
    limited = 0
    for t, row in enumerate(x):
        chosen = np.argsort(-logits[t], kind="stable")[:config["num_experts_per_tok"]]
        weights[t, chosen] = softmax(logits[t, chosen])
        for e in sorted(chosen):
            own, place = slice(e * F, (e + 1) * F), slice(e * C, (e + 1) * C)
            made = row @ both[e] + both_bias[e]
            gates[t, own], hiddens[t, own] = made[0::2], made[1::2]
            gate, hidden = np.minimum(made[0::2], limit), np.clip(made[1::2], -limit, limit)
            limited += (np.abs(made) > limit).sum()
            activated[t, own] = (hidden + 1) * gate / (1 + np.exp(-1.702 * gate))
            outputs[t, place] = activated[t, own] @ down[e] + down_bias[e]
            y[t] += weights[t, e] * outputs[t, place]
    assert limited > 0  # otherwise the limit is not tested
    for stage, made in (("expert_weights", weights), ("gate", gates), ("hidden", hiddens), ("activated", activated),
                        ("expert_outputs", outputs)):
        feed.note(stage, made)
    return feed.note("output", y)


def trace_of(config, tensors, ids):
    W, trace, epsilon = Numbers(tensors), Trace(), config["rms_norm_eps"]
    kinds = config.get("layer_types") or ["full_attention" if layer % 2 else "sliding_attention"
                                          for layer in range(config["num_hidden_layers"])]
    turns, by = turns_of(config)
    x = trace.note("positioned", trace.note("embeddings", W["model.embed_tokens.weight"][ids]))
    for layer, kind in enumerate(kinds):
        name, here = f"model.layers.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", rms_norm(x, W[name + "input_layernorm.weight"], epsilon))
        query, key, value = (W.linear(y, f"{name}self_attn.{part}_proj") for part in "qkv")
        query, key, value = (heads(query, config["num_attention_heads"]), heads(key, config["num_key_value_heads"]),
                             heads(value, config["num_key_value_heads"]))
        query = turned(attention.note("unrotated_query", query), turns, factor=by)
        key = turned(attention.note("unrotated_key", key), turns, factor=by)
        window = config["sliding_window"] if kind == "sliding_attention" else None
        y = attend(attention, query, key, value, hidden_keys(len(ids), window), config["head_dim"] ** -0.5,
                   W[name + "self_attn.o_proj.weight"], W.get(name + "self_attn.o_proj.bias"),
                   sinks=W[name + "self_attn.sinks"])
        x = attention.note("residual", x + y)
        y = feed.note("norm", rms_norm(x, W[name + "post_attention_layernorm.weight"], epsilon))
        x = here.note("output", x + by_experts(config, W, name + "mlp.", feed, y))
    x = trace.note("final_norm", rms_norm(x, W["model.norm.weight"], epsilon))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W["model.embed_tokens.weight"] if matrix is None else matrix)
    return trace.stages


def case(seed, config, dtype="F32"):
    draw = Draw(seed, dtype)
    tensors_of(draw, config)
    ids = draw.ids(8)
    return config, draw.tensors, ids, trace_of(config, draw.tensors, ids), dtype


CASES = {
    "gpt-oss": lambda: case(130, config_of(
        **MXFP4, layer_types=["sliding_attention", "full_attention"], swiglu_limit=1.5, torch_dtype="bfloat16"), "BF16"),
    "gpt-oss-plain": lambda: case(131, config_of(
        head_dim=8, hidden_size=20, intermediate_size=7, num_attention_heads=3, num_experts_per_tok=3,
        num_hidden_layers=3, num_key_value_heads=1, swiglu_limit=1.0), "BF16"),
    "gpt-oss-unbiased": lambda: case(132, config_of(
        **MXFP4, attention_bias=False, head_dim=4, hidden_size=64, intermediate_size=32, max_position_embeddings=256,
        num_attention_heads=6,
        num_experts_per_tok=1, num_hidden_layers=2, num_local_experts=3,
        layer_types=["full_attention", "sliding_attention"], swiglu_limit=0.8, tie_word_embeddings=True,
        rope_parameters={"factor": 8.0, "original_max_position_embeddings": 32, "rope_theta": 1000.0,
                         "rope_type": "yarn", "truncate": True})),
}
