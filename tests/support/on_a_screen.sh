#!/bin/sh
# Runs a program on its own Xvfb screen if Xvfb is installed, otherwise directly.
#   on_a_screen.sh PROGRAM [ARGUMENTS]
set -eu
command -v Xvfb >/dev/null 2>&1 || exec "$@"

folder=$(mktemp -d)
server=""
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
mkfifo "$folder/number"
Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp 3>"$folder/number" >/dev/null 2>&1 &
server=$!
read -r number <"$folder/number" # blocks until the server listens or exits
[ -n "$number" ]

export DISPLAY=":$number" QT_QPA_PLATFORM=xcb
unset WAYLAND_DISPLAY
"$@"
