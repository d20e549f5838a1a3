"""A small tokenizer of CLIP's kind, as tokenizer.json and as vocab.json with merges.txt, and the ids of texts by the
program below, which uses no tokenizer library: tests/data/tokenizers/clip and clip.json. Needs only Python.

It follows CLIPConverter in convert_slow_tokenizer.py of transformers and the BPE of the library tokenizers."""

import json
import pathlib
import re
import unicodedata

OUT = pathlib.Path(__file__).resolve().parents[1] / "data" / "tokenizers"
START, END, MARK = "<|startoftext|>", "<|endoftext|>", "</w>"

LINES = ["a photo of a cat", "a photo of the dog", "two dogs and the cats", "it's the cat's photo, isn't it?",
         "they're not photographs of 1234 houses", "the café's naïve photographer..."]

TEXTS = ["", " ", "a photo of a cat", "A PHOTO of   a Cat!", "it's the dog's, isn't it? they'RE we'll I'd I'm you've",
         "1234567890 ١٢٣ Ⅳ x2y", "naïve cafe\u0301 ÅÄÖ Straße İstanbul ǅ ΟΔΟΣ Σίσυφος", "!!!???... (a)[b]{c}<d> a_b -- 'quoted' ''s",
         "tab\tnew\nline\r\nend\x0b\x0c \xa0nbsp\u2003em\u3000wide\x85next", "中文，标点。 日本語 한국어 हिन्दी: नमस्ते",
         "emoji \U0001f642\U0001f44d\U0001f3fd \u2764\ufe0f", "zero\u200bwidth\u200djoin\ufeff", "a</w>b </w>",
         "<|startoftext|>cat<|endoftext|> dog", "photo<|EndOfText|>s", "'s 't 're 'S 'RE ’s", "e\u0301\u0301 \u0300a",
         "photographs photographer's housedog catcatcat", "control\x01\x02\x7fchars"]

WHITE = set("\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200b)}


def alphabet():
    """Returns the character that stands for each byte."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xa1, 0xad), *range(0xae, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


BYTES = alphabet()


def kind(character):
    category = unicodedata.category(character)
    return "letter" if category[0] == "L" else "number" if category[0] == "N" else "space" if character in WHITE else "other"


def words(text):
    """Splits a normalised text as 's|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+ does."""
    at = 0
    while at < len(text):
        short = next((each for each in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(each, at)), None)
        what, end = kind(text[at]), at + 1
        if short:
            end = at + len(short)
        elif what in ("letter", "other"):
            while end < len(text) and kind(text[end]) == what:
                end += 1
        if what != "space":
            yield text[at:end]
        at = end


def normalised(text):
    text = unicodedata.normalize("NFC", text)
    made = ""
    for character in text:
        if character not in WHITE:
            made += character
        elif not made.endswith(" "):
            made += " "
    return "".join(character.lower() for character in made)  # one at a time, so that Σ is always σ


def symbols(word):
    made = [BYTES[byte] for byte in word.encode("utf-8")]
    made[-1] += MARK
    return made


def merged(parts, ranks):
    """Applies the merge of the lowest rank, first from the left, until there is none."""
    while True:
        pairs = [(ranks[pair], i) for i, pair in enumerate(zip(parts, parts[1:])) if pair in ranks]
        if not pairs:
            return parts
        i = min(pairs)[1]
        parts = parts[:i] + [parts[i] + parts[i + 1]] + parts[i + 2:]


def train(count):
    known = [symbols(word) for line in LINES for word in words(normalised(line))]
    merges = []
    while len(merges) < count:  # the lines have enough pairs
        counts = {}
        for parts in known:
            for pair in zip(parts, parts[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        known = [merged(parts, {best: 0}) for parts in known]
    return merges


def encode(text, vocabulary, ranks, special):
    """Special tokens are found in the normalised text."""
    ids = []
    for part in re.split(f"({re.escape(START)}|{re.escape(END)})", normalised(text)):
        if part in (START, END):
            ids.append(vocabulary[part])
        else:
            for word in words(part):
                ids += [vocabulary[each] for each in merged(symbols(word), ranks)]
    return [vocabulary[START], *ids, vocabulary[END]] if special else ids


def decode(ids, vocabulary):
    texts, back = {i: text for text, i in vocabulary.items()}, {character: byte for byte, character in BYTES.items()}
    joined = "".join(texts[i] for i in ids if texts[i] not in (START, END))
    text = bytes(back[character] for character in joined).decode("utf-8", errors="replace")
    return text.replace(MARK, " ").removesuffix(" ")


def main():
    merges = train(50)
    tokens = [*BYTES.values(), *(character + MARK for character in BYTES.values()), *map("".join, merges), START, END]
    vocabulary = {text: i for i, text in enumerate(dict.fromkeys(tokens))}
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    added = [{"id": vocabulary[text], "content": text, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": True, "special": True} for text in (START, END)]
    whole = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added,
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFC"}, {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}, {"type": "Lowercase"}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "behavior": "Removed", "invert": True,
             "pattern": {"Regex": r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"}},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}]},
        "post_processor": {"type": "RobertaProcessing", "sep": [END, vocabulary[END]], "cls": [START, vocabulary[START]],
                           "trim_offsets": False, "add_prefix_space": False},
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": END, "continuing_subword_prefix": "",
                  "end_of_word_suffix": MARK, "fuse_unk": False, "vocab": vocabulary,
                  "merges": [" ".join(pair) for pair in merges]}}
    for name, files in {
        "clip": {"tokenizer.json": json.dumps(whole, ensure_ascii=False)},
        "clip-merges": {"vocab.json": json.dumps(vocabulary),
                        "merges.txt": "\n".join(["#version: 0.2", *(" ".join(pair) for pair in merges), ""]),
                        "tokenizer_config.json": json.dumps({"tokenizer_class": "CLIPTokenizer"})},
    }.items():
        (OUT / name).mkdir(exist_ok=True)
        for file, text in files.items():
            (OUT / name / file).write_text(text, "utf-8")
    ids = [encode(text, vocabulary, ranks, False) for text in TEXTS]
    made = {"texts": TEXTS, "ids": ids, "special": [encode(text, vocabulary, ranks, True) for text in TEXTS],
            "decoded": [decode(each, vocabulary) for each in ids]}
    lines = [f"  {json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in made.items()]
    (OUT / "clip.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
