"""Validates the output of `headlight verify --json` against docs/verify.schema.json. Exit code 77: this cannot be
tested here."""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is missing")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
right, wrong_weight = sys.argv[2:]
schema = json.loads((root / "docs/verify.schema.json").read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

failed = False
sessions = root / "tests/data/sessions"
for program, source, code in [(right, "cat", 0), (right, sessions / "encoder_postnorm.headlight", 0),
                              (right, sessions / "encoder_decoder.headlight", 0),
                              (wrong_weight, sessions / "decoder_alibi.headlight", 1)]:
    run = subprocess.run([program, "verify", str(source), "--json"], capture_output=True, text=True, check=False)
    if run.returncode != code:
        print(f"{source}: exit code {run.returncode}, expected {code}: {run.stderr}")
        failed = True
    document = json.loads(run.stdout)
    for error in validator.iter_errors(document):
        print(f"{source}: {error.json_path}: {error.message}")
        failed = True
    if any("alone" in stage for stage in document["stages"]) != (code == 1):
        print(f"{source}: alone is there only where a stage differs")
        failed = True

# A schema that accepts everything would be useless.
stage = {"stage": "embeddings", "difference": 0, "at": None}
good = {"largest": 0, "stages": [stage]}
if not validator.is_valid(good):
    print("the schema refuses a right document")
    failed = True
for wrong in [{}, {"stages": [stage]}, {**good, "largest": -1}, {**good, "stages": []}, {**good, "more": 1},
              {**good, "stages": [{**stage, "at": [0]}]}, {**good, "stages": [{**stage, "at": [0, 1, -1]}]},
              {**good, "stages": [{**stage, "difference": "∞"}]}, {**good, "stages": [{**stage, "stage": ""}]}]:
    if validator.is_valid(wrong):
        print(f"the schema takes {wrong!r}")
        failed = True
sys.exit(failed)
