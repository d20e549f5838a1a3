#!/bin/sh
# Tests the calls of CMake and apt in script/run, script/test and .ci/run, with stand-in programs that only record their
# arguments: newcomer.sh SOURCE SCRATCH
set -eu
source="$1" scratch="$2"
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/checkout/packaging" "$scratch/checkout/build/release/app"
cp -r "$source/script" "$source/.ci" "$scratch/checkout/"
for program in cmake ctest apt-get; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/asked"\n' "$program" "$scratch" >"$scratch/bin/$program"
done
printf '#!/bin/sh\nexit 0\n' >"$scratch/checkout/script/bootstrap"
printf '#!/bin/sh\necho "headlight$(printf " %%s" "$@")" >>"%s/asked"\n' "$scratch" >"$scratch/checkout/build/release/app/headlight"
printf '#!/bin/sh\necho "try-on $*" >>"%s/asked"\n' "$scratch" >"$scratch/checkout/packaging/try-on"
chmod +x "$scratch"/bin/* "$scratch/checkout/script/bootstrap" "$scratch/checkout/packaging/try-on" \
    "$scratch/checkout/build/release/app/headlight"
PATH="$scratch/bin:$PATH"
export PATH
unset HEADLIGHT_WARNINGS_AS_ERRORS HEADLIGHT_LONG_TESTS DISPLAY WAYLAND_DISPLAY

expect() { # COMMAND LINE: the command calls a stand-in with this line
    : >"$scratch/asked"
    # shellcheck disable=SC2086 # the command's words
    (cd / && "$scratch"/checkout/$1 >/dev/null)
    grep -qxF -e "$2" "$scratch/asked" || { echo "$1 does not ask for: $2"; cat "$scratch/asked"; exit 1; }
}
together="-DCMAKE_UNITY_BUILD=ON"
expect script/run "cmake --preset release -DBUILD_TESTING=OFF"
expect script/run "headlight figure bank -o build/bank.png --scale 2"
DISPLAY=:1
export DISPLAY
expect script/run "headlight " # the start page
expect "script/run softmax" "headlight softmax"
unset DISPLAY
expect script/test "cmake --preset release -DHEADLIGHT_WARNINGS_AS_ERRORS=OFF $together"
expect "script/test dev" "ctest --preset dev -j $(nproc)"
expect "script/test --brief dev" "ctest --preset dev -j $(nproc) -LE ^sweep$"
expect .ci/run "cmake --preset dev -DHEADLIGHT_WARNINGS_AS_ERRORS=ON $together"
expect .ci/run "try-on trixie sh -c script/run && script/test --brief"
mkdir -p "$scratch/checkout/build/dev" "$scratch/checkout/build/release" # the build directory already exists, with user settings
: >"$scratch/checkout/build/dev/CMakeCache.txt"
: >"$scratch/checkout/build/release/CMakeCache.txt"
expect script/run "cmake --build --preset release --target headlight"
expect script/test "cmake build/release -DBUILD_TESTING=ON"
expect "script/test dev" "cmake build/dev -DBUILD_TESTING=ON"
expect .ci/run "cmake build/dev -DBUILD_TESTING=ON -DHEADLIGHT_WARNINGS_AS_ERRORS=ON"

# If the other system cannot be created, .ci/run prints a message and succeeds. If a test on it fails, .ci/run fails.
exits() { # EXIT-CODE-OF-TRY-ON EXPECTED
    printf '#!/bin/sh\nexit %s\n' "$1" >"$scratch/checkout/packaging/try-on"
    status=0
    "$scratch/checkout/.ci/run" >"$scratch/said" || status=$?
    [ "$status" = "$2" ] || { echo ".ci/run ends with $status, not $2, where try-on ends with $1"; exit 1; }
}
exits 0 0
exits 77 0
grep -q "not tried" "$scratch/said" || { echo ".ci/run does not say that Debian 13 was not tried"; exit 1; }
exits 1 1
exits 2 2

# If another program holds apt's lock for a while, the script waits for it. Other errors fail at once.
cp "$source/script/apt-install" "$scratch/checkout/script/"
printf '#!/bin/sh\nexec "$@"\n' >"$scratch/bin/sudo"
cat >"$scratch/bin/apt-get" <<'END'
#!/bin/sh
echo "apt-get $*" >>"$(dirname "$0")/../asked"
case "$*" in
*" install "*absent*) echo "E: Unable to locate package absent" >&2; exit 100 ;;
*) [ "$(grep -c apt-get "$(dirname "$0")/../asked")" -gt 2 ] || { echo "E: Could not get lock /var/lib/apt/lists/lock" >&2; exit 100; } ;;
esac
END
chmod +x "$scratch/bin/apt-get" "$scratch/bin/sudo"
: >"$scratch/asked"
export HEADLIGHT_APT_PAUSE=0
"$scratch/checkout/script/apt-install" some-package >"$scratch/said"
grep -q "waiting for another program" "$scratch/said" || { echo "apt-install does not say that it waits"; exit 1; }
[ "$(grep -c " install .* some-package" "$scratch/asked")" = 1 ] || { echo "apt-install did not wait for the lock"; cat "$scratch/asked"; exit 1; }
if "$scratch/checkout/script/apt-install" absent >"$scratch/said" 2>&1; then
    echo "apt-install takes a package that is not there for installed"
    exit 1
fi
[ "$(grep -c " install .* absent" "$scratch/asked")" = 1 ] || { echo "apt-install tries again what cannot be"; exit 1; }
