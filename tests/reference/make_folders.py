"""Small folders with random models of every family, as Hugging Face's libraries write them, and next to each folder
every stage of one computation in float64, after the families' papers.

Writes tests/data/folders/NAME/ and tests/data/folders/NAME.safetensors. Every family is a file of families/. Those of
decoders/ are written by make_decoder_folders.py. With --check, computes the trained models of ../shared/models instead
and compares their attention with another program's (../shared/models/golden)."""

import json
import pathlib
import shutil
import sys

import torch

from families import bart, bert, files, gpt, llama, t5

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "folders"


def check(models):
    def golden(name):
        return json.loads((models / "golden" / f"{name}.json").read_text())

    def compare(name, stages, place, theirs):
        ours = torch.cat([stages[place.format(layer)] for layer in range(len(theirs))])
        difference = (ours - torch.tensor(theirs, dtype=torch.float64)).abs().max().item()
        print(f"{difference:.1e} {name} {place}")
        return difference < 1e-6

    def model(name):
        return (json.loads((models / name / "config.json").read_text()),
                files.read_safetensors(models / name / "model.safetensors"))

    same, weights = [], "layers.{}.self_attention.weights"
    for name, ids in (("gpt-nano-sort", "sequence"), ("english-lm", "input_ids")):
        stages = gpt.gpt2_trace(*model(name), "transformer.", True, golden(name)[ids])
        same.append(compare(name, stages, weights, golden(name)["attention"]))
    name = "stories260k"
    stages = llama.trace_of(*model(name), "model.", golden(name)["input_ids"])
    same.append(compare(name, stages, weights, golden(name)["attention"]))
    name = "rxnmapper-albert"
    ids = golden(name)["input_ids"]
    stages = bert.albert_trace(*model(name), "albert.", True, ids, [0] * len(ids))
    same.append(compare(name, stages, weights, golden(name)["attention"]))
    name = "bart-g2p-us"
    config, tensors = model(name)
    stages = bart.trace_of(config, tensors, "model.", golden(name)["encoder_ids"], golden(name)["decoder_ids"])
    for place, which in (("encoder." + weights, "encoder_attention"), ("decoder." + weights, "decoder_attention"),
                         ("decoder.layers.{}.cross_attention.weights", "cross_attention")):
        same.append(compare(name, stages, place, golden(name)[which]))
    return 0 if all(same) else 1


def main():
    if sys.argv[1:] == ["--check"]:
        return check(FOLDER.parents[3] / "shared" / "models")
    for family in (gpt, llama, bert, bart, t5):
        for name, case in family.CASES.items():
            shutil.rmtree(FOLDER / name, ignore_errors=True)
            config, tensors, inputs, stages = case()
            files.write_folder(FOLDER / name, config, tensors, getattr(family, "SHARDED", {}).get(name, 1))
            files.write_trace(FOLDER / f"{name}.safetensors", stages, inputs)
    paths = [path for path in FOLDER.rglob("*") if path.is_file()]
    print(f"{len(paths)} files, {sum(path.stat().st_size for path in paths)} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
