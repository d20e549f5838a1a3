"""Relatives of Llama with RMS norms, after the classes of transformers: Mistral NeMo (heads wider than the layers
together, no window; more of Mistral and Qwen 2 is in ../families/llama.py), Qwen 2 (biases of queries, keys and
values), Qwen 3 (norms of each head's queries and keys),
Phi-3 (fused maps), Gemma 1 to 3 (gains are 1 + w, embeddings × √C; Gemma 3 has two rotation bases), SmolLM3 (layers
without rotation), Granite (factors), OLMo 2 (norms of the blocks' outputs), and three mixtures of experts: Mixtral,
OLMoE and Qwen 3 MoE."""

import math

import numpy as np

from .pieces import (ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, frequencies, heads, hidden_keys, predict,
                     rms_norm, softmax, turned)

WIDTH, INNER, LAYERS = 12, 20, 2
NAMES = {"mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3", "phi3": "Phi3", "gemma": "Gemma",
         "gemma2": "Gemma2", "gemma3_text": "Gemma3",
         "smollm3": "SmolLM3", "granite": "Granite", "olmo2": "Olmo2", "mixtral": "Mixtral", "olmoe": "Olmoe",
         "qwen3_moe": "Qwen3Moe"}
EXPERTS = ("mixtral", "olmoe", "qwen3_moe")


def config_of(model_type, **fields):
    return {"architectures": [NAMES[model_type] + "ForCausalLM"], "attention_dropout": 0.0, "bos_token_id": 1,
            "eos_token_id": 2, "hidden_size": WIDTH, "initializer_range": 0.02, "intermediate_size": INNER,
            "max_position_embeddings": 32, "model_type": model_type, "num_attention_heads": 3,
            "num_hidden_layers": LAYERS, "num_key_value_heads": 3, "rms_norm_eps": 1e-5, "tie_word_embeddings": False,
            "use_cache": True, "vocab_size": VOCABULARY, **fields}


def is_gemma(config):
    return config["model_type"].startswith("gemma")


def head_size(config):
    return config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]


def expert_count(config):
    return config.get("num_local_experts") or config["num_experts"]


def expert_names(config, layer):
    """Returns the names of the router, and of the gate, hidden and output tensors of expert e."""
    name = f"model.layers.{layer}."
    if config["model_type"] == "mixtral":
        return name + "block_sparse_moe.gate", lambda e: [f"{name}block_sparse_moe.experts.{e}.{part}"
                                                          for part in ("w1", "w3", "w2")]
    return name + "mlp.gate", lambda e: [f"{name}mlp.experts.{e}.{part}_proj" for part in ("gate", "up", "down")]


def experts_of(draw, config, layer):
    C, inner = config["hidden_size"], config.get("moe_intermediate_size", config["intermediate_size"])
    router, names = expert_names(config, layer)
    draw.linear(router, C, expert_count(config), bias=False)
    draw.tensors[router + ".weight"] *= 2  # a power of two, so that every type holds the result
    for e in range(expert_count(config)):
        gate, hidden, output = names(e)
        draw.linear(gate, C, inner, bias=False)
        draw.linear(hidden, C, inner, bias=False)
        draw.linear(output, inner, C, bias=False)


def by_experts(config, W, layer, feed, x, activation):
    """Returns the experts' output, computed one token after another."""
    count, C = expert_count(config), config["hidden_size"]
    inner = config.get("moe_intermediate_size", config["intermediate_size"])
    router, names = expert_names(config, layer)
    chances = feed.note("router_probabilities", softmax(feed.note("router_logits", W.linear(x, router))))
    weights = np.zeros_like(chances)
    gates, hiddens, activated = (np.zeros((len(x), count * inner)) for _ in range(3))
    outputs, y = np.zeros((len(x), count * C)), np.zeros_like(x)
    for t, row in enumerate(x):
        chosen = sorted(range(count), key=lambda e: -chances[t, e])[:config["num_experts_per_tok"]]
        whole = sum(chances[t, e] for e in chosen)
        is_normed = config.get("norm_topk_prob", config["model_type"] == "mixtral")
        for e in chosen:
            gate, hidden, output = names(e)
            weights[t, e] = chances[t, e] / whole if is_normed else chances[t, e]
            own, place = slice(e * inner, (e + 1) * inner), slice(e * C, (e + 1) * C)
            gates[t, own], hiddens[t, own] = W.linear(row, gate), W.linear(row, hidden)
            activated[t, own] = activation(gates[t, own]) * hiddens[t, own]
            outputs[t, place] = W.linear(activated[t, own], output)
            y[t] += weights[t, e] * outputs[t, place]
    for name, made in (("expert_weights", weights), ("gate", gates), ("hidden", hiddens), ("activated", activated),
                       ("expert_outputs", outputs)):
        feed.note(name, made)
    return y


def tensors_of(draw, config):
    kind, C, d = config["model_type"], config["hidden_size"], head_size(config)
    queries, keys = config["num_attention_heads"] * d, config["num_key_value_heads"] * d
    inner = config["intermediate_size"]
    gain = 0.0 if is_gemma(config) else 1.0
    draw.words("model.embed_tokens", C)
    for layer in range(config["num_hidden_layers"]):
        name, bias = f"model.layers.{layer}.", config.get("attention_bias", False)
        if kind != "olmo2":
            draw.norm(name + "input_layernorm", C, gain)
        if kind == "phi3":
            draw.linear(name + "self_attn.qkv_proj", C, queries + 2 * keys, bias=False)
            draw.linear(name + "mlp.gate_up_proj", C, 2 * inner, bias=False)
        else:
            for part, width in (("q", queries), ("k", keys), ("v", keys)):
                draw.linear(f"{name}self_attn.{part}_proj", C, width, bias or kind == "qwen2")
            for part in () if kind in EXPERTS else ("gate", "up"):
                draw.linear(f"{name}mlp.{part}_proj", C, inner, bias=False)
        if kind in ("qwen3", "qwen3_moe", "gemma3_text"):
            draw.norm(name + "self_attn.q_norm", d, gain)
            draw.norm(name + "self_attn.k_norm", d, gain)
        if kind in ("olmo2", "olmoe"):
            draw.norm(name + "self_attn.q_norm", queries)
            draw.norm(name + "self_attn.k_norm", keys)
        draw.linear(name + "self_attn.o_proj", queries, C, bias)
        draw.norm(name + "post_attention_layernorm", C, gain)
        if kind in ("gemma2", "gemma3_text"):
            draw.norm(name + "pre_feedforward_layernorm", C, gain)
        if kind in ("gemma2", "gemma3_text", "olmo2"):
            draw.norm(name + "post_feedforward_layernorm", C, gain)
        if kind in EXPERTS:
            experts_of(draw, config, layer)
        else:
            draw.linear(name + "mlp.down_proj", inner, C, bias=False)
    draw.norm("model.norm", C, gain)
    if not config["tie_word_embeddings"]:
        draw.linear("lm_head", C, VOCABULARY, bias=False)


def window_of(config, layer):
    """Returns the window of the layer; None if it sees all previous tokens."""
    kind = config["model_type"]
    if kind == "gemma2":
        return config["sliding_window"] if layer % 2 == 0 else None
    if kind == "gemma3_text":
        is_full = (layer + 1) % config.get("sliding_window_pattern", 6) == 0
        if "layer_types" in config:
            is_full = config["layer_types"][layer] == "full_attention"
        return None if is_full else config["sliding_window"]
    if kind == "smollm3":
        return config["sliding_window"] if config["use_sliding_window"] and not rotates(config, layer) else None
    if kind in ("qwen2", "qwen3"):
        has_window = config["use_sliding_window"] and layer >= config["max_window_layers"]
        return config["sliding_window"] if has_window else None
    if kind == "qwen3_moe":
        return config["sliding_window"] if config.get("use_sliding_window") else None
    return config.get("sliding_window") if kind in ("mistral", "phi3", "mixtral") else None


def rotates(config, layer):
    if config["model_type"] != "smollm3":
        return True
    layers = config.get("no_rope_layers")
    return layers[layer] == 1 if layers else (layer + 1) % config.get("no_rope_layer_interval", 4) != 0


def vector_factor(config):
    """Returns the factor of rotated vectors."""
    scaling, old = config.get("rope_scaling") or {}, config.get("original_max_position_embeddings")
    if scaling.get("type") not in ("longrope", "su"):
        return 1.0
    return math.sqrt(1 + math.log(config["max_position_embeddings"] / old) / math.log(old))


def turns_of(config, layer, length):
    rotary = config.get("rope_parameters") or {}
    if config["model_type"] == "gemma3_text":
        is_local = window_of(config, layer) is not None
        if "full_attention" in rotary:
            rotary = rotary["sliding_attention" if is_local else "full_attention"]
            return frequencies(rotary["rope_theta"], head_size(config)) / rotary.get("factor", 1)
        if is_local:
            return frequencies(config["rope_local_base_freq"], head_size(config))
        scaling = config.get("rope_scaling") or {}
        return frequencies(config["rope_theta"], head_size(config)) / scaling.get("factor", 1)
    scaling = config.get("rope_scaling") or {}
    if scaling.get("type") in ("longrope", "su"):
        d = int(head_size(config) * config.get("partial_rotary_factor", 1.0))
        which = "long_factor" if length > config["original_max_position_embeddings"] else "short_factor"
        return frequencies(config["rope_theta"], d) / np.array(scaling[which])
    share = rotary.get("partial_rotary_factor", config.get("partial_rotary_factor", 1.0))
    base = rotary.get("rope_theta", config.get("rope_theta", 10000.0))
    return frequencies(base, int(head_size(config) * share))


def factor_of(config):
    if config["model_type"] == "granite":
        return config["attention_multiplier"]
    return config.get("query_pre_attn_scalar", head_size(config)) ** -0.5


def trace_of(config, tensors, ids):
    kind, W, trace = config["model_type"], Numbers(tensors), Trace()
    H, G, inner, epsilon = (config[name] for name in ("num_attention_heads", "num_key_value_heads", "intermediate_size",
                                                      "rms_norm_eps"))
    activation = ACTIVATIONS[config.get("hidden_activation") or config["hidden_act"]]

    def norm(x, name):
        return rms_norm(x, W[name + ".weight"] + (1 if is_gemma(config) else 0), epsilon)

    x = trace.note("embeddings", W["model.embed_tokens.weight"][ids])
    if is_gemma(config):
        x = trace.note("embedding_sum", x * math.sqrt(config["hidden_size"]))
    if kind == "granite":
        x = trace.note("embedding_sum", x * config["embedding_multiplier"])
    x, share = trace.note("positioned", x), config.get("residual_multiplier", 1.0)
    for layer in range(config["num_hidden_layers"]):
        name, here = f"model.layers.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = x if kind == "olmo2" else attention.note("norm", norm(x, name + "input_layernorm"))
        if kind == "phi3":
            query, key, value = np.split(W.linear(y, name + "self_attn.qkv_proj"),
                                         np.cumsum([H * head_size(config), G * head_size(config)]), axis=-1)
        else:
            query, key, value = (W.linear(y, f"{name}self_attn.{part}_proj") for part in "qkv")
        if kind in ("olmo2", "olmoe"):
            attention.note("projected_query", heads(query, H))
            attention.note("projected_key", heads(key, G))
            query, key = norm(query, name + "self_attn.q_norm"), norm(key, name + "self_attn.k_norm")
        query, key, value = heads(query, H), heads(key, G), heads(value, G)
        if kind in ("qwen3", "qwen3_moe", "gemma3_text"):
            query = norm(attention.note("projected_query", query), name + "self_attn.q_norm")
            key = norm(attention.note("projected_key", key), name + "self_attn.k_norm")
        if rotates(config, layer):
            turns, by = turns_of(config, layer, len(ids)), vector_factor(config)
            query = turned(attention.note("unrotated_query", query), turns, factor=by)
            key = turned(attention.note("unrotated_key", key), turns, factor=by)
        y = attend(attention, query, key, value,
                   hidden_keys(len(ids), window_of(config, layer)), factor_of(config),
                   W[name + "self_attn.o_proj.weight"], W.get(name + "self_attn.o_proj.bias"),
                   cap=config.get("attn_logit_softcapping"))
        if kind in ("gemma2", "gemma3_text", "olmo2"):
            y = attention.note("output_norm", norm(y, name + "post_attention_layernorm"))
        x = y = attention.note("residual", x + y * share)
        if kind in ("gemma2", "gemma3_text"):
            y = feed.note("norm", norm(x, name + "pre_feedforward_layernorm"))
        elif kind != "olmo2":
            y = feed.note("norm", norm(x, name + "post_attention_layernorm"))
        if kind in EXPERTS:
            y = feed.note("output", by_experts(config, W, layer, feed, y, activation))
        else:
            if kind == "phi3":
                gate, hidden = np.split(W.linear(y, name + "mlp.gate_up_proj"), [inner], axis=-1)
            else:
                gate, hidden = W.linear(y, name + "mlp.gate_proj"), W.linear(y, name + "mlp.up_proj")
            y = feed.note("activated", activation(feed.note("gate", gate)) * feed.note("hidden", hidden))
            y = feed.note("output", W.linear(y, name + "mlp.down_proj"))
        if kind in ("gemma2", "gemma3_text", "olmo2"):
            y = feed.note("output_norm", norm(y, name + "post_feedforward_layernorm"))
        x = here.note("output", x + y * share)
    x = trace.note("final_norm", norm(x, "model.norm"))
    if kind == "granite":
        x = trace.note("head_input", x / config["logits_scaling"])
    matrix = W.get("lm_head.weight")
    predict(trace, x, W["model.embed_tokens.weight"] if matrix is None else matrix,
            cap=config.get("final_logit_softcapping"))
    return trace.stages


def case(seed, config, dtype="F32"):
    draw = Draw(seed, dtype)
    tensors_of(draw, config)
    ids = draw.ids(7)
    return config, draw.tensors, ids, trace_of(config, draw.tensors, ids), dtype


def within_images(seed):
    """The text model in a folder for texts and images, as transformers 4.50 writes it."""
    config, tensors, ids, stages, dtype = case(seed, config_of(
        "gemma3_text", head_dim=4, hidden_activation="gelu_pytorch_tanh", num_attention_heads=8, num_key_value_heads=4,
        query_pre_attn_scalar=256, rms_norm_eps=1e-6, rope_local_base_freq=10000.0,
        rope_scaling={"factor": 8.0, "rope_type": "linear"}, rope_theta=1000000.0, sliding_window=3,
        sliding_window_pattern=6, tie_word_embeddings=True))
    known = ("head_dim", "hidden_size", "intermediate_size", "model_type", "num_hidden_layers", "rope_scaling",
             "sliding_window", "vocab_size")  # all others have default values
    draw = Draw(seed + 50)
    tensors = {"language_model." + name: numbers for name, numbers in tensors.items()}
    draw.linear("vision_tower.vision_model.encoder.layers.0.mlp.fc1", 4, 4)
    draw.add("multi_modal_projector.mm_input_projection_weight", 4, WIDTH)
    outer = {"architectures": ["Gemma3ForConditionalGeneration"], "boi_token_index": 5, "eoi_token_index": 6,
             "eos_token_id": [1, 2], "image_token_index": 7, "initializer_range": 0.02, "mm_tokens_per_image": 4,
             "model_type": "gemma3", "text_config": {name: config[name] for name in known}, "torch_dtype": "float32",
             "vision_config": {"hidden_size": 4, "model_type": "siglip_vision_model"}}
    return outer, {**tensors, **draw.tensors}, ids, stages, dtype


CASES = {
    "mistral-nemo": lambda: case(123, config_of(
        "mistral", head_dim=6, hidden_act="silu", num_key_value_heads=1, rope_theta=1000000.0, sliding_window=None,
        torch_dtype="bfloat16"), "BF16"),
    "mistral-tied": lambda: case(126, config_of(
        "mistral", head_dim=6, hidden_act="silu", num_key_value_heads=1, rope_theta=10000.0, sliding_window=3,
        tie_word_embeddings=True)),
    "qwen2-wide": lambda: case(127, config_of(
        "qwen2", head_dim=6, hidden_act="silu", max_window_layers=1, num_key_value_heads=1, rope_theta=1000000.0,
        sliding_window=3, use_sliding_window=True)),
    "qwen3": lambda: case(101, config_of(
        "qwen3", attention_bias=False, head_dim=6, hidden_act="silu", max_window_layers=2, num_key_value_heads=1,
        rope_scaling=None, rope_theta=1000000, sliding_window=None, torch_dtype="bfloat16",
        transformers_version="4.51.0", use_sliding_window=False), "BF16"),
    "qwen3-windows": lambda: case(102, config_of(
        "qwen3", attention_bias=True, dtype="float32", head_dim=4, hidden_act="silu",
        layer_types=["full_attention", "sliding_attention"], max_window_layers=1, num_attention_heads=4,
        num_key_value_heads=2, rope_parameters={"rope_theta": 5000.0, "rope_type": "default"}, sliding_window=3,
        tie_word_embeddings=True, use_sliding_window=True)),
    "phi3": lambda: case(103, config_of(
        "phi3", attention_bias=False, embd_pdrop=0.0, hidden_act="silu", hidden_size=24, num_attention_heads=4,
        num_key_value_heads=2, original_max_position_embeddings=32, pad_token_id=0, resid_pdrop=0.0, rope_scaling=None,
        rope_theta=10000.0, sliding_window=3, torch_dtype="float32")),
    "phi3-partial": lambda: case(104, config_of(
        "phi3", hidden_act="silu", hidden_size=16, lm_head_bias=False, mlp_bias=False, num_attention_heads=2,
        num_key_value_heads=1, partial_rotary_factor=0.75, rope_theta=250000, sliding_window=262144,
        tie_word_embeddings=True)),
    "phi3-wide": lambda: case(128, config_of(
        "phi3", head_dim=8, hidden_act="silu", hidden_size=24, num_attention_heads=4, num_key_value_heads=1,
        original_max_position_embeddings=32, rope_scaling=None, rope_theta=10000.0, sliding_window=3,
        tie_word_embeddings=True)),
    "phi3-long": lambda: case(116, config_of(
        "phi3", hidden_act="silu", hidden_size=24, max_position_embeddings=64, num_attention_heads=3,
        num_key_value_heads=1, original_max_position_embeddings=5, partial_rotary_factor=0.75, rope_theta=10000.0,
        rope_scaling={"long_factor": [1.25, 2.5, 10], "short_factor": [1.0, 1.5, 2.0], "type": "longrope"})),
    "phi3-long-short-text": lambda: case(117, config_of(
        "phi3", hidden_act="silu", hidden_size=24, max_position_embeddings=64, num_attention_heads=4,
        num_key_value_heads=2, original_max_position_embeddings=16, rope_theta=10000.0,
        rope_scaling={"long_factor": [3, 4, 5], "short_factor": [1.0, 1.5, 2.0], "type": "su"})),
    "gemma": lambda: case(105, config_of(
        "gemma", attention_bias=False, head_dim=8, hidden_act="gelu", hidden_activation="gelu_pytorch_tanh",
        num_key_value_heads=1, rope_scaling=None, rope_theta=10000.0, tie_word_embeddings=True,
        torch_dtype="bfloat16"), "BF16"),
    "gemma-own-output": lambda: case(129, config_of(
        "gemma", head_dim=6, hidden_act="gelu_pytorch_tanh", rope_theta=10000.0)),
    "gemma2-one-key": lambda: case(130, config_of(
        "gemma2", attn_logit_softcapping=2.5, final_logit_softcapping=3.0, head_dim=8,
        hidden_activation="gelu_pytorch_tanh", num_key_value_heads=1, query_pre_attn_scalar=12, sliding_window=2,
        tie_word_embeddings=True)),
    "gemma2": lambda: case(106, config_of(
        "gemma2", attention_bias=False, attn_logit_softcapping=1.5, cache_implementation="hybrid",
        final_logit_softcapping=2.0, head_dim=6, hidden_act="gelu_pytorch_tanh", hidden_activation="gelu_pytorch_tanh",
        num_attention_heads=4, num_hidden_layers=3, num_key_value_heads=2, query_pre_attn_scalar=10, rope_theta=10000.0,
        sliding_window=3, tie_word_embeddings=True)),
    "gemma2-uncapped": lambda: case(107, config_of(
        "gemma2", attn_logit_softcapping=None, final_logit_softcapping=None, head_dim=4,
        hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=4, sliding_window=2), "F16"),
    "gemma3": lambda: case(109, config_of(
        "gemma3_text", attention_bias=False, attn_logit_softcapping=None, cache_implementation="hybrid",
        final_logit_softcapping=None, head_dim=8, hidden_activation="gelu_pytorch_tanh", num_attention_heads=2,
        num_hidden_layers=3, num_key_value_heads=1, query_pre_attn_scalar=6, rope_local_base_freq=100.0,
        rope_scaling=None, rope_theta=10000, sliding_window=3, sliding_window_pattern=3, tie_word_embeddings=True,
        torch_dtype="bfloat16"), "BF16"),
    "gemma3-layer-types": lambda: case(110, config_of(
        "gemma3_text", _sliding_window_pattern=6, attn_logit_softcapping=2.5, dtype="float32", final_logit_softcapping=3,
        head_dim=6, hidden_activation="gelu_pytorch_tanh", layer_types=["full_attention", "sliding_attention"],
        query_pre_attn_scalar=6, sliding_window=2, rope_parameters={
            "full_attention": {"factor": 8.0, "rope_theta": 5000.0, "rope_type": "linear"},
            "sliding_attention": {"rope_theta": 50.0, "rope_type": "default"}}, use_bidirectional_attention=False)),
    "gemma3-with-images": lambda: within_images(111),
    "smollm3": lambda: case(112, config_of(
        "smollm3", attention_bias=False, hidden_act="silu", layer_types=["full_attention"] * 4, max_window_layers=28,
        mlp_bias=False, no_rope_layer_interval=4, no_rope_layers=[1, 1, 0, 1], num_hidden_layers=4,
        num_key_value_heads=1, pretraining_tp=2, rope_scaling=None, rope_theta=5000000.0, sliding_window=None,
        tie_word_embeddings=True, use_sliding_window=False)),
    "smollm3-windows": lambda: case(113, config_of(
        "smollm3", attention_bias=True, hidden_act="silu", no_rope_layer_interval=2,
        num_attention_heads=2, num_key_value_heads=2, rope_theta=300.0, sliding_window=3, use_sliding_window=True)),
    "smollm3-wide": lambda: case(131, config_of(
        "smollm3", head_dim=6, hidden_act="silu", no_rope_layer_interval=2, num_key_value_heads=1, rope_theta=300.0,
        sliding_window=2, tie_word_embeddings=True, use_sliding_window=True)),
    "granite-wide": lambda: case(132, config_of(
        "granite", attention_multiplier=0.25, embedding_multiplier=3.0, head_dim=6, hidden_act="silu",
        logits_scaling=2.0, num_key_value_heads=1, residual_multiplier=0.5, rope_theta=10000.0)),
    "granite": lambda: case(114, config_of(
        "granite", attention_bias=False, attention_multiplier=0.0625, embedding_multiplier=12.0, hidden_act="silu",
        logits_scaling=8.0, mlp_bias=False, num_key_value_heads=1, residual_multiplier=0.22, rope_scaling=None,
        rope_theta=10000.0, tie_word_embeddings=True)),
    "granite-unscaled": lambda: case(115, config_of(
        "granite", attention_bias=True, attention_multiplier=1.0, embedding_multiplier=1.5, head_dim=6,
        hidden_act="silu", logits_scaling=0.3, num_attention_heads=2, num_key_value_heads=2, residual_multiplier=1.7)),
    "mixtral": lambda: case(118, config_of(
        "mixtral", hidden_act="silu", hidden_size=16, num_attention_heads=4, num_experts_per_tok=2,
        num_key_value_heads=2, num_local_experts=5, output_router_logits=False, rope_theta=1000000.0,
        router_aux_loss_coef=0.02,
        router_jitter_noise=0.0, sliding_window=None, torch_dtype="bfloat16", intermediate_size=7), "BF16"),
    "mixtral-windows": lambda: case(119, config_of(
        "mixtral", head_dim=6, hidden_act="gelu", intermediate_size=5, num_experts_per_tok=3, num_key_value_heads=1,
        num_local_experts=3, rope_parameters={"rope_theta": 5000.0, "rope_type": "default"}, sliding_window=3,
        tie_word_embeddings=True)),
    "olmoe": lambda: case(120, config_of(
        "olmoe", attention_bias=False, clip_qkv=None, hidden_act="silu", hidden_size=16, intermediate_size=6,
        norm_topk_prob=False, num_attention_heads=4, num_experts=7, num_experts_per_tok=3, num_key_value_heads=2,
        pad_token_id=1,
        rope_scaling=None, rope_theta=10000.0)),
    "olmoe-one-key": lambda: case(124, config_of(
        "olmoe", attention_bias=True, hidden_act="silu", intermediate_size=5, norm_topk_prob=True, num_attention_heads=2,
        num_experts=4, num_experts_per_tok=2, num_key_value_heads=1, rope_theta=500.0, tie_word_embeddings=True)),
    "qwen3-moe": lambda: case(121, config_of(
        "qwen3_moe", attention_bias=False, decoder_sparse_step=1, head_dim=4, hidden_act="silu", max_window_layers=2,
        mlp_only_layers=[], moe_intermediate_size=5, norm_topk_prob=True, num_experts=6, num_experts_per_tok=2,
        num_key_value_heads=1, rope_scaling=None, rope_theta=1000000.0, router_aux_loss_coef=0.001,
        sliding_window=None, use_sliding_window=False), "F16"),
    "qwen3-moe-one": lambda: case(122, config_of(
        "qwen3_moe", attention_bias=True, head_dim=6, hidden_act="silu", moe_intermediate_size=1, num_experts=4,
        num_experts_per_tok=1, sliding_window=2, use_sliding_window=True, tie_word_embeddings=True)),
    "olmo2-one-key": lambda: case(125, config_of(
        "olmo2", attention_bias=True, hidden_act="silu", num_key_value_heads=1, rope_theta=500.0,
        tie_word_embeddings=True)),
    "olmo2-wide": lambda: case(133, config_of(
        "olmo2", head_dim=6, hidden_act="silu", num_key_value_heads=1, rope_theta=500.0)),
    "olmo2": lambda: case(108, config_of(
        "olmo2", attention_bias=False, hidden_act="silu", hidden_size=16, num_attention_heads=4,
        num_key_value_heads=2, pad_token_id=0, rope_scaling=None, rope_theta=500000)),
}
