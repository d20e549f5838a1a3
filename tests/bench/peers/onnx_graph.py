"""The same model as an ONNX graph, whose parameters stay in the safetensors file.

ONNX files are protocol buffers, which are simple enough to write without a package.
"""
import os
import struct

from model_files import header

FLOAT, INT64 = 1, 7  # TensorProto.DataType


def varint(number):
    number &= (1 << 64) - 1
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


def field(tag, value):
    """Returns a field of a message: an integer, or bytes, text or a message, which have the same encoding."""
    if isinstance(value, int):
        return varint(tag << 3) + varint(value)
    if isinstance(value, float):
        return varint(tag << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(tag << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    text = field(1, name)
    if isinstance(value, int):
        return text + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return text + field(2, value) + field(20, 1)
    if isinstance(value, str):
        return text + field(4, value) + field(20, 3)
    return text + b"".join(field(8, number) for number in value) + field(20, 7)


def value_info(name, shape):
    sizes = b"".join(field(1, field(1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, sizes)))


class Graph:
    def __init__(self, model_path):
        self.text = b""
        self.count = 0
        self.model_path = model_path
        self.header, self.begin = header(model_path)

    def parameter(self, name, shape=None):
        """Adds a tensor of the model's file. A single row loses its first axis."""
        info = self.header[name]
        sizes = [size for size in info["shape"] if size != 1]
        first, last = info["data_offsets"]
        places = {"location": os.path.basename(self.model_path), "offset": str(self.begin + first),
                  "length": str(last - first)}
        text = b"".join(field(1, size) for size in sizes) + field(2, FLOAT) + field(8, name)
        text += b"".join(field(13, field(1, k) + field(2, v)) for k, v in places.items())
        self.text += field(5, text + field(14, 1))
        return name

    def constant(self, shape, data, kind=FLOAT):
        name = self.name()
        text = b"".join(field(1, size) for size in shape) + field(2, kind) + field(8, name)
        self.text += field(5, text + field(9, data))
        return name

    def integers(self, numbers):
        return self.constant([len(numbers)], struct.pack(f"<{len(numbers)}q", *numbers), INT64)

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def node(self, kind, inputs, output=None, domain="", **attributes):
        output = output or self.name()
        text = b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, kind)
        text += b"".join(field(5, attribute(k, v)) for k, v in attributes.items())
        self.text += field(1, text + (field(7, domain) if domain else b""))
        return output

    def write(self, path, inputs, outputs):
        graph = self.text + field(2, "model")
        graph += b"".join(field(11, value_info(*i)) for i in inputs)
        graph += b"".join(field(12, value_info(*o)) for o in outputs)
        sets = [field(2, 20), field(1, "com.microsoft") + field(2, 1)]
        with open(path, "wb") as file:
            file.write(field(1, 9) + b"".join(field(8, s) for s in sets) + field(7, graph))


def causal(tokens):
    """Returns the mask that is added to the scores: 0 where a query may see the key, and a very low number
    elsewhere."""
    seen, hidden = struct.pack("<f", 0.0), struct.pack("<f", -3e38)
    return b"".join(seen * (t + 1) + hidden * (tokens - t - 1) for t in range(tokens))


def write_graph(path, model_path, batch, tokens, keeps_weights, fused):
    """Writes the graph. `fused` is "" for the plain graph, whose weights can be returned, or the operator that computes
    attention in one step: "Attention", which includes the projections, or "MultiHeadAttention", which follows them."""
    graph = Graph(model_path)
    metadata = graph.header["__metadata__"]
    layers, heads = int(metadata["layers"]), int(metadata["heads"])
    width = graph.header["layers.0.self_attention.query"]["shape"][0]
    size = width // heads
    as_heads = graph.integers([batch, tokens, heads, size])
    as_rows = graph.integers([batch * tokens, width])
    as_sequences = graph.integers([batch, tokens, width])
    scale = graph.constant([], struct.pack("<f", size ** -0.5))
    mask = graph.constant([tokens, tokens], causal(tokens))

    def norm(x, part):
        return graph.node("LayerNormalization", [x, graph.parameter(part + "norm_gain"),
                                                 graph.parameter(part + "norm_bias")], epsilon=1e-5)

    def linear(x, name):
        return graph.node("Gemm", [x, graph.parameter(name), graph.parameter(name + "_bias")])

    def attention(x, part, layer, outputs):
        if fused == "Attention":
            x = graph.node("Reshape", [x, as_sequences])
            packed = [graph.parameter(f"packed.{layer}"), graph.parameter(f"packed_bias.{layer}")]
            context = graph.node("Attention", [x, *packed], domain="com.microsoft", num_heads=heads,
                                 unidirectional=1)
            return graph.node("Reshape", [context, as_rows])
        made = [linear(x, part + name) for name in ("query", "key", "value")]
        if fused == "MultiHeadAttention":
            made = [graph.node("Reshape", [m, as_sequences]) for m in made]
            context = graph.node("MultiHeadAttention", made, domain="com.microsoft",
                                 num_heads=heads, unidirectional=1)
            return graph.node("Reshape", [context, as_rows])
        query, key, value = (graph.node("Transpose", [graph.node("Reshape", [m, as_heads])],
                                        perm=perm)
                             for m, perm in zip(made, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])))
        scores = graph.node("Mul", [graph.node("MatMul", [query, key]), scale])
        name = f"weights{layer}" if keeps_weights else None
        weights = graph.node("Softmax", [graph.node("Add", [scores, mask])], name, axis=-1)
        if name:
            outputs.append((name, [batch, heads, tokens, tokens]))
        context = graph.node("Transpose", [graph.node("MatMul", [weights, value])],
                             perm=[0, 2, 1, 3])
        return graph.node("Reshape", [context, as_rows])

    outputs = []
    x = graph.node("Reshape", ["input", as_rows])
    for layer in range(layers):
        part = f"layers.{layer}.self_attention."
        context = attention(norm(x, part), part, layer, outputs)
        x = graph.node("Add", [linear(context, part + "output"), x])
        part = f"layers.{layer}.feed_forward."
        hidden = graph.node("Gelu", [linear(norm(x, part), part + "hidden")], approximate="tanh")
        x = graph.node("Add", [linear(hidden, part + "output"), x])
    graph.node("Reshape", [x, as_sequences], "output")
    outputs.insert(0, ("output", [batch, tokens, width]))
    graph.write(path, [("input", [batch, tokens, width])], outputs)
