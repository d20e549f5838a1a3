"""Llama (Touvron et al. 2023), Mistral (Jiang et al. 2023: a window) and Qwen 2 (Yang et al. 2024: biases of queries,
keys and values, a window in the upper layers)."""

import math

import torch

from .pieces import Draw, F64, Numbers, Trace, VOCABULARY, attend, future, heads, outside, predict, silu

WIDTH, INNER, LAYERS = 12, 20, 2


def config_of(model_type, **fields):
    name = {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2"}[model_type]
    return {"architectures": [name + "ForCausalLM"], "attention_dropout": 0.0, "bos_token_id": 1, "eos_token_id": 2,
            "hidden_act": "silu", "hidden_size": WIDTH, "initializer_range": 0.02, "intermediate_size": INNER,
            "max_position_embeddings": 32, "model_type": model_type, "num_attention_heads": 3,
            "num_hidden_layers": LAYERS, "num_key_value_heads": 3, "rms_norm_eps": 1e-5, "tie_word_embeddings": False,
            "use_cache": True, "vocab_size": VOCABULARY, **fields}


def head_size(config):
    return config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]


def frequencies(config):
    """Returns the radians per token for each pair of dimensions."""
    new = config.get("rope_parameters") or {}
    scaling = new or config.get("rope_scaling") or {}
    base, d = new.get("rope_theta", config.get("rope_theta", 10000.0)), head_size(config)
    turns = base ** (-torch.arange(0, d, 2, dtype=F64) / d)
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "linear":
        return turns / scaling["factor"]
    if kind == "llama3":  # long waves are lengthened, medium ones interpolated
        wave, old = 2 * math.pi / turns, scaling["original_max_position_embeddings"]
        low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
        blend = ((old / wave - low) / (high - low)).clamp(0, 1)
        return turns / scaling["factor"] * (1 - blend) + turns * blend
    assert kind == "default", kind
    return turns


def turned(x, turns):
    """Rotates x [1, H, T, d] as complex numbers: dimension i is the real part, i + d/2 the imaginary part."""
    half = x.shape[-1] // 2
    angle = torch.outer(torch.arange(x.shape[2], dtype=F64), turns)
    y = torch.complex(x[..., :half], x[..., half:]) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([y.real, y.imag], dim=-1)


def tensors_of(draw, config, prefix, buffers):
    tensors, C, d = {}, config["hidden_size"], head_size(config)
    queries, keys = config["num_attention_heads"] * d, config["num_key_value_heads"] * d
    qwen = config["model_type"] == "qwen2"
    attention_bias, mlp_bias = config.get("attention_bias", False), config.get("mlp_bias", False)
    draw.embedding(tensors, prefix + "embed_tokens", VOCABULARY, C)
    for layer in range(config["num_hidden_layers"]):
        name = f"{prefix}layers.{layer}."
        draw.norm(tensors, name + "input_layernorm", C, bias=None)
        for part, width in (("q", queries), ("k", keys), ("v", keys)):
            draw.linear(tensors, f"{name}self_attn.{part}_proj", C, width, qwen or attention_bias)
        draw.linear(tensors, name + "self_attn.o_proj", queries, C, attention_bias)
        if buffers:
            tensors[name + "self_attn.rotary_emb.inv_freq"] = frequencies(config).float()
        draw.norm(tensors, name + "post_attention_layernorm", C, bias=None)
        for part, inputs, outputs in (("gate", C, INNER), ("up", C, INNER), ("down", INNER, C)):
            draw.linear(tensors, f"{name}mlp.{part}_proj", inputs, outputs, mlp_bias)
    draw.norm(tensors, prefix + "norm", C, bias=None)
    if not config["tie_word_embeddings"]:
        draw.linear(tensors, "lm_head", C, VOCABULARY, bias=False)
    return tensors


def window_of(config, layer):
    """Returns the window of the layer; None if it sees all previous tokens."""
    if config["model_type"] == "mistral":
        return config["sliding_window"]
    if config["model_type"] == "qwen2" and config["use_sliding_window"]:
        return config["sliding_window"] if layer >= config["max_window_layers"] else None
    return None


def trace_of(config, tensors, prefix, ids):
    numbers, trace, turns = Numbers(tensors), Trace(), frequencies(config)
    epsilon, H, G = config["rms_norm_eps"], config["num_attention_heads"], config["num_key_value_heads"]
    x = trace.note("embeddings", numbers[prefix + "embed_tokens.weight"][ids].unsqueeze(0))
    x = trace.note("positioned", x)
    for layer in range(config["num_hidden_layers"]):
        name, here = f"{prefix}layers.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", numbers.rms_norm(x, name + "input_layernorm", epsilon))
        query = attention.note("unrotated_query", heads(numbers.linear(y, name + "self_attn.q_proj"), H))
        key = attention.note("unrotated_key", heads(numbers.linear(y, name + "self_attn.k_proj"), G))
        value = heads(numbers.linear(y, name + "self_attn.v_proj"), G)
        window = window_of(config, layer)
        y = attend(attention, turned(query, turns), turned(key, turns), value,
                   outside(len(ids), window) if window else future(len(ids)), head_size(config) ** -0.5,
                   numbers[name + "self_attn.o_proj.weight"], numbers.get(name + "self_attn.o_proj.bias"))
        x = attention.note("residual", x + y)
        y = feed.note("norm", numbers.rms_norm(x, name + "post_attention_layernorm", epsilon))
        gate = feed.note("gate", numbers.linear(y, name + "mlp.gate_proj"))
        hidden = feed.note("hidden", numbers.linear(y, name + "mlp.up_proj"))
        y = feed.note("output", numbers.linear(feed.note("activated", silu(gate) * hidden), name + "mlp.down_proj"))
        x = here.note("output", x + y)
    x = trace.note("final_norm", numbers.rms_norm(x, prefix + "norm", epsilon))
    matrix = numbers.get("lm_head.weight")
    predict(trace, x, numbers[prefix + "embed_tokens.weight"] if matrix is None else matrix)
    return trace.stages


def case(seed, config, prefix="model.", buffers=False, dtype=torch.float32, count=6):
    draw = Draw(seed)
    tensors = {name: tensor.to(dtype) for name, tensor in tensors_of(draw, config, prefix, buffers).items()}
    ids = [1] + draw.ids(count)
    return config, tensors, {"token_ids": ids}, trace_of(config, tensors, prefix, ids)


LLAMA3 = {"factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 128,
          "rope_type": "llama3"}

CASES = {
    # An old file: no head_dim, rotary settings in one object, a stored buffer.
    "llama": lambda: case(11, config_of("llama", pretraining_tp=1, rope_scaling=None, rope_theta=10000.0,
                                        torch_dtype="float32", transformers_version="4.33.1"), buffers=True),
    "llama-grouped-tied": lambda: case(12, config_of(
        "llama", num_attention_heads=4, num_key_value_heads=2, head_dim=4, tie_word_embeddings=True, hidden_size=8,
        attention_bias=True, mlp_bias=True, rope_theta=500.0, rope_scaling={"factor": 2.0, "type": "linear"})),
    "llama-3": lambda: case(13, config_of("llama", head_dim=8, num_key_value_heads=1, attention_bias=False,
                                          mlp_bias=False, rope_theta=10000.0, rope_scaling=LLAMA3,
                                          eos_token_id=[2, 5], torch_dtype="bfloat16"), dtype=torch.bfloat16),
    "llama-new-spelling": lambda: case(14, config_of(
        "llama", head_dim=8, num_key_value_heads=1, attention_bias=False, mlp_bias=False, dtype="float32",
        rope_parameters={**LLAMA3, "rope_theta": 2000.0}, transformers_version="5.0.0")),
    "mistral": lambda: case(15, config_of("mistral", head_dim=None, num_attention_heads=4, num_key_value_heads=2,
                                          hidden_size=16, rope_theta=10000.0, sliding_window=3,
                                          torch_dtype="float16"), dtype=torch.float16),
    "qwen2": lambda: case(16, config_of("qwen2", max_window_layers=1, num_attention_heads=2, num_key_value_heads=1,
                                        rope_theta=1000000.0, sliding_window=3, tie_word_embeddings=True,
                                        torch_dtype="float32", use_mrope=False, use_sliding_window=True)),
    "qwen2-layer-types": lambda: case(17, config_of(
        "qwen2", dtype="float32", layer_types=["full_attention", "sliding_attention"], max_window_layers=1,
        num_attention_heads=2, num_key_value_heads=2, rope_parameters={"rope_theta": 5000.0, "rope_type": "default"},
        sliding_window=2, use_sliding_window=True)),
}
SHARDED = {"llama-new-spelling": 3}
