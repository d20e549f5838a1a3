"""Validates the JSON of `headlight info`, `tasks`, `measure`, `tokenize` and `cosine` against their schemas. Exit code 77:
this cannot be tested here."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is missing")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
program = sys.argv[2]
data = root / "tests/data"
failures = []


def run(*words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        failures.append(f"{words}: exit code {done.returncode}: {done.stderr}")
        return ""
    return done.stdout


def schema_of(name):
    return json.loads((root / "docs" / f"{name}.schema.json").read_text(encoding="utf-8"))


def validator(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


info, tasks, measure, tokenize, cosine = (validator(schema_of(name)) for name in ("info", "tasks", "measure", "tokenize", "cosine"))


def check(schema, value, what):
    for error in schema.iter_errors(value):
        why = jsonschema.exceptions.best_match([error])  # the alternative that fits best
        failures.append(f"{what}: {why.json_path}: {why.message[:300]}")


def said(schema, *words):
    text = run(*words)
    value = json.loads(text) if text else {}
    check(schema, value, words)
    return value


# Parts that are the same as in session files.
session = schema_of("session-file")
in_session = lambda part: validator({**part, "$defs": session["$defs"]})  # noqa: E731
switches = session["$defs"]["model"]["properties"]
SWITCHES = ["score_cap", "query_key_norm", "parallel", "shared_norm", "scale_embeddings", "sinusoid_order", "rotary", "relative",
            "windows", "alibi_slopes", "logit_cap"]


def facts(*words):
    value = said(info, "info", *words, "--json")
    for name in SWITCHES:
        if name in value:
            check(in_session(switches[name]), value[name], (*words, name))
    return value


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    all_tasks = said(tasks, "tasks", "--json")
    for task in all_tasks:
        check(in_session({"$ref": "#/$defs/recipe"}), task["recipe"], task["id"])

    kinds = {facts(source)["kind"] for source in ["cat", "tales", *sorted((data / "sessions").glob("*.headlight"))]}
    for model in ["bert", "clip", "deberta-v2", "deepseek-v3", "gpt2", "llama", "llama4", "mistral", "t5", "vit", "whisper"]:
        kinds.add(facts(data / "folders" / model)["kind"])
    facts(data / "folders/clip", "--tower", "pictures")
    facts(data / "gguf/llama.gguf")
    for source in ["cat", data / "sessions/encoder_decoder.headlight"]:
        run("trace", source, "-o", folder / "trace.safetensors")
        kinds.add(facts(folder / "trace.safetensors")["kind"])
    if not {"lesson", "session", "pretrained model", "trace"} <= kinds:
        failures.append(f"info: only {kinds}")

    for model in ["it", "number-words"]:
        if said(measure, "measure", model, "--json").get("examples", 0) < 1:
            failures.append(f"measure {model}: no examples")

    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\n##s\n", encoding="utf-8")
    for words in [("--text", "The cats"), ("--text", "the cat", "--pair", "cat", "--special"), ("--text", "4 5", "--decode")]:
        lines = run("tokenize", vocabulary, *words, "--json").splitlines()
        if not lines:
            failures.append(f"tokenize {words}: nothing")
        for line in lines:
            check(tokenize, json.loads(line), words)

    sentences = folder / "sentences"
    shutil.copytree(data / "folders/electra-discriminator", sentences)
    (sentences / "1_Pooling").mkdir()
    (sentences / "modules.json").write_text('[{"type": "a.Transformer", "path": ""}, {"type": "a.Pooling", "path": "1_Pooling"}]', encoding="utf-8")
    (sentences / "1_Pooling/config.json").write_text('{"pooling_mode_mean_tokens": true}', encoding="utf-8")
    if "unit" not in said(cosine, "cosine", sentences, "--text", "4 12 7", "--pair", "9 3", "--json"):
        failures.append("cosine: sentences without unit")
    (folder / "four.ppm").write_text("P3\n2 2\n255\n255 0 0 0 255 0 0 0 255 9 9 9\n", encoding="ascii")
    if "logit" not in said(cosine, "cosine", data / "folders/clip", "--text", "20 4 11 22", "--picture", folder / "four.ppm", "--json"):
        failures.append("cosine: CLIP without logit")
    said(cosine, "cosine", data / "folders/clip-text-projected", "--text", "4 22", "--pair", "22 4", "--json")

    # A schema that accepts everything would be useless.
    recipe = all_tasks[0]["recipe"] if all_tasks else {}
    for schema, good, wrongs in [
        (info, facts("cat"), [{"kind": "capture"}, {"more": 1}, {"lengths": ["4"]}, {"kind": "pretrained model"}, {"file_bytes": 1}]),
        (info, facts(folder / "trace.safetensors"), [{"kind": "session"}, {"more": 1}, {"heads": "many"}]),
        (measure, {"task": "it", "examples": 1, "answers": 1, "loss": None, "accuracy": 1, "bigram": 0, "chance": 0, "rules": [], "heads": []},
         [{"accuracy": 2}, {"rules": [{}]}, {"heads": [{"layer": 0}]}, {"more": 1}]),
        (tokenize, {"id": 1, "text": "a", "offsets": [0, 1]}, [{"offsets": [0]}, {"sequence": 1}, {"type": 0, "sequence": 2}, {"id": -1}]),
        (cosine, {"cosine": None, "product": 0, "lengths": [0, 1], "dimensions": 3, "tokens": [1, 2]},
         [{"cosine": 2}, {"pooling": "mean"}, {"tokens": [1]}, {"more": 1}]),
    ]:
        if not schema.is_valid(good) or schema.is_valid({}) or any(schema.is_valid({**good, **wrong}) for wrong in wrongs):
            failures.append(f"{schema.schema['title']}: the schema takes what is wrong, or refuses what is right")
    task = {"id": "a", "title": "a", "description": "a", "length": 1, "recipe": recipe}
    if not tasks.is_valid([task]) or tasks.is_valid([{**task, "words": ["a"]}]) or tasks.is_valid([{**task, "length": -1}]) or tasks.is_valid([]):
        failures.append("tasks: the schema takes what is wrong, or refuses what is right")

print("\n".join(failures[:20]))
sys.exit(bool(failures))
