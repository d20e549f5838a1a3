#!/bin/sh
# Writes the program's manual page and completions: print_pages.sh HEADLIGHT FOLDER
set -eu
mkdir -p "$2"
for shell in bash zsh fish; do
    "$1" --print "$shell" >"$2/headlight.$shell"
done
"$1" --print man >"$2/headlight.1"
gzip -9nf "$2/headlight.1"
