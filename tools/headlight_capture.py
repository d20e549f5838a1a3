"""Writes the attention that a PyTorch model computes to a file that Headlight opens.

    from headlight_capture import Capture

    with Capture("attention.safetensors", tokens=["The", "cat", "sat"]) as capture:
        capture.watch(model)
        model(inputs)

Every nn.MultiheadAttention in the model is watched; or, of a model of the transformers library, its own
output_attentions. Weights go to the disk layer by layer. A capture is never empty: where nothing was computed that
could be seen, an error says why, and no file is written. Needs PyTorch and nothing else.
"""

import json
import os
import shutil
import struct
import tempfile

import torch
from torch import nn

_TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}

# Attribute names of a transformers output, which captures use as well.
_OUTPUTS = ("encoder_attentions", "decoder_attentions", "cross_attentions", "attentions")


class CaptureError(RuntimeError):
    """Nothing was captured, or what was cannot be written."""


class Capture:
    """One forward pass of a model, as a file.

    tokens         the tokens of the sequence that attends: a list of strings, or a list of such lists for a batch;
                   numbers where nothing is given
    source_tokens  those of the second sequence, which is attended to, where there are two
    """

    def __init__(self, path, tokens=None, source_tokens=None):
        self._path = os.fspath(path)
        self._tokens = tokens
        self._source_tokens = source_tokens
        self._entries = []  # name, type, shape, bytes: in file order
        self._numbers = None
        self._undo = []  # restores what watch() has replaced
        self._watched = 0

    # Writing the file

    def __enter__(self):
        folder = os.path.dirname(os.path.abspath(self._path))
        self._numbers = tempfile.TemporaryFile(dir=folder)
        return self

    def __exit__(self, kind, error, trace):
        self._stop_watching()
        try:
            if kind is None:
                self._write()
        finally:
            self._numbers.close()
        return False

    def add(self, name, weights):
        """Weights [heads, T, S] or [batch, heads, T, S] under a name of Headlight's, such as "attentions.0"."""
        if weights.dim() not in (3, 4):
            raise CaptureError(f"{name} has the shape {tuple(weights.shape)}; expected [heads, queries, keys], with "
                               "the batch before that or without")
        if any(entry[0] == name for entry in self._entries):
            raise CaptureError(f"{name} was captured twice: capture one forward pass a file")
        weights = weights.detach()
        if weights.dim() == 3:
            weights = weights.unsqueeze(0)
        if weights.dtype not in _TYPES:
            weights = weights.float()
        weights = weights.contiguous().cpu()
        # NumPy has no bfloat16, so its bits are written as integers.
        bits = weights.view(torch.int16) if weights.element_size() == 2 else weights
        data = bits.numpy().tobytes()
        self._numbers.write(data)
        self._entries.append((name, _TYPES[weights.dtype], tuple(weights.shape), len(data)))

    def _write(self):
        if not self._entries:
            raise CaptureError(self._why_nothing())
        self._without_decoder()
        header, at = {"__metadata__": self._metadata()}, 0
        for name, dtype, shape, size in self._entries:
            header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + size]}
            at += size
        text = json.dumps(header, ensure_ascii=False).encode("utf-8")
        text += b" " * (-len(text) % 8)
        self._numbers.seek(0)
        folder = os.path.dirname(os.path.abspath(self._path))
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".capture-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(struct.pack("<Q", len(text)) + text)
                shutil.copyfileobj(self._numbers, file, 1 << 20)
            os.chmod(temporary, 0o644)
            os.replace(temporary, self._path)
        except BaseException:
            os.unlink(temporary)
            raise

    def _why_nothing(self):
        if self._watched == 0:
            return ("nothing was captured: the model has no nn.MultiheadAttention and no output_attentions; give its "
                    "weights with capture.add()")
        return ("nothing was captured: run the model once within the with block. A model of the transformers library "
                'must be loaded with attn_implementation="eager": its faster ways compute no weights')

    def _without_decoder(self):
        """An encoder by itself has plain attentions."""
        if any(name.startswith(("decoder_", "cross_")) for name, *_ in self._entries):
            return
        self._entries = [(name.replace("encoder_attentions.", "attentions."), *rest) for name, *rest in self._entries]

    def _metadata(self):
        rows = columns = None
        sequences = self._entries[0][2][0]
        for name, _, shape, _ in self._entries:
            if shape[0] != sequences:
                raise CaptureError(f"{name} has {shape[0]} sequences, others {sequences}")
            if name.startswith("encoder_"):
                columns = shape[2]
            elif name.startswith("cross_"):
                rows, columns = shape[2], shape[3]
            else:
                rows = shape[2]
        if columns is None:
            return {"tokens": _token_text(self._tokens, sequences, rows, "tokens")}
        metadata = {"source_tokens": _token_text(self._source_tokens, sequences, columns, "source_tokens")}
        if rows is not None:
            metadata["target_tokens"] = _token_text(self._tokens, sequences, rows, "tokens")
        return metadata

    # Watching the model

    def watch(self, model):
        """From now on, and until the with block ends, what the model computes is captured."""
        if hasattr(getattr(model, "config", None), "output_attentions"):
            self._watch_outputs(model)
            return
        for name, module in model.named_modules():
            if isinstance(module, nn.MultiheadAttention):
                self._watch_attention(name, module)
            elif isinstance(module, nn.TransformerEncoderLayer):
                # Under eval() and no_grad() this layer uses a fused path that bypasses the
                # attention module. It does so only for activations that it supports.
                self._replace(module, "activation_relu_or_gelu", 0)
        mha = getattr(torch.backends, "mha", None)
        if mha is not None and hasattr(mha, "set_fastpath_enabled"):
            was = mha.get_fastpath_enabled()
            mha.set_fastpath_enabled(False)
            self._undo.append(lambda: mha.set_fastpath_enabled(was))

    def _replace(self, module, name, value):
        if not hasattr(module, name):
            return
        was = getattr(module, name)
        had = name in module.__dict__
        setattr(module, name, value)
        self._undo.append(lambda: setattr(module, name, was) if had else delattr(module, name))

    def _watch_attention(self, path, module):
        self._watched += 1
        forward = module.forward

        def watching(query, key, value, *rest, **named):
            # key_padding_mask, need_weights, attn_mask, average_attn_weights: in the order of
            # forward().
            rest = list(rest)
            wants = named.pop("need_weights", rest.pop(1) if len(rest) > 1 else True)
            averages = named.pop("average_attn_weights", rest.pop(2) if len(rest) > 2 else True)
            names = ("key_padding_mask", "attn_mask")
            named.update(zip(names, rest))
            output, weights = forward(query, key, value, need_weights=True, average_attn_weights=False, **named)
            self.add(self._next(path, query is key or query.data_ptr() == key.data_ptr()), weights)
            if not wants:
                return output, None
            return output, weights.mean(dim=-3) if averages else weights

        self._replace(module, "forward", watching)

    def _next(self, path, is_self):
        """Layers count in the order in which they are computed: one that is used again is another one."""
        parts = path.split(".")
        if not is_self:
            kind = "cross_attentions"
        elif "decoder" in parts:
            kind = "decoder_attentions"
        elif "encoder" in parts:
            kind = "encoder_attentions"
        else:
            kind = "attentions"
        return f"{kind}.{sum(entry[0].startswith(kind + '.') for entry in self._entries)}"

    def _watch_outputs(self, model):
        self._watched += 1
        forward = model.forward

        def watching(*inputs, **named):
            outputs = forward(*inputs, **{**named, "output_attentions": True})
            self.add_outputs(outputs)
            return outputs

        self._replace(model, "forward", watching)

    def add_outputs(self, outputs):
        """The attentions in what a model of the transformers library returns."""
        found = 0
        for kind in _OUTPUTS:
            layers = outputs.get(kind) if isinstance(outputs, dict) else getattr(outputs, kind, None)
            for layer, weights in enumerate(layers or ()):
                if weights is not None:
                    self.add(f"{kind}.{layer}", weights)
                    found += 1
        if found == 0:
            raise CaptureError('the model gave no attentions: load it with attn_implementation="eager", and call it '
                               "with output_attentions=True")

    def _stop_watching(self):
        while self._undo:
            self._undo.pop()()


def _token_text(tokens, sequences, length, what):
    if tokens is None:
        tokens = [[str(place) for place in range(length)] for _ in range(sequences)]
    elif tokens and isinstance(tokens[0], str):
        tokens = [list(tokens)]
    tokens = [[str(token) for token in sequence] for sequence in tokens]
    if len(tokens) != sequences or any(len(sequence) != length for sequence in tokens):
        lengths = ", ".join(str(len(sequence)) for sequence in tokens)
        raise CaptureError(f"{what}: {len(tokens)} sequences of {lengths} tokens were given; the model attended in "
                           f"{sequences} of {length}")
    return json.dumps(tokens, ensure_ascii=False)
