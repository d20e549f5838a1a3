# As complete.bash, for zsh, which completes only interactively, so this uses a pseudo terminal.
zmodload zsh/zpty
: >offered
zpty typing "ZDOTDIR=$PWD/zsh TERM=dumb zsh -d -i"
while zpty -r typing shown; do :; done
cat offered
