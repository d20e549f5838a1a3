"""Encoder-decoders after the classes of transformers: Marian (post-norm), PEGASUS and M2M-100 (pre-norm, with a norm
after the last layer of each side). All have sinusoids, and one matrix of words for both sides and the output."""

import math

import numpy as np

from decoders import pieces
from decoders.pieces import Draw, Numbers, Trace, VOCABULARY, attend, heads, hidden_keys, predict

EPSILON, PLACES = 1e-5, 12
ACTIVATIONS = {**pieces.ACTIVATIONS, "swish": pieces.silu}


def common(architecture, model_type, **fields):
    return {"activation_dropout": 0.0, "architectures": [architecture], "attention_dropout": 0.0, "bos_token_id": 0,
            "decoder_attention_heads": 3, "decoder_ffn_dim": 20, "decoder_layerdrop": 0.0, "decoder_layers": 2,
            "dropout": 0.1, "encoder_attention_heads": 2, "encoder_ffn_dim": 16, "encoder_layerdrop": 0.0,
            "encoder_layers": 2, "forced_eos_token_id": 2, "init_std": 0.02, "is_encoder_decoder": True,
            "max_position_embeddings": PLACES, "model_type": model_type, "num_beams": 4, "num_hidden_layers": 2,
            "scale_embedding": True, "transformers_version": "4.22.0.dev0", "use_cache": True,
            "vocab_size": VOCABULARY, **fields}


def paper_sinusoids(length, width):
    """Like MarianSinusoidalPositionalEmbedding: the columns of the paper, all sines before all cosines."""
    angles = np.array([[place / np.power(10000, 2 * (j // 2) / width) for j in range(width)]
                       for place in range(length)])
    return np.concatenate([np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])], axis=-1)


def fairseq_sinusoids(length, width):
    """Like M2M100SinusoidalPositionalEmbedding, whose weights are 32-bit floats."""
    half = width // 2
    angles = np.outer(np.arange(length), np.exp(np.arange(half) * -(math.log(10000) / (half - 1))))
    columns = [np.sin(angles), np.cos(angles)] + ([np.zeros((length, 1))] if width % 2 else [])
    return np.concatenate(columns, axis=-1).astype(np.float32).astype(np.float64)


def tensors_of(draw, config, is_before, bias, stored, words="model.shared", key_bias=True):
    C = config["d_model"]
    draw.words(words, C, deviation=0.3)
    for side, attentions in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "encoder_attn"])):
        if stored:
            draw.tensors[f"model.{side}.embed_positions.weight"] = paper_sinusoids(PLACES, C).astype(np.float32)
        for layer in range(config[side + "_layers"]):
            name, inner = f"model.{side}.layers.{layer}.", config[side + "_ffn_dim"]
            for attention in attentions:
                for part in ("k", "v", "q", "out"):
                    draw.linear(f"{name}{attention}.{part}_proj", C, C, bias=key_bias or part != "k")
                draw.norm(f"{name}{attention}_layer_norm", C, bias=True)
            draw.linear(name + "fc1", C, inner)
            draw.linear(name + "fc2", inner, C)
            draw.norm(name + "final_layer_norm", C, bias=True)
        if is_before:
            draw.norm(f"model.{side}.layer_norm", C, bias=True)
    if bias:
        draw.add("final_logits_bias", 1, VOCABULARY, deviation=0.3)


def side_of(trace, W, config, side, ids, positions, is_before, memory=None):
    """Returns the last stage of the encoder or the decoder."""
    here = trace.under(side + ".")
    x = here.note("embeddings", W["model.shared.weight"][ids])
    x = x * math.sqrt(config["d_model"]) if config["scale_embedding"] else x
    return layers_of(here, W, config, side, x + positions[:len(ids)], is_before, memory)


def layers_of(here, W, config, side, x, is_before, memory=None):
    """Returns the last stage of the encoder or the decoder. `x`: the sum of embeddings and positions."""
    activation, length, count = ACTIVATIONS[config["activation_function"]], len(x), config[side + "_attention_heads"]
    x = here.note("positioned", here.note("embedding_sum", x))

    def block(part, x, name, f):
        """Returns x + f(norm(x)), or norm(x + f(x))."""
        if is_before:
            return x + f(part.note("norm", W.layer_norm(x, name, EPSILON)))
        return W.layer_norm(part.note("residual_sum", x + f(x)), name, EPSILON)

    def attention(part, name, x, keys, hidden):
        query = heads(W.linear(x, name + ".q_proj"), count)
        key, value = (heads(W.linear(keys, f"{name}.{each}_proj"), count) for each in "kv")
        return attend(part, query, key, value, hidden, query.shape[-1] ** -0.5, W[name + ".out_proj.weight"],
                      W[name + ".out_proj.bias"])

    def network(part, name, x):
        y = part.note("activated", activation(part.note("hidden", W.linear(x, name + "fc1"))))
        return part.note("output", W.linear(y, name + "fc2"))

    for layer in range(config[side + "_layers"]):
        name, at = f"model.{side}.layers.{layer}.", here.under(f"layers.{layer}.")
        at.note("input", x)
        hidden = np.zeros((length, length), bool) if memory is None else hidden_keys(length)
        own, across, feed = (at.under(part + ".") for part in ("self_attention", "cross_attention", "feed_forward"))
        x = own.note("residual", block(own, x, name + "self_attn_layer_norm",
                                       lambda y: attention(own, name + "self_attn", y, y, hidden)))
        if memory is not None:
            hidden = np.zeros((length, len(memory)), bool)
            x = across.note("residual", block(across, x, name + "encoder_attn_layer_norm",
                                              lambda y: attention(across, name + "encoder_attn", y, memory, hidden)))
        x = at.note("output", block(feed, x, name + "final_layer_norm", lambda y: network(feed, name, y)))
    return here.note("final_norm", W.layer_norm(x, f"model.{side}.layer_norm", EPSILON)) if is_before else x


def case(seed, config, positions, is_before, bias=True, stored=False, dtype="F32"):
    draw = Draw(seed, dtype)
    tensors_of(draw, config, is_before, bias, stored)
    source, ids = draw.ids(5) + [config["eos_token_id"]], [config["decoder_start_token_id"]] + draw.ids(4)
    W, trace = Numbers(draw.tensors), Trace()
    memory = side_of(trace, W, config, "encoder", source, positions, is_before)
    x = side_of(trace, W, config, "decoder", ids, positions, is_before, memory)
    predict(trace, x, W["model.shared.weight"], W.get("final_logits_bias"))
    return config, draw.tensors, {"source_token_ids": source, "token_ids": ids}, trace.stages, dtype


def marian(seed, stored=False, **fields):
    config = common("MarianMTModel", "marian", **{
        "activation_function": "swish", "add_bias_logits": False, "add_final_layer_norm": False,
        "bad_words_ids": [[VOCABULARY - 1]], "classif_dropout": 0.0, "d_model": 12, "decoder_start_token_id": 22,
        "decoder_vocab_size": VOCABULARY, "eos_token_id": 0, "extra_pos_embeddings": 23,
        "force_bos_token_to_be_generated": False, "normalize_before": False, "normalize_embedding": False,
        "pad_token_id": 22, "share_encoder_decoder_embeddings": True, "static_position_embeddings": True, **fields})
    return case(seed, config, paper_sinusoids(PLACES, config["d_model"]), is_before=False, stored=stored)


def pegasus(seed, dtype="F32", **fields):
    config = common("PegasusForConditionalGeneration", "pegasus", **{
        "activation_function": "relu", "add_bias_logits": False, "add_final_layer_norm": True, "d_model": 12,
        "decoder_start_token_id": 0, "eos_token_id": 1, "extra_pos_embeddings": 1,
        "force_bos_token_to_be_generated": False, "forced_eos_token_id": 1, "length_penalty": 0.6,
        "normalize_before": True, "normalize_embedding": False, "pad_token_id": 0,
        "static_position_embeddings": True, **fields})
    return case(seed, config, paper_sinusoids(PLACES, config["d_model"]), is_before=True, dtype=dtype)


def m2m_100(seed, **fields):
    config = common("M2M100ForConditionalGeneration", "m2m_100", **{
        "activation_function": "relu", "d_model": 12, "decoder_start_token_id": 2, "early_stopping": True,
        "eos_token_id": 2, "max_length": 200, "pad_token_id": 1, **fields})
    first = config["pad_token_id"] + 1
    positions = fairseq_sinusoids(PLACES + first, config["d_model"])[first:]
    return case(seed, config, positions, is_before=True, bias=False)


CASES = {
    "marian": lambda: marian(301),
    # An odd width has one more sine than cosines.
    "marian-odd-width": lambda: marian(302, activation_function="relu", d_model=15, decoder_attention_heads=5,
                                       encoder_attention_heads=3, scale_embedding=False, forced_bos_token_id=4),
    "marian-stored-positions": lambda: marian(303, stored=True, encoder_layers=1, decoder_layers=1),
    "pegasus": lambda: pegasus(304),
    "pegasus-half": lambda: pegasus(305, dtype="F16", activation_function="gelu", encoder_layers=1,
                                    decoder_layers=1),
    "m2m-100": lambda: m2m_100(306),
    "m2m-100-odd-width": lambda: m2m_100(307, d_model=15, decoder_attention_heads=5, encoder_attention_heads=3,
                                         pad_token_id=3, scale_embedding=False),
}
