# Reads the file lines, completes the last word of each line, and prints the completions and then a line with a
# percent sign.
source page.bash
[[ $(complete -p headlight) == *'-F _headlight headlight' ]] || echo 'not registered'
while IFS= read -r line; do
    # Splits at equals signs, too, because bash's COMP_WORDBREAKS contains them.
    read -ra COMP_WORDS <<<"headlight ${line//=/ = }"
    [[ $line != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _headlight
    printf '%s\n' "${COMPREPLY[@]}" '%'
done <lines
