#!/bin/sh
# Installs the build into a scratch folder and checks the files that a desktop uses: install.sh CMAKE BUILD SCRATCH
set -eu
cmake="$1" build="$2" scratch="$3"
id=io.github.headlight.Headlight

rm -rf "$scratch"
"$cmake" --install "$build" --prefix "$scratch" >/dev/null

for file in bin/headlight "share/applications/$id.desktop" "share/metainfo/$id.metainfo.xml" \
    "share/icons/hicolor/scalable/apps/$id.svg" "share/mime/packages/$id.xml" share/headlight/headlight_capture.py \
    share/man/man1/headlight.1.gz share/bash-completion/completions/headlight \
    share/zsh/vendor-completions/_headlight share/fish/vendor_completions.d/headlight.fish; do
    [ -s "$scratch/$file" ] || { echo "not installed: $file"; exit 1; }
done

[ "$("$scratch/bin/headlight" --version)" != "" ]
"$scratch/bin/headlight" lessons | grep -q '^bank	'

gzip -dc "$scratch/share/man/man1/headlight.1.gz" | grep -q '^\.SH NAME$'
bash -n "$scratch/share/bash-completion/completions/headlight"
# In the output of `headlight lessons`, lessons have two columns and models have more.
lessons=$("$scratch/bin/headlight" lessons | awk -F'\t' 'NF == 2' | wc -l)
grep -q "<li>$lessons lessons " "$scratch/share/metainfo/$id.metainfo.xml" ||
    { echo "the AppStream metadata does not count $lessons lessons"; exit 1; }

exec_line=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$scratch/share/applications/$id.desktop")
[ -x "$scratch/bin/$exec_line" ] || { echo "the desktop entry starts $exec_line, which is not installed"; exit 1; }

if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate --no-hints "$scratch/share/applications/$id.desktop"
else
    echo "desktop-file-validate is missing: the desktop entry was not validated"
fi
if command -v appstreamcli >/dev/null; then
    # Headlight has no home page. AppStream 1.0 (Debian 13) reports this as an error, and 0.16 (Debian 12) does not
    # support the tag.
    metainfo="$scratch/share/metainfo/$id.metainfo.xml"
    appstreamcli validate --no-net "$metainfo" >"$scratch/said" ||
        appstreamcli validate --no-net --override=url-homepage-missing=info "$metainfo" || { cat "$scratch/said"; exit 1; }
else
    echo "appstreamcli is missing: the AppStream metadata was not validated"
fi
