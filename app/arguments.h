// The parsed command line. Parsing happens before any Qt application exists, because Qt's platform
// code removes arguments.
#pragma once

#include "app/options.h"
#include "app/train_request.h"
#include "app/view_choices.h"
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "core/generation/generator.h"
#include "ui/document/source.h"
#include "ui/figures/files/figure_size.h"
#include "ui/figures/worksheet/sheet_of_paper.h"

#include <limits>
#include <variant>

namespace headlight::app {

enum class HeadChoice { One, All, Mean, Max };

struct Arguments {
    Command command = Command::Window;
    ui::SourceRequest request;
    HeadChoice heads = HeadChoice::One;
    QStringList files; ///< check
    QString output;    ///< a path, or "-"
    QString format;    ///< "png", "svg", "pdf", "safetensors"
    QString view;      ///< empty: the source's default
    QString stage;     ///< a name, or the pattern of trace; empty: not set
    QString theme;     ///< "light", "dark" or empty
    ui::ViewChoices choices;
    bool paper = false;       ///< FigureStyle::paper()
    bool transparent = false; ///< only with paper
    bool textAsPaths = false;
    ui::FigureSize size; ///< empty: the figure's natural size
    double scale = 1;
    double textScale = 1;
    QString caption; ///< "auto": describes the figure; empty: none
    QString title;
    ui::SourceRequest compare; ///< figure: side A; its source is empty if it is the same one
    std::optional<ui::ComparisonSide> shown; ///< figure: the side shown; unset: no comparison
    core::GenerationOptions generation;      ///< generate
    QString end; ///< generate: the word that ends the text; empty: the model's own
    core::TokenizerSource tokenizer;               ///< tokenize
    std::optional<QString> text;                   ///< tokenize; unset: read from the file
    std::optional<QString> pair;                   ///< tokenize: a second text
    bool decodes = false;                          ///< tokenize: the text holds ids
    bool special = false;                          ///< tokenize
    TrainRequest train;                            ///< train
    bool answers = false;                          ///< worksheet
    ui::SheetOfPaper sheet = ui::SheetOfPaper::A4; ///< worksheet
    std::optional<core::Index> page;               ///< worksheet: the only page to print, from 1
    bool json = false;
    bool session = true; ///< figure: embeds its session
    QStringList words;   ///< figure: words that reproduce it, without the command and the output
    QStringList leftOut; ///< figure: stored options that it may not set
    double maximumPixels = std::numeric_limits<double>::infinity(); ///< limit for a received figure
    QString recipe; ///< figure: the command line that reproduces it as figure.png
};

/// Text for standard output; the program then exits: --help, --version.
struct PrintAndExit {
    QString text;
};

/// An invalid command line: exit code 2.
struct UsageError {
    QString text;
};

using ParsedArguments = std::variant<Arguments, PrintAndExit, UsageError>;

ParsedArguments parseArguments(int count, char **words);

/// Parses `figure` for a figure that carries these words. Typed options override carried ones. Only
/// typed words decide which files are read and written.
ParsedArguments paintedAgain(const Arguments &typed, const QStringList &carried);

} // namespace headlight::app
