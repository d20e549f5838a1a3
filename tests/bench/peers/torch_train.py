"""The contender PyTorch: torch_train.py FILE THREADS RESULT

Trains the model of the file on its batches, in float32, with AdamW and clipping. Input and output are as for
bench_train.
"""
import json
import struct
import sys
import time

import torch
import torch.nn.functional as F

from torch_files import read


class Contender:
    def __init__(self, path):
        tensors, metadata = read(path)
        self.tokens = tensors.pop("batches.tokens").long()
        self.answers = tensors.pop("batches.answers").long()
        self.parameters = {name: tensor.requires_grad_(True) for name, tensor in tensors.items()}
        self.layers, self.heads = int(metadata["layers"]), int(metadata["heads"])
        self.width = self.parameters["token_embeddings"].shape[1]
        length = self.tokens.shape[2]
        self.hidden = torch.full((length, length), float("-inf")).triu(1)
        # Applies weight decay to matrices of products only, not to biases, gains and embedding
        # tables.
        def decays(name):
            return name.split(".")[-1] in ("query", "key", "value", "output", "hidden", "output_matrix")
        everything = self.parameters.items()
        self.optimizer = torch.optim.AdamW(
            [{"params": [p for name, p in everything if decays(name)], "weight_decay": 0.01},
             {"params": [p for name, p in everything if not decays(name)], "weight_decay": 0.0}],
            lr=1e-3, betas=(0.9, 0.99), eps=1e-8)
        self.step = 0

    def norm(self, x, part):
        p = self.parameters
        return F.layer_norm(x, (self.width,), p[part + "norm_gain"][0], p[part + "norm_bias"][0], 1e-5)

    def linear(self, x, name):
        bias = self.parameters.get(name + "_bias")
        matrix = self.parameters[name]
        return x @ matrix if bias is None else torch.addmm(bias[0], x, matrix)

    def attention(self, x, layer, batch, tokens):
        part = f"layers.{layer}.self_attention."
        size = self.width // self.heads
        query, key, value = (
            self.linear(x, part + name).view(batch, tokens, self.heads, size).transpose(1, 2)
            .reshape(-1, tokens, size) for name in ("query", "key", "value"))
        scores = torch.baddbmm(self.hidden, query, key.transpose(1, 2), alpha=size ** -0.5)
        context = torch.bmm(torch.softmax(scores, dim=-1), value)
        context = context.view(batch, self.heads, tokens, size).transpose(1, 2)
        return self.linear(context.reshape(batch * tokens, self.width), part + "output")

    def loss(self):
        which = self.step % self.tokens.shape[0]
        tokens, answers = self.tokens[which], self.answers[which]
        batch, length = tokens.shape
        p = self.parameters
        x = F.embedding(tokens, p["token_embeddings"]) + p["position_embeddings"][:length]
        x = x.view(-1, self.width)
        for layer in range(self.layers):
            x = x + self.attention(self.norm(x, f"layers.{layer}.self_attention."), layer, batch, length)
            part = f"layers.{layer}.feed_forward."
            x = x + self.linear(F.gelu(self.linear(self.norm(x, part), part + "hidden")), part + "output")
        return F.cross_entropy(self.linear(self.norm(x, "final_"), "output_matrix"), answers.view(-1))

    def advance(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.parameters.values()), 1.0)
        self.optimizer.step()
        self.step += 1
        return loss


def main():
    path, threads, result = sys.argv[1:4]
    torch.set_num_threads(int(threads))
    contender = Contender(path)
    losses = [contender.advance().item() for _ in range(contender.tokens.shape[0])]
    with open(result, "wb") as file:
        file.write(struct.pack(f"{len(losses)}f", *losses))
    for line in sys.stdin:
        wall, cpu = [], []
        for _ in range(int(line)):
            start, processor = time.perf_counter(), time.process_time()
            contender.advance()
            cpu.append(1e3 * (time.process_time() - processor))
            wall.append(1e3 * (time.perf_counter() - start))
        print(json.dumps({"wall": wall, "cpu": cpu}), flush=True)


main()
