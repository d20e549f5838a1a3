"""Validates the lessons against docs/session-file.schema.json. Exit code 77: this cannot be tested here."""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is missing")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
schema = json.loads((root / "docs/session-file.schema.json").read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

failed = False
lessons = sorted((root / "resources/lessons").glob("*.headlight"))
transformers = sorted((root / "tests/data/sessions").glob("*.headlight"))
for path in [*lessons, *transformers, root / "tests/fuzz/seeds/session/small.headlight"]:
    for error in validator.iter_errors(json.loads(path.read_text(encoding="utf-8"))):
        print(f"{path.name}: {error.json_path}: {error.message}")
        failed = True

# A schema that accepts everything would be useless.
base = json.loads(lessons[0].read_text(encoding="utf-8"))
for field, wrong in [("headlight", 3), ("batch", {}), ("model", []), ("masks", [{"kind": "x"}]),
                     ("view", {"head": -1}), ("lesson", {"steps": []}),
                     ("interventions", {"heads": [{"layer": 0, "head": 0, "state": "on"}]}),
                     ("now", {"set": {"mask_value": 1}}), ("now", {"set": {"text": "a", "batch": {}}}),
                     ("now", {"set": {"parameters": [{"parameter": "layers.0.query", "matrix": None}]}})]:
    if validator.is_valid({**base, field: wrong}):
        print(f"the schema takes {wrong!r} as {field}")
        failed = True
for wrong in [{"text": "a", "tokens": ["a"]}, {"text": "a", "ids": [1]}, {"tokens": ["a"], "offsets": [[0, 1]]},
              {"text": "a", "tokens": ["a"], "offsets": [[0]]}, {"tokens": ["a"], "ids": [-1]}]:
    if validator.is_valid({**base, "batch": {"sequences": [wrong]}}):
        print(f"the schema takes {wrong!r} as a sequence")
        failed = True
for good in [{"tokens": ["a", "b"], "ids": [1, None]}, {"text": "a", "tokens": ["a"], "offsets": [[0, 1]], "ids": [3]}]:
    if not validator.is_valid({**base, "batch": {"sequences": [good]}}):
        print(f"the schema refuses {good!r} as a sequence")
        failed = True
for field, wrong in [("positions", "turning"), ("norm", {"place": "after"}), ("norm", {"kind": "l2"}),
                     ("feed_forward", {"activation": "relu"}), ("head", {"kind": "tail"}), ("layers", [{}]),
                     ("encoder", {}), ("vocabulary", ["a", ""]), ("rotary", {"base": 0}), ("layer_count", 1000),
                     ("final_norm_gain", 3), ("token_embeddings", {"random": {}})]:
    if validator.is_valid({**base, "model": {**base["model"], field: wrong}}):
        print(f"the schema takes {wrong!r} as model.{field}")
        failed = True
sys.exit(1 if failed or not lessons or not transformers else 0)
