"""Llama 4, after modeling_llama4.py, configuration_llama4.py, masking_utils.py and modeling_rope_utils.py of
transformers. Some layers see only their own chunk. In them, neighbouring dimensions rotate as complex numbers, and
queries and keys are normalised after that. The other layers see every earlier token and multiply queries by a factor of
their position. The sigmoid of an expert's logit multiplies the expert's input. There is also a network for all tokens,
and some layers have only one network. Headlight shows rotated neighbours as halves of a head."""

import math

import numpy as np

from .pieces import (ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, frequencies, heads, hidden_keys, predict,
                     rms_norm, turned)


def config_of(**fields):
    return {"architectures": ["Llama4ForCausalLM"], "attention_bias": False, "attention_chunk_size": 4,
            "attention_dropout": 0.0, "attn_scale": 0.4, "attn_temperature_tuning": True, "bos_token_id": 1,
            "eos_token_id": 2, "floor_scale": 2, "for_llm_compressor": False, "head_dim": 6, "hidden_act": "silu",
            "hidden_size": 14, "initializer_range": 0.02, "interleave_moe_layer_step": 2, "intermediate_size": 5,
            "intermediate_size_mlp": 9, "max_position_embeddings": 64, "model_type": "llama4_text",
            "no_rope_layers": [], "num_attention_heads": 4, "num_experts_per_tok": 1, "num_hidden_layers": 4,
            "num_key_value_heads": 2, "num_local_experts": 4, "output_router_logits": False, "pad_token_id": 3,
            "rms_norm_eps": 1e-5, "rope_scaling": None, "rope_theta": 500.0, "router_aux_loss_coef": 0.001,
            "router_jitter_noise": 0.0, "tie_word_embeddings": False, "use_cache": True, "use_qk_norm": True,
            "vocab_size": VOCABULARY, **fields}


def rotates(config, layer):
    listed = config.get("no_rope_layers")
    return bool(listed[layer]) if listed else (layer + 1) % config.get("no_rope_layer_interval", 4) != 0


def has_experts(config, layer):
    listed = config.get("moe_layers")
    if listed is not None:
        return layer in listed
    step = config.get("interleave_moe_layer_step", 1)
    return layer in range(step - 1, config["num_hidden_layers"], step)


def has_chunks(config, layer):
    types = config.get("layer_types")
    return types[layer] == "chunked_attention" if types else rotates(config, layer)


def network_of(draw, name, width, inner):
    for part, rows, columns in (("gate_proj", width, inner), ("up_proj", width, inner), ("down_proj", inner, width)):
        draw.linear(name + part, rows, columns, False)


def tensors_of(draw, config):
    C, d, bias = config["hidden_size"], config["head_dim"], config["attention_bias"]
    F, N = config["intermediate_size"], config["num_local_experts"]
    queries, keys = config["num_attention_heads"] * d, config["num_key_value_heads"] * d
    draw.words("model.embed_tokens", C)
    for layer in range(config["num_hidden_layers"]):
        name = f"model.layers.{layer}."
        feed = name + "feed_forward."
        draw.norm(name + "input_layernorm", C)
        for part, width in (("q", queries), ("k", keys), ("v", keys)):
            draw.linear(f"{name}self_attn.{part}_proj", C, width, bias)
        draw.linear(name + "self_attn.o_proj", queries, C, bias)
        draw.norm(name + "post_attention_layernorm", C)
        if has_experts(config, layer):
            draw.linear(feed + "router", C, N, False)
            draw.add(feed + "experts.gate_up_proj", N, C, 2 * F, deviation=2 / math.sqrt(C))
            draw.add(feed + "experts.down_proj", N, F, C, deviation=2 / math.sqrt(F))
            network_of(draw, feed + "shared_expert.", C, F)
        else:
            network_of(draw, feed, C, config["intermediate_size_mlp"])
    draw.norm("model.norm", C)
    if not config["tie_word_embeddings"]:
        draw.linear("lm_head", C, VOCABULARY, bias=False)


def turns_of(config):
    """Returns the radians per token for each pair of dimensions."""
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    plain = frequencies(float(scaling.get("rope_theta", config.get("rope_theta", 500000.0))), config["head_dim"])
    if scaling.get("rope_type", "default") == "default":
        return plain
    assert scaling["rope_type"] == "llama3"
    factor, length = scaling["factor"], scaling["original_max_position_embeddings"]
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    made, kinds = [], set()
    for turn in plain:
        wave = 2 * math.pi / turn
        if wave < length / high:
            made.append(turn)
            kinds.add("short")
        elif wave > length / low:
            made.append(turn / factor)
            kinds.add("long")
        else:
            share = (length / wave - low) / (high - low)
            made.append((1 - share) * turn / factor + share * turn)
            kinds.add("between")
    assert len(kinds) == 3  # otherwise a part of the formula is not tested
    return np.array(made)


def hidden_in(config, layer, length):
    hidden = hidden_keys(length)
    if not has_chunks(config, layer):
        return hidden
    chunk = np.arange(length) // config["attention_chunk_size"]
    return hidden | (chunk[:, None] != chunk[None, :])


def attention_of(config, W, name, attention, x, layer):
    H, G, d = config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]
    query, key, value = (heads(W.linear(x, f"{name}{part}_proj"), count)
                         for part, count in (("q", H), ("k", G), ("v", G)))
    shown = None
    if rotates(config, layer):
        shown = np.r_[0:d:2, 1:d:2]
        attention.note("unrotated_query", query[..., shown])
        attention.note("unrotated_key", key[..., shown])
        query, key = (turned(part, turns_of(config), neighbours=True) for part in (query, key))
        if config["use_qk_norm"]:
            attention.note("rotated_query", query[..., shown])
            attention.note("rotated_key", key[..., shown])
            query, key = (rms_norm(part, 1.0, config["rms_norm_eps"]) for part in (query, key))
    elif config["attn_temperature_tuning"]:
        place = np.arange(len(x))
        factors = np.log1p(np.floor((place + 1.0) / config["floor_scale"])) * config["attn_scale"] + 1.0
        assert len(set(factors)) > 2  # the text reaches several factors
        query = attention.note("untuned_query", query) * factors[None, :, None]
    return attend(attention, query, key, value, hidden_in(config, layer, len(x)), d ** -0.5, W[name + "o_proj.weight"],
                  W.get(name + "o_proj.bias"), shown=shown)


def by_experts(config, W, name, feed, x, activation):
    N, C, F = config["num_local_experts"], config["hidden_size"], config["intermediate_size"]
    both, down = W[name + "experts.gate_up_proj"], W[name + "experts.down_proj"]
    logits = feed.note("router_logits", W.linear(x, name + "router"))
    feed.note("router_probabilities", 1 / (1 + np.exp(-logits)))
    weights, inputs, outputs = np.zeros_like(logits), np.zeros((len(x), N * C)), np.zeros((len(x), N * C))
    gates, hiddens, activated = (np.zeros((len(x), N * F)) for _ in range(3))
    routed = np.zeros_like(x)
    for t, row in enumerate(x):
        scores = np.full(N, -np.inf)
        chosen = np.argsort(-logits[t], kind="stable")[:config["num_experts_per_tok"]]
        scores[chosen] = logits[t, chosen]
        weights[t] = 1 / (1 + np.exp(-scores))
        for e in sorted(chosen):
            own, place = slice(e * F, (e + 1) * F), slice(e * C, (e + 1) * C)
            inputs[t, place] = row * weights[t, e]
            gates[t, own], hiddens[t, own] = np.split(inputs[t, place] @ both[e], 2)
            activated[t, own] = hiddens[t, own] * activation(gates[t, own])
            outputs[t, place] = activated[t, own] @ down[e]
            routed[t] += outputs[t, place]
    assert ((weights > 0).any(axis=0)).sum() > 1  # several experts are chosen
    for stage, made in (("expert_weights", weights), ("expert_inputs", inputs), ("gate", gates), ("hidden", hiddens),
                        ("activated", activated), ("expert_outputs", outputs), ("routed_output", routed)):
        feed.note(stage, made)
    shared = name + "shared_expert."
    y = activation(feed.note("shared_gate", W.linear(x, shared + "gate_proj"))) * feed.note(
        "shared_hidden", W.linear(x, shared + "up_proj"))
    y = feed.note("shared_output", W.linear(feed.note("shared_activated", y), shared + "down_proj"))
    return feed.note("output", y + routed)


def dense(W, name, feed, x, activation):
    y = activation(feed.note("gate", W.linear(x, name + "gate_proj"))) * feed.note(
        "hidden", W.linear(x, name + "up_proj"))
    return feed.note("output", W.linear(feed.note("activated", y), name + "down_proj"))


def trace_of(config, tensors, ids):
    W, trace, epsilon = Numbers(tensors), Trace(), config["rms_norm_eps"]
    activation = ACTIVATIONS[config["hidden_act"]]
    x = trace.note("positioned", trace.note("embeddings", W["model.embed_tokens.weight"][ids]))
    for layer in range(config["num_hidden_layers"]):
        name, here = f"model.layers.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", rms_norm(x, W[name + "input_layernorm.weight"], epsilon))
        x = attention.note("residual", x + attention_of(config, W, name + "self_attn.", attention, y, layer))
        y = feed.note("norm", rms_norm(x, W[name + "post_attention_layernorm.weight"], epsilon))
        name += "feed_forward."
        x = here.note("output", x + (by_experts(config, W, name, feed, y, activation) if has_experts(config, layer)
                                     else dense(W, name, feed, y, activation)))
    x = trace.note("final_norm", rms_norm(x, W["model.norm.weight"], epsilon))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W["model.embed_tokens.weight"] if matrix is None else matrix)
    return trace.stages


def case(seed, config, dtype="F32"):
    draw = Draw(seed, dtype)
    tensors_of(draw, config)
    ids = draw.ids(10)
    return config, draw.tensors, ids, trace_of(config, draw.tensors, ids), dtype


def within_images(seed):
    """Returns a text model within a folder for texts and images, whose other tensors are not read."""
    text = config_of(num_hidden_layers=2, no_rope_layer_interval=2, interleave_moe_layer_step=1,
                     tie_word_embeddings=True)
    del text["no_rope_layers"]
    config, tensors, ids, stages, dtype = case(seed, text)
    tensors = {"language_model." + name: numbers for name, numbers in tensors.items()}
    draw = Draw(seed + 1)
    draw.linear("vision_model.patch_embedding.linear", 12, 4, bias=False)
    draw.linear("multi_modal_projector.linear_1", 4, config["hidden_size"], bias=False)
    del config["architectures"], config["tie_word_embeddings"]
    outer = {"architectures": ["Llama4ForConditionalGeneration"], "boi_token_index": 20, "eoi_token_index": 21,
             "image_token_index": 22, "model_type": "llama4", "text_config": config, "tie_word_embeddings": True,
             "torch_dtype": "float32", "vision_config": {"hidden_size": 4, "model_type": "llama4_vision_model"}}
    return outer, {**tensors, **draw.tensors}, ids, stages, dtype


CASES = {
    # Like Scout and Maverick, but small: the fourth layer does not rotate, and every other layer has experts.
    "llama4": lambda: case(160, config_of(rope_scaling={
        "factor": 4.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 64,
        "rope_type": "llama3"})),
    "llama4-two-experts": lambda: case(161, config_of(
        attention_bias=True, attention_chunk_size=3, attn_temperature_tuning=4, floor_scale=3, head_dim=4,
        hidden_act="gelu", layer_types=["full_attention", "chunked_attention", "chunked_attention"], moe_layers=[0, 2],
        no_rope_layers=[1, 0, 1, 1], num_attention_heads=3, num_experts_per_tok=2, num_hidden_layers=3,
        num_key_value_heads=1, num_local_experts=5, tie_word_embeddings=True), "BF16"),
    "llama4-plain": lambda: case(162, config_of(
        attn_temperature_tuning=False, interleave_moe_layer_step=1, num_hidden_layers=2, no_rope_layer_interval=2,
        rope_parameters={"rope_theta": 60.0, "rope_type": "default"}, use_qk_norm=False), "F16"),
    "llama4-dense": lambda: case(163, config_of(moe_layers=[], num_hidden_layers=2, no_rope_layers=[0, 1])),
    "llama4-with-images": lambda: within_images(164),
}
