#include "app/printed_pages.h"

#include "core/training/tasks/task.h"
#include "ui/document/lesson_catalogue.h"

namespace headlight::app {

QString printedPage(const QString &name) {
    if (name == "man")
        return manualPage();
    if (name == "bash")
        return bashCompletion();
    if (name == "zsh")
        return zshCompletion();
    return name == "fish" ? fishCompletion() : QString();
}

QString commandWord(Command command) {
    return command == Command::Window ? QString()
                                      : commandWords().at(static_cast<int>(command) - 1);
}

QList<Option> optionsOf(Command command) {
    QList<Option> options;
    for (const Option &option : allOptions())
        if (option.commands.contains(command))
            options << option;
    return options;
}

OfferedWords positionalTextOf(Command command) {
    const QStringList sessions{"headlight", "headlight-course", "safetensors", "npz", "gguf"};
    switch (command) {
    case Command::Lessons:
    case Command::Tasks:
        return {{}, {}, false};
    case Command::Train: {
        QStringList tasks{"characters", "words"};
        for (const core::TaskPointer &task : core::allTasks())
            tasks << QString::fromStdString(task->info().id);
        return {tasks, {"headlight"}};
    }
    case Command::Figure: // a figure can be a source because it embeds its session
        return {ui::lessonIds() + ui::modelIds(), sessions + QStringList{"png", "svg", "pdf"}};
    case Command::Window:
    case Command::Trace:
    case Command::Generate:
    case Command::Verify:
    case Command::Info:
    case Command::Measure:
    case Command::Measures:
    case Command::Ablate:
    case Command::Rollout:
    case Command::Flow:
    case Command::Compare:
        return {ui::lessonIds() + ui::modelIds(), sessions};
    case Command::Worksheet:
    case Command::Handout:
        return {ui::lessonIds(), {"headlight"}};
    case Command::Tokenize:
    case Command::Cosine:
    case Command::Check:
    case Command::Course:
        return {};
    }
    return {};
}

OfferedWords wordsForValueOf(const Option &option) {
    const QString value = option.value;
    if (value == "SOURCE")
        return positionalTextOf(option.commands.first());
    return {option.values, {}, value == "FILE"};
}

} // namespace headlight::app
