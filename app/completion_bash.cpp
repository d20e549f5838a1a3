// Completion for bash. It needs nothing of the bash-completion package.
#include "app/printed_pages.h"

namespace headlight::app {

namespace {

QString caseOfCommand(Command command) {
    QStringList options, files, values;
    for (const Option &option : optionsOf(command)) {
        QStringList names{QString("--%1").arg(option.name)};
        if (option.letter)
            names << QString("-%1").arg(option.letter);
        options << names;
        if (option.value)
            (takesFile(option) ? files : values) << names;
    }
    options << "--help";
    if (command == Command::Window)
        options << "--version";
    const PositionalWords positional = positionalWordsOf(command);
    QString text =
        command == Command::Window ? "    *)\n" : QString("    %1)\n").arg(wordOf(command));
    const auto line = [&](const char *name, const QStringList &words) {
        text += QString("        %1='%2'\n").arg(name, words.join(' '));
    };
    line("options", options);
    line("with_file", files);
    line("with_value", values);
    line("words", positional.words);
    const bool takesAll = positional.takesFiles && positional.extensions.isEmpty();
    line("extensions", takesAll ? QStringList{"*"} : positional.extensions);
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
    local word=${COMP_WORDS[COMP_CWORD]} before='' options with_file with_value words extensions
    local commands='%1' each
    ((COMP_CWORD > 0)) && before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]-}
    ((COMP_CWORD > 1)) || command=''
    COMPREPLY=()
    case $command in
%2    esac
    case " $with_file " in *" $before "*)
        _headlight_files "$word" '*'
        return ;;
    esac
    case " $with_value " in *" $before "*) return ;; esac
    if [[ $word == -* ]]; then
        while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -W "$options" -- "$word")
        return
    fi
    ((COMP_CWORD > 1)) || words="$commands $words"
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
    commands.move(0, commands.size() - 1); // the window's pattern matches everything
    for (const Command command : commands)
        cases += caseOfCommand(command);
    return text.arg(commandWords().join(' '), cases);
}

} // namespace headlight::app
