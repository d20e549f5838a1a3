// Completion for fish.
#include "app/printed_pages.h"

namespace headlight::app {

namespace {

QString inFishQuotes(QString text) {
    return '\'' + text.replace('\\', "\\\\").replace('\'', "\\'") + '\'';
}

} // namespace

QString fishCompletion() {
    const QString commands = commandWords().join(' ');
    QString text = "# Completion of headlight for fish, printed by `headlight --print fish`.\n\n";
    for (const Command command : allCommands()) {
        const bool isWindow = command == Command::Window;
        const QString condition =
            isWindow ? QString("not __fish_seen_subcommand_from %1").arg(commands)
                     : QString("__fish_seen_subcommand_from %1").arg(commandWord(command));
        const QString begin = QString("complete -c headlight -n '%1'").arg(condition);
        if (!isWindow)
            text += QString("complete -c headlight -n __fish_use_subcommand -a %1 -d %2\n")
                        .arg(commandWord(command), inFishQuotes(helpOf(command).meaning));
        const OfferedWords positional = positionalTextOf(command);
        if (!positional.takesFiles)
            text += begin + " -f\n";
        if (!positional.words.isEmpty())
            text += begin + QString(" -a '%1'\n").arg(positional.words.join(' '));
        for (const Option &option : optionsOf(command)) {
            text += begin + QString(" -l %1").arg(option.name);
            if (option.letter)
                text += QString(" -s %1").arg(option.letter);
            if (option.value) {
                const OfferedWords offered = wordsForValueOf(option);
                text += offered.takesFiles ? " -r -F" : " -x";
                if (!offered.words.isEmpty())
                    text += QString(" -a '%1'").arg(offered.words.join(' '));
            }
            text += " -d " + inFishQuotes(option.meaning) + '\n';
        }
        text += begin + " -l help -s h -d 'print the help'\n";
        if (isWindow)
            text += begin + " -l version -s v -d 'print the version'\n";
        text += '\n';
    }
    return text;
}

} // namespace headlight::app
