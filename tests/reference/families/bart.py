"""BART (Lewis et al. 2019): norms after each part, positions that start at row 2 of their matrix, and one matrix of
words for encoder, decoder and output."""

import math

from .pieces import ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, future, heads, nothing_hidden, predict

WIDTH, PLACES, OFFSET, EPSILON = 12, 12, 2, 1e-5


def config_of(**fields):
    return {"activation_dropout": 0.1, "activation_function": "gelu", "add_bias_logits": False,
            "add_final_layer_norm": False, "architectures": ["BartForConditionalGeneration"],
            "attention_dropout": 0.1, "bos_token_id": 0, "classif_dropout": 0.1, "classifier_dropout": 0.0,
            "d_model": WIDTH, "decoder_attention_heads": 3, "decoder_ffn_dim": 20, "decoder_layerdrop": 0.0,
            "decoder_layers": 2, "decoder_start_token_id": 2, "dropout": 0.1, "early_stopping": True,
            "encoder_attention_heads": 2, "encoder_ffn_dim": 16, "encoder_layerdrop": 0.0, "encoder_layers": 1,
            "eos_token_id": 2, "forced_bos_token_id": 0, "forced_eos_token_id": 2, "gradient_checkpointing": False,
            "id2label": {"0": "LABEL_0"}, "init_std": 0.02, "is_encoder_decoder": True, "label2id": {"LABEL_0": 0},
            "max_position_embeddings": PLACES, "model_type": "bart", "no_repeat_ngram_size": 3,
            "normalize_before": False, "normalize_embedding": True, "num_beams": 4, "num_hidden_layers": 1,
            "pad_token_id": 1, "scale_embedding": False, "transformers_version": "4.7.0.dev0", "use_cache": True,
            "vocab_size": VOCABULARY, **fields}


def attention_tensors(draw, tensors, name):
    for part in ("k", "v", "q", "out"):
        draw.linear(tensors, f"{name}.{part}_proj", WIDTH, WIDTH)
    draw.norm(tensors, name + "_layer_norm", WIDTH)


def tensors_of(draw, config, prefix, bias):
    tensors = {}
    draw.embedding(tensors, prefix + "shared", VOCABULARY, WIDTH, deviation=0.5)
    for side, attentions in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "encoder_attn"])):
        draw.embedding(tensors, f"{prefix}{side}.embed_positions", PLACES + OFFSET, WIDTH, deviation=0.4)
        draw.norm(tensors, f"{prefix}{side}.layernorm_embedding", WIDTH)
        for layer in range(config[side + "_layers"]):
            name, inner = f"{prefix}{side}.layers.{layer}.", config[side + "_ffn_dim"]
            for attention in attentions:
                attention_tensors(draw, tensors, name + attention)
            draw.linear(tensors, name + "fc1", WIDTH, inner)
            draw.linear(tensors, name + "fc2", inner, WIDTH)
            draw.norm(tensors, name + "final_layer_norm", WIDTH)
    if bias:
        tensors["final_logits_bias"] = draw.numbers(1, VOCABULARY, deviation=0.3)
    return tensors


def attention(trace, numbers, name, x, memory, hidden, count):
    query = heads(numbers.linear(x, name + ".q_proj"), count)
    key, value = (heads(numbers.linear(memory, f"{name}.{part}_proj"), count) for part in "kv")
    y = attend(trace, query, key, value, hidden, query.shape[-1] ** -0.5, numbers[name + ".out_proj.weight"],
               numbers[name + ".out_proj.bias"])
    return trace.note("residual", numbers.layer_norm(trace.note("residual_sum", x + y), name + "_layer_norm", EPSILON))


def side_of(trace, numbers, config, prefix, side, ids, memory=None):
    """Returns the last stage of the encoder or the decoder."""
    trace, activation = trace.under(side + "."), ACTIVATIONS[config["activation_function"]]
    name, length, count = f"{prefix}{side}.", len(ids), config[side + "_attention_heads"]
    x = trace.note("embeddings", numbers[prefix + "shared.weight"][ids].unsqueeze(0))
    if config["scale_embedding"]:
        x = x * math.sqrt(WIDTH)
    x = trace.note("embedding_sum", x + numbers[name + "embed_positions.weight"][OFFSET:OFFSET + length])
    x = trace.note("positioned", numbers.layer_norm(x, name + "layernorm_embedding", EPSILON))
    for layer in range(config[side + "_layers"]):
        at, here = f"{name}layers.{layer}.", trace.under(f"layers.{layer}.")
        here.note("input", x)
        hidden = nothing_hidden(length, length) if memory is None else future(length)
        x = attention(here.under("self_attention."), numbers, at + "self_attn", x, x, hidden, count)
        if memory is not None:
            x = attention(here.under("cross_attention."), numbers, at + "encoder_attn", x, memory,
                          nothing_hidden(length, memory.shape[1]), count)
        feed = here.under("feed_forward.")
        y = feed.note("activated", activation(feed.note("hidden", numbers.linear(x, at + "fc1"))))
        y = feed.note("residual_sum", x + feed.note("output", numbers.linear(y, at + "fc2")))
        x = here.note("output", numbers.layer_norm(y, at + "final_layer_norm", EPSILON))
    return x


def trace_of(config, tensors, prefix, source, ids):
    numbers, trace = Numbers(tensors), Trace()
    memory = side_of(trace, numbers, config, prefix, "encoder", source)
    x = side_of(trace, numbers, config, prefix, "decoder", ids, memory)
    predict(trace, x, numbers[prefix + "shared.weight"], numbers.get("final_logits_bias"))
    return trace.stages


def case(seed, config, prefix="model.", bias=True):
    draw = Draw(seed)
    tensors = tensors_of(draw, config, prefix, bias)
    source, ids = [0] + draw.ids(4) + [2], [2, 0] + draw.ids(3)
    return config, tensors, {"source_token_ids": source, "token_ids": ids}, trace_of(config, tensors, prefix, source,
                                                                                     ids)


CASES = {
    "bart": lambda: case(41, config_of()),
    "bart-scaled": lambda: case(42, config_of(activation_function="relu", scale_embedding=True, encoder_layers=2,
                                              encoder_attention_heads=3, encoder_ffn_dim=20), "", bias=False),
}
