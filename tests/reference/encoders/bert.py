"""Encoders after the classes of transformers: ELECTRA (BERT's layers behind embeddings of another width) and ModernBERT
(pre-norm, rotations, windows in some layers, gated networks; the first attention reads the embeddings themselves)."""

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
        y = gelu(W.linear(x, "generator_predictions.dense"))  # whatever the layers have
        y = trace.note("head_input", W.layer_norm(y, "generator_predictions.LayerNorm", epsilon))
        predict(trace, y, W[place + "word_embeddings.weight"], W["generator_lm_head.bias"])
    return config, draw.tensors, {"token_ids": ids, "token_types": types}, trace.stages, "F32"


CASES = {
    "electra": lambda: electra(311, "generator", hidden_act="gelu_new"),
    "electra-discriminator": lambda: electra(312, "discriminator", embedding_size=WIDTH),
}
