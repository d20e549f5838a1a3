"""Compares `headlight measures` with NumPy, computed as docs/heads.md describes it, and validates its JSON and that of
`headlight ablate` against their schemas. Exit code 77: this cannot be tested here."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unicodedata

try:
    import jsonschema
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
program = sys.argv[2]
failures = []


def run(*words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        failures.append(f"{words}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def validator(name):
    schema = json.loads((root / "docs" / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def tensors_of(path):
    data = pathlib.Path(path).read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    meta = header.pop("__metadata__")
    types = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "U8": "u1"}
    found = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        if entry["dtype"] in types:
            found[name] = numpy.frombuffer(data[8 + size + begin : 8 + size + end], types[entry["dtype"]]).reshape(entry["shape"])
    return found, meta


def is_separator(token):
    token = token.strip("Ġ▁ ") or token
    if len(token) > 2 and not token.startswith("<0x") and (token[0] + token[-1] in ("[]", "<>")):
        return True
    return all(unicodedata.category(c).startswith("P") for c in token)


def mean(rows):
    return float(numpy.mean(rows)) if len(rows) else None


def measures(weights, tokens, sees):
    """Returns the measures of one head of self-attention. `weights` and `sees` are [T, T]."""
    length = len(tokens)
    share = numpy.abs(weights.astype(float))
    share /= share.sum(1, keepdims=True)
    counts = [i for i in range(length) if sees[i].sum() >= 2]
    earlier = [[j for j in range(i) if tokens[j] == tokens[i]] for i in range(length)]
    separators = [j for j in range(length) if is_separator(tokens[j])]
    places = numpy.arange(length)
    logs = numpy.where(share > 0, numpy.log(numpy.where(share > 0, share, 1)), 0)

    def over(rows, keys):
        rows = [(i, [j for j in keys(i) if sees[i, j]]) for i in rows]
        return mean([share[i, keys].sum() for i, keys in rows if keys])

    return {
        "entropy": mean([-(share[i] * logs[i]).sum() for i in counts]),
        "distance": mean([(share[i] * abs(i - places)).sum() for i in counts]),
        "previous": over([i for i in counts if i > 0], lambda i: [i - 1]),
        "self": over(counts, lambda i: [i]),
        "first": mean([share[i, 0] for i in counts if i > 0]),
        "separators": mean([share[i, separators].sum() for i in counts]) if separators else None,
        "same_token": over(counts, lambda i: earlier[i]),
        "induction": over(counts, lambda i: [j + 1 for j in earlier[i] if j + 1 <= i]),
    }


def similarity(weights, chosen, sees):
    """Returns 1 minus the mean Jensen–Shannon divergence, base 2, of the rows of two heads."""
    p, q = (numpy.abs(each.astype(float)) / numpy.abs(each.astype(float)).sum(1, keepdims=True) for each in (weights, chosen))

    def part(share):
        return (share * numpy.log2(numpy.where(share > 0, share, 1) / numpy.where(share > 0, (p + q) / 2, 1))).sum(1)

    return mean([1 - row for row, seen in zip((part(p) + part(q)) / 2, sees) if seen.sum() >= 2])


def compare(source, tokens, weights, causal, words=()):
    """Compares all heads. `weights` is a list of [H, T, T], one per layer."""
    sees = numpy.tri(len(tokens), dtype=bool) if causal else numpy.ones((len(tokens),) * 2, bool)
    said = json.loads(run("measures", source, "--json", "--similar-to", "0.1", *words))
    for error in measures_schema.iter_errors(said):
        failures.append(f"{source}: {error.json_path}: {error.message}")
    heads = [(layer, head) for layer, of in enumerate(weights) for head in range(len(of))]
    if [(row["layer"], row["head"]) for row in said] != heads:
        failures.append(f"{source}: not a row for each head")
        return
    for row, (layer, head) in zip(said, heads):
        all_measures = measures(weights[layer][head], tokens, sees)
        all_measures["similarity"] = similarity(weights[layer][head], weights[0][1], sees)
        for name, expected in all_measures.items():
            got = row["measures"][name]
            if (got is None) != (expected is None) or (got is not None and abs(got - expected) > 2e-5 * max(1, abs(expected))):
                failures.append(f"{source}, head {layer}.{head}: {name} is {got}, NumPy has {expected}")


measures_schema, ablate_schema = validator("measures.schema.json"), validator("ablate.schema.json")
with tempfile.TemporaryDirectory() as folder:
    trace = pathlib.Path(folder) / "trace.safetensors"
    for source, causal, text in [("tales", True, None), ("it", False, None), ("cat", False, "the cat , the cat + .")]:
        words = ["--text", text] if text else []
        run("trace", source, "-o", trace, *words)
        found, meta = tensors_of(trace)
        tokens = json.loads(meta["tokens"])
        tokens = tokens[0] if isinstance(tokens[0], list) else tokens
        layers = sorted(name for name in found if name.endswith("self_attention.weights"))
        compare(source, tokens, [found[name].reshape((-1,) + found[name].shape[-3:])[0] for name in layers], causal, words)

captures = root.parent / "shared/models/captures"
if not captures.exists():
    print("no captures in ../shared/models: not compared")
for path in sorted(captures.glob("*.safetensors")):
    found, meta = tensors_of(path)
    tokens = json.loads(meta["tokens"])
    layers = sorted((name for name in found if "attentions." in name), key=lambda name: int(name.split(".")[-1]))
    compare(path, tokens, [found[name].reshape((-1,) + found[name].shape[-3:])[0] for name in layers], True)

# `ablate` has a row for each head, and at least one head has an effect.
for source in ["it", "tales"]:
    rows = json.loads(run("ablate", source, "--json"))
    for error in ablate_schema.iter_errors(rows):
        failures.append(f"{source}: {error.json_path}: {error.message}")
    if len(rows) != len(json.loads(run("measures", source, "--json"))):
        failures.append(f"ablate {source}: not a row for each head")
    if not any(row["logit_difference"] for row in rows):
        failures.append(f"ablate {source}: no head has an effect")

for schema, good, wrong in [
    (measures_schema, [{"stack": "only", "block": "self", "layer": 0, "head": 0, "measures": {"entropy": None}}], {"head": -1}),
    (ablate_schema, [{"stack": "only", "block": "self", "layer": 0, "head": 0, "logit_difference": 1, "loss_difference": None, "top": "a"}], {"top": 1}),
]:
    if not schema.is_valid(good) or schema.is_valid([{**good[0], **wrong}]) or schema.is_valid({}):
        failures.append(f"{schema.schema['title']}: the schema takes what is wrong, or refuses what is right")

print("\n".join(failures[:20]))
sys.exit(bool(failures))
