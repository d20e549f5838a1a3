// Completion for zsh.
#include "app/printed_pages.h"

namespace headlight::app {

namespace {

/// Escapes a description for _arguments inside single quotes.
QString inZshQuotes(QString text) {
    return text.replace('\\', "\\\\")
        .replace('[', "\\[")
        .replace(']', "\\]")
        .replace(':', "\\:")
        .replace('\'', "'\\''");
}

/// Returns the _arguments action that completes the word. It goes inside single quotes.
QString zshAction(const OfferedWords &offered) {
    const QString words = offered.words.join(' ');
    if (!offered.takesFiles)
        return words.isEmpty() ? QString(" ") : QString("(%1)").arg(words);
    QString files = "_files";
    if (offered.extensions.size() == 1) // in *.(npz), zsh would take (npz) as glob qualifiers
        files += QString(" -g \"*.%1\"").arg(offered.extensions.first());
    else if (!offered.extensions.isEmpty())
        files += QString(" -g \"*.(%1)\"").arg(offered.extensions.join('|'));
    if (words.isEmpty())
        return files;
    // The leading space keeps _arguments from adding compadd options, which _alternative does not
    // accept. An unescaped colon would end the action.
    return QString(" _alternative \"words\\:built in\\:(%1)\" \"files\\:file\\:%2\"")
        .arg(words, files.replace('"', "\\\""));
}

QString zshArguments(Command command) {
    QString text = "_arguments -s -S";
    for (const Option &option : optionsOf(command)) {
        // "=": the value may be the next word or follow "=". "+": it may also follow the letter
        // directly.
        const QString mark = option.value ? "=" : "";
        QString names = QString("'--%1%2").arg(option.name, mark);
        if (option.letter)
            names = QString("'(-%1 --%2)'{-%1%3,--%2%4}'")
                        .arg(option.letter, option.name, option.value ? "+" : "", mark);
        QString value;
        if (option.value)
            value = QString(":%1:%2").arg(inZshQuotes(option.value),
                                          zshAction(wordsForValueOf(option)));
        text +=
            QString(" \\\n            %1[%2]%3'").arg(names, inZshQuotes(option.meaning), value);
    }
    text += " \\\n            '(-h --help)'{-h,--help}'[print the help]'";
    if (command == Command::Window)
        text += " \\\n            '(-v --version)'{-v,--version}'[print the version]'";
    const OfferedWords positional = positionalTextOf(command);
    if (!positional.takesFiles)
        return text + '\n';
    return text + QString(" \\\n            '*:%1:%2'\n")
                      .arg(positional.words.isEmpty() ? "file" : " ", zshAction(positional));
}

} // namespace

QString zshCompletion() {
    QString text = "#compdef headlight\n"
                   "# Completion of headlight for zsh, printed by `headlight --print zsh`.\n\n"
                   "local -a commands\ncommands=(\n";
    QString cases;
    for (const Command command : allCommands()) {
        if (command == Command::Window)
            continue;
        text += QString("    '%1:%2'\n")
                    .arg(commandWord(command), inZshQuotes(helpOf(command).meaning));
        cases += QString("    %1)\n        %2        ;;\n")
                     .arg(commandWord(command), zshArguments(command));
    }
    text += ")\n\n";
    text += "if (( CURRENT == 2 )); then\n    _describe command commands\n"
            "elif (( $commands[(I)${words[2]}:*] )); then\n"
            "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n";
    text += cases + "    esac\n    return\nfi\n";
    return text + zshArguments(Command::Window);
}

} // namespace headlight::app
