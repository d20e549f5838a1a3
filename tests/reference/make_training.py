#!/usr/bin/env python3
"""Writes tests/data/training/*.json: 50 training steps of PyTorch in float64, each on a different batch. The files have
the loss of every step, and the gradient of every parameter in the first step. The model is transformer.py. The
optimizers and the clipping are PyTorch's.
"""

import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

import transformer
from make_transformer import CAUSAL, PADDING, WORDS, flat, make, parameters_of, written
from transformer_cases import BOTH, classifier, feed_forward, language, norm

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "training"
STEPS = 50
PLACEHOLDER = "the cat sat on a mat ."
LOSS_DIGITS, GRADIENT_DIGITS = 8, 7

# Weight decay applies to matrices of products, not to embeddings, biases and gains.
MULTIPLIED = {"query", "key", "value", "output", "gate", "hidden", "output_matrix", "classifier", "pooler"}


def settings(**said):
    return {"kind": "adamw", "learning_rate": 0.003, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "momentum": 0.9,
            "weight_decay": 0.01, "clip": 1.0, "warm_up": 10, "cosine": True, **said}


def rate_at(said, step):
    """Returns the learning rate: linear warm-up, then half a cosine down to a tenth."""
    if step < said["warm_up"]:
        return said["learning_rate"] * (step + 1) / said["warm_up"]
    if not said["cosine"]:
        return said["learning_rate"]
    way = (step - said["warm_up"]) / (STEPS - 1 - said["warm_up"])
    return said["learning_rate"] * (0.1 + 0.45 * (1 + math.cos(math.pi * way)))


def optimizer_of(said, parameters, tied):
    def decays(name):
        last = name.split(".")[-1]
        return last in MULTIPLIED or (tied and last == "token_embeddings")
    groups = [{"params": [p for name, p in parameters.items() if decays(name)], "decay": True},
              {"params": [p for name, p in parameters.items() if not decays(name)], "decay": False}]
    if said["kind"] == "adamw":
        for group in groups:
            group["weight_decay"] = said["weight_decay"] if group["decay"] else 0.0
        return torch.optim.AdamW(groups, lr=1, betas=(said["beta1"], said["beta2"]), eps=said["epsilon"])
    # SGD's own weight decay goes through the momentum; ours is decoupled, as in AdamW.
    return torch.optim.SGD(groups, lr=1, momentum=said["momentum"])


def draw_texts(generator, count, least, most):
    """Returns random texts as ids of words. The longest text has `most` words."""
    lengths = torch.randint(least, most + 1, (count,), generator=generator).tolist()
    lengths[0] = most
    return [torch.randint(4, len(WORDS), (length,), generator=generator).tolist() for length in lengths]


def draw_batch(generator, document, classes):
    tokens = document["batch"]["tokens"]
    most = len(tokens[0])
    batch = {"tokens": draw_texts(generator, len(tokens), 2, most)}
    if "source" in document:
        batch["source"] = draw_texts(generator, len(tokens), 2, len(document["source"]["tokens"][0]))
    if classes:
        batch["answers"] = torch.randint(0, classes, (len(tokens),), generator=generator).tolist()
        return batch
    batch["answers"] = []
    for ids in batch["tokens"]:
        asked = torch.rand(most, generator=generator) < 0.8
        drawn_ids = torch.randint(0, len(WORDS), (most,), generator=generator).tolist()
        batch["answers"].append([drawn_ids[t] if t == 0 or (t < len(ids) and asked[t]) else -1 for t in range(most)])
    return batch


def loss_of(document, batch):
    said = {**document, "batch": {"tokens": [[WORDS[i] for i in ids] for ids in batch["tokens"]]}}
    if "source" in batch:
        said["source"] = {"tokens": [[WORDS[i] for i in ids] for ids in batch["source"]]}
    stages = transformer.compute(said)
    logits = stages.get("class_logits", stages.get("logits"))
    answers = torch.tensor(batch["answers"])
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), answers.reshape(-1), ignore_index=-1)


def train(case, said):
    document, _, generator = case
    parameters = dict(parameters_of(document["model"]))
    for parameter in parameters.values():
        parameter.requires_grad_()
    model = written(document["model"])
    optimizer = optimizer_of(said, parameters, "output_matrix" not in document["model"])
    classes = document["model"]["head"].get("classes", 0)
    batches, losses, gradients = [], [], None
    for step in range(STEPS):
        batches.append(draw_batch(generator, document, classes))
        optimizer.zero_grad()
        loss = loss_of(document, batches[-1])
        loss.backward()
        losses.append(loss.item())
        if gradients is None:
            gradients = {name: flat(parameter.grad, GRADIENT_DIGITS) for name, parameter in parameters.items()
                         if parameter.grad is not None}
        if said["clip"]:
            torch.nn.utils.clip_grad_norm_(parameters.values(), said["clip"])
        rate = rate_at(said, step)
        for group in optimizer.param_groups:
            group["lr"] = rate
            if said["kind"] == "sgd" and group["decay"]:
                with torch.no_grad():
                    for parameter in group["params"]:
                        parameter *= 1 - rate * said["weight_decay"]
        optimizer.step()
    rest = {key: written(value) for key, value in document.items() if key not in ("model", "batch", "source")}
    return {"model": model, **rest, "optimizer": said, "batches": batches,
            "losses": [float(f"{loss:.{LOSS_DIGITS}g}") for loss in losses], "gradients": gradients}


def decoder():
    return make(201, *[PLACEHOLDER] * 4, masks=[CAUSAL, PADDING], positions="learned", norm=norm("layer", final=True),
                feed_forward=feed_forward(12, "gelu"), head=language())


def tied_llama():
    return make(202, *[PLACEHOLDER] * 3, masks=[CAUSAL, PADDING], positions="rotary", rotary={"base": 10000.0, "width": 0, "scaling": "none"},
                key_value_heads=1, norm=norm("rms", final=True), feed_forward=feed_forward(10, "silu", gated=True),
                head=language(), tied=True, biases=False)


def encoder_decoder():
    return make(203, *["the cat sat on"] * 3, source=[PLACEHOLDER] * 3, encoder_layers=2, attentions=BOTH,
                masks=[CAUSAL, PADDING], encoder_masks=[PADDING], cross_masks=[PADDING], positions="sinusoidal",
                norm=norm("layer", "after"), feed_forward=feed_forward(10, "relu"), head=language())


def sentiment():
    return make(204, *[PLACEHOLDER] * 4, masks=[PADDING], positions="alibi", norm=norm("layer", final=True),
                feed_forward=feed_forward(12, "gelu_tanh"), head=classifier("mean"))


CASES = {"decoder_adamw": (decoder, settings()),
         "tied_llama_adamw": (tied_llama, settings(clip=0, cosine=False)),
         "encoder_decoder_adamw": (encoder_decoder, settings(weight_decay=0.1)),
         "classifier_sgd": (sentiment, settings(kind="sgd", learning_rate=0.02)),
         "decoder_sgd": (decoder, settings(kind="sgd", learning_rate=0.1, momentum=0.0, clip=0.5, warm_up=0))}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name, (case, said) in CASES.items():
        path = FOLDER / f"{name}.json"
        path.write_text(json.dumps(train(case(), said), separators=(",", ":")) + "\n")
        print(f"{path.stat().st_size:8} {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
