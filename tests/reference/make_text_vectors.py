#!/usr/bin/env python3
"""One-hot vectors, bags of words and tf-idf by NumPy in float64, for tst_text_vectors. Writes tests/data/text_vectors.json.

tf-idf is scikit-learn's: idf = ln((1 + n) / (1 + df)) + 1, rows both as they are and divided by their Euclidean
length. Words are compared with the whole vocabulary at once, instead of being looked up as in the program.
"""
import json
import pathlib

import numpy as np

PAD = "[PAD]"


def one_hot(tokens: list[str], vocabulary: list[str]) -> np.ndarray:
    equal = np.array(tokens, dtype=object)[:, None] == np.array(vocabulary, dtype=object)[None, :]
    return equal.astype(np.float64) * np.array([t != PAD for t in tokens], dtype=np.float64)[:, None]


def case(name: str, texts: list[list[str]], vocabulary: list[str] | None = None) -> dict:
    if vocabulary is None:
        words = np.array([t for text in texts for t in text if t != PAD])
        distinct, first = np.unique(words, return_index=True)
        vocabulary = distinct[np.argsort(first)].tolist()
        given = False
    else:
        given = True
    counts = np.array([one_hot(text, vocabulary).sum(axis=0) for text in texts])
    idf = np.log((1 + len(texts)) / (1 + (counts > 0).sum(axis=0))) + 1
    raw = counts * idf
    lengths = np.sqrt((raw**2).sum(axis=1, keepdims=True))
    unit = np.divide(raw, lengths, out=np.zeros_like(raw), where=lengths > 0)
    return {
        "name": name,
        "given": given,
        "texts": texts,
        "vocabulary": vocabulary,
        "one_hot": [one_hot(text, vocabulary).astype(int).tolist() for text in texts],
        "counts": counts.astype(int).tolist(),
        "idf": idf.tolist(),
        "raw": raw.tolist(),
        "unit": unit.tolist(),
    }


cases = [
    case("three sentences", ["the cat sat on the mat".split(), "the dog sat [PAD] [PAD] [PAD]".split(),
                             "a bird saw the cat [PAD]".split()]),
    case("one text", ["rose is a rose is a rose".split()]),
    case("a given vocabulary, with words that no text has and without some that they have",
         ["the river bank [PAD]".split(), "the bank lent money".split()],
         ["money", "bank", "tree", "the"]),
    case("padding in the vocabulary, and a text of unknown words alone",
         ["wer da [PAD]".split(), "the end [PAD]".split()], [PAD, "the", "end"]),
    case("other scripts and cases", ["Straße straße 銀行 銀行".split(), "Ναι ναι 銀行 [PAD]".split()]),
]
target = pathlib.Path(__file__).parent.parent / "data" / "text_vectors.json"
target.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")
