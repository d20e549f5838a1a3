"""Compares `headlight rollout`, `flow` and `compare` with NumPy, computed from the numbers of `headlight trace` as
docs/heads.md describes it. Also validates their JSON and that of `generate` against their schemas. Exit code 77: this
cannot be tested here."""
import json
import pathlib
import subprocess
import sys
import tempfile

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


def said(schema, *words):
    value = json.loads(run(*words))
    for error in schema.iter_errors(value):
        failures.append(f"{words}: {error.json_path}: {error.message}")
    return value


def close(what, got, expected, most=2e-5):
    got, expected = numpy.asarray(got, float), numpy.asarray(expected, float)
    if got.shape != expected.shape or numpy.abs(got - expected).max(initial=0) > most:
        failures.append(f"{what}: {got.tolist()}, NumPy has {expected.tolist()}")


def traced(path, *words):
    """Returns the stages [B, …] of a trace, and the attention weights [L, H, T, T] of the first sequence."""
    run("trace", *words, "-o", path)
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__")
    stages = {
        name: numpy.frombuffer(data[8 + size + entry["data_offsets"][0] : 8 + size + entry["data_offsets"][1]], "<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if entry["dtype"] == "F32"
    }
    names = sorted(name for name in stages if name.endswith("self_attention.weights"))
    return stages, numpy.array([stages[name].reshape((-1,) + stages[name].shape[-3:])[0] for name in names], float)


def longest_common(now, a):
    table = numpy.zeros((len(now) + 1, len(a) + 1), int)
    for i, left in enumerate(now):
        for j, right in enumerate(a):
            table[i + 1, j + 1] = table[i, j] + 1 if left == right else max(table[i, j + 1], table[i + 1, j])
    return table[-1, -1]


def divergence(p, q):
    mean = (p + q) / 2
    with numpy.errstate(divide="ignore", invalid="ignore"):
        parts = [numpy.where(x > 0, x * numpy.log2(x / mean), 0).sum() for x in (p, q)]
    return sum(parts) / 2


rollout_schema, compare_schema, generate_schema = (validator(f"{name}.schema.json") for name in ("rollout", "compare", "generate"))
with tempfile.TemporaryDirectory() as folder:
    trace = pathlib.Path(folder) / "trace.safetensors"

    for source in ["tales", "it", "cat"]:
        stages, weights = traced(trace, source)
        length = weights.shape[-1]
        expected = numpy.eye(length)
        for layer in weights:
            mixed = layer.mean(axis=0) / 2 + numpy.eye(length) / 2
            expected = (mixed / mixed.sum(axis=1, keepdims=True)) @ expected
        rollout = said(rollout_schema, "rollout", source, "--json")
        close(f"rollout {source}", rollout["rows"], expected)
        close(f"rollout {source}: sums", numpy.sum(rollout["rows"], axis=1), numpy.ones(length))
        if length <= 64 and len(weights) == 1:  # in one layer, flow and rollout are the same
            close(f"flow {source}", said(rollout_schema, "flow", source, "--json")["rows"], expected)
        elif length <= 64:
            flow = numpy.array(said(rollout_schema, "flow", source, "--json")["rows"])
            if (flow < expected - 1e-5).any() or (flow > 1 + 1e-5).any():
                failures.append(f"flow {source}: less than rollout, or more than 1")

    now_text, a_text = "Mia had a big red kite .", "Tom found a kite . Mia took her kite"
    now_stages, now = traced(trace, "tales", "--text", now_text)
    a_stages, a = traced(trace, "tales", "--text", a_text)
    compared = said(compare_schema, "compare", "tales", "--text", now_text, "--compare-text", a_text, "--json")
    text = compared["texts"][0]
    pairs = numpy.array(text["pairs"])
    if len(pairs) != longest_common(text["now"], text["a"]) or any(text["now"][i] != text["a"][j] for i, j in pairs):
        failures.append(f"not a longest common subsequence: {text}")
    if sorted([i for i, _ in text["pairs"]] + text["unpaired_now"]) != list(range(len(text["now"]))):
        failures.append("a token of now has neither a partner nor is it named")
    queries, keys = numpy.ix_(pairs[:, 0], pairs[:, 0]), numpy.ix_(pairs[:, 1], pairs[:, 1])
    for row in compared["heads"]:
        left, right = now[row["layer"]][row["head"]], a[row["layer"]][row["head"]]
        change = left[queries] - right[keys]
        cells = (left[queries] != 0) | (right[keys] != 0)
        name = f"compare, head {row['layer']}.{row['head']}"
        close(f"{name}: mean", row["mean_difference"], numpy.abs(change[cells]).mean())
        close(f"{name}: largest", abs(row["largest_difference"]["difference"]), numpy.abs(change).max())
        query, key = row["largest_difference"]["query"], row["largest_difference"]["key"]
        close(f"{name}: place", row["largest_difference"]["difference"], left[query[0], key[0]] - right[query[1], key[1]])
        close(f"{name}: unpaired", row["unpaired_now"], (left[pairs[:, 0]].sum(1) - left[queries].sum(1)).mean())
        close(f"{name}: self", row["measures_now"]["self"], numpy.mean([left[i, i] for i in pairs[:, 0] if i > 0]))
    found_now, found_a = (each["probabilities"].reshape((-1,) + each["probabilities"].shape[-2:])[0].astype(float) for each in (now_stages, a_stages))
    for row, (i, j) in zip(compared["predictions"], text["pairs"], strict=True):
        close(f"prediction at {i}", row["divergence"], divergence(found_now[i], found_a[j]), 1e-4)
        close(f"prediction at {i}", [row["now"]["probability"], row["now"]["probability_a"]], [found_now[i].max(), found_a[j][found_now[i].argmax()]])
        if row["a"]["id"] != found_a[j].argmax():
            failures.append(f"prediction at {i}: {row['a']}")

    # The context of a silenced head is zero. The other heads of the layer do not change.
    off, _ = traced(trace, "tales", "--silence", "1.0")
    on, _ = traced(trace, "tales")
    context = "layers.1.self_attention.context"
    close("a silenced head", off[context][:, 0], numpy.zeros_like(on[context][:, 0]))
    close("another head", off[context][:, 1], on[context][:, 1])
    # Scaling a head scales the head's contribution to the output by the same factor.
    half, _ = traced(trace, "tales", "--scale-head", "1.0=0.5")
    output = "layers.1.self_attention.output"
    close("a scaled head", half[output], (on[output] + off[output]) / 2, 1e-4)

    lines = run("generate", "tales", "--tokens", "4", "--json", "--alternatives", "3").splitlines()
    if not lines:
        failures.append("generate: no tokens")
    for line in map(json.loads, lines):
        for error in generate_schema.iter_errors(line):
            failures.append(f"generate: {error.json_path}: {error.message}")
        chances = [each["probability"] for each in line["alternatives"]]
        # Without a temperature, the token is the most probable one that may be chosen.
        if len(chances) != 3 or chances != sorted(chances, reverse=True) or line["probability"] > chances[0]:
            failures.append(f"generate: {line}")

for schema, good, wrong in [
    (rollout_schema, {"kind": "flow", "is_distribution": False, "tokens": ["a"], "rows": [[1]]}, {"is_distribution": True}),
    (generate_schema, {"id": 1, "text": "a", "probability": 0.5}, {"alternatives": [{"id": 1}]}),
    (compare_schema, compared, {"heads": []}),
]:
    if not schema.is_valid(good) or schema.is_valid({**good, **wrong}) or schema.is_valid({}):
        failures.append(f"{schema.schema['title']}: the schema takes what is wrong, or refuses what is right")

print("\n".join(failures[:20]))
sys.exit(bool(failures))
