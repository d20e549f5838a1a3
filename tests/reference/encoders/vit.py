"""Vision transformers after the classes of transformers: ViT (modeling_vit.py) and DeiT (modeling_deit.py). The picture is computed from the position
of each pixel, so that a test can make it again."""

import numpy as np

from decoders.pieces import ACTIVATIONS, Draw, Numbers, Trace, attend, heads

WIDTH, HEADS, INNER, LAYERS = 12, 3, 20, 2


def picture(height, width):
    """Returns bytes [height, width, 3]."""
    y, x, channel = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    return (37 * y + 59 * x + 101 * channel + x * y) % 256


def patches(pixels, side, mean, deviation):
    """Returns the normalised pixels of each patch, [patches, 3·side²]: first all of the first channel."""
    x = (pixels / 255 - mean) / deviation
    rows, columns = x.shape[0] // side, x.shape[1] // side
    x = x[:rows * side, :columns * side].reshape(rows, side, columns, side, 3)
    return x.transpose(0, 2, 4, 1, 3).reshape(rows * columns, -1)


def draw_layers(draw, prefix, config):
    C, side = config["hidden_size"], config["patch_size"]
    draw.add(prefix + "embeddings.patch_embeddings.projection.weight", C, 3, side, side, deviation=0.3)
    draw.add(prefix + "embeddings.patch_embeddings.projection.bias", C, deviation=0.3)
    for layer in range(config["num_hidden_layers"]):
        name = f"{prefix}encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            draw.linear(f"{name}attention.attention.{part}", C, C, config["qkv_bias"])
        draw.linear(name + "attention.output.dense", C, C)
        draw.linear(name + "intermediate.dense", C, config["intermediate_size"])
        draw.linear(name + "output.dense", config["intermediate_size"], C)
        draw.norm(name + "layernorm_before", C, bias=True)
        draw.norm(name + "layernorm_after", C, bias=True)
    draw.norm(prefix + "layernorm", C, bias=True)


def run_layers(trace, W, prefix, config, pixels, first, mean, deviation):
    """Returns the last layer's output after the norm. `first`: the vectors of the tokens before the patches."""
    C, count, epsilon = config["hidden_size"], config["num_attention_heads"], config["layer_norm_eps"]
    numbers = patches(pixels, config["patch_size"], mean, deviation)
    trace.note("embeddings", np.concatenate([np.zeros((len(first), numbers.shape[1])), numbers]))
    matrix = W[prefix + "embeddings.patch_embeddings.projection.weight"].reshape(C, -1).T
    x = numbers @ matrix
    trace.note("embedding_projected", np.concatenate([np.zeros((len(first), C)), x]))
    x = np.concatenate([first, x + W[prefix + "embeddings.patch_embeddings.projection.bias"]])
    x = trace.note("embedding_sum", x + W[prefix + "embeddings.position_embeddings"][0])
    trace.note("positioned", x)
    activation = ACTIVATIONS[config["hidden_act"]]
    for layer in range(config["num_hidden_layers"]):
        name, here = f"{prefix}encoder.layer.{layer}.", trace.under(f"layers.{layer}.")
        attention, feed = here.under("self_attention."), here.under("feed_forward.")
        here.note("input", x)
        y = attention.note("norm", W.layer_norm(x, name + "layernorm_before", epsilon))
        query, key, value = (heads(W.linear(y, f"{name}attention.attention.{part}"), count)
                             for part in ("query", "key", "value"))
        y = attend(attention, query, key, value, np.zeros((len(x), len(x)), bool), (C // count) ** -0.5,
                   W[name + "attention.output.dense.weight"], W[name + "attention.output.dense.bias"])
        x = attention.note("residual", x + y)
        y = feed.note("norm", W.layer_norm(x, name + "layernorm_after", epsilon))
        y = feed.note("activated", activation(feed.note("hidden", W.linear(y, name + "intermediate.dense"))))
        x = here.note("output", x + feed.note("output", W.linear(y, name + "output.dense")))
    return trace.note("final_norm", W.layer_norm(x, prefix + "layernorm", epsilon))


def vit(seed, classes=4, prefix="vit.", dtype="F32", mean=(0.5, 0.5, 0.5), deviation=(0.5, 0.5, 0.5), **fields):
    config = {"architectures": ["ViTForImageClassification" if classes else "ViTModel"],
              "attention_probs_dropout_prob": 0.0, "encoder_stride": 16, "hidden_act": "gelu",
              "hidden_dropout_prob": 0.0, "hidden_size": WIDTH, "image_size": 8, "initializer_range": 0.02,
              "intermediate_size": INNER, "layer_norm_eps": 1e-12, "model_type": "vit", "num_attention_heads": HEADS,
              "num_channels": 3, "num_hidden_layers": LAYERS, "patch_size": 4, "qkv_bias": True,
              "transformers_version": "4.40.0", **fields}
    draw, C = Draw(seed, dtype), config["hidden_size"]
    side, pixels = config["patch_size"], config["image_size"]
    count = (pixels // side) ** 2
    draw.add(prefix + "embeddings.cls_token", 1, 1, C)
    draw.add(prefix + "embeddings.position_embeddings", 1, count + 1, C, deviation=0.5)
    draw_layers(draw, prefix, config)
    if classes:
        draw.linear("classifier", C, classes)
    else:
        draw.linear(prefix + "pooler.dense", C, C)
    W, trace = Numbers(draw.tensors), Trace()
    x = run_layers(trace, W, prefix, config, picture(pixels, pixels), W[prefix + "embeddings.cls_token"][0],
                   np.array(mean), np.array(deviation))
    if classes:
        trace.note("pooled", x[0])
        trace.note("class_logits", W.linear(x[0], "classifier"))
    preparation = {"do_normalize": True, "do_resize": True, "feature_extractor_type": "ViTFeatureExtractor",
                   "image_mean": list(mean), "image_std": list(deviation), "resample": 2, "size": pixels}
    return config, draw.tensors, {"picture": [pixels, pixels]}, trace.stages, dtype, preparation


def deit(seed, kind="ForImageClassificationWithTeacher", classes=5, prefix="deit.", dtype="F32", size=None, crop=None,
         mean=(0.485, 0.456, 0.406), deviation=(0.229, 0.224, 0.225), **fields):
    """`size` and `crop` are fields of preprocessor_config.json. The reference reads a picture that needs neither."""
    config = {"architectures": ["DeiT" + kind], "attention_probs_dropout_prob": 0.0, "encoder_stride": 16,
              "hidden_act": "gelu", "hidden_dropout_prob": 0.0, "hidden_size": WIDTH, "image_size": 9,
              "initializer_range": 0.02, "intermediate_size": INNER, "layer_norm_eps": 1e-12, "model_type": "deit",
              "num_attention_heads": HEADS, "num_channels": 3, "num_hidden_layers": LAYERS, "patch_size": 3,
              "qkv_bias": True, "transformers_version": "4.40.0", **fields}
    draw, C = Draw(seed, dtype), config["hidden_size"]
    side, pixels = config["patch_size"], config["image_size"]
    count = (pixels // side) ** 2
    draw.add(prefix + "embeddings.cls_token", 1, 1, C)
    draw.add(prefix + "embeddings.distillation_token", 1, 1, C)
    draw.add(prefix + "embeddings.position_embeddings", 1, count + 2, C, deviation=0.5)
    draw_layers(draw, prefix, config)
    if kind == "ForImageClassificationWithTeacher":
        draw.linear("cls_classifier", C, classes)
        draw.linear("distillation_classifier", C, classes)
    elif kind == "ForImageClassification":
        draw.linear("classifier", C, classes)
    else:
        draw.linear(prefix + "pooler.dense", C, C)
    W, trace = Numbers(draw.tensors), Trace()
    first = np.concatenate([W[prefix + "embeddings.cls_token"][0], W[prefix + "embeddings.distillation_token"][0]])
    x = run_layers(trace, W, prefix, config, picture(pixels, pixels), first, np.array(mean), np.array(deviation))
    if kind == "ForImageClassificationWithTeacher":
        trace.note("pooled", x[0])
        trace.note("distillation_pooled", x[1])
        trace.note("cls_logits", W.linear(x[0], "cls_classifier"))
        trace.note("distillation_logits", W.linear(x[1], "distillation_classifier"))
        logits = (W.linear(x[0], "cls_classifier") + W.linear(x[1], "distillation_classifier")) / 2
        trace.note("class_logits", logits)
    elif kind == "ForImageClassification":
        trace.note("pooled", x[0])
        trace.note("class_logits", W.linear(x[0], "classifier"))
    preparation = {"do_center_crop": crop is not None, "do_normalize": True, "do_resize": size is not None,
                   "feature_extractor_type": "DeiTFeatureExtractor", "image_mean": list(mean),
                   "image_std": list(deviation), "resample": 3}
    preparation |= {} if size is None else {"size": size}
    preparation |= {} if crop is None else {"crop_size": crop}
    return config, draw.tensors, {"picture": [pixels, pixels]}, trace.stages, dtype, preparation


CASES = {
    "vit": lambda: vit(331),
    # The width is the count of numbers in a patch. No classes or biases, an incomplete patch at the edge, two heads.
    "vit-as-wide": lambda: vit(332, classes=0, prefix="", dtype="BF16", mean=(0.48, 0.45, 0.4),
                               deviation=(0.27, 0.26, 0.25), hidden_act="gelu_pytorch_tanh", image_size=11,
                               num_attention_heads=2, patch_size=2, qkv_bias=False),
    # Two classifiers, an odd number of patches.
    "deit": lambda: deit(341),
    # One classifier, no biases of queries, keys and values, an incomplete patch at the edge.
    "deit-without-teacher": lambda: deit(342, "ForImageClassification", 3, dtype="F16", size=8, image_size=8,
                                         qkv_bias=False, num_attention_heads=4, hidden_act="relu"),
    # Without a classifier, bare names, one patch.
    "deit-without-classes": lambda: deit(343, "Model", prefix="", dtype="BF16", image_size=5, patch_size=4,
                                         num_hidden_layers=1, size=5),
}
