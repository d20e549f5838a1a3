#!/bin/sh
# What script/test and .ci/run ask of CMake, with programs in its place that only say what they are asked for:
# newcomer.sh SOURCE SCRATCH
set -eu
source="$1" scratch="$2"
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/checkout"
cp -r "$source/script" "$source/.ci" "$scratch/checkout/"
for program in cmake ctest apt-get; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/asked"\n' "$program" "$scratch" >"$scratch/bin/$program"
done
printf '#!/bin/sh\nexit 0\n' >"$scratch/checkout/script/bootstrap"
chmod +x "$scratch"/bin/* "$scratch/checkout/script/bootstrap"
PATH="$scratch/bin:$PATH"
export PATH
unset HEADLIGHT_WARNINGS_AS_ERRORS

expect() { # COMMAND LINE: the line is among what was asked for
    : >"$scratch/asked"
    (cd / && "$scratch/checkout/$1")
    grep -qxF -e "$2" "$scratch/asked" || { echo "$1 does not ask for: $2"; cat "$scratch/asked"; exit 1; }
}
together="-DCMAKE_UNITY_BUILD=ON"
expect script/test "cmake --preset dev -DHEADLIGHT_WARNINGS_AS_ERRORS=OFF $together"
expect .ci/run "cmake --preset dev -DHEADLIGHT_WARNINGS_AS_ERRORS=ON $together"
mkdir -p "$scratch/checkout/build/dev" # somebody works there, with choices of their own
: >"$scratch/checkout/build/dev/CMakeCache.txt"
expect script/test "cmake build/dev"
expect .ci/run "cmake build/dev -DHEADLIGHT_WARNINGS_AS_ERRORS=ON"
