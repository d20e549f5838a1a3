#!/bin/sh
# Runs the engine's tests once per fault, two at a time. Fails if a fault goes unnoticed. Tries one fault in three, or
# all in long tests.
#   tests/mutation/run.sh PROGRAM [NUMBER]
set -u
program="$1"
only="${2:-}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" --faults >"$folder/names"
"$program" >"$folder/none" 2>&1 || { tail -20 "$folder/none"; echo "the tests fail without a fault"; exit 1; }

# These tests are slower than all others together, so they run only if the fault has an effect in the others but does
# not fail them.
slow="large products*,an edit gives what*,no NaN*,one layer at a time*,random transformers,random layers of attention"
slow="$slow,a model of every kind,every lesson*at every step,the sessions of every kind,a folder of every family"
with() { # NUMBER OPTION
    HEADLIGHT_FAULT="$1" HEADLIGHT_SCRATCH="$folder/scratch.$1" "$program" --abort-after=1 "$2" >>"$folder/out.$1" 2>&1
}
try() {
    with "$1" "--test-case-exclude=$slow" && { grep -q "^no consequence$" "$folder/out.$1" || with "$1" "--test-case=$slow"; }
    echo $? >"$folder/code.$1"
    rm -rf "$folder/scratch.$1"
}
count=$(wc -l <"$folder/names")
number=0
step=3 running=0
[ -n "${HEADLIGHT_LONG_TESTS:-}$only" ] && step=1
while [ "$number" -lt "$count" ]; do
    if [ -z "$only" ] || [ "$only" = "$number" ]; then
        try "$number" &
        running=$((running + 1))
        [ $((running % 2)) = 0 ] && wait
    fi
    number=$((number + step))
done
wait

noticed=0 missed=0 without=0 number=0
while read -r name; do
    if [ -e "$folder/code.$number" ]; then
        if [ "$(cat "$folder/code.$number")" != 0 ]; then
            noticed=$((noticed + 1))
        elif grep -q "^no consequence$" "$folder/out.$number"; then
            without=$((without + 1))
        else
            missed=$((missed + 1))
            echo "not noticed: $number $name"
        fi
    fi
    number=$((number + 1))
done <"$folder/names"
echo "$noticed faults noticed, $missed not, $without that no model has a place for"
[ "$missed" = 0 ]
