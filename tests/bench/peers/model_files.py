"""Models of random numbers: the safetensors files that all contenders read, and a folder like GPT-2's."""
import json
import random
from array import array

PERIOD = 1_000_003  # a prime, so that no two rows of a matrix contain the same part of the table


class Normal:
    """Normally distributed numbers by the million, from one table that is read again and again."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.table = [draw.gauss(0, 1) for _ in range(PERIOD)]
        self.scaled = {}
        self.place = 0

    def numbers(self, count, deviation, mean=0.0):
        key = (deviation, mean)
        if key not in self.scaled:
            self.scaled[key] = array("f", (mean + deviation * x for x in self.table))
        table = self.scaled[key]
        result = table[self.place:self.place + count]
        while len(result) < count:
            result.extend(table[:count - len(result)])
        self.place = (self.place + count) % PERIOD
        return result.tobytes()


def write(path, tensors, metadata):
    """Writes `tensors`, a list of (name, shape, bytes), in this order."""
    header, place = {"__metadata__": metadata}, 0
    for name, shape, data in tensors:
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [place, place + len(data)]}
        place += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, _, data in tensors:
            file.write(data)


def header(path):
    """Returns the header that write() has written, and the offset of the data."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return json.loads(file.read(length)), 8 + length


def side_by_side(parts, rows):
    """Joins the columns of matrices that have `rows` rows each."""
    widths = [len(part) // rows for part in parts]
    return b"".join(part[r * w:(r + 1) * w] for r in range(rows) for part, w in zip(parts, widths))


def write_model(path, layers, heads, width, hidden):
    normal = Normal(1)
    tensors = []

    def add(name, rows, columns, deviation, mean=0.0):
        data = normal.numbers(rows * columns, deviation, mean)
        tensors.append((name, [rows, columns], data))
        return data

    for layer in range(layers):
        attention, network = f"layers.{layer}.self_attention.", f"layers.{layer}.feed_forward."
        add(attention + "norm_gain", 1, width, 0.1, 1.0)
        add(attention + "norm_bias", 1, width, 0.1)
        names = ["query", "key", "value"]
        matrices = [add(attention + name, width, width, width ** -0.5) for name in names]
        biases = [add(attention + name + "_bias", 1, width, 0.1) for name in names]
        # The fused operators of other contenders need the three matrices as one. Our reader
        # ignores these names.
        tensors.append((f"packed.{layer}", [width, 3 * width], side_by_side(matrices, width)))
        tensors.append((f"packed_bias.{layer}", [1, 3 * width], side_by_side(biases, 1)))
        add(attention + "output", width, width, width ** -0.5)
        add(attention + "output_bias", 1, width, 0.1)
        add(network + "norm_gain", 1, width, 0.1, 1.0)
        add(network + "norm_bias", 1, width, 0.1)
        add(network + "hidden", width, hidden, width ** -0.5)
        add(network + "hidden_bias", 1, hidden, 0.1)
        add(network + "output", hidden, width, hidden ** -0.5)
        add(network + "output_bias", 1, width, 0.1)
    write(path, tensors, {"layers": str(layers), "heads": str(heads)})


def write_input(path, batch, tokens, width):
    """Writes the rows that the first layer reads, and the gradient of the last layer's output for the backward pass."""
    normal, shape = Normal(2), [batch, tokens, width]
    count = batch * tokens * width
    write(path, [("input", shape, normal.numbers(count, 1.0)),
                 ("seed", shape, normal.numbers(count, 0.01))], {})


def write_gpt2_folder(path, positions=2048, layers=12, heads=12, width=768, words=50257):
    """Writes a folder like GPT-2's, without a tokenizer: texts are token ids. GPT-2 has 1024 positions."""
    normal, tensors = Normal(3), []

    def add(name, shape, deviation, mean=0.0):
        count = 1
        for size in shape:
            count *= size
        tensors.append((name, shape, normal.numbers(count, deviation, mean)))

    def add_norm(name):
        add(name + ".weight", [width], 0.1, 1.0)
        add(name + ".bias", [width], 0.1)

    def add_linear(name, rows, columns):
        add(name + ".weight", [rows, columns], rows ** -0.5)
        add(name + ".bias", [columns], 0.1)

    add("wte.weight", [words, width], 0.02)
    add("wpe.weight", [positions, width], 0.01)
    for layer in range(layers):
        here = f"h.{layer}."
        add_norm(here + "ln_1")
        add_linear(here + "attn.c_attn", width, 3 * width)
        add_linear(here + "attn.c_proj", width, width)
        add_norm(here + "ln_2")
        add_linear(here + "mlp.c_fc", width, 4 * width)
        add_linear(here + "mlp.c_proj", 4 * width, width)
    add_norm("ln_f")
    path.mkdir(parents=True, exist_ok=True)
    write(path / "model.safetensors", tensors, {"format": "pt"})
    # Written last: a folder without it is incomplete.
    (path / "config.json").write_text(json.dumps({
        "model_type": "gpt2", "n_layer": layers, "n_head": heads, "n_embd": width, "n_positions": positions,
        "vocab_size": words, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
        "tie_word_embeddings": True}))
