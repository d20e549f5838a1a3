"""DeBERTa-v2 and -v3, after modeling_deberta_v2.py of transformers: an encoder whose scores also have products of a
query and the key of a distance, and of a key and the query of a distance. A table has a vector for each distance. Far
distances share rows by their logarithm, in 32-bit floats as PyTorch computes it."""

import math

import numpy as np

from .pieces import ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, heads, softmax


def config_of(**fields):
    return {"architectures": ["DebertaV2ForMaskedLM"], "attention_probs_dropout_prob": 0.1, "hidden_act": "gelu",
            "hidden_dropout_prob": 0.1, "hidden_size": 12, "initializer_range": 0.02, "intermediate_size": 20,
            "layer_norm_eps": 1e-7, "max_position_embeddings": 16, "max_relative_positions": -1,
            "model_type": "deberta-v2", "norm_rel_ebd": "layer_norm", "num_attention_heads": 3, "num_hidden_layers": 2,
            "pad_token_id": 0, "pooler_dropout": 0, "pooler_hidden_act": "gelu", "pooler_hidden_size": 12,
            "pos_att_type": "p2c|c2p", "position_biased_input": False, "position_buckets": 6,
            "relative_attention": True, "share_att_key": True, "type_vocab_size": 0, "vocab_size": VOCABULARY, **fields}


def kinds_of(config):
    kinds = config["pos_att_type"]
    return kinds.split("|") if isinstance(kinds, str) else kinds


def farthest_of(config):
    declared = config["max_relative_positions"]
    return declared if declared > 0 else config["max_position_embeddings"]


def span_of(config):
    return config["position_buckets"] if config["position_buckets"] > 0 else farthest_of(config)


def sizes_of(config):
    H = config["num_attention_heads"]
    return config["hidden_size"], H, config.get("attention_head_size", config["hidden_size"] // H)


def tensors_of(draw, config, own_names):
    C, H, d = sizes_of(config)
    F = config["intermediate_size"]
    draw.words("deberta.embeddings.word_embeddings", C)
    if config["position_biased_input"]:
        draw.words("deberta.embeddings.position_embeddings", C, config["max_position_embeddings"], 0.4)
    if config["type_vocab_size"]:
        draw.words("deberta.embeddings.token_type_embeddings", C, config["type_vocab_size"], 0.4)
    draw.norm("deberta.embeddings.LayerNorm", C, bias=True)
    if config["relative_attention"]:
        draw.words("deberta.encoder.rel_embeddings", C, 2 * span_of(config))
    if "layer_norm" in config["norm_rel_ebd"]:
        draw.norm("deberta.encoder.LayerNorm", C, bias=True)
    for layer in range(config["num_hidden_layers"]):
        name = f"deberta.encoder.layer.{layer}."
        for part in ("query_proj", "key_proj", "value_proj"):
            draw.linear(f"{name}attention.self.{part}", C, H * d)
        if config["relative_attention"] and not config["share_att_key"]:
            for kind, part in (("c2p", "pos_key_proj"), ("p2c", "pos_query_proj")):
                if kind in kinds_of(config):
                    draw.linear(f"{name}attention.self.{part}", C, H * d)
        draw.linear(name + "attention.output.dense", H * d, C)
        draw.norm(name + "attention.output.LayerNorm", C, bias=True)
        draw.linear(name + "intermediate.dense", C, F)
        draw.linear(name + "output.dense", F, C)
        draw.norm(name + "output.LayerNorm", C, bias=True)
    if config["architectures"] == ["DebertaV2ForMaskedLM"]:
        transform = "lm_predictions.lm_head." if own_names else "cls.predictions.transform."
        draw.linear(transform + "dense", C, C)
        draw.norm(transform + "LayerNorm", C, bias=True)
        draw.add("lm_predictions.lm_head.bias" if own_names else "cls.predictions.bias", VOCABULARY, deviation=0.3)
    if config["architectures"] == ["DebertaV2ForSequenceClassification"]:
        draw.linear("pooler.dense", C, C)
        draw.linear("classifier", C, 4)


def relative_positions(config, length):
    """make_log_bucket_position() for the distances query − key."""
    place = np.arange(length)
    distance = place[:, None] - place[None, :]
    buckets, farthest = config["position_buckets"], farthest_of(config)
    if buckets <= 0:
        return distance
    middle = buckets // 2
    away = np.where((distance < middle) & (distance > -middle), middle - 1, np.abs(distance))
    ratio = (away / np.float32(middle)).astype(np.float32)
    with np.errstate(divide="ignore"):
        far = np.ceil(np.log(ratio) / np.log(np.float32((farthest - 1) / middle)) * np.float32(middle - 1)) + middle
    return np.where(away <= middle, distance, far * np.sign(distance)).astype(np.int64)


def attend(config, W, trace, name, x, rel):
    C, H, d = sizes_of(config)
    query, key, value = (trace.note(stage, heads(W.linear(x, f"{name}attention.self.{stage}_proj"), H))
                         for stage in ("query", "key", "value"))
    kinds = kinds_of(config)
    scale = math.sqrt(d * (1 + len(kinds)))
    scores = trace.note("scaled_scores", trace.note("scores", query @ key.transpose(0, 2, 1)) / scale)
    if config["relative_attention"]:
        span, added = span_of(config), 0
        relative = relative_positions(config, len(x))
        shared = config["share_att_key"]
        if "c2p" in kinds:
            own = "key_proj" if shared else "pos_key_proj"
            position = trace.note("position_key", heads(W.linear(rel, f"{name}attention.self.{own}"), H))
            every = trace.note("query_distances", query @ position.transpose(0, 2, 1))
            index = np.clip(relative + span, 0, 2 * span - 1)
            added = added + trace.note("content_to_position", np.take_along_axis(
                every, np.broadcast_to(index, (H, *index.shape)), -1))
        if "p2c" in kinds:
            own = "query_proj" if shared else "pos_query_proj"
            position = trace.note("position_query", heads(W.linear(rel, f"{name}attention.self.{own}"), H))
            every = trace.note("key_distances", key @ position.transpose(0, 2, 1))
            index = np.clip(-relative + span, 0, 2 * span - 1)
            picked = np.take_along_axis(every, np.broadcast_to(index, (H, *index.shape)), -1)
            added = added + trace.note("position_to_content", picked.transpose(0, 2, 1))
        scores = trace.note("biased_scores", scores + trace.note("position_bias", added / scale))
    weights = trace.note("weights", softmax(trace.note("masked_scores", scores)))
    context = trace.note("context", weights @ value)
    together = trace.note("concatenated", np.concatenate(list(context), axis=-1))
    output = W[name + "attention.output.dense.weight"]
    trace.note("head_outputs", np.stack([context[h] @ output[:, h * d:(h + 1) * d].T for h in range(H)]))
    return trace.note("output", W.linear(together, name + "attention.output.dense"))


def trace_of(config, tensors, ids, own_names):
    W, trace, epsilon = Numbers(tensors), Trace(), config["layer_norm_eps"]
    activation = ACTIVATIONS[config["hidden_act"]]
    x = trace.note("embeddings", W["deberta.embeddings.word_embeddings.weight"][ids])
    if config["position_biased_input"]:
        x = x + W["deberta.embeddings.position_embeddings.weight"][:len(ids)]
    if config["type_vocab_size"]:
        x = x + W["deberta.embeddings.token_type_embeddings.weight"][0]
    if config["position_biased_input"] or config["type_vocab_size"]:
        trace.note("embedding_sum", x)
    x = trace.note("positioned", W.layer_norm(x, "deberta.embeddings.LayerNorm", epsilon))
    rel = None
    if config["relative_attention"]:
        rel = W["deberta.encoder.rel_embeddings.weight"]
        if "layer_norm" in config["norm_rel_ebd"]:
            rel = W.layer_norm(rel, "deberta.encoder.LayerNorm", epsilon)
        trace.note("distance_embeddings", rel)
    for layer in range(config["num_hidden_layers"]):
        name, here = f"deberta.encoder.layer.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attend(config, W, attention, name, x, rel)
        x = attention.note("residual", W.layer_norm(attention.note("residual_sum", x + y),
                                                    name + "attention.output.LayerNorm", epsilon))
        y = feed.note("activated", activation(feed.note("hidden", W.linear(x, name + "intermediate.dense"))))
        y = feed.note("output", W.linear(y, name + "output.dense"))
        x = here.note("output", W.layer_norm(feed.note("residual_sum", x + y), name + "output.LayerNorm", epsilon))
    if config["architectures"] == ["DebertaV2ForMaskedLM"]:
        transform = "lm_predictions.lm_head." if own_names else "cls.predictions.transform."
        y = activation(W.linear(x, transform + "dense"))
        y = trace.note("head_input", W.layer_norm(y, transform + "LayerNorm", epsilon))
        bias = W["lm_predictions.lm_head.bias" if own_names else "cls.predictions.bias"]
        logits = trace.note("logits", y @ W["deberta.embeddings.word_embeddings.weight"].T + bias)
        trace.note("probabilities", softmax(logits))
    if config["architectures"] == ["DebertaV2ForSequenceClassification"]:
        y = ACTIVATIONS[config["pooler_hidden_act"]](W.linear(x[:1], "pooler.dense"))
        trace.note("pooled", y[0])
        trace.note("class_logits", W.linear(y, "classifier")[0])
    return trace.stages


def case(seed, config, own_names=False, dtype="F32"):
    draw = Draw(seed, dtype)
    tensors_of(draw, config, own_names)
    ids = draw.ids(11)
    return config, draw.tensors, ids, trace_of(config, draw.tensors, ids, own_names), dtype


CASES = {
    "deberta-v2": lambda: case(140, config_of()),
    # Separate matrices for the distances, which share no rows. Some distances are beyond the table.
    "deberta-v2-own-keys": lambda: case(141, config_of(
        attention_head_size=5, hidden_act="gelu_new", hidden_size=10, max_position_embeddings=24,
        max_relative_positions=7, norm_rel_ebd="none", num_attention_heads=2, pos_att_type=["p2c", "c2p"],
        position_biased_input=True, position_buckets=-1, share_att_key=False, type_vocab_size=2), own_names=True),
    "deberta-v2-one-way": lambda: case(142, config_of(
        hidden_size=9, num_attention_heads=1, num_hidden_layers=1, pos_att_type=["c2p"], position_buckets=4,
        share_att_key=False), dtype="BF16"),
    "deberta-v2-other-way": lambda: case(143, config_of(
        architectures=["DebertaV2Model"], hidden_size=8, num_attention_heads=2, pos_att_type="p2c",
        share_att_key=False), dtype="F16"),
    "deberta-v2-classifier": lambda: case(144, config_of(
        architectures=["DebertaV2ForSequenceClassification"], max_position_embeddings=32, position_buckets=10,
        pooler_hidden_act="gelu")),
    "deberta-v2-absolute": lambda: case(145, config_of(
        architectures=["DebertaV2Model"], norm_rel_ebd="none", position_biased_input=True, relative_attention=False)),
}
