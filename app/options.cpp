#include "app/options.h"

#include "app/arguments.h"
#include "ui/command_line/head_names.h"
#include "ui/command_line/view_options.h"

#include <array>
#include <cmath>
#include <vector>

namespace headlight::app {

namespace {

using enum Command;
using enum StoredInFigure;
using A = Arguments;
using G = core::GenerationOptions;
using ui::row;
using ui::switchRow;

std::vector<OptionRow> outputOptions() {
    return {
        row<A>({"output",
                "o",
                "FILE",
                QT_TRANSLATE_NOOP("CommandLine", "where to write; - is standard output"),
                Never,
                {Trace, Worksheet, Course, Handout}},
               ui::pathCodec(), &A::output),
        row<A>(
            {"output",
             "o",
             "FILE",
             QT_TRANSLATE_NOOP("CommandLine",
                               "where to write; - is standard output. %% in the name is a percent "
                               "sign. With --layer or --head, %l is the layer and %h the head; "
                               "in a .pdf without %l and %h, several layers or heads are pages"),
             Never,
             {Figure}},
            ui::pathCodec(), &A::output),
        row<A>({"output",
                "o",
                "FILE",
                QT_TRANSLATE_NOOP("CommandLine", "output file; default: - (standard output)"),
                Never,
                {Generate, Measures, Ablate, Rollout, Flow, Compare}},
               ui::pathCodec(), &A::output),
        row<A>({"texts",
                nullptr,
                "FILE",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "many texts, one per line as JSON: a quoted text, or an object with the field "
                    "text; %n in the output is the number of the text, from 0"),
                Never,
                {Figure, Trace, Generate, Measures, Ablate, Rollout, Flow, Compare}},
               ui::pathCodec(), &A::texts),
        row<A>({"format",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "png, svg or pdf; default: from the file name"),
                Never,
                {Figure, Worksheet}},
               ui::oneOf(QStringList{"png", "svg", "pdf"}), &A::format),
        row<A>({"format",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "pdf, html, txt, png or svg; default: from the file name"),
                Never,
                {Handout}},
               ui::oneOf(QStringList{"pdf", "html", "txt", "png", "svg"}), &A::format),
        row<A>({"format",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "safetensors; default: from the file name"),
                Never,
                {Trace}},
               ui::oneOf(QStringList{"safetensors"}), &A::format),
    };
}

std::vector<OptionRow> worksheetOptions() {
    return {
        switchRow<A>({"all",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine", "the pages of all built-in lessons"),
                      Never,
                      {Handout}},
                     true, &A::allLessons),
        switchRow<A>(
            {"worksheets",
             nullptr,
             nullptr,
             QT_TRANSLATE_NOOP(
                 "CommandLine",
                 "each lesson's worksheet after its page; with --answers, it is filled in"),
             Never,
             {Handout}},
            true, &A::worksheets),
        switchRow<A>({"answers",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine", "the same pages with the blanks filled "
                                                       "in, for the teacher"),
                      Never,
                      {Worksheet, Handout}},
                     true, &A::answers),
        row<A>({"sheet",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "paper size: a4 or letter (a4)"),
                Never,
                {Worksheet, Handout}},
               ui::oneOf(std::array{ui::SheetOfPaper::A4, ui::SheetOfPaper::Letter},
                         [](ui::SheetOfPaper sheet) { return ui::nameOf(sheet); }),
               &A::sheet),
        row<A>({"page",
                nullptr,
                "N",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "only the page with this number, from 1; a png or svg has one page (1)"),
                Never,
                {Worksheet, Handout}},
               ui::indexCodec(), &A::page),
    };
}

std::vector<OptionRow> tokenizeOptions() {
    return {
        row<A>(
            {"text",
             nullptr,
             "TEXT",
             QT_TRANSLATE_NOOP("CommandLine", "the text, instead of a file; - is standard input"),
             Never,
             {Tokenize}},
            ui::textCodec(), &A::text),
        row<A>(
            {"pair",
             nullptr,
             "TEXT",
             QT_TRANSLATE_NOOP("CommandLine",
                               "a second text, appended to the first for models that read pairs"),
             Never,
             {Tokenize}},
            ui::textCodec(), &A::pair),
        switchRow<A>({"decode",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine",
                                        "decode instead: read token ids and print their text"),
                      Never,
                      {Tokenize}},
                     true, &A::decodes),
        row<A>(
            {"expression",
             nullptr,
             "REGEX",
             QT_TRANSLATE_NOOP(
                 "CommandLine",
                 "regular expression that matches one token, for a vocab.txt without a tokenizer"),
             Never,
             {Tokenize}},
            ui::utf8Codec(), &A::tokenizer, &core::TokenizerSource::expression),
        switchRow<A>(
            {"special",
             nullptr,
             nullptr,
             QT_TRANSLATE_NOOP("CommandLine",
                               "add the model's special tokens at the beginning and the end"),
             Never,
             {Tokenize}},
            true, &A::special),
    };
}

std::vector<OptionRow> generateOptions() {
    return {
        row<A>({"seed",
                nullptr,
                "N",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "random seed for sampling, if the temperature is not 0 (0)"),
                Never,
                {Generate}},
               ui::seedCodec(), &A::generation, &G::sampling, &core::Sampling::seed),
        row<A>({"tokens",
                nullptr,
                "N",
                QT_TRANSLATE_NOOP("CommandLine", "maximum number of tokens"),
                Never,
                {Generate}},
               ui::indexCodec(), &A::generation, &G::maximum),
        row<A>({"temperature",
                nullptr,
                "X",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "sampling temperature; 0: always the most probable token (0)"),
                Never,
                {Generate}},
               ui::floatCodec(QT_TRANSLATE_NOOP("CommandLine", "a number of at least 0"),
                              [](float value) { return std::isfinite(value) && value >= 0; }),
               &A::generation, &G::sampling, &core::Sampling::temperature),
        row<A>({"top-k",
                nullptr,
                "K",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "sample from the K most probable tokens only; 0: all (0)"),
                Never,
                {Generate}},
               ui::indexCodec(), &A::generation, &G::sampling, &core::Sampling::topK),
        row<A>({"alternatives",
                nullptr,
                "N",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "with --json: the number of most probable tokens to print for each token (5)"),
                Never,
                {Generate}},
               ui::indexCodec(QT_TRANSLATE_NOOP("CommandLine", "a whole number from 0 to 1000"),
                              [](core::Index count) { return count >= 0 && count <= 1000; }),
               &A::alternatives),
        row<A>({"end",
                nullptr,
                "WORD",
                QT_TRANSLATE_NOOP("CommandLine", "the word that ends the text, or none (the "
                                                 "model's own, such as </s>)"),
                Never,
                {Generate},
                {"none"}},
               ui::textCodec(), &A::end),
    };
}

OptionRow jsonOption(const char *meaning, const QList<Command> &commands) {
    return switchRow<A>({"json", nullptr, nullptr, meaning, Never, commands}, true, &A::json);
}

std::vector<OptionRow> headOptions() {
    return {
        switchRow<A>({"csv",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine", "print as comma-separated values"),
                      Never,
                      {Measures, Ablate, Rollout, Flow, Compare}},
                     true, &A::csv),
        row<A>({"only",
                nullptr,
                "A,B,…",
                QT_TRANSLATE_NOOP("CommandLine", "only these measures, in this order"),
                Never,
                {Measures}},
               ui::listOf(ui::eachOf(core::kEveryMeasure,
                                     [](const core::NamedMeasure &each) { return each.name; })),
               &A::measures),
        row<A>({"similar-to",
                nullptr,
                "L.H",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "also print the similarity of each head to this one, as "
                                  "layer.head; with an encoder also encoder.0.3 or cross.1.2"),
                Never,
                {Measures}},
               ui::headNameCodec(), &A::similarTo),
        row<A>({"token",
                nullptr,
                "TEXT",
                QT_TRANSLATE_NOOP("CommandLine", "the token whose logit is measured; default: the "
                                                 "most probable one"),
                Never,
                {Ablate}},
               ui::utf8Codec(), &A::token),
        row<A>({"with",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "what replaces a head's output: zero, or mean over the text "
                                  "(zero)"),
                Never,
                {Ablate}},
               ui::oneOf<core::HeadState>(
                   {{"zero", core::HeadState::Zero}, {"mean", core::HeadState::Mean}}),
               &A::silencedWith),
    };
}

std::vector<OptionRow> comparisonOptions() {
    return {
        row<A>({"compare",
                nullptr,
                "SOURCE",
                QT_TRANSLATE_NOOP("CommandLine", "source A, such as another model; without "
                                                 "--compare-text, it reads --text"),
                Never,
                {Compare}},
               ui::pathCodec(), &A::compare, &ui::SourceRequest::source),
    };
}

std::vector<OptionRow> cosineOptions() {
    return {
        row<A>({"text",
                nullptr,
                "TEXT",
                QT_TRANSLATE_NOOP("CommandLine", "the first text; - is standard input"),
                Never,
                {Cosine}},
               ui::textCodec(), &A::text),
        row<A>({"pair",
                nullptr,
                "TEXT",
                QT_TRANSLATE_NOOP("CommandLine", "the second text"),
                Never,
                {Cosine}},
               ui::textCodec(), &A::pair),
        row<A>(
            {"picture",
             nullptr,
             "FILE",
             QT_TRANSLATE_NOOP("CommandLine",
                               "the picture to compare the text with, instead of --pair; for CLIP"),
             Never,
             {Cosine}},
            ui::pathCodec(), &A::request, &ui::SourceRequest::picture),
    };
}

std::vector<OptionRow> jsonOptions() {
    return {
        jsonOption(
            QT_TRANSLATE_NOOP("CommandLine", "print as JSON"),
            {Verify, Info, Tasks, Measure, Measures, Ablate, Rollout, Flow, Compare, Cosine}),
        jsonOption(QT_TRANSLATE_NOOP("CommandLine", "a line of JSON for each token: id, text, "
                                                    "probability, alternatives"),
                   {Generate}),
        jsonOption(QT_TRANSLATE_NOOP("CommandLine",
                                     "a line of JSON for each token: id, text, its bytes "
                                     "in the text; with --decode an object with the text"),
                   {Tokenize}),
    };
}

} // namespace

std::span<const OptionRow> allOptions() {
    static const std::vector<OptionRow> options = [] {
        std::vector<OptionRow> all;
        const auto add = [&all](const auto &some) {
            all.insert(all.end(), some.begin(), some.end());
        };
        add(outputOptions());
        add(worksheetOptions());
        add(tokenizeOptions());
        add(cosineOptions());
        add(ui::viewOptions());
        add(generateOptions());
        add(headOptions());
        add(comparisonOptions());
        add(jsonOptions());
        add(trainOptions());
        return all;
    }();
    return options;
}

QStringList valuesOf(const char *option, Command command) {
    for (const Option &each : allOptions())
        if (QLatin1String(each.name) == QLatin1String(option) && each.commands.contains(command))
            return each.values;
    return {};
}

const QStringList &commandWords() {
    static const QStringList words{"lessons", "figure",   "trace",  "generate",  "verify",
                                   "info",    "tokenize", "check",  "tasks",     "train",
                                   "measure", "measures", "ablate", "worksheet", "course",
                                   "handout", "rollout",  "flow",   "compare",   "cosine"};
    return words;
}

QList<Command> allCommands() {
    QList<Command> commands;
    for (int i = 0; i <= commandWords().size(); ++i)
        commands << static_cast<Command>(i);
    return commands;
}

} // namespace headlight::app
