"""Decoders with layer norms, after the classes of transformers: GPT-NeoX (parallel blocks with two norms, fused per
head), Phi (parallel blocks after one norm), GPT-J (parallel blocks after one norm; adjacent dimensions rotate
together), OPT, BLOOM (ALiBi) and Falcon (fused per group)."""

import numpy as np

from .pieces import (ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, frequencies, heads, hidden_keys, predict,
                     turned)

WIDTH, HEADS, INNER, LAYERS, PLACES = 12, 3, 20, 2, 10


def common(architecture, model_type, **fields):
    return {"architectures": [architecture], "bos_token_id": 0, "eos_token_id": 2, "initializer_range": 0.02,
            "model_type": model_type, "torch_dtype": "float32", "use_cache": True, "vocab_size": VOCABULARY, **fields}


def network(feed, W, y, into, out, activation):
    y = feed.note("activated", activation(feed.note("hidden", W.linear(y, into))))
    return feed.note("output", W.linear(y, out))


def sequential(here, W, x, norms, epsilon, attend_to, feed_forward):
    """Returns y = x + attention(norm(x)), then y + network(norm(y))."""
    attention, feed = here.under("self_attention."), here.under("feed_forward.")
    here.note("input", x)
    y = attend_to(attention, attention.note("norm", W.layer_norm(x, norms[0], epsilon)))
    x = attention.note("residual", x + y)
    return here.note("output", x + feed_forward(feed, feed.note("norm", W.layer_norm(x, norms[1], epsilon))))


def parallel(here, W, x, norms, epsilon, attend_to, feed_forward):
    """Returns x + attention(norm(x)) + network(norm(x)), with a common norm or one for each."""
    attention, feed = here.under("self_attention."), here.under("feed_forward.")
    here.note("input", x)
    y = attention.note("norm", W.layer_norm(x, norms[0], epsilon))
    z = feed.note("norm", W.layer_norm(x, norms[1], epsilon)) if len(norms) > 1 else y
    return here.note("output", x + attend_to(attention, y) + feed_forward(feed, z))


def embedded(trace, x):
    return trace.note("positioned", trace.note("embeddings", x))


# GPT-NeoX

def gpt_neox(seed, dtype="F32", buffers=False, **fields):
    config = common("GPTNeoXForCausalLM", "gpt_neox", **{
        "attention_bias": True, "attention_dropout": 0.0, "classifier_dropout": 0.1, "hidden_act": "gelu",
        "hidden_dropout": 0.0, "hidden_size": 24, "intermediate_size": INNER, "layer_norm_eps": 1e-5,
        "max_position_embeddings": PLACES, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS,
        "rope_scaling": None, "rotary_emb_base": 10000, "rotary_pct": 0.25, "tie_word_embeddings": False,
        "use_parallel_residual": True, **fields})
    draw, C, H, bias = Draw(seed, dtype), config["hidden_size"], config["num_attention_heads"], config["attention_bias"]
    d = C // H
    draw.words("gpt_neox.embed_in", C)
    for layer in range(LAYERS):
        name = f"gpt_neox.layers.{layer}."
        draw.norm(name + "input_layernorm", C, bias=True)
        draw.norm(name + "post_attention_layernorm", C, bias=True)
        if buffers:
            draw.tensors[name + "attention.bias"] = np.tril(np.ones((1, 1, PLACES, PLACES), np.float32))
            draw.tensors[name + "attention.masked_bias"] = np.array(-1e9, np.float32)
            draw.tensors[name + "attention.rotary_emb.inv_freq"] = frequencies(10000, 2).astype(np.float32)
        draw.linear(name + "attention.query_key_value", C, 3 * C, bias)
        draw.linear(name + "attention.dense", C, C, bias)
        draw.linear(name + "mlp.dense_h_to_4h", C, INNER)
        draw.linear(name + "mlp.dense_4h_to_h", INNER, C)
    draw.norm("gpt_neox.final_layer_norm", C, bias=True)
    if not config["tie_word_embeddings"]:
        draw.linear("embed_out", C, VOCABULARY, bias=False)

    ids, W, trace, epsilon = draw.ids(7), Numbers(draw.tensors), Trace(), config["layer_norm_eps"]
    turns = frequencies(config["rotary_emb_base"], int(d * config["rotary_pct"]))
    x = embedded(trace, W["gpt_neox.embed_in.weight"][ids])
    for layer in range(LAYERS):
        name = f"gpt_neox.layers.{layer}."

        def attention(here, y):
            fused = W.linear(y, name + "attention.query_key_value").reshape(len(ids), H, 3 * d).transpose(1, 0, 2)
            query, key, value = np.split(fused, 3, axis=-1)
            here.note("unrotated_query", query)
            here.note("unrotated_key", key)
            return attend(here, turned(query, turns), turned(key, turns), value, hidden_keys(len(ids)), d ** -0.5,
                          W[name + "attention.dense.weight"], W.get(name + "attention.dense.bias"))

        def feed_forward(here, y):
            return network(here, W, y, name + "mlp.dense_h_to_4h", name + "mlp.dense_4h_to_h",
                           ACTIVATIONS[config["hidden_act"]])

        blocks = parallel if config["use_parallel_residual"] else sequential
        x = blocks(trace.under(f"layers.{layer}."), W, x,
                   [name + "input_layernorm", name + "post_attention_layernorm"], epsilon, attention, feed_forward)
    x = trace.note("final_norm", W.layer_norm(x, "gpt_neox.final_layer_norm", epsilon))
    matrix = W.get("embed_out.weight")
    predict(trace, x, W["gpt_neox.embed_in.weight"] if matrix is None else matrix)
    return config, draw.tensors, ids, trace.stages, dtype


def own_output(draw, config, width):
    """Adds the output layer. If it shares the matrix of the words, only its bias is stored."""
    if config["tie_word_embeddings"]:
        draw.add("lm_head.bias", VOCABULARY, deviation=0.3)
    else:
        draw.linear("lm_head", width, VOCABULARY)


# Phi

def phi(seed, dtype="F32", **fields):
    config = common("PhiForCausalLM", "phi", **{
        "attention_dropout": 0.0, "embd_pdrop": 0.0, "hidden_act": "gelu_new", "hidden_size": 24,
        "intermediate_size": INNER, "layer_norm_eps": 1e-5, "max_position_embeddings": PLACES,
        "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "num_key_value_heads": None,
        "partial_rotary_factor": 0.5, "qk_layernorm": False, "resid_pdrop": 0.1, "rope_scaling": None,
        "rope_theta": 10000.0, "tie_word_embeddings": False, **fields})
    draw, C, H = Draw(seed, dtype), config["hidden_size"], config["num_attention_heads"]
    G, d, epsilon = config["num_key_value_heads"] or H, C // H, config["layer_norm_eps"]
    draw.words("model.embed_tokens", C)
    for layer in range(LAYERS):
        name = f"model.layers.{layer}."
        draw.norm(name + "input_layernorm", C, bias=True)
        for part, width in (("q", C), ("k", G * d), ("v", G * d)):
            draw.linear(f"{name}self_attn.{part}_proj", C, width)
        if config["qk_layernorm"]:
            draw.norm(name + "self_attn.q_layernorm", d, bias=True)
            draw.norm(name + "self_attn.k_layernorm", d, bias=True)
        draw.linear(name + "self_attn.dense", C, C)
        draw.linear(name + "mlp.fc1", C, INNER)
        draw.linear(name + "mlp.fc2", INNER, C)
    draw.norm("model.final_layernorm", C, bias=True)
    own_output(draw, config, C)

    ids, W, trace = draw.ids(6), Numbers(draw.tensors), Trace()
    turns = frequencies(config["rope_theta"], int(d * config["partial_rotary_factor"]))
    x = embedded(trace, W["model.embed_tokens.weight"][ids])
    for layer in range(LAYERS):
        name = f"model.layers.{layer}."

        def attention(here, y):
            query, key, value = (heads(W.linear(y, f"{name}self_attn.{part}_proj"), count)
                                 for part, count in (("q", H), ("k", G), ("v", G)))
            if config["qk_layernorm"]:
                query = W.layer_norm(here.note("projected_query", query), name + "self_attn.q_layernorm", epsilon)
                key = W.layer_norm(here.note("projected_key", key), name + "self_attn.k_layernorm", epsilon)
            here.note("unrotated_query", query)
            here.note("unrotated_key", key)
            return attend(here, turned(query, turns), turned(key, turns), value, hidden_keys(len(ids)), d ** -0.5,
                          W[name + "self_attn.dense.weight"], W[name + "self_attn.dense.bias"])

        x = parallel(trace.under(f"layers.{layer}."), W, x, [name + "input_layernorm"], epsilon, attention,
                     lambda here, y: network(here, W, y, name + "mlp.fc1", name + "mlp.fc2", ACTIVATIONS["gelu_new"]))
    x = trace.note("final_norm", W.layer_norm(x, "model.final_layernorm", epsilon))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W["model.embed_tokens.weight"] if matrix is None else matrix, W["lm_head.bias"])
    return config, draw.tensors, ids, trace.stages, dtype


# GPT-J

def gptj(seed, buffers=False, dtype="F32", **fields):
    config = common("GPTJForCausalLM", "gptj", **{
        "activation_function": "gelu_new", "attn_pdrop": 0.0, "embd_pdrop": 0.0, "layer_norm_epsilon": 1e-5,
        "n_embd": 24, "n_head": HEADS, "n_inner": None, "n_layer": LAYERS, "n_positions": PLACES, "resid_pdrop": 0.0,
        "rotary": True, "rotary_dim": 4, "scale_attn_weights": True, "summary_activation": None,
        "summary_first_dropout": 0.1, "summary_proj_to_labels": True, "summary_type": "cls_index",
        "summary_use_proj": True, "task_specific_params": None, "tie_word_embeddings": False, "tokenizer_class": None,
        **fields})
    draw, C, H, r = Draw(seed, dtype), config["n_embd"], config["n_head"], config["rotary_dim"]
    d, inner, epsilon = C // H, config["n_inner"] or 4 * C, config["layer_norm_epsilon"]
    draw.words("transformer.wte", C)
    for layer in range(LAYERS):
        name = f"transformer.h.{layer}."
        draw.norm(name + "ln_1", C, bias=True)
        if buffers:
            draw.tensors[name + "attn.bias"] = np.tril(np.ones((1, 1, PLACES, PLACES), np.float32))
            draw.tensors[name + "attn.masked_bias"] = np.array(-1e9, np.float32)
        for part in ("k", "v", "q", "out"):
            draw.linear(f"{name}attn.{part}_proj", C, C, bias=False)
        draw.linear(name + "mlp.fc_in", C, inner)
        draw.linear(name + "mlp.fc_out", inner, C)
    draw.norm("transformer.ln_f", C, bias=True)
    own_output(draw, config, C)

    ids, W, trace, turns = draw.ids(6), Numbers(draw.tensors), Trace(), frequencies(10000.0, r)
    # Headlight shows the first dimension of each pair, then the second ones, then those without rotation.
    shown = [*range(0, r, 2), *range(1, r, 2), *range(r, d)]
    x = embedded(trace, W["transformer.wte.weight"][ids])
    for layer in range(LAYERS):
        name = f"transformer.h.{layer}."

        def attention(here, y):
            query, key, value = (heads(W.linear(y, f"{name}attn.{part}_proj"), H) for part in "qkv")
            here.note("unrotated_query", query[..., shown])
            here.note("unrotated_key", key[..., shown])
            return attend(here, turned(query, turns, True), turned(key, turns, True), value, hidden_keys(len(ids)),
                          d ** -0.5, W[name + "attn.out_proj.weight"], shown=shown)

        x = parallel(trace.under(f"layers.{layer}."), W, x, [name + "ln_1"], epsilon, attention,
                     lambda here, y: network(here, W, y, name + "mlp.fc_in", name + "mlp.fc_out",
                                             ACTIVATIONS[config["activation_function"]]))
    x = trace.note("final_norm", W.layer_norm(x, "transformer.ln_f", epsilon))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W["transformer.wte.weight"] if matrix is None else matrix, W["lm_head.bias"])
    return config, draw.tensors, ids, trace.stages, dtype


# OPT

def opt(seed, dtype="F32", prefix="model.", **fields):
    config = common("OPTForCausalLM", "opt", **{
        "_remove_final_layer_norm": False, "activation_dropout": 0.0, "activation_function": "relu",
        "attention_dropout": 0.0, "do_layer_norm_before": True, "dropout": 0.1, "ffn_dim": INNER, "hidden_size": WIDTH,
        "init_std": 0.02, "layerdrop": 0.0, "max_position_embeddings": PLACES, "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS, "pad_token_id": 1, "prefix": "</s>", "word_embed_proj_dim": WIDTH, **fields})
    draw, d, is_before = Draw(seed, dtype), WIDTH // HEADS, config["do_layer_norm_before"]
    draw.words(prefix + "decoder.embed_tokens", WIDTH)
    draw.words(prefix + "decoder.embed_positions", WIDTH, PLACES + 2, 0.4)
    if is_before:
        draw.norm(prefix + "decoder.final_layer_norm", WIDTH, bias=True)
    for layer in range(LAYERS):
        name = f"{prefix}decoder.layers.{layer}."
        for part in ("k", "v", "q", "out"):
            draw.linear(f"{name}self_attn.{part}_proj", WIDTH, WIDTH)
        draw.norm(name + "self_attn_layer_norm", WIDTH, bias=True)
        draw.linear(name + "fc1", WIDTH, INNER)
        draw.linear(name + "fc2", INNER, WIDTH)
        draw.norm(name + "final_layer_norm", WIDTH, bias=True)
    if not config.get("tie_word_embeddings", True):
        draw.linear("lm_head", WIDTH, VOCABULARY, bias=False)

    ids, W, trace = draw.ids(7), Numbers(draw.tensors), Trace()
    x = trace.note("embeddings", W[prefix + "decoder.embed_tokens.weight"][ids])
    x = trace.note("embedding_sum", x + W[prefix + "decoder.embed_positions.weight"][2:2 + len(ids)])
    x = trace.note("positioned", x)
    for layer in range(LAYERS):
        name, here = f"{prefix}decoder.layers.{layer}.", trace.under(f"layers.{layer}.")
        norms = [name + "self_attn_layer_norm", name + "final_layer_norm"]

        def attention(here, y):
            query, key, value = (heads(W.linear(y, f"{name}self_attn.{part}_proj"), HEADS) for part in "qkv")
            return attend(here, query, key, value, hidden_keys(len(ids)), d ** -0.5,
                          W[name + "self_attn.out_proj.weight"], W[name + "self_attn.out_proj.bias"])

        def feed_forward(here, y):
            return network(here, W, y, name + "fc1", name + "fc2", ACTIVATIONS[config["activation_function"]])

        if is_before:
            x = sequential(here, W, x, norms, 1e-5, attention, feed_forward)
            continue
        within, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        x = within.note("residual_sum", x + attention(within, x))
        x = within.note("residual", W.layer_norm(x, norms[0], 1e-5))
        x = feed.note("residual_sum", x + feed_forward(feed, x))
        x = here.note("output", W.layer_norm(x, norms[1], 1e-5))
    if is_before:
        x = trace.note("final_norm", W.layer_norm(x, prefix + "decoder.final_layer_norm", 1e-5))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W[prefix + "decoder.embed_tokens.weight"] if matrix is None else matrix)
    return config, draw.tensors, ids, trace.stages, dtype


# BLOOM

def bloom(seed, dtype="F32", prefix="transformer.", **fields):
    config = common("BloomForCausalLM", "bloom", **{
        "apply_residual_connection_post_layernorm": False, "attention_dropout": 0.0, "attention_softmax_in_fp32": True,
        "bias_dropout_fusion": True, "hidden_dropout": 0.0, "layer_norm_epsilon": 1e-5, "masked_softmax_fusion": True,
        "n_inner": None, "offset_alibi": 100, "pretraining_tp": 2, "seq_length": PLACES, "skip_bias_add": True,
        "skip_bias_add_qkv": False, "slow_but_exact": False, "unk_token_id": 0, **fields})
    C, H = config.get("hidden_size") or config["n_embed"], config.get("n_head") or config["num_attention_heads"]
    draw, d, epsilon = Draw(seed, dtype), C // H, config["layer_norm_epsilon"]
    draw.words(prefix + "word_embeddings", C)
    draw.norm(prefix + "word_embeddings_layernorm", C, bias=True)
    for layer in range(LAYERS):
        name = f"{prefix}h.{layer}."
        draw.norm(name + "input_layernorm", C, bias=True)
        draw.linear(name + "self_attention.query_key_value", C, 3 * C)
        draw.linear(name + "self_attention.dense", C, C)
        draw.norm(name + "post_attention_layernorm", C, bias=True)
        draw.linear(name + "mlp.dense_h_to_4h", C, 4 * C)
        draw.linear(name + "mlp.dense_4h_to_h", 4 * C, C)
    draw.norm(prefix + "ln_f", C, bias=True)
    if not config.get("tie_word_embeddings", True):
        draw.linear("lm_head", C, VOCABULARY, bias=False)

    ids, W, trace = draw.ids(7), Numbers(draw.tensors), Trace()
    x = trace.note("embeddings", W[prefix + "word_embeddings.weight"][ids])
    x = trace.note("positioned", W.layer_norm(x, prefix + "word_embeddings_layernorm", epsilon))
    for layer in range(LAYERS):
        name = f"{prefix}h.{layer}."

        def attention(here, y):
            fused = W.linear(y, name + "self_attention.query_key_value").reshape(len(ids), H, 3, d)
            query, key, value = (fused[:, :, part].transpose(1, 0, 2) for part in range(3))
            return attend(here, query, key, value, hidden_keys(len(ids)), d ** -0.5,
                          W[name + "self_attention.dense.weight"], W[name + "self_attention.dense.bias"], alibi=True)

        x = sequential(trace.under(f"layers.{layer}."), W, x,
                       [name + "input_layernorm", name + "post_attention_layernorm"], epsilon, attention,
                       lambda here, y: network(here, W, y, name + "mlp.dense_h_to_4h", name + "mlp.dense_4h_to_h",
                                               ACTIVATIONS["gelu_pytorch_tanh"]))
    x = trace.note("final_norm", W.layer_norm(x, prefix + "ln_f", epsilon))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W[prefix + "word_embeddings.weight"] if matrix is None else matrix)
    return config, draw.tensors, ids, trace.stages, dtype


# Falcon

def falcon(seed, dtype="F32", **fields):
    config = common("FalconForCausalLM", "falcon", **{
        "alibi": False, "attention_dropout": 0.0, "bias": False, "hidden_dropout": 0.0, "hidden_size": 24,
        "layer_norm_epsilon": 1e-5, "multi_query": True, "new_decoder_architecture": False, "num_attention_heads": 4,
        "num_hidden_layers": LAYERS, "parallel_attn": True, **fields})
    C, H = config["hidden_size"], config["num_attention_heads"]
    is_new, two = config["new_decoder_architecture"], False
    if is_new:
        G, two = config["num_kv_heads"], config.get("num_ln_in_parallel_attn", 2) == 2
    else:
        G = 1 if config["multi_query"] else H
    draw, d, epsilon = Draw(seed, dtype), C // H, config["layer_norm_epsilon"]
    inner, bias = config.get("ffn_hidden_size") or 4 * C, config["bias"]
    if two:
        norms = ["ln_attn", "ln_mlp"]
    else:
        norms = ["input_layernorm"] + ([] if config["parallel_attn"] else ["post_attention_layernorm"])
    draw.words("transformer.word_embeddings", C)
    for layer in range(LAYERS):
        name = f"transformer.h.{layer}."
        for norm in norms:
            draw.norm(name + norm, C, bias=True)
        draw.linear(name + "self_attention.query_key_value", C, (H + 2 * G) * d, bias)
        draw.linear(name + "self_attention.dense", C, C, bias)
        draw.linear(name + "mlp.dense_h_to_4h", C, inner, bias)
        draw.linear(name + "mlp.dense_4h_to_h", inner, C, bias)
    draw.norm("transformer.ln_f", C, bias=True)
    if not config.get("tie_word_embeddings", True):
        draw.linear("lm_head", C, VOCABULARY, bias=False)

    ids, W, trace, turns = draw.ids(7), Numbers(draw.tensors), Trace(), frequencies(config.get("rope_theta", 10000.0), d)
    x = embedded(trace, W["transformer.word_embeddings.weight"][ids])
    for layer in range(LAYERS):
        name = f"transformer.h.{layer}."

        def attention(here, y):
            fused = W.linear(y, name + "self_attention.query_key_value").reshape(len(ids), G, H // G + 2, d)
            query = fused[:, :, :-2].reshape(len(ids), H, d).transpose(1, 0, 2)
            key, value = fused[:, :, -2].transpose(1, 0, 2), fused[:, :, -1].transpose(1, 0, 2)
            here.note("unrotated_query", query)
            here.note("unrotated_key", key)
            return attend(here, turned(query, turns), turned(key, turns), value, hidden_keys(len(ids)), d ** -0.5,
                          W[name + "self_attention.dense.weight"], W.get(name + "self_attention.dense.bias"))

        blocks = parallel if config["parallel_attn"] else sequential
        x = blocks(trace.under(f"layers.{layer}."), W, x, [name + norm for norm in norms], epsilon, attention,
                   lambda here, y: network(here, W, y, name + "mlp.dense_h_to_4h", name + "mlp.dense_4h_to_h",
                                           ACTIVATIONS[config.get("activation", "gelu")]))
    x = trace.note("final_norm", W.layer_norm(x, "transformer.ln_f", epsilon))
    matrix = W.get("lm_head.weight")
    predict(trace, x, W["transformer.word_embeddings.weight"] if matrix is None else matrix)
    return config, draw.tensors, ids, trace.stages, dtype


CASES = {
    "gpt-neox": lambda: gpt_neox(201, buffers=True),
    "gpt-neox-sequential": lambda: gpt_neox(202, "F16", attention_bias=False, hidden_act="gelu_new",
                                            num_attention_heads=2, rotary_pct=0.5, tie_word_embeddings=True,
                                            use_parallel_residual=False),
    "phi": lambda: phi(203, "F16"),
    "phi-normed": lambda: phi(204, num_attention_heads=4, num_key_value_heads=2, partial_rotary_factor=0.4,
                              hidden_size=40, qk_layernorm=True),
    "phi-one-key": lambda: phi(215, num_key_value_heads=1, tie_word_embeddings=True),
    "gptj": lambda: gptj(205, buffers=True),
    "gptj-tied": lambda: gptj(216, tie_word_embeddings=True),
    "gptj-whole-heads": lambda: gptj(206, n_head=4, n_inner=INNER, rotary_dim=6, activation_function="gelu"),
    "opt": lambda: opt(207),
    "opt-post-norm": lambda: opt(208, "F16", do_layer_norm_before=False, tie_word_embeddings=False),
    "bloom": lambda: bloom(209, "BF16", "", hidden_size=WIDTH, n_head=HEADS, n_layer=LAYERS),
    "bloom-older-names": lambda: bloom(210, n_embed=16, num_attention_heads=4, num_hidden_layers=LAYERS),
    "bloom-own-output": lambda: bloom(217, hidden_size=WIDTH, n_head=HEADS, n_layer=LAYERS, tie_word_embeddings=False),
    "falcon": lambda: falcon(211),
    "falcon-new": lambda: falcon(212, "BF16", multi_query=True, new_decoder_architecture=True, num_kv_heads=2,
                                 tie_word_embeddings=False),
    "falcon-new-one-norm": lambda: falcon(213, activation="gelu", bias=True, ffn_hidden_size=INNER,
                                          max_position_embeddings=32, new_decoder_architecture=True, num_kv_heads=1,
                                          num_ln_in_parallel_attn=1, rope_scaling=None, rope_theta=5000.0),
    "falcon-sequential": lambda: falcon(214, bias=True, multi_query=False, parallel_attn=False),
}
