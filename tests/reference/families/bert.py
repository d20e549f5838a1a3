"""BERT (Devlin et al. 2019) and similar models: RoBERTa (Liu et al. 2019: the first position follows the padding's id),
DistilBERT (Sanh et al. 2019: no token types, its own names) and ALBERT (Lan et al. 2020: narrow embeddings, layers that
share their parameters)."""

import torch

from .pieces import ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, gelu, heads, nothing_hidden, predict

WIDTH, HEADS, INNER, PLACES = 12, 3, 20, 16


def encoder_layer(here, numbers, x, count, norm, names, place, activation):
    """Returns norm(x + f(x)) for the attention and then for the network. `names` has the family's names of the parts at
    `place`."""
    attention, feed = here.under("self_attention."), here.under("feed_forward.")
    names, length = {part: place + name for part, name in names.items()}, x.shape[1]
    here.note("input", x)
    query, key, value = (heads(numbers.linear(x, names[part]), count) for part in ("query", "key", "value"))
    output = names["attention_output"]
    y = attend(attention, query, key, value, nothing_hidden(length, length), query.shape[-1] ** -0.5,
               numbers[output + ".weight"], numbers[output + ".bias"])
    x = attention.note("residual", norm(attention.note("residual_sum", x + y), names["attention_norm"]))
    y = feed.note("activated", activation(feed.note("hidden", numbers.linear(x, names["hidden"]))))
    y = feed.note("output", numbers.linear(y, names["output"]))
    return here.note("output", norm(feed.note("residual_sum", x + y), names["norm"]))


def layer_tensors(draw, tensors, names, place, norms=("weight", "bias")):
    for part, name in names.items():
        if part.endswith("norm"):
            draw.norm(tensors, place + name, WIDTH, *norms)
        else:
            draw.linear(tensors, place + name, INNER if part == "output" else WIDTH,
                        INNER if part == "hidden" else WIDTH)


# BERT and RoBERTa

ATTENTION = {"query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
             "attention_output": "attention.output.dense", "attention_norm": "attention.output.LayerNorm",
             "hidden": "intermediate.dense", "output": "output.dense", "norm": "output.LayerNorm"}


def bert_config(model_type, **fields):
    name = {"bert": "Bert", "roberta": "Roberta", "xlm-roberta": "XLMRoberta", "camembert": "Camembert"}[model_type]
    return {"architectures": [name + "ForMaskedLM"], "attention_probs_dropout_prob": 0.1, "classifier_dropout": None,
            "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "hidden_size": WIDTH, "initializer_range": 0.02,
            "intermediate_size": INNER, "layer_norm_eps": 1e-12 if model_type == "bert" else 1e-5,
            "max_position_embeddings": PLACES, "model_type": model_type, "num_attention_heads": HEADS,
            "num_hidden_layers": 2, "pad_token_id": 0 if model_type == "bert" else 1,
            "position_embedding_type": "absolute", "transformers_version": "4.29.0",
            "type_vocab_size": 2 if model_type == "bert" else 1, "use_cache": True, "vocab_size": VOCABULARY, **fields}


def bert_tensors(draw, config, prefix, norms, buffer, head, pooler):
    tensors, C = {}, config["hidden_size"]
    gain, bias = norms
    if buffer:
        tensors[prefix + "embeddings.position_ids"] = torch.arange(PLACES).unsqueeze(0)
    draw.embedding(tensors, prefix + "embeddings.word_embeddings", VOCABULARY, C)
    draw.embedding(tensors, prefix + "embeddings.position_embeddings", PLACES, C, deviation=0.4)
    draw.embedding(tensors, prefix + "embeddings.token_type_embeddings", config["type_vocab_size"], C, deviation=0.4)
    draw.norm(tensors, prefix + "embeddings.LayerNorm", C, gain, bias)
    for layer in range(config["num_hidden_layers"]):
        layer_tensors(draw, tensors, ATTENTION, f"{prefix}encoder.layer.{layer}.", norms)
    if pooler:
        draw.linear(tensors, prefix + "pooler.dense", C, C)
    if head == "cls":
        draw.linear(tensors, "cls.predictions.transform.dense", C, C)
        draw.norm(tensors, "cls.predictions.transform.LayerNorm", C, gain, bias)
        tensors["cls.predictions.bias"] = draw.numbers(VOCABULARY, deviation=0.3)
    if head == "lm_head":
        draw.linear(tensors, "lm_head.dense", C, C)
        draw.norm(tensors, "lm_head.layer_norm", C, gain, bias)
        tensors["lm_head.bias"] = draw.numbers(VOCABULARY, deviation=0.3)
    if head == "classifier":
        draw.linear(tensors, "classifier", C, len(config["id2label"]))
    return tensors


def bert_trace(config, tensors, prefix, norms, head, ids, types):
    numbers, trace, epsilon = Numbers(tensors), Trace(), config["layer_norm_eps"]
    activation = ACTIVATIONS[config["hidden_act"]]
    first = 0 if config["model_type"] == "bert" else config["pad_token_id"] + 1

    def norm(x, name):
        return numbers.layer_norm(x, name, epsilon, *norms)

    place = prefix + "embeddings."
    x = trace.note("embeddings", numbers[place + "word_embeddings.weight"][ids].unsqueeze(0))
    x = x + numbers[place + "position_embeddings.weight"][first:first + len(ids)]
    x = trace.note("embedding_sum", x + numbers[place + "token_type_embeddings.weight"][types])
    x = trace.note("positioned", norm(x, place + "LayerNorm"))
    for layer in range(config["num_hidden_layers"]):
        x = encoder_layer(trace.under(f"layers.{layer}."), numbers, x, config["num_attention_heads"], norm, ATTENTION,
                          f"{prefix}encoder.layer.{layer}.", activation)
    words = numbers[place + "word_embeddings.weight"]
    if head == "cls":
        y = activation(numbers.linear(x, "cls.predictions.transform.dense"))
        y = trace.note("head_input", norm(y, "cls.predictions.transform.LayerNorm"))
        predict(trace, y, words, numbers["cls.predictions.bias"])
    if head == "lm_head":
        y = gelu(numbers.linear(x, "lm_head.dense"))  # regardless of the layers' activation
        y = trace.note("head_input", norm(y, "lm_head.layer_norm"))
        predict(trace, y, words, numbers["lm_head.bias"])
    if head == "classifier":
        y = trace.note("pooled", torch.tanh(numbers.linear(x[:, 0], prefix + "pooler.dense")))
        trace.note("class_logits", numbers.linear(y, "classifier"))
    return trace.stages


def bert(seed, config, prefix, norms=("weight", "bias"), buffer=False, head=None, pooler=False):
    draw = Draw(seed)
    tensors = bert_tensors(draw, config, prefix, norms, buffer, head, pooler)
    ids = draw.ids(6)
    inputs = {"token_ids": ids}
    if config["type_vocab_size"] > 1:
        inputs["token_types"] = [0, 0, 0, 1, 1, 1]
    stages = bert_trace(config, tensors, prefix, norms, head, ids, inputs.get("token_types", [0] * len(ids)))
    return config, tensors, inputs, stages


# DistilBERT

DISTILBERT = {"query": "attention.q_lin", "key": "attention.k_lin", "value": "attention.v_lin",
              "attention_output": "attention.out_lin", "attention_norm": "sa_layer_norm", "hidden": "ffn.lin1",
              "output": "ffn.lin2", "norm": "output_layer_norm"}


def distilbert(seed, prefix, head):
    draw, tensors = Draw(seed), {}
    config = {"activation": "gelu", "architectures": ["DistilBertForMaskedLM" if head else "DistilBertModel"],
              "attention_dropout": 0.1, "dim": WIDTH, "dropout": 0.1, "hidden_dim": INNER, "initializer_range": 0.02,
              "max_position_embeddings": PLACES, "model_type": "distilbert", "n_heads": HEADS, "n_layers": 2,
              "pad_token_id": 0, "qa_dropout": 0.1, "seq_classif_dropout": 0.2, "sinusoidal_pos_embds": not head,
              "tie_weights_": True, "transformers_version": "4.10.0.dev0", "vocab_size": VOCABULARY}
    epsilon = 1e-12  # for every norm; no field sets it
    draw.embedding(tensors, prefix + "embeddings.word_embeddings", VOCABULARY, WIDTH)
    draw.embedding(tensors, prefix + "embeddings.position_embeddings", PLACES, WIDTH, deviation=0.4)
    draw.norm(tensors, prefix + "embeddings.LayerNorm", WIDTH)
    for layer in range(config["n_layers"]):
        layer_tensors(draw, tensors, DISTILBERT, f"{prefix}transformer.layer.{layer}.")
    if head:
        draw.linear(tensors, "vocab_transform", WIDTH, WIDTH)
        draw.norm(tensors, "vocab_layer_norm", WIDTH)
        tensors["vocab_projector.bias"] = draw.numbers(VOCABULARY, deviation=0.3)

    ids, numbers, trace = draw.ids(5), Numbers(tensors), Trace()

    def norm(x, name):
        return numbers.layer_norm(x, name, epsilon)

    x = trace.note("embeddings", numbers[prefix + "embeddings.word_embeddings.weight"][ids].unsqueeze(0))
    x = trace.note("embedding_sum", x + numbers[prefix + "embeddings.position_embeddings.weight"][:len(ids)])
    x = trace.note("positioned", norm(x, prefix + "embeddings.LayerNorm"))
    for layer in range(config["n_layers"]):
        x = encoder_layer(trace.under(f"layers.{layer}."), numbers, x, HEADS, norm, DISTILBERT,
                          f"{prefix}transformer.layer.{layer}.", gelu)
    if head:
        x = trace.note("head_input", norm(gelu(numbers.linear(x, "vocab_transform")), "vocab_layer_norm"))
        predict(trace, x, numbers[prefix + "embeddings.word_embeddings.weight"], numbers["vocab_projector.bias"])
    return config, tensors, {"token_ids": ids}, trace.stages


# ALBERT

ALBERT = {"query": "attention.query", "key": "attention.key", "value": "attention.value",
          "attention_output": "attention.dense", "attention_norm": "attention.LayerNorm", "hidden": "ffn",
          "output": "ffn_output", "norm": "full_layer_layer_norm"}


def albert_config(**fields):
    return {"architectures": ["AlbertForMaskedLM"], "attention_probs_dropout_prob": 0, "bos_token_id": 2,
            "classifier_dropout_prob": 0.1, "down_scale_factor": 1, "embedding_size": 8, "eos_token_id": 3,
            "gap_size": 0, "hidden_act": "gelu_new", "hidden_dropout_prob": 0, "hidden_size": WIDTH,
            "initializer_range": 0.02, "inner_group_num": 1, "intermediate_size": INNER, "layer_norm_eps": 1e-12,
            "max_position_embeddings": PLACES, "model_type": "albert", "net_structure_type": 0,
            "num_attention_heads": HEADS, "num_hidden_groups": 1, "num_hidden_layers": 2, "num_memory_blocks": 0,
            "pad_token_id": 0, "type_vocab_size": 2, "vocab_size": VOCABULARY, **fields}


def albert_tensors(draw, config, prefix, head):
    tensors, E = {}, config["embedding_size"]
    for name, rows in (("word", VOCABULARY), ("position", PLACES), ("token_type", 2)):
        draw.embedding(tensors, f"{prefix}embeddings.{name}_embeddings", rows, E, deviation=0.5)
    draw.norm(tensors, prefix + "embeddings.LayerNorm", E)
    draw.linear(tensors, prefix + "encoder.embedding_hidden_mapping_in", E, WIDTH)
    for group in range(config["num_hidden_groups"]):
        layer_tensors(draw, tensors, ALBERT, f"{prefix}encoder.albert_layer_groups.{group}.albert_layers.0.")
    draw.linear(tensors, prefix + "pooler", WIDTH, WIDTH)
    if head:  # the library stores the bias twice, and the tied matrix again
        draw.linear(tensors, "predictions.dense", WIDTH, E)
        draw.norm(tensors, "predictions.LayerNorm", E)
        tensors["predictions.bias"] = draw.numbers(VOCABULARY, deviation=0.3)
        tensors["predictions.decoder.bias"] = tensors["predictions.bias"]
        tensors["predictions.decoder.weight"] = tensors[prefix + "embeddings.word_embeddings.weight"]
    return tensors


def albert_trace(config, tensors, prefix, head, ids, types):
    numbers, trace = Numbers(tensors), Trace()

    def norm(x, name):
        return numbers.layer_norm(x, name, config["layer_norm_eps"])

    activation = ACTIVATIONS[config["hidden_act"]]
    x = trace.note("embeddings", numbers[prefix + "embeddings.word_embeddings.weight"][ids].unsqueeze(0))
    x = x + numbers[prefix + "embeddings.position_embeddings.weight"][:len(ids)]
    x = trace.note("embedding_sum", x + numbers[prefix + "embeddings.token_type_embeddings.weight"][types])
    x = trace.note("positioned", norm(x, prefix + "embeddings.LayerNorm"))
    x = trace.note("embedding_projected", numbers.linear(x, prefix + "encoder.embedding_hidden_mapping_in"))
    layers = config["num_hidden_layers"]
    for layer in range(layers):
        group = layer // (layers // config["num_hidden_groups"])
        x = encoder_layer(trace.under(f"layers.{layer}."), numbers, x, config["num_attention_heads"], norm, ALBERT,
                          f"{prefix}encoder.albert_layer_groups.{group}.albert_layers.0.", activation)
    if head:
        y = norm(activation(numbers.linear(x, "predictions.dense")), "predictions.LayerNorm")
        predict(trace, trace.note("head_input", y), numbers["predictions.decoder.weight"], numbers["predictions.bias"])
    return trace.stages


def albert(seed, config, prefix, head):
    draw = Draw(seed)
    tensors = albert_tensors(draw, config, prefix, head)
    ids, types = draw.ids(6), [0, 0, 1, 1, 1, 1]
    return config, tensors, {"token_ids": ids, "token_types": types}, albert_trace(config, tensors, prefix, head, ids,
                                                                                   types)


LABELS = {"id2label": {"0": "bad", "1": "good", "2": "so-so"}, "label2id": {"bad": 0, "good": 1, "so-so": 2}}

CASES = {
    # With the names of the published bert-base-uncased.
    "bert": lambda: bert(21, bert_config("bert"), "bert.", ("gamma", "beta"), head="cls", pooler=True),
    "bert-bare-names": lambda: bert(22, bert_config("bert", architectures=["BertModel"], hidden_act="relu"), "",
                                    buffer=True, pooler=True),
    "bert-classifier": lambda: bert(23, bert_config("bert", architectures=["BertForSequenceClassification"], **LABELS),
                                    "bert.", head="classifier", pooler=True),
    "roberta": lambda: bert(24, bert_config("roberta"), "roberta.", buffer=True, head="lm_head"),
    "xlm-roberta": lambda: bert(25, bert_config("xlm-roberta", hidden_act="gelu_new"), "roberta.", head="lm_head"),
    "camembert": lambda: bert(26, bert_config("camembert", architectures=["CamembertModel"], pad_token_id=2), "",
                              pooler=True),
    "distilbert": lambda: distilbert(27, "distilbert.", head=True),
    "distilbert-bare-names": lambda: distilbert(28, "", head=False),
    "albert": lambda: albert(29, albert_config(), "albert.", head=True),
    "albert-groups": lambda: albert(30, albert_config(architectures=["AlbertModel"], num_hidden_groups=2,
                                                      num_hidden_layers=4), "", head=False),
}
