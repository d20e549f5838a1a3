"""Encoders after the classes of transformers: ELECTRA (BERT's layers after embeddings of a different width) and
ModernBERT (pre-norm, rotations, windows in some layers, gated networks). The first attention of ModernBERT reads the
embeddings without a norm."""

import numpy as np

from decoders.pieces import (ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, frequencies, gelu, heads, predict,
                             turned)

WIDTH, HEADS, INNER, LAYERS, PLACES = 12, 3, 20, 2, 16


def everything(length):
    return np.zeros((length, length), bool)


# ELECTRA

def electra(seed, head, **fields):
    config = {"architectures": ["ElectraForMaskedLM" if head == "generator" else "ElectraForPreTraining"],
              "attention_probs_dropout_prob": 0.1, "embedding_size": 8, "hidden_act": "gelu",
              "hidden_dropout_prob": 0.1, "hidden_size": WIDTH, "initializer_range": 0.02, "intermediate_size": INNER,
              "layer_norm_eps": 1e-12, "max_position_embeddings": PLACES, "model_type": "electra",
              "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "pad_token_id": 0,
              "position_embedding_type": "absolute", "summary_activation": "gelu", "summary_last_dropout": 0.1,
              "summary_type": "first", "summary_use_proj": True, "transformers_version": "4.9.0",
              "type_vocab_size": 2, "vocab_size": VOCABULARY, **fields}
    draw, C, E = Draw(seed), config["hidden_size"], config["embedding_size"]
    for name, rows in (("word", VOCABULARY), ("position", PLACES), ("token_type", 2)):
        draw.words(f"electra.embeddings.{name}_embeddings", E, rows, deviation=0.5)
    draw.norm("electra.embeddings.LayerNorm", E, bias=True)
    if E != C:
        draw.linear("electra.embeddings_project", E, C)
    for layer in range(LAYERS):
        name = f"electra.encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            draw.linear(f"{name}attention.self.{part}", C, C)
        draw.linear(name + "attention.output.dense", C, C)
        draw.norm(name + "attention.output.LayerNorm", C, bias=True)
        draw.linear(name + "intermediate.dense", C, INNER)
        draw.linear(name + "output.dense", INNER, C)
        draw.norm(name + "output.LayerNorm", C, bias=True)
    if head == "generator":
        draw.linear("generator_predictions.dense", C, E)
        draw.norm("generator_predictions.LayerNorm", E, bias=True)
        draw.add("generator_lm_head.bias", VOCABULARY, deviation=0.3)
    else:
        draw.linear("discriminator_predictions.dense", C, C)
        draw.linear("discriminator_predictions.dense_prediction", C, 1)

    ids, types, W, trace = draw.ids(6), [0, 0, 0, 1, 1, 1], Numbers(draw.tensors), Trace()
    activation, epsilon = ACTIVATIONS[config["hidden_act"]], config["layer_norm_eps"]
    place = "electra.embeddings."
    x = trace.note("embeddings", W[place + "word_embeddings.weight"][ids])
    x = x + W[place + "position_embeddings.weight"][:len(ids)] + W[place + "token_type_embeddings.weight"][types]
    x = trace.note("positioned", W.layer_norm(trace.note("embedding_sum", x), place + "LayerNorm", epsilon))
    if E != C:
        x = trace.note("embedding_projected", W.linear(x, "electra.embeddings_project"))
    for layer in range(LAYERS):
        name, here = f"electra.encoder.layer.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        query, key, value = (heads(W.linear(x, f"{name}attention.self.{part}"), HEADS)
                             for part in ("query", "key", "value"))
        output = name + "attention.output."
        y = attend(attention, query, key, value, everything(len(ids)), (C // HEADS) ** -0.5, W[output + "dense.weight"],
                   W[output + "dense.bias"])
        x = W.layer_norm(attention.note("residual_sum", x + y), output + "LayerNorm", epsilon)
        attention.note("residual", x)
        y = feed.note("activated", activation(feed.note("hidden", W.linear(x, name + "intermediate.dense"))))
        y = feed.note("output", W.linear(y, name + "output.dense"))
        x = here.note("output", W.layer_norm(feed.note("residual_sum", x + y), name + "output.LayerNorm", epsilon))
    if head == "generator":
        y = gelu(W.linear(x, "generator_predictions.dense"))  # regardless of the layers' activation
        y = trace.note("head_input", W.layer_norm(y, "generator_predictions.LayerNorm", epsilon))
        predict(trace, y, W[place + "word_embeddings.weight"], W["generator_lm_head.bias"])
    return config, draw.tensors, {"token_ids": ids, "token_types": types}, trace.stages, "F32"


# ModernBERT

def modernbert(seed, head=True, dtype="F32", **fields):
    config = {"architectures": ["ModernBertForMaskedLM" if head else "ModernBertModel"], "attention_bias": False,
              "attention_dropout": 0.0, "bos_token_id": 1, "classifier_activation": "gelu", "classifier_bias": False,
              "classifier_dropout": 0.0, "classifier_pooling": "mean", "cls_token_id": 1, "decoder_bias": True,
              "deterministic_flash_attn": False, "embedding_dropout": 0.0, "eos_token_id": 2,
              "global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "gradient_checkpointing": False,
              "hidden_activation": "gelu", "hidden_size": WIDTH, "initializer_cutoff_factor": 2.0,
              "initializer_range": 0.02, "intermediate_size": 10, "layer_norm_eps": 1e-5, "local_attention": 4,
              "local_rope_theta": 10000.0, "max_position_embeddings": 64, "mlp_bias": False, "mlp_dropout": 0.0,
              "model_type": "modernbert", "norm_bias": False, "norm_eps": 1e-5, "num_attention_heads": HEADS,
              "num_hidden_layers": 4, "pad_token_id": 3, "position_embedding_type": "absolute",
              "reference_compile": True, "sep_token_id": 2, "tie_word_embeddings": True, "torch_dtype": "float32",
              "transformers_version": "4.47.0.dev0", "vocab_size": VOCABULARY, **fields}
    config = {name: value for name, value in config.items() if value is not ...}
    draw, C, F = Draw(seed, dtype), config["hidden_size"], config["intermediate_size"]
    d, layers, has_bias = C // HEADS, config["num_hidden_layers"], config["norm_bias"]
    draw.words("model.embeddings.tok_embeddings", C)
    draw.norm("model.embeddings.norm", C, bias=has_bias)
    for layer in range(layers):
        name = f"model.layers.{layer}."
        if layer > 0:
            draw.norm(name + "attn_norm", C, bias=has_bias)
        draw.linear(name + "attn.Wqkv", C, 3 * C, config["attention_bias"])
        draw.linear(name + "attn.Wo", C, C, config["attention_bias"])
        draw.norm(name + "mlp_norm", C, bias=has_bias)
        draw.linear(name + "mlp.Wi", C, 2 * F, config["mlp_bias"])
        draw.linear(name + "mlp.Wo", F, C, config["mlp_bias"])
    draw.norm("model.final_norm", C, bias=has_bias)
    if head:
        draw.linear("head.dense", C, C, config["classifier_bias"])
        draw.norm("head.norm", C, bias=has_bias)
        if config["decoder_bias"]:
            draw.add("decoder.bias", VOCABULARY, deviation=0.3)
        if not config["tie_word_embeddings"]:
            draw.add("decoder.weight", VOCABULARY, C, deviation=0.3)

    ids, W, trace, epsilon = draw.ids(9), Numbers(draw.tensors), Trace(), config["norm_eps"]
    activation = ACTIVATIONS[config["hidden_activation"]]
    spelled = config.get("rope_parameters", {})
    bases = {kind: spelled.get(kind, {}).get("rope_theta", config.get(older)) for kind, older in
             (("full_attention", "global_rope_theta"), ("sliding_attention", "local_rope_theta"))}
    kinds = config.get("layer_types", ["sliding_attention" if layer % config.get("global_attn_every_n_layers", 3)
                                       else "full_attention" for layer in range(layers)])

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        y = centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + epsilon) * W[name + ".weight"]
        return y + W[name + ".bias"] if has_bias else y

    place = np.arange(len(ids))
    distance = np.abs(place[:, None] - place[None, :])
    x = trace.note("embeddings", W["model.embeddings.tok_embeddings.weight"][ids])
    x = trace.note("positioned", norm(x, "model.embeddings.norm"))
    for layer, kind in enumerate(kinds):
        name, here = f"model.layers.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", norm(x, name + "attn_norm")) if layer > 0 else x
        query, key, value = (heads(part, HEADS) for part in np.split(W.linear(y, name + "attn.Wqkv"), 3, axis=-1))
        turns = frequencies(bases[kind], d)
        query = turned(attention.note("unrotated_query", query), turns)
        key = turned(attention.note("unrotated_key", key), turns)
        hidden = distance > (config["local_attention"] // 2 if kind == "sliding_attention" else len(ids))
        y = attend(attention, query, key, value, hidden, d ** -0.5, W[name + "attn.Wo.weight"],
                   W.get(name + "attn.Wo.bias"))
        x = attention.note("residual", x + y)
        gate, other = np.split(W.linear(feed.note("norm", norm(x, name + "mlp_norm")), name + "mlp.Wi"), 2, axis=-1)
        feed.note("gate", gate)
        y = feed.note("activated", activation(gate) * feed.note("hidden", other))
        x = here.note("output", x + feed.note("output", W.linear(y, name + "mlp.Wo")))
    x = trace.note("final_norm", norm(x, "model.final_norm"))
    if head:
        y = ACTIVATIONS[config["classifier_activation"]](W.linear(x, "head.dense"))
        matrix = W.get("decoder.weight")
        predict(trace, trace.note("head_input", norm(y, "head.norm")),
                W["model.embeddings.tok_embeddings.weight"] if matrix is None else matrix, W.get("decoder.bias"))
    return config, draw.tensors, {"token_ids": ids}, trace.stages, dtype


CASES = {
    "electra": lambda: electra(311, "generator", hidden_act="gelu_new"),
    "modernbert": lambda: modernbert(313),
    # With every bias, an odd window, and the fields of transformers 5.
    "modernbert-biases": lambda: modernbert(
        314, attention_bias=True, classifier_activation="silu", classifier_bias=True, global_attn_every_n_layers=...,
        global_rope_theta=..., hidden_activation="gelu_pytorch_tanh", local_attention=3, local_rope_theta=...,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"], mlp_bias=True, norm_bias=True,
        num_hidden_layers=3, tie_word_embeddings=False,
        rope_parameters={"full_attention": {"rope_type": "default", "rope_theta": 500.0},
                         "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}}),
    "modernbert-without-head": lambda: modernbert(315, head=False, dtype="BF16", num_hidden_layers=2),
    "electra-discriminator": lambda: electra(312, "discriminator", embedding_size=WIDTH),
}
