#include "app/options.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace headlight::app {

namespace {

using enum Command;
using enum InRecipe;

const char kContext[] = "CommandLine";

QString translated(const char *text) {
    return QCoreApplication::translate(kContext, text);
}

const QList<Command> kOpening{Window, Figure, Trace, Info};
const QList<Command> kReading{Window, Figure, Trace, Info, Generate};
const QList<Command> kLooking{Window, Figure};

struct CommandHelp {
    const char *usage;
    const char *meaning;
};

CommandHelp helpOf(Command command) {
    switch (command) {
    case Window:
        return {"headlight [SOURCE]",
                QT_TRANSLATE_NOOP("CommandLine", "open the window (default: the first lesson)")};
    case Lessons:
        return {
            "headlight lessons",
            QT_TRANSLATE_NOOP("CommandLine",
                              "list what is built in, lessons and models that learned: id, tab, "
                              "title")};
    case Figure:
        return {"headlight figure SOURCE -o FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "paint a figure without a window: .png, .svg or .pdf")};
    case Trace:
        return {"headlight trace SOURCE -o FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "write every stage of the computation to a .safetensors file")};
    case Generate:
        return {"headlight generate SOURCE --tokens N",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "write what a language model says next, token by token")};
    case Info:
        return {"headlight info SOURCE",
                QT_TRANSLATE_NOOP("CommandLine", "what it is: layers, heads, sizes, memory")};
    case Tokenize:
        return {
            "headlight tokenize FOLDER [FILE]",
            QT_TRANSLATE_NOOP("CommandLine",
                              "the ids of a text by a folder's own tokenizer; FILE or --text T; "
                              "- is standard input")};
    case Tasks:
        return {"headlight tasks",
                QT_TRANSLATE_NOOP("CommandLine", "list what a model can be trained on: sizes, "
                                                 "chance, the best possible")};
    case Train:
        return {"headlight train TASK -o FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "train a model from its first weights, or --resume a session's "
                                  "run")};
    case Check:
        return {"headlight check FILE…",
                QT_TRANSLATE_NOOP("CommandLine", "read files and say all that is wrong with them")};
    }
    return {"", ""};
}

} // namespace

namespace {

std::vector<Option> optionsOfTheOthers() {
    return {
        {"output",
         "o",
         "FILE",
         QT_TRANSLATE_NOOP("CommandLine", "where to write; - is standard output"),
         Never,
         {Figure, Trace}},
        {"format",
         nullptr,
         "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "png, svg, pdf or safetensors, where the file's name does not say"),
         Never,
         {Figure, Trace}},
        {"view", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "flow, heatmap, heads, similarity, geometry, output or training"),
         Look, kLooking},
        {"stage",
         nullptr,
         "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "a stage, such as weights or decoder.layers.1.cross_attention.weights; "
                           "for trace a pattern, such as 'layers.0.*'"),
         Look,
         {Figure, Trace, Window}},
        {"text", nullptr, "TEXT",
         QT_TRANSLATE_NOOP("CommandLine", "read this instead of the source's own text; where there "
                                          "are two sequences, the one attended to"),
         Look, kReading},
        {"text",
         nullptr,
         "TEXT",
         QT_TRANSLATE_NOOP("CommandLine", "the text, instead of a file"),
         Never,
         {Tokenize}},
        {"pair",
         nullptr,
         "TEXT",
         QT_TRANSLATE_NOOP("CommandLine", "a second text, which a model reads behind the first"),
         Never,
         {Tokenize}},
        {"decode",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP(
             "CommandLine",
             "the other way round: the text holds ids; prints the text that they are"),
         Never,
         {Tokenize}},
        {"expression",
         nullptr,
         "REGEX",
         QT_TRANSLATE_NOOP("CommandLine",
                           "what a token is, for a vocab.txt that comes without its tokenizer"),
         Never,
         {Tokenize}},
        {"special",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine",
                           "with the tokens that the model's texts begin and end with"),
         Never,
         {Tokenize}},
        {"expression", nullptr, "REGEX",
         QT_TRANSLATE_NOOP(
             "CommandLine",
             "what a token is, for a model's folder whose vocab.txt comes without its "
             "tokenizer"),
         Never, kReading},
        {"pair", nullptr, "TEXT",
         QT_TRANSLATE_NOOP("CommandLine",
                           "a second text behind that of --text, for models that read pairs"),
         Look, kReading},
        {"target-text", nullptr, "TEXT",
         QT_TRANSLATE_NOOP("CommandLine", "the sequence that attends, where there are two"), Look,
         kReading},
        {"token-ids", nullptr, "N,N,…",
         QT_TRANSLATE_NOOP("CommandLine", "tokens by number, past the tokenizer"), Look, kReading},
        {"target-token-ids", nullptr, "N,N,…",
         QT_TRANSLATE_NOOP("CommandLine", "the same for the sequence that attends"), Look,
         kReading},
        {"mask", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "own, none, causal, padding or causal+padding"), Look,
         kReading},
        {"positions", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "none or sinusoidal, added to the embeddings"), Look,
         kReading},
        {"scaling", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "sqrt (scores divided by the root of d) or off"), Look,
         kReading},
        {"step", nullptr, "N", QT_TRANSLATE_NOOP("CommandLine", "the lesson's step, from 0"), Look,
         kReading},
        {"layer", nullptr, "N", QT_TRANSLATE_NOOP("CommandLine", "the layer, from 0"), Look,
         kOpening},
        {"head", nullptr, "N",
         QT_TRANSLATE_NOOP("CommandLine", "the head, from 0, or all, mean, max"), Look, kOpening},
        {"sequence", nullptr, "N",
         QT_TRANSLATE_NOOP("CommandLine", "the sequence of the batch, from 0"), Look, kReading},
        {"block", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "self or cross: which attention of the layer"), Look,
         kOpening},
        {"stack", nullptr, "NAME", QT_TRANSLATE_NOOP("CommandLine", "encoder or decoder"), Look,
         kOpening},
        {"query", nullptr, "N",
         QT_TRANSLATE_NOOP("CommandLine", "the token that attends, from 0, or none"), Look,
         kOpening},
        {"key", nullptr, "N",
         QT_TRANSLATE_NOOP("CommandLine", "the token attended to, from 0, or none"), Look,
         kOpening},
        {"dimension", nullptr, "N",
         QT_TRANSLATE_NOOP("CommandLine", "the dimension of a vector, from 0, or none"), Look,
         kOpening},
        {"seed", nullptr, "N",
         QT_TRANSLATE_NOOP("CommandLine", "other random numbers, where the source has any"), Look,
         kOpening},
        {"seed",
         nullptr,
         "N",
         QT_TRANSLATE_NOOP("CommandLine", "other draws, where the temperature is not 0 (0)"),
         Never,
         {Generate}},
        {"tokens",
         nullptr,
         "N",
         QT_TRANSLATE_NOOP("CommandLine", "how many tokens at most"),
         Never,
         {Generate}},
        {"temperature",
         nullptr,
         "X",
         QT_TRANSLATE_NOOP("CommandLine", "what logits are divided by before a token is drawn; 0: "
                                          "the most probable one is taken (0)"),
         Never,
         {Generate}},
        {"top-k",
         nullptr,
         "K",
         QT_TRANSLATE_NOOP("CommandLine",
                           "only the K most probable tokens can be drawn; 0: all (0)"),
         Never,
         {Generate}},
        {"end",
         nullptr,
         "WORD",
         QT_TRANSLATE_NOOP("CommandLine", "the word that ends the text, or none (the model's own, "
                                          "such as </s>)"),
         Never,
         {Generate}},
        {"vectors", nullptr, "FILE",
         QT_TRANSLATE_NOOP(
             "CommandLine",
             "word vectors for the words that are read: a word2vec or GloVe text file"),
         Never, kReading},
        {"theme", nullptr, "NAME", QT_TRANSLATE_NOOP("CommandLine", "light or dark"), Look,
         kLooking},
        {"colors", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "weights: viridis, magma, cividis, greys; signed numbers: rdbu, prgn; "
                           "both: viridis,rdbu"),
         Look, kLooking},
        {"range", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "of the colours: fixed, row, head or heads (all the same)"),
         Look, kLooking},
        {"order", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "of the heads: index, entropy, distance, previous-token, "
                                          "diagonal, first-token or induction"),
         Look, kLooking},
        {"measure", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "of the heads, that the training view shows: entropy, "
                                          "distance, previous-token, diagonal, first-token or "
                                          "induction"),
         Look, kLooking},
        {"contextual", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "similarity compares embeddings with context or output"),
         Look, kLooking},
        {"granularity", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "what the flow computes at a time: stage, row or cell"),
         Look, kLooking},
        {"learned", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "the flow's learned matrices, such as W_Q: shown or folded away"),
         Look, kLooking},
        {"arithmetic", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "of the number that the flow shows: in a line, or opened "
                                          "large in the picture"),
         Look, kLooking},
        {"lines", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "the attention as lines between the words, beside the "
                                          "flow's current matrix: shown or hidden"),
         Look, kLooking},
        {"way-back", nullptr, nullptr,
         QT_TRANSLATE_NOOP("CommandLine", "the flow's gradients, from the loss of the next words "
                                          "back"),
         Look, kLooking},
        {"space", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "geometry shows all planes, or residual, query-key or value-context"),
         Look, kLooking},
        {"axes", nullptr, "NAME",
         QT_TRANSLATE_NOOP("CommandLine",
                           "of the planes of wide vectors: principal or dot-product"),
         Look, kLooking},
        {"gravity", nullptr, "F",
         QT_TRANSLATE_NOOP("CommandLine", "how far attention has taken the words: from 0 to 1 (0)"),
         Look, kLooking},
        {"together", nullptr, nullptr,
         QT_TRANSLATE_NOOP("CommandLine", "the batch's sequences in one plane of the residual "
                                          "stream"),
         Look, kLooking},
        {"compare",
         nullptr,
         "SOURCE",
         QT_TRANSLATE_NOOP("CommandLine", "side A: another source, as it is by itself"),
         Look,
         {Figure}},
        {"compare-step",
         nullptr,
         "N",
         QT_TRANSLATE_NOOP("CommandLine", "the step of side A, where it is a lesson"),
         Look,
         {Figure}},
        {"compare-sequence",
         nullptr,
         "N",
         QT_TRANSLATE_NOOP("CommandLine",
                           "the sequence of side A; without --compare one of the same source"),
         Look,
         {Figure}},
        {"show",
         nullptr,
         "NAME",
         QT_TRANSLATE_NOOP("CommandLine", "of the comparison: now, a or difference (now − A)"),
         Look,
         {Figure}},
        {"paper",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine",
                           "for a paper: light, on white, without cards and without the selection"),
         Look,
         {Figure}},
        {"transparent",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine", "with --paper: nothing behind the figure"),
         Look,
         {Figure}},
        {"text-as-paths",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine",
                           "letters are shapes, which look the same without their font (svg, pdf)"),
         Look,
         {Figure}},
        {"size",
         nullptr,
         "W[xH]",
         QT_TRANSLATE_NOOP("CommandLine", "in logical pixels, mm or inches: 800x600, 84mm, "
                                          "3.3inx2.5in; without a height the figure's own"),
         Look,
         {Figure}},
        {"scale",
         nullptr,
         "F",
         QT_TRANSLATE_NOOP("CommandLine",
                           "pixels a logical pixel (png): 1 is 96 an inch, 3.125 is 300"),
         Look,
         {Figure}},
        {"text-scale",
         nullptr,
         "F",
         QT_TRANSLATE_NOOP("CommandLine",
                           "how large the figure's text is (1): at 1 labels have 8.25 points"),
         Look,
         {Figure}},
        {"caption",
         nullptr,
         "TEXT",
         QT_TRANSLATE_NOOP("CommandLine", "written beneath the figure; auto: what it shows"),
         Look,
         {Figure}},
        {"title",
         nullptr,
         "TEXT",
         QT_TRANSLATE_NOOP("CommandLine", "written above the figure"),
         Look,
         {Figure}},
        {"no-session",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine", "the figure does not carry what it was made from"),
         Never,
         {Figure}},
        {"json",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine", "the same as JSON"),
         Never,
         {Info, Tasks}},
        {"json",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine", "a line of JSON for each token: id, text, probability"),
         Never,
         {Generate}},
        {"json",
         nullptr,
         nullptr,
         QT_TRANSLATE_NOOP("CommandLine",
                           "a line of JSON for each token: id, text, its bytes of the text; with "
                           "--decode an object with the text"),
         Never,
         {Tokenize}},
    };
}

} // namespace

std::span<const Option> allOptions() {
    static const std::vector<Option> options = [] {
        std::vector<Option> all = optionsOfTheOthers();
        all.insert(all.end(), trainOptions().begin(), trainOptions().end());
        return all;
    }();
    return options;
}

const QStringList &commandWords() {
    static const QStringList words{"lessons",  "figure", "trace", "generate", "info",
                                   "tokenize", "check",  "tasks", "train"};
    return words;
}

QString helpText(Command command) {
    QString text;
    if (command == Window) {
        for (Command each :
             {Window, Lessons, Figure, Trace, Generate, Info, Tokenize, Check, Tasks, Train})
            text += QString("%1 %2\n")
                        .arg(QString(helpOf(each).usage), -38)
                        .arg(translated(helpOf(each).meaning));
        text += '\n' +
                translated("SOURCE is the id of a lesson, a session file (.headlight) or a capture "
                           "(.safetensors, .npz); ./x is a path in any "
                           "case. All numbers count from 0.") +
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
    text += QString("  %1 %2\n").arg("-h, --help", -30).arg(translated("print this"));
    if (command == Window)
        text += QString("  %1 %2\n").arg("-v, --version", -30).arg(translated("print the version"));
    return text;
}

} // namespace headlight::app
