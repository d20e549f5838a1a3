"""T5 (Raffel et al. 2020), v1.0 and v1.1: RMS norms before each part, no biases, no scale, and a bias for each bucket
of distances, which all layers share with the first one. d_kv · heads need not be d_model."""

import torch

from .pieces import ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, future, heads, nothing_hidden, predict

WIDTH, HEADS, KEY = 10, 3, 4


def config_of(**fields):
    return {"architectures": ["T5ForConditionalGeneration"], "classifier_dropout": 0.0, "d_ff": 16, "d_kv": KEY,
            "d_model": WIDTH, "decoder_start_token_id": 0, "dropout_rate": 0.1, "eos_token_id": 1,
            "feed_forward_proj": "relu", "initializer_factor": 1.0, "is_encoder_decoder": True,
            "layer_norm_epsilon": 1e-6, "model_type": "t5", "n_positions": 512, "num_decoder_layers": 2,
            "num_heads": HEADS, "num_layers": 2, "output_past": True, "pad_token_id": 0,
            "relative_attention_num_buckets": 8,
            "task_specific_params": {"summarization": {"num_beams": 4, "prefix": "summarize: "}},
            "transformers_version": "4.27.0.dev0", "use_cache": True, "vocab_size": VOCABULARY, **fields}


def tensors_of(draw, config, copies):
    """`copies`: stores the embeddings under their other names as well, as in old files."""
    tensors, gated = {}, config["feed_forward_proj"].startswith("gated-")
    draw.embedding(tensors, "shared", VOCABULARY, WIDTH)
    sides = [("encoder", config["num_layers"]), ("decoder", config["num_decoder_layers"])]
    is_alone = config["architectures"][0] == "T5EncoderModel"
    for side, layers in sides[:1] if is_alone else sides:
        if copies:
            tensors[side + ".embed_tokens.weight"] = tensors["shared.weight"]
        for layer in range(layers):
            parts = ["SelfAttention", "EncDecAttention"] if side == "decoder" else ["SelfAttention"]
            for index, part in enumerate(parts):
                name = f"{side}.block.{layer}.layer.{index}."
                for which in "qkv":
                    draw.linear(tensors, name + f"{part}.{which}", WIDTH, HEADS * KEY, bias=False)
                draw.linear(tensors, f"{name}{part}.o", HEADS * KEY, WIDTH, bias=False)
                if layer == 0 and (index == 0 or copies):  # old files also have an unused one in the cross-attention
                    draw.embedding(tensors, f"{name}{part}.relative_attention_bias",
                                   config["relative_attention_num_buckets"], HEADS, deviation=1.0)
                draw.norm(tensors, name + "layer_norm", WIDTH, bias=None)
            name = f"{side}.block.{layer}.layer.{len(parts)}."
            for which in ("wi_0", "wi_1") if gated else ("wi",):
                draw.linear(tensors, f"{name}DenseReluDense.{which}", WIDTH, config["d_ff"], bias=False)
            draw.linear(tensors, name + "DenseReluDense.wo", config["d_ff"], WIDTH, bias=False)
            draw.norm(tensors, name + "layer_norm", WIDTH, bias=None)
        draw.norm(tensors, side + ".final_layer_norm", WIDTH, bias=None)
    if not config.get("tie_word_embeddings", True) and not is_alone:
        draw.linear(tensors, "lm_head", WIDTH, VOCABULARY, bias=False)
    return tensors


def bucket(distance, count, farthest, both_ways):
    """Returns the bucket of a key `distance` tokens after its query. Half of the buckets are one token wide, the others
    become wider."""
    first = 0
    if both_ways:
        count //= 2
        first = count if distance > 0 else 0
        distance = abs(distance)
    else:
        distance = max(-distance, 0)
    single = count // 2
    if distance < single:
        return first + distance
    ratio = torch.log(torch.tensor(distance / single)) / torch.log(torch.tensor(farthest / single))  # as 32-bit floats
    return first + min(single + int(ratio * (count - single)), count - 1)


def position_bias(numbers, config, side, length):
    table = numbers[side + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
    rows = [[bucket(key - query, len(table), config.get("relative_attention_max_distance", 128), side == "encoder")
             for key in range(length)] for query in range(length)]
    return table[torch.tensor(rows)].permute(2, 0, 1).unsqueeze(0)


def side_of(trace, numbers, config, side, ids, memory=None, is_alone=False):
    trace, length, epsilon = trace if is_alone else trace.under(side + "."), len(ids), config["layer_norm_epsilon"]
    kind = config["feed_forward_proj"]
    activation = ACTIVATIONS[{"gated-gelu": "gelu_new"}.get(kind, kind.removeprefix("gated-"))]
    bias = position_bias(numbers, config, side, length)

    def attention(here, name, part, x, others, hidden, bias):
        y = here.note("norm", numbers.rms_norm(x, name + "layer_norm", epsilon))
        query = heads(numbers.linear(y, f"{name}{part}.q"), HEADS)
        key, value = (heads(numbers.linear(y if others is None else others, f"{name}{part}.{which}"), HEADS)
                      for which in "kv")
        y = attend(here, query, key, value, hidden, 1.0, numbers[f"{name}{part}.o.weight"], bias=bias)
        return here.note("residual", x + y)

    x = trace.note("embeddings", numbers["shared.weight"][ids].unsqueeze(0))
    x = trace.note("positioned", x)
    for layer in range(config["num_layers" if side == "encoder" else "num_decoder_layers"]):
        name, here = f"{side}.block.{layer}.layer.", trace.under(f"layers.{layer}.")
        here.note("input", x)
        hidden = nothing_hidden(length, length) if memory is None else future(length)
        x = attention(here.under("self_attention."), name + "0.", "SelfAttention", x, None, hidden, bias)
        if memory is not None:
            x = attention(here.under("cross_attention."), name + "1.", "EncDecAttention", x, memory,
                          nothing_hidden(length, memory.shape[1]), None)
        feed, name = here.under("feed_forward."), name + ("1." if memory is None else "2.")
        y, dense = feed.note("norm", numbers.rms_norm(x, name + "layer_norm", epsilon)), name + "DenseReluDense."
        if kind.startswith("gated-"):
            gate = feed.note("gate", numbers.linear(y, dense + "wi_0"))
            y = feed.note("activated", activation(gate) * feed.note("hidden", numbers.linear(y, dense + "wi_1")))
        else:
            y = feed.note("activated", activation(feed.note("hidden", numbers.linear(y, dense + "wi"))))
        x = here.note("output", x + feed.note("output", numbers.linear(y, dense + "wo")))
    return trace.note("final_norm", numbers.rms_norm(x, side + ".final_layer_norm", epsilon))


def case(seed, config, copies=False):
    draw = Draw(seed)
    tensors = tensors_of(draw, config, copies)
    source, ids = draw.ids(6, low=2) + [1], [0] + draw.ids(5, low=2)
    numbers, trace = Numbers(tensors), Trace()
    memory = side_of(trace, numbers, config, "encoder", source)
    x = side_of(trace, numbers, config, "decoder", ids, memory)
    if config.get("tie_word_embeddings", True):
        predict(trace, trace.note("head_input", x * WIDTH ** -0.5), numbers["shared.weight"])
    else:
        predict(trace, x, numbers["lm_head.weight"])
    return config, tensors, {"source_token_ids": source, "token_ids": ids}, trace.stages


def encoder_case(seed, config, copies=False):
    draw = Draw(seed)
    tensors = tensors_of(draw, config, copies)
    ids = draw.ids(6, low=2) + [1]
    numbers, trace = Numbers(tensors), Trace()
    side_of(trace, numbers, config, "encoder", ids, is_alone=True)
    return config, tensors, {"token_ids": ids}, trace.stages


CASES = {
    "t5": lambda: case(51, config_of(), copies=True),
    "t5-v1.1": lambda: case(52, config_of(dense_act_fn="gelu_new", feed_forward_proj="gated-gelu", is_gated_act=True,
                                          num_decoder_layers=1, relative_attention_max_distance=6,
                                          tie_word_embeddings=False)),
    "t5-gated-tied": lambda: case(53, config_of(feed_forward_proj="gated-silu", relative_attention_num_buckets=32,
                                                relative_attention_max_distance=128)),
    "t5-encoder": lambda: encoder_case(54, config_of(architectures=["T5EncoderModel"], is_encoder_decoder=False,
                                                     use_cache=False), copies=True),
    "mt5": lambda: case(55, config_of(architectures=["MT5ForConditionalGeneration"], feed_forward_proj="gated-gelu",
                                      model_type="mt5", tie_word_embeddings=False, tokenizer_class="T5Tokenizer"), copies=True),
}
