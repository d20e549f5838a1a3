"""The contender PyTorch: torch_pass.py MODEL INPUT ends|weights|backward THREADS RESULT

Input and output are as for bench_pass.
"""
import json
import sys
import time

import torch
import torch.nn.functional as F

from torch_files import read


class Contender:
    def __init__(self, model, given, what):
        self.parameters, metadata = read(model)
        files, _ = read(given)
        self.input, self.seed = files["input"], files["seed"]
        self.what = what
        self.layers, self.heads = int(metadata["layers"]), int(metadata["heads"])
        tokens = self.input.shape[1]
        self.hidden = torch.full((tokens, tokens), float("-inf")).triu(1)
        self.width = self.input.shape[2]
        self.size = self.width // self.heads
        if what == "backward":
            for parameter in self.parameters.values():
                parameter.requires_grad_(True)

    def norm(self, x, part):
        p = self.parameters
        return F.layer_norm(x, (self.width,), p[part + "norm_gain"][0], p[part + "norm_bias"][0])

    def linear(self, x, name):
        return torch.addmm(self.parameters[name + "_bias"][0], x, self.parameters[name])

    def attention(self, x, layer, kept):
        batch, tokens, width = self.input.shape
        part = f"layers.{layer}.self_attention."
        query, key, value = (
            self.linear(x, part + name).view(batch, tokens, self.heads, self.size).transpose(1, 2)
            for name in ("query", "key", "value"))
        if self.what == "ends" and hasattr(F, "scaled_dot_product_attention"):  # PyTorch 2
            context = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            query, key, value = (m.reshape(-1, tokens, self.size) for m in (query, key, value))
            scores = torch.baddbmm(self.hidden, query, key.transpose(1, 2),
                                   alpha=self.size ** -0.5)
            weights = torch.softmax(scores, dim=-1)
            if self.what == "weights":
                kept.append(weights)
            context = torch.bmm(weights, value).view(batch, self.heads, tokens, self.size)
        context = context.transpose(1, 2).reshape(batch * tokens, width)
        return self.linear(context, part + "output")

    def forward(self):
        x, kept = self.input.view(-1, self.width), []
        for layer in range(self.layers):
            x = x + self.attention(self.norm(x, f"layers.{layer}.self_attention."), layer, kept)
            part = f"layers.{layer}.feed_forward."
            hidden = F.gelu(self.linear(self.norm(x, part), part + "hidden"), approximate="tanh")
            x = x + self.linear(hidden, part + "output")
        return x.view(self.input.shape), kept

    def run(self):
        if self.what != "backward":
            with torch.inference_mode():
                return self.forward()
        for parameter in self.parameters.values():
            parameter.grad = None
        output, kept = self.forward()
        output.backward(self.seed)
        return output, kept

    def write(self, path):
        output, kept = self.run()
        with open(path, "wb") as file:
            parts = [output.detach()]
            if self.what == "weights":
                parts.append(kept[-1][0])
            if self.what == "backward":
                parts.append(self.parameters["layers.0.self_attention.query"].grad)
            for part in parts:
                file.write(part.contiguous().numpy().tobytes())


def main():
    model, given, what, threads, result = sys.argv[1:6]
    torch.set_num_threads(int(threads))
    contender = Contender(model, given, what)
    contender.write(result)
    contender.run()
    for line in sys.stdin:
        wall, cpu = [], []
        for _ in range(int(line)):
            start, processor = time.perf_counter(), time.process_time()
            made = contender.run()
            cpu.append(1e3 * (time.process_time() - processor))
            wall.append(1e3 * (time.perf_counter() - start))
            del made
        print(json.dumps({"wall": wall, "cpu": cpu}), flush=True)


main()
