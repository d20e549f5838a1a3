"""GPT-2 (Radford et al. 2019; Hugging Face stores its maps as [in, out]), the same network in nanoGPT's checkpoints (as
[out, in], without biases), and GPT-Neo (Black et al. 2021: no scale, a window in every second layer)."""

import math

import torch

from .pieces import ACTIVATIONS, Draw, Numbers, Trace, VOCABULARY, attend, future, heads, outside, predict

WIDTH, HEADS, LAYERS, PLACES = 12, 3, 2, 10


def embed(trace, numbers, prefix, ids):
    x = trace.note("embeddings", numbers[prefix + "wte.weight"][ids].unsqueeze(0))
    x = trace.note("embedding_sum", x + numbers[prefix + "wpe.weight"][:len(ids)])
    return trace.note("positioned", x)


def logits(trace, numbers, prefix, x, epsilon):
    x = trace.note("final_norm", numbers.layer_norm(x, prefix + "ln_f", epsilon))
    matrix = numbers.get("lm_head.weight")
    predict(trace, x, numbers[prefix + "wte.weight"] if matrix is None else matrix)


# GPT-2

def gpt2_config(**fields):
    return {"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1,
            "bos_token_id": VOCABULARY - 1, "embd_pdrop": 0.1, "eos_token_id": VOCABULARY - 1,
            "initializer_range": 0.02, "layer_norm_epsilon": 1e-5, "model_type": "gpt2", "n_ctx": PLACES,
            "n_embd": WIDTH, "n_head": HEADS, "n_inner": None, "n_layer": LAYERS, "n_positions": PLACES,
            "reorder_and_upcast_attn": False, "resid_pdrop": 0.1, "scale_attn_by_inverse_layer_idx": False,
            "scale_attn_weights": True, "summary_activation": None, "summary_first_dropout": 0.1,
            "summary_proj_to_labels": True, "summary_type": "cls_index", "summary_use_proj": True,
            "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}},
            "torch_dtype": "float32", "transformers_version": "4.41.0", "use_cache": True, "vocab_size": VOCABULARY,
            **fields}


def gpt2_tensors(draw, config, prefix, turned, biases, buffers, head):
    """`turned`: stores maps as [in, out]. `buffers`: adds the masks that older versions of the library stored."""
    tensors, width = {}, config["n_embd"]
    inner = config.get("n_inner") or 4 * width
    draw.embedding(tensors, prefix + "wte", VOCABULARY, width)
    draw.embedding(tensors, prefix + "wpe", PLACES, width, deviation=0.4)
    bias = "bias" if biases else None
    for layer in range(config["n_layer"]):
        name = f"{prefix}h.{layer}."
        draw.norm(tensors, name + "ln_1", width, bias=bias)
        if buffers:
            tensors[name + "attn.bias"] = torch.tril(torch.ones(1, 1, PLACES, PLACES))
            tensors[name + "attn.masked_bias"] = torch.tensor(-1e4)
        for map_name, inputs, outputs in (("attn.c_attn", width, 3 * width), ("attn.c_proj", width, width),
                                          ("mlp.c_fc", width, inner), ("mlp.c_proj", inner, width)):
            if map_name == "mlp.c_fc":
                draw.norm(tensors, name + "ln_2", width, bias=bias)
            draw.linear(tensors, name + map_name, inputs, outputs, biases)
            if turned:
                weight = name + map_name + ".weight"
                tensors[weight] = tensors[weight].T.contiguous()
    draw.norm(tensors, prefix + "ln_f", width, bias=bias)
    if head:
        draw.linear(tensors, "lm_head", width, VOCABULARY, bias=False)
    return tensors


def gpt2_trace(config, tensors, prefix, turned, ids):
    numbers, trace = Numbers(tensors), Trace()
    epsilon, activation = config.get("layer_norm_epsilon", 1e-5), ACTIVATIONS[config["activation_function"]]
    H = config["n_head"]

    def weight(name):
        matrix = numbers[name + ".weight"]
        return matrix.T if turned else matrix

    def linear(x, name):
        y, bias = x @ weight(name).T, numbers.get(name + ".bias")
        return y if bias is None else y + bias

    x = embed(trace, numbers, prefix, ids)
    for layer in range(config["n_layer"]):
        name, here = f"{prefix}h.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", numbers.layer_norm(x, name + "ln_1", epsilon))
        query, key, value = (heads(part, H) for part in linear(y, name + "attn.c_attn").chunk(3, dim=-1))
        y = attend(attention, query, key, value, future(len(ids)), 1 / math.sqrt(query.shape[-1]),
                   weight(name + "attn.c_proj"), numbers.get(name + "attn.c_proj.bias"))
        x = attention.note("residual", x + y)
        y = feed.note("norm", numbers.layer_norm(x, name + "ln_2", epsilon))
        y = feed.note("activated", activation(feed.note("hidden", linear(y, name + "mlp.c_fc"))))
        x = here.note("output", x + feed.note("output", linear(y, name + "mlp.c_proj")))
    logits(trace, numbers, prefix, x, epsilon)
    return trace.stages


def gpt2(seed, config, prefix="transformer.", turned=True, biases=True, buffers=False, head=False):
    draw = Draw(seed)
    tensors = gpt2_tensors(draw, config, prefix, turned, biases, buffers, head)
    ids = draw.ids(6)
    return config, tensors, {"token_ids": ids}, gpt2_trace(config, tensors, prefix, turned, ids)


def nanogpt_as_saved(seed):
    """Has nanoGPT's own settings, tensors as torch.compile() names them, and the tied matrix under both of its names.
    The activation is the exact GELU, which no field sets."""
    config = {"bias": False, "block_size": PLACES, "dropout": 0.0, "n_embd": WIDTH, "n_head": HEADS,
              "n_layer": LAYERS, "vocab_size": VOCABULARY}
    _, tensors, inputs, stages = gpt2(seed, {**config, "activation_function": "gelu"}, turned=False, biases=False)
    tensors["lm_head.weight"] = tensors["transformer.wte.weight"]
    return config, {"_orig_mod." + name: tensor for name, tensor in tensors.items()}, inputs, stages


# GPT-Neo

def gpt_neo(seed):
    draw, tensors, prefix = Draw(seed), {}, "transformer."
    config = {"activation_function": "gelu_new", "architectures": ["GPTNeoForCausalLM"], "attention_dropout": 0,
              "attention_layers": ["global", "local"], "attention_types": [[["global", "local"], 1]],
              "bos_token_id": VOCABULARY - 1, "embed_dropout": 0, "eos_token_id": VOCABULARY - 1,
              "gradient_checkpointing": False, "hidden_size": WIDTH, "initializer_range": 0.02,
              "intermediate_size": None, "layer_norm_epsilon": 1e-5, "max_position_embeddings": PLACES,
              "model_type": "gpt_neo", "num_heads": HEADS, "num_layers": LAYERS, "resid_dropout": 0,
              "torch_dtype": "float32", "transformers_version": "4.28.1", "use_cache": True,
              "vocab_size": VOCABULARY, "window_size": 3}
    draw.embedding(tensors, prefix + "wte", VOCABULARY, WIDTH)
    draw.embedding(tensors, prefix + "wpe", PLACES, WIDTH, deviation=0.4)
    for layer in range(LAYERS):
        name = f"{prefix}h.{layer}."
        draw.norm(tensors, name + "ln_1", WIDTH)
        tensors[name + "attn.attention.bias"] = torch.tril(torch.ones(1, 1, PLACES, PLACES, dtype=torch.uint8))
        tensors[name + "attn.attention.masked_bias"] = torch.tensor(-1e9)
        for part in "kvq":
            draw.linear(tensors, f"{name}attn.attention.{part}_proj", WIDTH, WIDTH, bias=False)
        draw.linear(tensors, name + "attn.attention.out_proj", WIDTH, WIDTH)
        draw.norm(tensors, name + "ln_2", WIDTH)
        draw.linear(tensors, name + "mlp.c_fc", WIDTH, 4 * WIDTH)
        draw.linear(tensors, name + "mlp.c_proj", 4 * WIDTH, WIDTH)
    draw.norm(tensors, prefix + "ln_f", WIDTH)

    ids, numbers, trace = draw.ids(7), Numbers(tensors), Trace()
    epsilon = config["layer_norm_epsilon"]
    x = embed(trace, numbers, prefix, ids)
    for layer, kind in enumerate(config["attention_layers"]):
        name, here = f"{prefix}h.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", numbers.layer_norm(x, name + "ln_1", epsilon))
        query, key, value = (heads(numbers.linear(y, f"{name}attn.attention.{part}_proj"), HEADS) for part in "qkv")
        hidden = outside(len(ids), config["window_size"]) if kind == "local" else future(len(ids))
        y = attend(attention, query, key, value, hidden, 1.0, numbers[name + "attn.attention.out_proj.weight"],
                   numbers[name + "attn.attention.out_proj.bias"])
        x = attention.note("residual", x + y)
        y = feed.note("norm", numbers.layer_norm(x, name + "ln_2", epsilon))
        y = feed.note("activated", ACTIVATIONS["gelu_new"](feed.note("hidden", numbers.linear(y, name + "mlp.c_fc"))))
        x = here.note("output", x + feed.note("output", numbers.linear(y, name + "mlp.c_proj")))
    logits(trace, numbers, prefix, x, epsilon)
    return config, tensors, {"token_ids": ids}, trace.stages


CASES = {
    "gpt2": lambda: gpt2(1, gpt2_config()),
    # As in the published gpt2: without a prefix, and with buffers.
    "gpt2-bare-names": lambda: gpt2(2, gpt2_config(n_inner=20), prefix="", buffers=True),
    "gpt2-own-output": lambda: gpt2(3, gpt2_config(activation_function="relu", tie_word_embeddings=False), head=True),
    "nanogpt": lambda: gpt2(4, gpt2_config(activation_function="gelu"), turned=False, biases=False),
    "nanogpt-biases": lambda: gpt2(5, gpt2_config(), turned=False, buffers=True),
    "nanogpt-own-settings": lambda: nanogpt_as_saved(7),
    "gpt-neo": lambda: gpt_neo(6),
}
