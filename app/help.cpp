// The text of --help.
#include "app/options.h"
#include "ui/command_line/codecs.h"
#include "ui/text/measure_text.h"

#include <QCoreApplication>

namespace headlight::app {

namespace {

using enum Command;

QString translated(const char *text) {
    return QCoreApplication::translate("CommandLine", text);
}

} // namespace

CommandHelp helpOf(Command command) {
    switch (command) {
    case Window:
        return {"headlight [SOURCE]",
                QT_TRANSLATE_NOOP("CommandLine", "open the window (default: the start page)")};
    case Lessons:
        return {
            "headlight lessons",
            QT_TRANSLATE_NOOP("CommandLine",
                              "list the built-in lessons and trained models: id, tab, title; for a "
                              "model also its task, its accuracy, and the training command")};
    case Figure:
        return {"headlight figure SOURCE -o FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "render a figure without opening a window: .png, .svg or .pdf")};
    case Trace:
        return {"headlight trace SOURCE -o FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "write every stage of the computation to a .safetensors file")};
    case Generate:
        return {"headlight generate SOURCE --tokens N",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "generate text with a language model, token by token")};
    case Verify:
        return {"headlight verify SOURCE",
                QT_TRANSLATE_NOOP("CommandLine", "recompute every stage in 64 bits; exit code 1 if "
                                                 "one differs by more than 2e-5 of its size")};
    case Info:
        return {"headlight info SOURCE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "print the layers, heads, sizes and memory of a source")};
    case Tokenize:
        return {"headlight tokenize FOLDER [FILE]",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "print the token ids of a text with the tokenizer in FOLDER; the "
                                  "text comes from FILE or --text T (- reads standard input)")};
    case Tasks:
        return {"headlight tasks",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "list the training tasks: sizes, chance level, best possible accuracy")};
    case Train:
        return {"headlight train TASK -o FILE",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "train a model from random parameters, or continue a saved run with --resume")};
    case Measure:
        return {"headlight measure SOURCE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "measure a trained model on held-out examples: accuracy compared "
                                  "with a bigram model's, and the loss without each head")};
    case Measures:
        return {"headlight measures SOURCE",
                QT_TRANSLATE_NOOP("CommandLine", "print the measures of every head in every layer: "
                                                 "entropy, distance, previous token, induction …")};
    case Ablate:
        return {"headlight ablate SOURCE",
                QT_TRANSLATE_NOOP("CommandLine", "silence each head in turn, and print the effect "
                                                 "on a token's logit and on the loss of the text")};
    case Worksheet:
        return {"headlight worksheet LESSON -o FILE",
                QT_TRANSLATE_NOOP("CommandLine", "print a worksheet, small matrices with blanks to "
                                                 "fill in: .pdf, or one page as .png or .svg")};
    case Handout:
        return {"headlight handout LESSON -o FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "print a handout for the teacher: aim, duration, what to press, "
                                  "questions with answers, common difficulties; --all prints every "
                                  "lesson")};
    case Course:
        return {"headlight course FOLDER -o FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "pack a folder of lessons into one file: .headlight-course")};
    case Rollout:
        return {"headlight rollout SOURCE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "print attention rollout: the attention of all layers with their "
                                  "residual connections, multiplied; rows sum to 1")};
    case Flow:
        return {"headlight flow SOURCE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "print attention flow: the maximum flow from each token to each "
                                  "token of the last layer, up to 64 tokens; not a distribution")};
    case Compare:
        return {"headlight compare SOURCE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "compare two texts, also of different lengths, or two models: "
                                  "weights and measures of each head, and predictions")};
    case Cosine:
        return {"headlight cosine FOLDER --text TEXT --pair TEXT",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "print the cosine of the vectors of two texts or, with "
                                  "--picture instead of --pair, of a text and a picture; for a "
                                  "sentence-transformers or CLIP folder")};
    case Check:
        return {"headlight check FILE…",
                QT_TRANSLATE_NOOP("CommandLine", "validate files and list every problem")};
    }
    return {"", ""};
}

QString helpText(Command command) {
    QString text;
    if (command == Window) {
        for (const Command each : allCommands())
            text += QString("%1 %2\n")
                        .arg(QString(helpOf(each).usage), -38)
                        .arg(translated(helpOf(each).meaning));
        text += '\n' +
                translated("SOURCE is the id of a lesson, a session file (.headlight), a capture "
                           "(.safetensors, .npz), a model (its folder, or a .gguf file) or a "
                           "course (a folder of lessons, or a .headlight-course); ./x is always a "
                           "path. All indices count from 0; the window counts a lesson's steps "
                           "from 1.") +
                '\n';
    } else {
        text = QString("%1\n%2\n")
                   .arg(QString(helpOf(command).usage), translated(helpOf(command).meaning));
    }
    text += '\n';
    for (const Option &option : allOptions()) {
        if (!option.commands.contains(command))
            continue;
        QString words = option.letter ? QString("-%1, ").arg(option.letter) : QString("    ");
        words += QString("--%1").arg(option.name);
        if (option.value)
            words += QString(" %1").arg(option.value);
        text += QString("  %1 %2\n").arg(words, -30).arg(translated(option.meaning));
    }
    text += QString("  %1 %2\n").arg("-h, --help", -30).arg(translated("print this help"));
    if (command == Measures) {
        text += '\n';
        for (const core::NamedMeasure &measure : core::kEveryMeasure)
            text += QString("  %1 %2\n")
                        .arg(ui::asWord(measure.name), -30)
                        .arg(ui::definitionOf(measure) + ' ' +
                             translated("See %1.").arg(ui::referenceOf(measure)));
    }
    if (command == Window)
        text += QString("  %1 %2\n").arg("-v, --version", -30).arg(translated("print the version"));
    return text;
}

} // namespace headlight::app
