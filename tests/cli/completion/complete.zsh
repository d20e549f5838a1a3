# Like complete.bash, for zsh. Completion in zsh works only interactively, so this script uses a
# pseudo terminal.
zmodload zsh/zpty
: >offered
zpty typing "ZDOTDIR=$PWD/zsh TERM=dumb zsh -d -i"
while zpty -r typing shown; do :; done
cat offered
