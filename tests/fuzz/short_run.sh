#!/bin/sh
# Builds the fuzz targets in a subfolder of the calling build and runs each briefly. Exits with 77
# if long tests are off or clang is missing.
#   short_run.sh CMAKE SOURCE BUILD [LAUNCHER]
set -eu
cmake=$1
source=$2
build=$3
launcher=${4:-}

[ -n "${HEADLIGHT_LONG_TESTS:-}" ] || { echo "skipped: script/test --long runs it; damaged_seeds is its short form"; exit 77; }
compiler=$(command -v clang++) || { echo "skipped: there is no clang++; script/bootstrap long installs it"; exit 77; }
mkdir -p "$build"
printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }\n' >"$build/probe.cpp"
"$compiler" -fsanitize=fuzzer,address,undefined "$build/probe.cpp" -o "$build/probe" 2>"$build/probe.log" ||
    { echo "skipped: this clang++ has no libFuzzer"; cat "$build/probe.log"; exit 77; }

"$cmake" -S "$source" -B "$build/targets" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DHEADLIGHT_FUZZ=ON -DHEADLIGHT_CORE_ONLY=ON \
    -DCMAKE_UNITY_BUILD=ON -DHEADLIGHT_BENCHMARKS=OFF -DBUILD_TESTING=OFF >"$build/configure.log" 2>&1 || { cat "$build/configure.log"; exit 1; }
"$cmake" --build "$build/targets" -j2 >"$build/build.log" 2>&1 || { tail -50 "$build/build.log"; exit 1; }

run() { # NAME RUNS SEEDS…
    name=$1
    runs=$2
    shift 2
    rm -rf "$build/corpus/$name"
    mkdir -p "$build/corpus/$name" "$build/found"
    "$build/targets/tests/fuzz/fuzz_$name" -runs="$runs" -seed=1 -max_len=65536 -rss_limit_mb=4096 -print_final_stats=1 \
        "-artifact_prefix=$build/found/" "-dict=$source/tests/fuzz/session.dict" "$build/corpus/$name" "$@" \
        >"$build/$name.log" 2>&1 || { tail -60 "$build/$name.log"; exit 1; }
    grep -E "^(Done|stat::number_of_executed_units|stat::peak_rss_mb)" "$build/$name.log"
}

rm -rf "$build/seeds" "$build/folders"
"$build/targets/tests/fuzz/make_seeds" "$source/docs/session-file.schema.json" "$build/seeds" \
    "$source/tests/data/folders" "$build/folders"

run session 10000 "$source/resources/lessons" "$source/tests/data/sessions" "$source/tests/fuzz/seeds/session" "$build/seeds"
run steps 2000 "$source/resources/lessons" "$source/tests/data/sessions" "$source/tests/fuzz/seeds/session" "$build/seeds"
run figure 10000 "$source/tests/fuzz/seeds/figure"
[ ! -x "$build/targets/tests/fuzz/fuzz_recipe" ] || # needs Qt
    run recipe 5000 "$source/tests/fuzz/seeds/recipe"
run safetensors 2000 "$source/tests/fuzz/seeds/safetensors"
run npz 20000 "$source/tests/fuzz/seeds/npz"
run wav 5000 "$source/tests/fuzz/seeds/wav"
run course 10000 "$source/tests/fuzz/seeds/course"
run vectors 2000 "$source/tests/fuzz/seeds/vectors"
run text_list 10000 "$source/tests/fuzz/seeds/text_list"
run tokenizer 2000 "$source/tests/fuzz/seeds/tokenizer"
run sentence_piece 2000 "$source/tests/data/tokenizers"
run pretrained 2000 "$build/folders"
run gguf 2000 "$source/tests/data/gguf"
