# Like complete.bash, for fish.
source page.fish
while read --local line
    complete --do-complete="headlight $line" | string replace --regex '\t.*' ''
    echo %
end <lines
