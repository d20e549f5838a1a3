"""GGUF files as llama.cpp's converter writes them, made from the small folders of tests/data/folders, and their
contents.

Writes tests/data/gguf: types.gguf has a tensor of every type that Headlight reads, and types.safetensors has their
numbers. llama.gguf, … have the models of the folders with these names. quantised.gguf has tensors of many types, and
quantised/ is a folder with the same numbers. tokens.json has texts with their ids by the tokenizers below. Needs only
NumPy:

    /usr/bin/python3 tests/reference/make_gguf.py

With --check, compares gguf_types.py with the gguf package of llama.cpp's authors, if it is installed."""

import json
import pathlib
import shutil
import struct
import sys
import unicodedata

import numpy as np

import gguf_types

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FOLDER = DATA / "gguf"
ALIGNMENT = 32
U32, I32, F32, BOOL, STRING, LIST = 4, 5, 6, 7, 8, 9


def text(value):
    value = value.encode()
    return struct.pack("<Q", len(value)) + value


def encoded(value):
    """Returns the type of a metadata value, and its bytes."""
    if isinstance(value, bool):
        return BOOL, struct.pack("<B", value)
    if isinstance(value, int):
        return U32, struct.pack("<I", value)
    if isinstance(value, float):
        return F32, struct.pack("<f", value)
    if isinstance(value, str):
        return STRING, text(value)
    kinds, parts = zip(*map(encoded, value))
    kind = I32 if kinds[0] == U32 else kinds[0]
    return LIST, struct.pack("<IQ", kind, len(parts)) + b"".join(parts)


def write_gguf(path, metadata, tensors):
    """Writes a file. `tensors` are (name, type, shape, bytes), with shapes as in PyTorch."""
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        kind, data = encoded(value)
        header += text(key) + struct.pack("<I", kind) + data
    offset, body = 0, []
    for name, kind, shape, data in tensors:
        header += text(name) + struct.pack("<I", len(shape))
        header += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        header += struct.pack("<IQ", gguf_types.TYPES[kind][0], offset)
        body.append(data + bytes(-len(data) % ALIGNMENT))
        offset += len(body[-1])
    path.write_bytes(b"".join([header, bytes(-len(header) % ALIGNMENT), *body]))


def write_safetensors(path, tensors):
    header, body = {}, b""
    for name, array in tensors.items():
        data = array.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    words = json.dumps(header, separators=(",", ":")).encode()
    words += b" " * (-len(words) % 8)
    path.write_bytes(struct.pack("<Q", len(words)) + words + body)


def read_safetensors(path):
    data = path.read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, of in json.loads(data[8:start]).items():
        if name != "__metadata__" and of["dtype"] in gguf_types.TYPES:
            begin, end = of["data_offsets"]
            tensors[name] = gguf_types.decoded(of["dtype"], data[start + begin:start + end], of["shape"])
    return tensors


# The names that convert_hf_to_gguf.py writes. Names within a block are without the layer's prefix.
LLAMA = {
    "model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
GEMMA2 = LLAMA | {
    "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm"}
PHI3 = LLAMA | {"self_attn.qkv_proj": "attn_qkv", "mlp.gate_up_proj": "ffn_up"}
NEOX = {
    "gpt_neox.embed_in.weight": "token_embd.weight", "gpt_neox.final_layer_norm.weight": "output_norm.weight",
    "gpt_neox.final_layer_norm.bias": "output_norm.bias", "embed_out.weight": "output.weight",
    "input_layernorm": "attn_norm", "attention.query_key_value": "attn_qkv", "attention.dense": "attn_output",
    "post_attention_layernorm": "ffn_norm", "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down"}
GPT2 = {
    "transformer.wte.weight": "token_embd.weight", "transformer.wpe.weight": "position_embd.weight",
    "transformer.ln_f.weight": "output_norm.weight", "transformer.ln_f.bias": "output_norm.bias",
    "lm_head.weight": "output.weight",
    "ln_1": "attn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm",
    "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down"}
BERT = {
    "embeddings.word_embeddings.weight": "token_embd.weight",
    "embeddings.position_embeddings.weight": "position_embd.weight",
    "embeddings.token_type_embeddings.weight": "token_types.weight",
    "embeddings.LayerNorm.weight": "token_embd_norm.weight", "embeddings.LayerNorm.bias": "token_embd_norm.bias",
    "attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm"}


def name_of(name, table, layers):
    """Returns the tensor's name in GGUF; None if the converter leaves the tensor out."""
    if name in table:
        return table[name]
    if name.startswith(layers):
        number, rest = name[len(layers):].split(".", 1)
        module, kind = rest.rsplit(".", 1)
        if module in table and kind in ("weight", "bias"):
            return f"blk.{number}.{table[module]}.{kind}"
    return None


def with_neighbours(array, heads):
    """Reorders the rows of Llama's queries and keys as llama.cpp stores them, with rotated pairs next to each other."""
    return array.reshape(heads, 2, array.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(array.shape)


def llama_tensors(tensors, config, permutes=True):
    for name, array in tensors.items():
        found = name_of(name, LLAMA, "model.layers.")
        if found and permutes and (".attn_q." in found or ".attn_k." in found):
            key = "num_attention_heads" if ".attn_q." in found else "num_key_value_heads"
            array = with_neighbours(array, config[key])
        if found:
            yield found, array


def gemma_tensors(table):
    def convert(tensors, config):
        for name, array in tensors.items():
            found = name_of(name, table, "model.layers.")
            if found:
                yield found, array + np.float32(1) if name.endswith("norm.weight") else array
    return convert


def phi3_tensors(tensors, config):
    for name, array in tensors.items():
        found = name_of(name, PHI3, "model.layers.")
        if found:
            yield found, array
    scaling = config.get("rope_scaling")
    if scaling:
        yield "rope_factors_long.weight", np.array(scaling["long_factor"], np.float32)
        yield "rope_factors_short.weight", np.array(scaling["short_factor"], np.float32)


def neox_tensors(tensors, config):
    """Reorders rows that are fused head by head to all queries, all keys and all values."""
    heads = config["num_attention_heads"]
    for name, array in tensors.items():
        if name.endswith(("attention.bias", "attention.masked_bias")):
            continue
        found = name_of(name, NEOX, "gpt_neox.layers.")
        if found and ".attn_qkv." in found:
            array = array.reshape(heads, 3, array.shape[0] // heads // 3, -1).swapaxes(0, 1).reshape(array.shape)
        if found:
            yield found, array


def gpt2_tensors(tensors, config):
    for name, array in tensors.items():
        found = name_of(name, GPT2, "transformer.h.")
        if found:
            is_conv = array.ndim == 2 and found.startswith("blk.")
            yield found, array.T if is_conv else array


def bert_tensors(tensors, config):
    for name, array in tensors.items():
        name = name.removeprefix("bert.").replace(".gamma", ".weight").replace(".beta", ".bias")
        found = name_of(name, BERT, "encoder.layer.")
        if found:
            yield found, array


def metadata_of(architecture, config):
    """Returns the metadata of the architecture."""
    def of(*names):
        return next(config[name] for name in names if config.get(name) is not None)

    a = architecture + "."
    width = of("hidden_size", "n_embd")
    keys = {
        "general.architecture": architecture, "general.name": "random", "general.alignment": ALIGNMENT,
        a + "context_length": of("max_position_embeddings", "n_positions"),
        a + "embedding_length": width,
        a + "block_count": of("num_hidden_layers", "n_layer"),
        a + "feed_forward_length": config.get("intermediate_size") or config.get("n_inner") or 4 * width,
        a + "attention.head_count": of("num_attention_heads", "n_head")}
    head = config.get("head_dim") or width // of("num_attention_heads", "n_head")
    if architecture in ("llama", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "phi3"):
        keys[a + "attention.head_count_kv"] = config["num_key_value_heads"]
        keys[a + "attention.layer_norm_rms_epsilon"] = float(config["rms_norm_eps"])
        keys[a + "rope.freq_base"] = float(config["rope_theta"])
        keys[a + "rope.dimension_count"] = int(head * config.get("partial_rotary_factor", 1))
        keys[a + "vocab_size"] = config["vocab_size"]
        if config.get("head_dim"):
            keys[a + "attention.key_length"] = keys[a + "attention.value_length"] = config["head_dim"]
        windowed = ("mistral", "gemma2", "gemma3_text", "phi3")
        if config["model_type"] in windowed and config.get("sliding_window"):
            keys[a + "attention.sliding_window"] = config["sliding_window"]
        for cap in ("attn_logit_softcapping", "final_logit_softcapping"):
            if config.get(cap):
                keys[a + cap] = float(config[cap])
        scaling = config.get("rope_scaling") or {}
        if scaling.get("type") == "linear":
            keys[a + "rope.scaling.type"] = "linear"
            keys[a + "rope.scaling.factor"] = float(scaling["factor"])
        if scaling.get("type") == "longrope":
            original = config["original_max_position_embeddings"]
            ratio = config["max_position_embeddings"] / original
            keys[a + "rope.scaling.original_context_length"] = original
            keys[a + "rope.scaling.attn_factor"] = float(np.sqrt(1 + np.log(ratio) / np.log(original)))
    else:
        keys[a + "attention.layer_norm_epsilon"] = float(of("layer_norm_epsilon", "layer_norm_eps"))
    if architecture == "gptneox":
        keys[a + "rope.dimension_count"] = int(head * config["rotary_pct"])
        keys[a + "use_parallel_residual"] = config["use_parallel_residual"]
    if architecture == "bert":
        keys[a + "attention.causal"] = False
        keys[a + "pooling_type"] = 2
        keys["tokenizer.ggml.token_type_count"] = config["type_vocab_size"]
    return keys


# Three small tokenizers of 23 tokens each, and the ids of texts, computed by code that is as simple as possible.

PIECES = ["<unk>", "<s>", "</s>", "▁", "a", "b", "c", "d", "e", "▁a", "ab", "▁ab", "bc", "abc", "cd", "de", "▁c",
          "cde", "bcd", "é", "▁▁", "ea", "▁bead"]
PIECE_KINDS = [2, 3, 3] + [1] * 20
SCORES = [0.0, 0.0, 0.0] + [-float(i) for i in (20, 21, 22, 23, 24, 25, 2, 3, 9, 1, 4, 6, 5, 7, 8, 10, 26, 11, 12, 13)]


def sentence_piece_ids(sentence):
    """Merges the adjacent pieces whose union has the highest score, and adds <s>."""
    parts = list("▁" + sentence.replace(" ", "▁")) if sentence else []
    while True:
        unions = [(SCORES[PIECES.index(a + b)], -i) for i, (a, b) in enumerate(zip(parts, parts[1:])) if a + b in PIECES]
        if not unions:
            break
        at = -max(unions)[1]
        parts[at:at + 2] = [parts[at] + parts[at + 1]]
    ids, is_unknown = [1], False
    for part in parts:  # neighbouring unknown characters are one token
        known = part in PIECES
        if known or not is_unknown:
            ids.append(PIECES.index(part) if known else 0)
        is_unknown = not known
    return ids


BYTES = ["a", "b", "c", "d", "e", "Ġ", "Ã", "©", "1", "2", "'", "s", ".", "ab", "Ġa", "Ġab", "Ã©", "cd", "'s", "abc",
         "12", "de", "<|endoftext|>"]
BYTE_KINDS = [1] * 22 + [3]
MERGES = ["a b", "Ġ a", "Ġa b", "Ã ©", "c d", "' s", "ab c", "1 2", "d e"]


def byte_level_ids(words):
    """Merges the letters of words, which are already split and have Ġ for a space."""
    ids = []
    for word in words:
        parts = list(word)
        while True:
            ranks = [MERGES.index(f"{a} {b}") for a, b in zip(parts, parts[1:]) if f"{a} {b}" in MERGES]
            if not ranks:
                break
            a, b = MERGES[min(ranks)].split(" ")
            at = next(i for i in range(len(parts) - 1) if parts[i:i + 2] == [a, b])
            parts[at:at + 2] = [a + b]
        ids += [BYTES.index(part) for part in parts]
    return ids


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##re", "cat", "##s", "s", "a", "##b", "ab", "##c", ",",
         ".", "e", "##e", "in", "##side", "side", "[unused0]", "##d"]
WORD_KINDS = [3, 3, 3, 3, 3] + [1] * 18


def word_piece_ids(sentence):
    plain = "".join(c for c in unicodedata.normalize("NFD", sentence.lower()) if unicodedata.category(c) != "Mn")
    ids = [2]
    for word in "".join(f" {c} " if c in ",." else c for c in plain).split():
        at, pieces = 0, []
        while at < len(word):
            fits = [end for end in range(len(word), at, -1) if ("##" if at else "") + word[at:end] in WORDS]
            if not fits:
                pieces = [1]
                break
            pieces.append(WORDS.index(("##" if at else "") + word[at:fits[0]]))
            at = fits[0]
        ids += pieces
    return ids + [3]


def stored_word(word):
    """Returns a word of BERT as convert_hf_to_gguf.py stores it."""
    if word.startswith("["):
        return word
    return word[2:] if word.startswith("##") else "▁" + word


T = "tokenizer.ggml."
SENTENCE_PIECE = {
    T + "model": "llama", T + "pre": "default", T + "tokens": PIECES, T + "scores": SCORES, T + "token_type": PIECE_KINDS,
    T + "bos_token_id": 1, T + "eos_token_id": 2, T + "unknown_token_id": 0, T + "add_bos_token": True,
    T + "add_eos_token": False, T + "add_space_prefix": True}
WORD_PIECE = {
    T + "model": "bert", T + "tokens": [stored_word(word) for word in WORDS], T + "token_type": WORD_KINDS,
    T + "unknown_token_id": 1, T + "seperator_token_id": 3, T + "padding_token_id": 0, T + "cls_token_id": 2,
    T + "mask_token_id": 4}


def byte_level(splitter):
    return {T + "model": "gpt2", T + "pre": splitter, T + "tokens": BYTES, T + "token_type": BYTE_KINDS,
            T + "merges": MERGES, T + "bos_token_id": 22, T + "eos_token_id": 22}


# File: folder, architecture, tensors, tokenizer and other keys.
MODELS = {
    "llama": ("llama", "llama", llama_tensors, SENTENCE_PIECE),
    # A list with one number per block instead of a single number, as in models whose blocks differ.
    "llama-grouped-tied": ("llama-grouped-tied", "llama", llama_tensors, {"llama.attention.head_count_kv": [2, 2]}),
    "llama-3": ("llama-3", "llama", llama_tensors, None),
    "mistral": ("mistral", "llama", llama_tensors, None),
    "qwen2": ("qwen2", "qwen2", lambda tensors, config: llama_tensors(tensors, config, False), byte_level("qwen2")),
    "qwen3": ("qwen3", "qwen3", lambda tensors, config: llama_tensors(tensors, config, False), None),
    "gemma": ("gemma", "gemma", gemma_tensors(LLAMA), None),
    "gemma2": ("gemma2", "gemma2", gemma_tensors(GEMMA2), None),
    "gemma3": ("gemma3", "gemma3", gemma_tensors(GEMMA2), None),
    "phi3": ("phi3", "phi3", phi3_tensors, None),
    "phi3-partial": ("phi3-partial", "phi3", phi3_tensors, None),
    "phi3-long": ("phi3-long", "phi3", phi3_tensors, None),
    "gpt-neox": ("gpt-neox", "gptneox", neox_tensors, None),
    "gpt-neox-sequential": ("gpt-neox-sequential", "gptneox", neox_tensors, None),
    "gpt2": ("gpt2", "gpt2", gpt2_tensors, byte_level("gpt-2")),
    "gpt2-own-output": ("gpt2-own-output", "gpt2", gpt2_tensors, None),
    "bert": ("bert", "bert", bert_tensors, WORD_PIECE),
}


def llama3_factors(config):
    """Returns the factors that the converter writes for rope_type llama3."""
    scaling = config.get("rope_scaling")
    if not scaling or scaling.get("rope_type") != "llama3":
        return None
    width = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    lengths = 2 * np.pi * config["rope_theta"] ** (np.arange(0, width, 2) / width)
    low = scaling["original_max_position_embeddings"] / scaling["low_freq_factor"]
    high = scaling["original_max_position_embeddings"] / scaling["high_freq_factor"]
    smooth = (scaling["original_max_position_embeddings"] / lengths - scaling["low_freq_factor"]) / (
        scaling["high_freq_factor"] - scaling["low_freq_factor"])
    between = 1 / ((1 - smooth) / scaling["factor"] + smooth)
    return np.where(lengths < high, 1, np.where(lengths > low, scaling["factor"], between)).astype(np.float32)


def write_models():
    for name, (folder, architecture, convert, others) in MODELS.items():
        config = json.loads((DATA / "folders" / folder / "config.json").read_text())
        tensors = {}
        for part in sorted((DATA / "folders" / folder).glob("*.safetensors")):
            tensors.update(read_safetensors(part))
        named = dict(convert(tensors, config))
        if config.get("tie_word_embeddings", architecture.startswith("gemma")):
            named.pop("output.weight", None)
        factors = llama3_factors(config)
        if factors is not None:
            named["rope_freqs.weight"] = factors
        write_gguf(FOLDER / f"{name}.gguf", {**metadata_of(architecture, config), **(others or {})},
                   [(key, "F32", array.shape, array.astype("<f4").tobytes()) for key, array in named.items()])


def write_types(random):
    tensors, numbers = [], {}
    for name, (_, values, *_) in gguf_types.TYPES.items():
        shape = (3, max(values, 32) * 2)
        data = gguf_types.random_blocks(name, shape[0] * shape[1] // values, random)
        tensors.append((name.lower(), name, shape, data))
        numbers[name.lower()] = gguf_types.decoded(name, data, shape)
    write_gguf(FOLDER / "types.gguf", {"general.architecture": "none"}, tensors)
    write_safetensors(FOLDER / "types.safetensors", numbers)


# Tensor types, by the last part of the name.
MIXED = {"token_embd": "Q8_0", "attn_q": "Q4_0", "attn_k": "Q5_1", "attn_v": "Q5_0", "attn_output": "F16",
         "ffn_gate": "IQ4_NL", "ffn_up": "Q4_1", "ffn_down": "Q8_0", "output": "BF16"}


def write_quantised(random):
    """Writes a Llama whose tensors are random blocks, and a folder with the same numbers, whose rows are in the
    folder's order."""
    config = {"model_type": "llama", "hidden_size": 32, "intermediate_size": 64, "max_position_embeddings": 64,
              "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 1, "rms_norm_eps": 1e-5,
              "rope_theta": 10000.0, "vocab_size": 23, "hidden_act": "silu", "tie_word_embeddings": False}
    shapes = {"token_embd": (23, 32), "attn_q": (32, 32), "attn_k": (16, 32), "attn_v": (16, 32),
              "attn_output": (32, 32), "ffn_gate": (64, 32), "ffn_up": (64, 32), "ffn_down": (32, 64),
              "output": (23, 32), "attn_norm": (32,), "ffn_norm": (32,), "output_norm": (32,)}
    ours = {short: name for name, short in LLAMA.items()}
    tensors, numbers = [], {}
    for short, shape in shapes.items():
        kind = MIXED.get(short, "F32")
        count = int(np.prod(shape)) // gguf_types.TYPES[kind][1]
        data = gguf_types.random_blocks(kind, count, random)
        values = gguf_types.decoded(kind, data, shape)
        is_whole = short + ".weight" in ours
        name = ours[short + ".weight"] if is_whole else f"model.layers.0.{ours[short]}.weight"
        if short in ("attn_q", "attn_k"):
            heads = config["num_attention_heads" if short == "attn_q" else "num_key_value_heads"]
            values = values.reshape(heads, -1, 2, 32).swapaxes(1, 2).reshape(shape)
        numbers[name] = values
        tensors.append((short + ".weight" if is_whole else f"blk.0.{short}.weight", kind, shape, data))
    write_gguf(FOLDER / "quantised.gguf", metadata_of("llama", config), tensors)
    (FOLDER / "quantised").mkdir()
    (FOLDER / "quantised" / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    write_safetensors(FOLDER / "quantised" / "model.safetensors", numbers)


def write_tokens():
    pieces = ["", "a", "abc", "ab cde", "a  b", "bead", "é a", "x", "ab xyz é", " abcd"]
    split = [["abc", "Ġab", "Ġa"], ["cd", "'s", ".", "12"], ["Ã©", "Ġ", "Ġde"], ["a", "'s", "Ġ", "ab"]]
    qwen = [["abc", "Ġab", "Ġa"], ["cd", "'s", ".", "1", "2"], ["Ã©", "Ġ", "Ġde"], ["a", "'s", "Ġ", "ab"]]
    words = ["", "the cat", "There, cats.", "inside a b", "Éab, abce", "xyz the", "[MASK] cat"]
    sentence = lambda parts: "".join(parts).replace("Ġ", " ").replace("Ã©", "é")
    special = {"[MASK] cat": [2, 4, 7, 3]}
    cases = {
        "llama": [[each, sentence_piece_ids(each)] for each in pieces],
        "gpt2": [[sentence(each), byte_level_ids(each)] for each in split],
        "qwen2": [[sentence(each), byte_level_ids(each)] for each in qwen],
        "bert": [[each, special.get(each) or word_piece_ids(each)] for each in words]}
    (FOLDER / "tokens.json").write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n")


def check():
    import gguf
    random, same = np.random.default_rng(7), True
    for name in gguf_types.TYPES:
        data = gguf_types.random_blocks(name, 64, random)
        ours = gguf_types.decoded(name, data, -1)
        kind = gguf.GGMLQuantizationType[name]
        theirs = (np.frombuffer(data, "<f8").astype(np.float32) if name == "F64" else
                  gguf.quants.dequantize(np.frombuffer(data, {"F32": "<f4", "F16": "<f2"}.get(name, np.uint8)), kind))
        difference = np.abs(ours - theirs.reshape(-1)).max()
        print(f"{difference:.1e} {name}")
        same = same and difference < 1e-6
    for path in sorted(FOLDER.glob("*.gguf")):
        reader = gguf.GGUFReader(path)
        print(f"{len(reader.tensors)} tensors, {len(reader.fields)} keys {path.name}")
    return 0 if same else 1


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    random = np.random.default_rng(20)
    write_models()
    write_types(random)
    write_quantised(random)
    write_tokens()
    sizes = [path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()]
    print(f"{len(sizes)} files, {sum(sizes)} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
