"""tools/headlight_capture.py with Debian's PyTorch: it writes what the model computed, and Headlight can read it.

    test_headlight_capture.py HEADLIGHT        exit code 77: there is no PyTorch
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import types
import unittest

try:
    import torch
except ImportError:
    print("skipped: there is no PyTorch (python3-torch)")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from headlight_capture import Capture, CaptureError  # noqa: E402

HEADLIGHT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None


def load(path):
    """Returns the metadata and the tensors of a safetensors file."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__")
    types_ = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        part = bytearray(data[8 + length + begin : 8 + length + end])
        tensors[name] = torch.frombuffer(part, dtype=types_[entry["dtype"]]).reshape(entry["shape"])
    return metadata, tensors


class CaptureTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "attention.safetensors")

    def tearDown(self):
        self.assertEqual([name for name in os.listdir(self.folder.name) if name.startswith(".")], [])
        self.folder.cleanup()

    def encoder(self, layers=2):
        layer = torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        return torch.nn.TransformerEncoder(layer, layers).eval()

    def good(self):
        """Checks that Headlight reads the file without a complaint."""
        if HEADLIGHT is None:
            return
        done = subprocess.run([HEADLIGHT, "check", self.path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_one_attention(self):
        attention = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
        x = torch.randn(1, 3, 8)
        _, expected = attention(x, x, x, average_attn_weights=False)
        with Capture(self.path, tokens=["The", "cat", "sätze"]) as capture:
            capture.watch(attention)
            output, averaged = attention(x, x, x)
            self.assertEqual(averaged.shape, (1, 3, 3))  # the same as before watch()
            again = attention(x, x, x, None, False)  # need_weights as a positional argument
            self.assertIsNone(again[1])
            self.assertTrue(torch.equal(again[0], output))
        metadata, tensors = load(self.path)
        self.assertTrue(torch.equal(tensors["attentions.0"], expected))
        self.assertEqual(json.loads(metadata["tokens"]), [["The", "cat", "sätze"]])
        self.assertNotIn("forward", attention.__dict__)
        self.good()

    def test_fast_path(self):
        """Under eval() and no_grad(), the layers compute everything in a fused operation, unless they are watched."""
        model, x = self.encoder(), torch.randn(2, 5, 16)
        with torch.no_grad():
            before = model(x)
            with Capture(self.path) as capture:
                capture.watch(model)
                during = model(x)
            after = model(x)
        torch.testing.assert_close(before, during, rtol=1e-4, atol=1e-5)
        self.assertTrue(torch.equal(before, after))
        metadata, tensors = load(self.path)
        self.assertEqual(sorted(tensors), ["attentions.0", "attentions.1"])
        self.assertEqual(tensors["attentions.1"].shape, (2, 4, 5, 5))
        torch.testing.assert_close(tensors["attentions.1"].sum(-1), torch.ones(2, 4, 5))
        self.assertEqual(json.loads(metadata["tokens"]), [["0", "1", "2", "3", "4"]] * 2)
        self.good()

    def test_encoder_decoder(self):
        model = torch.nn.Transformer(16, 2, 2, 3, 32, batch_first=True).eval()
        with torch.no_grad(), Capture(self.path, ["ein", "Haus"], ["a", "small", "house"]) as capture:
            capture.watch(model)
            model(torch.randn(1, 3, 16), torch.randn(1, 2, 16))
        metadata, tensors = load(self.path)
        self.assertEqual(len(tensors), 2 + 3 + 3)
        self.assertEqual(tensors["encoder_attentions.1"].shape, (1, 2, 3, 3))
        self.assertEqual(tensors["decoder_attentions.2"].shape, (1, 2, 2, 2))
        self.assertEqual(tensors["cross_attentions.2"].shape, (1, 2, 2, 3))
        self.assertEqual(json.loads(metadata["source_tokens"]), [["a", "small", "house"]])
        self.assertEqual(json.loads(metadata["target_tokens"]), [["ein", "Haus"]])
        self.good()

    def test_a_layer_used_again(self):
        attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
        x = torch.randn(1, 3, 8)
        with Capture(self.path) as capture:
            capture.watch(attention)
            for _ in range(3):
                x = attention(x, x, x)[0]
        self.assertEqual(sorted(load(self.path)[1]), ["attentions.0", "attentions.1", "attentions.2"])
        self.good()

    def test_outputs_of_a_library(self):
        class Model(torch.nn.Module):
            config = types.SimpleNamespace(output_attentions=False)

            def forward(self, x, output_attentions=False):
                weights = x.softmax(-1)
                return {"logits": x, "attentions": (weights, weights) if output_attentions else None}

        x = torch.randn(1, 2, 3, 3).bfloat16()
        with Capture(self.path, tokens=["a", "b", "c"]) as capture:
            model = Model()
            capture.watch(model)
            model(x)
        _, tensors = load(self.path)
        self.assertTrue(torch.equal(tensors["attentions.1"], x.softmax(-1)))
        self.assertEqual(tensors["attentions.1"].dtype, torch.bfloat16)

    def test_never_empty(self):
        cases = [
            (torch.nn.Linear(2, 2), "no nn.MultiheadAttention"),
            (self.encoder(), "run the model once"),
        ]
        for model, why in cases:
            with self.assertRaisesRegex(CaptureError, why):
                with Capture(self.path) as capture:
                    capture.watch(model)
            self.assertFalse(os.path.exists(self.path))
        with self.assertRaisesRegex(CaptureError, "eager"):
            with Capture(self.path) as capture:
                capture.add_outputs({"attentions": (None, None)})
        self.assertFalse(os.path.exists(self.path))

    def test_what_does_not_fit(self):
        weights = torch.full((1, 2, 3, 3), 1 / 3)
        for tokens in (["a"], [["a", "b", "c"]] * 2):
            with self.assertRaisesRegex(CaptureError, "tokens were given"):
                with Capture(self.path, tokens=tokens) as capture:
                    capture.add("attentions.0", weights)
        with self.assertRaisesRegex(CaptureError, "twice"):
            with Capture(self.path) as capture:
                capture.add("attentions.0", weights)
                capture.add("attentions.0", weights)
        with self.assertRaisesRegex(CaptureError, "shape"):
            with Capture(self.path) as capture:
                capture.add("attentions.0", weights[0, 0])
        self.assertFalse(os.path.exists(self.path))

    def test_an_error_of_the_model_is_its_own(self):
        pathlib.Path(self.path).write_bytes(b"mine")
        with self.assertRaises(ZeroDivisionError):
            with Capture(self.path) as capture:
                capture.add("attentions.0", torch.ones(1, 1, 1))
                raise ZeroDivisionError
        self.assertEqual(pathlib.Path(self.path).read_bytes(), b"mine")


if __name__ == "__main__":
    unittest.main()
