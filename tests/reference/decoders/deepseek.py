"""DeepSeek-V3, after modeling_deepseek_v3.py and modeling_rope_utils.py of transformers: keys and values from one
short vector, a part of the keys that all heads share, YaRN with its factors of the scores, and experts in groups,
chosen by sigmoids plus a bias, next to a network for all tokens. The first layers have only one network. Headlight
shows the rotated dimensions of queries and keys first, and neighbouring dimensions as two halves."""

import math

import numpy as np

from .pieces import Draw, Numbers, Trace, VOCABULARY, attend, heads, hidden_keys, predict, rms_norm, silu, turned


def config_of(**fields):
    return {"architectures": ["DeepseekV3ForCausalLM"], "attention_bias": False, "attention_dropout": 0.0,
            "bos_token_id": 0, "eos_token_id": 1, "ep_size": 1, "first_k_dense_replace": 1, "hidden_act": "silu",
            "hidden_size": 18, "initializer_range": 0.02, "intermediate_size": 13, "kv_lora_rank": 7,
            "max_position_embeddings": 64, "model_type": "deepseek_v3", "moe_intermediate_size": 5, "moe_layer_freq": 1,
            "n_group": 2, "n_routed_experts": 6, "n_shared_experts": 1, "norm_topk_prob": True,
            "num_attention_heads": 3, "num_experts_per_tok": 2, "num_hidden_layers": 3, "num_key_value_heads": 3,
            "num_nextn_predict_layers": 1, "q_lora_rank": 10, "qk_nope_head_dim": 5, "qk_rope_head_dim": 4,
            "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "routed_scaling_factor": 2.5, "scoring_func": "sigmoid",
            "tie_word_embeddings": False, "topk_group": 1, "topk_method": "noaux_tc", "use_cache": True,
            "v_head_dim": 6, "vocab_size": VOCABULARY, **fields}


YARN = {"beta_fast": 32, "beta_slow": 1, "factor": 8, "mscale": 1.0, "mscale_all_dim": 0.8,
        "original_max_position_embeddings": 16, "type": "yarn"}


def network_of(draw, name, width, inner):
    for part, rows, columns in (("gate_proj", width, inner), ("up_proj", width, inner), ("down_proj", inner, width)):
        draw.linear(name + part, rows, columns, False)


def tensors_of(draw, config, choice):
    C, H, bias = config["hidden_size"], config["num_attention_heads"], config["attention_bias"]
    nope, rope, value = config["qk_nope_head_dim"], config["qk_rope_head_dim"], config["v_head_dim"]
    short = config["kv_lora_rank"]
    draw.words("model.embed_tokens", C)
    for layer in range(config["num_hidden_layers"]):
        name = f"model.layers.{layer}."
        draw.norm(name + "input_layernorm", C)
        if config["q_lora_rank"] is None:
            draw.linear(name + "self_attn.q_proj", C, H * (nope + rope), False)
        else:
            draw.linear(name + "self_attn.q_a_proj", C, config["q_lora_rank"], bias)
            draw.norm(name + "self_attn.q_a_layernorm", config["q_lora_rank"])
            draw.linear(name + "self_attn.q_b_proj", config["q_lora_rank"], H * (nope + rope), False)
        draw.linear(name + "self_attn.kv_a_proj_with_mqa", C, short + rope, bias)
        draw.norm(name + "self_attn.kv_a_layernorm", short)
        draw.linear(name + "self_attn.kv_b_proj", short, H * (nope + value), False)
        draw.linear(name + "self_attn.o_proj", H * value, C, bias)
        draw.norm(name + "post_attention_layernorm", C)
        if layer < config["first_k_dense_replace"]:
            network_of(draw, name + "mlp.", C, config["intermediate_size"])
            continue
        draw.linear(name + "mlp.gate", C, config["n_routed_experts"], False)
        draw.add(name + "mlp.gate.e_score_correction_bias", config["n_routed_experts"], deviation=0.3,
                 mean=choice)
        for expert in range(config["n_routed_experts"]):
            network_of(draw, f"{name}mlp.experts.{expert}.", C, config["moe_intermediate_size"])
        if config["n_shared_experts"]:
            network_of(draw, name + "mlp.shared_experts.", C,
                       config["moe_intermediate_size"] * config["n_shared_experts"])
    draw.norm("model.norm", C)
    if not config["tie_word_embeddings"]:
        draw.linear("lm_head", C, VOCABULARY, bias=False)


def strength(factor, by):
    return 1.0 if factor <= 1 else 0.1 * by * math.log(factor) + 1


def turns_of(config):
    """Returns the radians per token for each pair, the factor of cosine and sine, and the factor of the scores."""
    d = config["qk_rope_head_dim"]
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    base = float(scaling.get("rope_theta", config.get("rope_theta", 10000.0)))
    plain = base ** (-np.arange(0, d, 2) / d)
    if scaling.get("rope_type", scaling.get("type", "default")) == "default":
        return plain, 1.0, 1.0
    length, factor = scaling["original_max_position_embeddings"], scaling["factor"]

    def pair_with(rotations):
        return d * math.log(length / (rotations * 2 * math.pi)) / (2 * math.log(base))

    low = max(math.floor(pair_with(scaling.get("beta_fast", 32))), 0)
    high = min(math.ceil(pair_with(scaling.get("beta_slow", 1))), d - 1)
    if low == high:
        high += 0.001
    divided = np.clip((np.arange(d // 2) - low) / (high - low), 0, 1)
    own, all_dimensions = scaling.get("mscale"), scaling.get("mscale_all_dim")
    by = strength(factor, own) / strength(factor, all_dimensions) if own and all_dimensions else strength(factor, 1)
    of_scores = strength(factor, all_dimensions) ** 2 if all_dimensions else 1.0
    return plain / factor * divided + plain * (1 - divided), by, of_scores


def weights_of(config, feed, probabilities, bias):
    scores = feed.note("router_scores", probabilities + bias)
    groups, weights = config["n_group"], np.zeros_like(scores)
    size = scores.shape[1] // groups
    for t, row in enumerate(scores):
        grouped = row.reshape(groups, size)
        sums = np.sort(grouped, axis=1)[:, -2:].sum(axis=1)
        kept = np.argsort(-sums, kind="stable")[:config["topk_group"]]
        masked = np.full_like(grouped, -np.inf)
        masked[kept] = grouped[kept]
        chosen = np.argsort(-masked.reshape(-1), kind="stable")[:config["num_experts_per_tok"]]
        own = probabilities[t, chosen]
        if config["norm_topk_prob"]:
            own = own / (own.sum() + 1e-20)
        weights[t, chosen] = own * config["routed_scaling_factor"]
    return feed.note("expert_weights", weights)


def by_experts(config, W, name, feed, x):
    N, C, F = config["n_routed_experts"], config["hidden_size"], config["moe_intermediate_size"]
    probabilities = feed.note("router_probabilities", 1 / (1 + np.exp(-feed.note(
        "router_logits", W.linear(x, name + "gate")))))
    weights = weights_of(config, feed, probabilities, W[name + "gate.e_score_correction_bias"])
    gates, hiddens, activated = (np.zeros((len(x), N * F)) for _ in range(3))
    outputs, routed = np.zeros((len(x), N * C)), np.zeros_like(x)
    for t, row in enumerate(x):
        for e in np.nonzero(weights[t])[0]:
            own, expert = slice(e * F, (e + 1) * F), f"{name}experts.{e}."
            gates[t, own], hiddens[t, own] = W.linear(row, expert + "gate_proj"), W.linear(row, expert + "up_proj")
            activated[t, own] = silu(gates[t, own]) * hiddens[t, own]
            outputs[t, e * C:(e + 1) * C] = W.linear(activated[t, own], expert + "down_proj")
            routed[t] += weights[t, e] * outputs[t, e * C:(e + 1) * C]
    for stage, made in (("gate", gates), ("hidden", hiddens), ("activated", activated), ("expert_outputs", outputs)):
        feed.note(stage, made)
    if not config["n_shared_experts"]:
        return feed.note("output", routed)
    feed.note("routed_output", routed)
    shared = name + "shared_experts."
    y = silu(feed.note("shared_gate", W.linear(x, shared + "gate_proj"))) * feed.note(
        "shared_hidden", W.linear(x, shared + "up_proj"))
    y = feed.note("shared_output", W.linear(feed.note("shared_activated", y), shared + "down_proj"))
    return feed.note("output", routed + y)


def dense(W, name, feed, x):
    y = silu(feed.note("gate", W.linear(x, name + "gate_proj"))) * feed.note("hidden", W.linear(x, name + "up_proj"))
    return feed.note("output", W.linear(feed.note("activated", y), name + "down_proj"))


def attention_of(config, W, name, attention, x, turning):
    H, nope, rope = config["num_attention_heads"], config["qk_nope_head_dim"], config["qk_rope_head_dim"]
    short, (turns, by, of_scores) = config["kv_lora_rank"], turning
    neighbours = config.get("rope_interleave", True)
    # In Headlight's order: rotated dimensions first, the even ones before the odd ones.
    halves = np.r_[0:rope:2, 1:rope:2] if neighbours else np.arange(rope)
    shown = np.r_[nope + halves, 0:nope]
    if config["q_lora_rank"] is None:
        query = W.linear(x, name + "q_proj")
    else:
        query = attention.note("compressed_query", W.linear(x, name + "q_a_proj"))
        query = attention.note("normed_compressed_query", rms_norm(query, W[name + "q_a_layernorm.weight"], 1e-6))
        query = W.linear(query, name + "q_b_proj")
    query = heads(query, H)
    both = W.linear(x, name + "kv_a_proj_with_mqa")
    latent = attention.note("compressed_key_value", both[:, :short])
    latent = attention.note("normed_compressed_key_value", rms_norm(latent, W[name + "kv_a_layernorm.weight"], 1e-6))
    made = heads(W.linear(latent, name + "kv_b_proj"), H)
    attention.note("own_key", made[..., :nope])
    attention.note("unrotated_shared_key", both[:, short:][:, halves])
    shared = turned(both[None, :, short:], turns, neighbours, by)
    attention.note("shared_key", shared[0][:, halves])
    attention.note("unrotated_query", query[..., shown])
    query = np.concatenate([query[..., :nope], turned(query[..., nope:], turns, neighbours, by)], axis=-1)
    key = np.concatenate([made[..., :nope], np.repeat(shared, H, axis=0)], axis=-1)
    return attend(attention, query, key, made[..., nope:], hidden_keys(len(x)), (nope + rope) ** -0.5 * of_scores,
                  W[name + "o_proj.weight"], W.get(name + "o_proj.bias"), shown=shown)


def trace_of(config, tensors, ids):
    W, trace, epsilon = Numbers(tensors), Trace(), config["rms_norm_eps"]
    turning = turns_of(config)
    x = trace.note("positioned", trace.note("embeddings", W["model.embed_tokens.weight"][ids]))
    for layer in range(config["num_hidden_layers"]):
        name, here = f"model.layers.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", rms_norm(x, W[name + "input_layernorm.weight"], epsilon))
        x = attention.note("residual", x + attention_of(config, W, name + "self_attn.", attention, y, turning))
        y = feed.note("norm", rms_norm(x, W[name + "post_attention_layernorm.weight"], epsilon))
        is_dense = layer < config["first_k_dense_replace"]
        made = dense(W, name + "mlp.", feed, y) if is_dense else by_experts(config, W, name + "mlp.", feed, y)
        x = here.note("output", x + made)
    x = trace.note("final_norm", rms_norm(x, W["model.norm.weight"], epsilon))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W["model.embed_tokens.weight"] if matrix is None else matrix)
    return trace.stages


def case(seed, config, dtype="F32", choice=0.0):
    """`choice` is the mean of the biases that choose experts."""
    draw = Draw(seed, dtype)
    tensors_of(draw, config, choice)
    ids = draw.ids(9)
    return config, draw.tensors, ids, trace_of(config, draw.tensors, ids), dtype


CASES = {
    # With such biases, most of the chosen experts have scores below 0.
    "deepseek-v3": lambda: case(150, config_of(rope_scaling=YARN), choice=-0.8),
    "deepseek-v3-plain-queries": lambda: case(151, config_of(
        attention_bias=True, first_k_dense_replace=0, hidden_size=11, kv_lora_rank=4, n_group=3, n_routed_experts=9,
        n_shared_experts=2, norm_topk_prob=False, num_attention_heads=2, num_experts_per_tok=3, num_hidden_layers=2,
        num_key_value_heads=2, q_lora_rank=None, qk_nope_head_dim=3, qk_rope_head_dim=4, rms_norm_eps=1e-5,
        rope_interleave=False, routed_scaling_factor=1.0, topk_group=2, v_head_dim=7), "BF16"),
    "deepseek-v3-new-spelling": lambda: case(152, config_of(
        attention_bias=True, first_k_dense_replace=2, n_group=1, n_shared_experts=0, tie_word_embeddings=True,
        qk_rope_head_dim=6,
        rope_parameters={"factor": 4.0, "mscale": 0.7, "original_max_position_embeddings": 32, "rope_theta": 500.0,
                         "rope_type": "yarn"}), "F16"),
}
