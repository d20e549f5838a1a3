"""CLIP after modeling_clip.py of transformers: the text model, the picture model, and both in a folder."""

import math

import numpy as np

from decoders.pieces import ACTIVATIONS, VOCABULARY, Draw, Numbers, Trace, attend, heads, hidden_keys
from encoders.vit import patches, picture

MEAN, DEVIATION = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)


def draw_layers(draw, prefix, config):
    C = config["hidden_size"]
    for layer in range(config["num_hidden_layers"]):
        name = f"{prefix}encoder.layers.{layer}."
        for part in ("q", "k", "v", "out"):
            draw.linear(f"{name}self_attn.{part}_proj", C, C)
        draw.linear(name + "mlp.fc1", C, config["intermediate_size"])
        draw.linear(name + "mlp.fc2", config["intermediate_size"], C)
        draw.norm(name + "layer_norm1", C, bias=True)
        draw.norm(name + "layer_norm2", C, bias=True)


def run_layers(trace, W, prefix, config, x, hidden):
    C, count, epsilon = config["hidden_size"], config["num_attention_heads"], config["layer_norm_eps"]
    for layer in range(config["num_hidden_layers"]):
        name, here = f"{prefix}encoder.layers.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", W.layer_norm(x, name + "layer_norm1", epsilon))
        query, key, value = (heads(W.linear(y, f"{name}self_attn.{part}_proj"), count) for part in "qkv")
        y = attend(attention, query, key, value, hidden, (C // count) ** -0.5,
                   W[name + "self_attn.out_proj.weight"], W[name + "self_attn.out_proj.bias"])
        x = attention.note("residual", x + y)
        y = feed.note("hidden", W.linear(feed.note("norm", W.layer_norm(x, name + "layer_norm2", epsilon)), name + "mlp.fc1"))
        y = feed.note("activated", ACTIVATIONS[config["hidden_act"]](y))
        x = here.note("output", x + feed.note("output", W.linear(y, name + "mlp.fc2")))
    return x


def projected(trace, W, row, name):
    """Returns the row in the shared space, if the folder has the matrix."""
    if name + ".weight" not in W.tensors:
        return None
    return trace.note("projected", W.linear(trace.note("pooled", row), name))


def text_config(**fields):
    return {"attention_dropout": 0.0, "bos_token_id": 0, "eos_token_id": 2, "hidden_act": "quick_gelu", "hidden_size": 12,
            "initializer_factor": 1.0, "intermediate_size": 20, "layer_norm_eps": 1e-5, "max_position_embeddings": 11,
            "model_type": "clip_text_model", "num_attention_heads": 3, "num_hidden_layers": 2, "pad_token_id": 1,
            "projection_dim": 5, "vocab_size": VOCABULARY, **fields}


def vision_config(**fields):
    return {"attention_dropout": 0.0, "hidden_act": "quick_gelu", "hidden_size": 8, "image_size": 9,
            "initializer_factor": 1.0, "intermediate_size": 20, "layer_norm_eps": 1e-5, "model_type": "clip_vision_model",
            "num_attention_heads": 2, "num_channels": 3, "num_hidden_layers": 2, "patch_size": 3, "projection_dim": 5,
            **fields}


def draw_text(draw, prefix, config):
    draw.words(prefix + "embeddings.token_embedding", config["hidden_size"])
    draw.words(prefix + "embeddings.position_embedding", config["hidden_size"], config["max_position_embeddings"])
    draw_layers(draw, prefix, config)
    draw.norm(prefix + "final_layer_norm", config["hidden_size"], bias=True)


def run_text(trace, W, prefix, config, ids):
    x = trace.note("embeddings", W[prefix + "embeddings.token_embedding.weight"][ids])
    x = trace.note("embedding_sum", x + W[prefix + "embeddings.position_embedding.weight"][:len(ids)])
    x = run_layers(trace, W, prefix, config, trace.note("positioned", x), hidden_keys(len(ids)))
    x = trace.note("final_norm", W.layer_norm(x, prefix + "final_layer_norm", config["layer_norm_eps"]))
    end = config["eos_token_id"]
    row = int(np.argmax(ids)) if end == 2 else ids.index(end)
    return projected(trace, W, x[row], "text_projection")


def draw_vision(draw, prefix, config):
    C, side = config["hidden_size"], config["patch_size"]
    draw.add(prefix + "embeddings.class_embedding", C)
    draw.add(prefix + "embeddings.patch_embedding.weight", C, 3, side, side, deviation=0.3)
    draw.words(prefix + "embeddings.position_embedding", C, (config["image_size"] // side) ** 2 + 1)
    draw.norm(prefix + "pre_layrnorm", C, bias=True)
    draw_layers(draw, prefix, config)
    draw.norm(prefix + "post_layernorm", C, bias=True)


def run_vision(trace, W, prefix, config):
    C, epsilon, pixels = config["hidden_size"], config["layer_norm_eps"], config["image_size"]
    numbers = patches(picture(pixels, pixels), config["patch_size"], np.array(MEAN), np.array(DEVIATION))
    trace.note("embeddings", np.concatenate([np.zeros((1, numbers.shape[1])), numbers]))
    x = numbers @ W[prefix + "embeddings.patch_embedding.weight"].reshape(C, -1).T
    trace.note("embedding_projected", np.concatenate([np.zeros((1, C)), x]))
    x = np.concatenate([W[prefix + "embeddings.class_embedding"][None], x])
    x = trace.note("embedding_sum", x + W[prefix + "embeddings.position_embedding.weight"])
    x = trace.note("positioned", W.layer_norm(x, prefix + "pre_layrnorm", epsilon))
    x = run_layers(trace, W, prefix, config, x, np.zeros((len(x), len(x)), bool))
    x = trace.note("final_norm", W.layer_norm(x, prefix + "post_layernorm", epsilon))
    return projected(trace, W, x[0], "visual_projection")


def preparation(pixels):
    return {"crop_size": {"height": pixels, "width": pixels}, "do_center_crop": True, "do_convert_rgb": True,
            "do_normalize": True, "do_resize": True, "image_mean": list(MEAN), "image_processor_type": "CLIPImageProcessor",
            "image_std": list(DEVIATION), "resample": 3, "size": {"shortest_edge": pixels}}


def text(seed, projects, prefix="text_model.", dtype="F32", ids=(3, 17, 5, 22, 8, 1), **fields):
    config = {"architectures": ["CLIPTextModel" + projects * "WithProjection"], **text_config(**fields)}
    draw, trace = Draw(seed, dtype), Trace()
    draw_text(draw, prefix, config)
    if projects:
        draw.linear("text_projection", config["hidden_size"], config["projection_dim"], bias=False)
    run_text(trace, Numbers(draw.tensors), prefix, config, list(ids))
    return config, draw.tensors, {"token_ids": list(ids)}, trace.stages, dtype


def vision(seed, projects, prefix="vision_model.", dtype="F32", **fields):
    config = {"architectures": ["CLIPVisionModel" + projects * "WithProjection"], **vision_config(**fields)}
    draw, trace = Draw(seed, dtype), Trace()
    draw_vision(draw, prefix, config)
    if projects:
        draw.linear("visual_projection", config["hidden_size"], config["projection_dim"], bias=False)
    run_vision(trace, Numbers(draw.tensors), prefix, config)
    pixels = config["image_size"]
    return config, draw.tensors, {"picture": [pixels, pixels]}, trace.stages, dtype, preparation(pixels)


def both(seed, reads, dtype="F32", ids=(20, 4, 11, 22), **fields):
    """A folder with both models. `reads` is the model whose stages are noted."""
    config = {"architectures": ["CLIPModel"], "initializer_factor": 1.0, "logit_scale_init_value": 2.6592,
              "model_type": "clip", "projection_dim": 7, "text_config": text_config(),
              "vision_config": vision_config(**fields)}
    draw, texts, pictures = Draw(seed, dtype), Trace(), Trace()
    draw.add("logit_scale", deviation=0.1, mean=1.5)
    draw_text(draw, "text_model.", config["text_config"])
    draw_vision(draw, "vision_model.", config["vision_config"])
    draw.linear("text_projection", config["text_config"]["hidden_size"], 7, bias=False)
    draw.linear("visual_projection", config["vision_config"]["hidden_size"], 7, bias=False)
    W, ids = Numbers(draw.tensors), list(ids)
    a = run_text(texts, W, "text_model.", config["text_config"], ids)
    b = run_vision(pictures, W, "vision_model.", config["vision_config"])
    cosine = float(a @ b / math.sqrt((a @ a) * (b @ b)))
    inputs = {"token_ids": ids} if reads == "texts" else {"picture": [config["vision_config"]["image_size"]] * 2}
    inputs |= {"cosine": cosine, "logit": math.exp(float(W["logit_scale"])) * cosine}
    stages = texts.stages if reads == "texts" else pictures.stages
    return config, draw.tensors, inputs, stages, dtype, preparation(config["vision_config"]["image_size"])


CASES = {
    "clip-text": lambda: text(351, False),
    # The end is in the middle of the text; bare names.
    "clip-text-projected": lambda: text(352, True, prefix="", dtype="BF16", eos_token_id=22, bos_token_id=21,
                                        num_attention_heads=4, hidden_act="gelu", num_hidden_layers=1),
    "clip-vision": lambda: vision(353, False, dtype="F16", image_size=11, patch_size=4),
    "clip-vision-projected": lambda: vision(354, True, prefix="", num_hidden_layers=1, image_size=6),
    "clip": lambda: both(355, "texts"),
    "clip-pictures": lambda: both(355, "pictures"),
}
