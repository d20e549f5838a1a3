# Bare systems of other releases, for packaging/try-on and packaging/try-deb, which source this file. `fail` must be defined.

# bare_inside SCRIPT WORD…: restarts the script in its own namespaces. So its mounts and processes disappear when the
# script ends, even if it is interrupted or killed.
bare_inside() {
    [ -z "${HEADLIGHT_TRY_ON_INSIDE:-}" ] || return 0
    [ "$(id -u)" = 0 ] || fail "needs root"
    unshare --mount --pid --fork true 2>/dev/null || fail "namespaces are not allowed here"
    command -v mmdebstrap >/dev/null || "$(dirname "$0")/../script/apt-install" mmdebstrap ||
        fail "mmdebstrap is missing (apt-get install mmdebstrap)"
    export HEADLIGHT_TRY_ON_INSIDE=yes
    exec unshare --mount --pid --fork --kill-child "$@"
}

# bare_make RELEASE FOLDER PACKAGES: creates the system, unless the folder exists.
bare_make() {
    [ ! -e "$2" ] || return 0
    case "$1" in
        jammy | noble | oracular | plucky | questing) bare_parts=main,universe bare_name=ubuntu ;;
        *) bare_parts=main bare_name=debian ;;
    esac
    bare_keyring="/usr/share/keyrings/$bare_name-archive-keyring.gpg"
    [ -e "$bare_keyring" ] || fail "$bare_keyring is missing (apt-get install $bare_name-keyring, or $bare_name-archive-keyring)"
    # Uses a temporary name until the system is complete.
    rm -rf "$2.unfinished"
    # HEADLIGHT_MIRROR: a server to use instead of mmdebstrap's default.
    mmdebstrap --quiet --variant=minbase --components="$bare_parts" --include="apt,ca-certificates${3:+,$3}" \
        "$1" "$2.unfinished" ${HEADLIGHT_MIRROR:+"$HEADLIGHT_MIRROR"} || fail "mmdebstrap failed (no network?)"
    cp /etc/resolv.conf "$2.unfinished/etc/" 2>/dev/null || true
    mv "$2.unfinished" "$2"
}

# bare_mount FOLDER: mounts /proc, /sys and a small /dev there.
bare_mount() {
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sysfs "$1/sys"
    mount -t tmpfs -o mode=755 tmpfs "$1/dev"
    for bare_device in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 "$1/dev/${bare_device%:*}" c 1 "${bare_device#*:}"
    done
    mkdir -m 1777 "$1/dev/shm"
    # apt writes its log through a pseudo terminal, and the test of zsh completions needs one.
    mkdir "$1/dev/pts"
    mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$1/dev/pts"
    ln -s pts/ptmx "$1/dev/ptmx"
    ln -s /proc/self/fd "$1/dev/fd"
    for bare_stream in stdin:0 stdout:1 stderr:2; do
        ln -s "/proc/self/fd/${bare_stream#*:}" "$1/dev/${bare_stream%:*}"
    done
}

# bare_run FOLDER COMMAND…: runs a command there, without this system's environment.
bare_run() {
    bare_root="$1"
    shift
    chroot "$bare_root" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
