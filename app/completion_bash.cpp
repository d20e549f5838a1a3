// Completion for bash. Does not need the bash-completion package.
#include "app/printed_pages.h"

namespace headlight::app {

namespace {

/// Returns assignments to the script's variables `words` and `extensions`.
QString assigned(const OfferedWords &offered) {
    const bool takesAll = offered.takesFiles && offered.extensions.isEmpty();
    return QString("words='%1' extensions='%2'")
        .arg(offered.words.join(' '),
             takesAll ? QStringLiteral("*") : offered.extensions.join(' '));
}

QString caseOfCommand(Command command) {
    QStringList options;
    QString values;
    for (const Option &option : optionsOf(command)) {
        QStringList names{QString("--%1").arg(option.name)};
        if (option.letter)
            names << QString("-%1").arg(option.letter);
        options << names;
        if (option.value)
            values += QString("            %1) is_value=yes %2 ;;\n")
                          .arg(names.join(" | "), assigned(wordsForValueOf(option)));
    }
    options << "--help";
    if (command == Command::Window)
        options << "--version";
    QString text =
        command == Command::Window ? "    *)\n" : QString("    %1)\n").arg(commandWord(command));
    text += QString("        options='%1'\n").arg(options.join(' '));
    text += QString("        %1\n").arg(assigned(positionalTextOf(command)));
    if (!values.isEmpty())
        text += QString("        case $before in\n%1        esac\n").arg(values);
    return text + "        ;;\n";
}

} // namespace

QString bashCompletion() {
    QString text = R"(# Completion of headlight for bash, printed by `headlight --print bash`.

_headlight_files() {
    local word=$1 extension file
    shift
    while IFS= read -r file; do
        [[ -d $file ]] && COMPREPLY+=("$file") && continue
        for extension in "$@"; do
            [[ $extension == '*' || $file == *."$extension" ]] && COMPREPLY+=("$file") && break
        done
    done < <(compgen -f -- "$word")
    ((${#COMPREPLY[@]} == 0)) || compopt -o filenames 2>/dev/null
}

_headlight() {
    local word=${COMP_WORDS[COMP_CWORD]} before='' options is_value='' words extensions
    local commands='%1' each
    ((COMP_CWORD > 0)) && before=${COMP_WORDS[COMP_CWORD - 1]}
    # Of --view=whole bash makes three words.
    if [[ $word == '=' ]]; then
        word=''
    elif [[ $before == '=' ]] && ((COMP_CWORD > 1)); then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local command=${COMP_WORDS[1]-}
    ((COMP_CWORD > 1)) || command=''
    COMPREPLY=()
    case $command in
%2    esac
    if [[ -z $is_value && $word == -* ]]; then
        while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -W "$options" -- "$word")
        return
    fi
    [[ -n $is_value ]] || ((COMP_CWORD > 1)) || words="$commands $words"
    while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -W "$words" -- "$word")
    [[ -n $extensions ]] || return 0
    local -a wanted
    read -ra wanted <<<"$extensions"
    _headlight_files "$word" "${wanted[@]}"
}

complete -F _headlight headlight
)";
    QString cases;
    QList<Command> commands = allCommands();
    commands.move(0, commands.size() - 1); // drops the window's pattern, which matches everything
    for (const Command command : commands)
        cases += caseOfCommand(command);
    return text.arg(commandWords().join(' '), cases);
}

} // namespace headlight::app
