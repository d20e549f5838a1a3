"""Finds the contenders, and starts a process of each that runs passes on request."""
import json
import os
import shutil
import statistics
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # the system's Python, with Debian's PyTorch


class Missing(Exception):
    """The reason why a contender cannot take part."""


class Process:
    """A contender's process for one case. It has read its files, and measures passes on request."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.wall, self.cpu = [], []

    def ask(self, passes, counts=True):
        try:
            self.process.stdin.write(f"{passes}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.process.kill()
            words = self.process.stderr.read().strip().splitlines()
            raise Missing(words[-1] if words else "it ended without a word")
        answer = json.loads(line)
        if counts:
            self.wall += answer["wall"]
            self.cpu += answer["cpu"]
        return statistics.median(answer["wall"])

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.stdout.close()
        self.process.stderr.close()


def run(command, reason, **options):
    made = subprocess.run(command, capture_output=True, text=True, **options)
    if made.returncode != 0:
        words = (made.stderr or made.stdout).strip().splitlines()
        raise Missing(f"{reason}: {words[-1] if words else made.returncode}")
    return made.stdout.strip()


def cpu_flags():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return set(line.split())
    return set()


def blas_core():
    """Returns the core type for OpenBLAS, or None if OpenBLAS may choose. OpenBLAS takes an unknown processor for an
    old one."""
    flags = cpu_flags()
    if "avx512f" in flags and "avx512bw" in flags:
        return "SkylakeX"
    return "Haswell" if {"avx2", "fma"} <= flags else None


class Ort:
    name = "ONNX Runtime"

    def __init__(self, folder):
        self.folder = folder
        modules = folder / "node_modules"
        package = modules / "onnxruntime-node" / "package.json"
        for tool in ("node", "npm"):
            if not shutil.which(tool):
                raise Missing(f"there is no {tool}")
        if not package.exists():
            run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix",
                 str(folder), "onnxruntime-node"], "npm could not install onnxruntime-node")
        self.environment = {"PEERS_MODULES": str(modules)}
        self.facts = f"ONNX Runtime {json.loads(package.read_text())['version']} (onnxruntime-node)"

    def ways(self, case, files, result):
        """Yields all ways that may be the fastest: numbers of threads, and the plain graph or a fused operator."""
        if case.what == "backward":
            return
        from onnx_graph import write_graph
        fused = [""] if case.what == "weights" else ["", "Attention", "MultiHeadAttention"]
        for operator in fused:
            graph = self.folder / "data" / f"{case.model}-{case.tokens}-{case.what}-{operator}.onnx"
            write_graph(graph, files[0], case.batch, case.tokens, case.what == "weights", operator)
            for threads in (1, 2):
                yield (f"{operator or 'plain graph'}, {threads} threads",
                       ["node", HERE / "ort_pass.js", graph, files[1], threads, case.what, result],
                       self.environment)


class Torch:
    name = "PyTorch"

    def __init__(self, folder):
        version = run([PYTHON, "-c", "import torch; print(torch.__version__)"],
                      f"{PYTHON} has no PyTorch")
        self.environment = {"OPENBLAS_CORETYPE": blas_core()} if blas_core() else {}
        blas = folder / "openblas"
        libraries = blas / "usr/lib/x86_64-linux-gnu/openblas-openmp"
        if not libraries.exists():  # the system's default may be the slow reference BLAS
            blas.mkdir(parents=True, exist_ok=True)
            run(["apt-get", "download", "libopenblas0-openmp"], "no OpenBLAS", cwd=blas)
            run(["dpkg", "-x", str(next(blas.glob("*.deb"))), str(blas)], "no OpenBLAS")
        self.environment["LD_LIBRARY_PATH"] = str(libraries)
        library = next(libraries.glob("libopenblas*-r*.so")).name
        self.facts = (f"PyTorch {version} (Debian) with OpenBLAS {library.split('-r')[1][:-3]}, "
                      f"core type {blas_core() or 'as it finds it'}")

    def ways(self, case, files, result):
        # On a busy machine, OpenMP threads waste time spinning while they wait for each other.
        for threads, policy in ((1, None), (2, None), (2, "passive")):
            waiting = {"OMP_WAIT_POLICY": policy} if policy else {}
            yield (f"{threads} threads{', waiting passively' if policy else ''}",
                   [PYTHON, HERE / "torch_pass.py", *files, case.what, threads, result],
                   {**self.environment, **waiting})


class Ours:
    name = "Headlight"

    def __init__(self, program):
        if not program.exists():
            raise Missing(f"{program} is not built: cmake --build build/release --target bench_pass")
        self.program = program
        self.facts = "Headlight " + run(["git", "-C", str(HERE), "describe", "--always", "--dirty"],
                                        "no version")

    def ways(self, case, files, result):
        yield "", [self.program, *files, case.what, result], None
