"""The sheets of script/pictures --close-ups: the close-up of every stage, in both themes and for windows of three sizes."""

import json
import os
import subprocess
import tempfile

# The space that the window leaves for Close-up, in pixels, by the window's size.
ROOMS = {"1280x720": "967x380", "1440x900": "1127x540", "1920x1080": "1607x720"}
ON_A_SHEET = 20  # ImageMagick limits the size of a picture
# The source, and what is selected. BENCH/ is the folder of script/bench, which writes a model of GPT-2's shape.
SHEETS = {
    "bank": ("bank --step 9", "--query 1 --key 0"),
    "softmax": ("softmax", "--query 1 --key 0"),
    "cat": ("cat", "--query 2 --key 1"),
    "sentence": ("sentence", "--query 1 --key 0"),
    "block": ("block", "--query 1 --key 0"),
    "writing": ("writing", "--query 5 --key 4"),
    "gpt2": ("BENCH/gpt2 --token-ids 40,50,60,70,80,90,100,110", "--query 3 --key 1"),
    "cross-attention": ("cross-attention", "--query 2 --key 1"),
}


def stages_of(program, source, env):
    """Returns the stages of the first layer of each stack, and those outside the layers."""
    answer = subprocess.run([program, "verify", *source, "--json"], env=env, stdout=subprocess.PIPE, text=True, check=True)
    names = [stage["stage"] for stage in json.loads(answer.stdout)["stages"]]
    return [name for name in names if ("layers." not in name or "layers.0." in name)
            and not name.endswith("head_outputs")]  # which only Heads shows


def make_close_ups(name, source, selection, program, folder):
    """Makes the sheets of a source, and returns their paths."""
    env = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
    stages, made = stages_of(program, source, env), []
    for theme in "light", "dark":
        for window, room in ROOMS.items():
            for first in range(0, len(stages), ON_A_SHEET):
                made.append(folder / f"{name}-{window}-{theme}{first // ON_A_SHEET + 1 if len(stages) > ON_A_SHEET else ''}.png")
                with tempfile.TemporaryDirectory(prefix="headlight-sheets-") as parts:
                    pictures = []
                    for stage in stages[first:first + ON_A_SHEET]:
                        pictures.append(f"{parts}/{stage}.png")
                        subprocess.run([program, "figure", *source, *selection, "--view", "close-up", "--stage", stage, "--theme",
                                        theme, "--size", room, "--no-session", "-o", pictures[-1]], env=env, check=True)
                    subprocess.run(["montage", *pictures, "-tile", "2x", "-geometry", f"{room}+6+6", "-background", "grey80",
                                    "-strip", str(made[-1])], check=True)
    return made
