// The command line, understood: parsed before any Qt application exists, because Qt's platform code
// swallows words of it.
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
    QStringList files; ///< of check
    QString output;    ///< a path, or "-"
    QString format;    ///< "png", "svg", "pdf", "safetensors"
    QString view;      ///< empty: what the source asks for
    QString stage;     ///< a name, or the pattern of trace; empty: not said
    QString theme;     ///< "light", "dark" or empty
    ui::ViewChoices choices;
    bool paper = false;       ///< FigureStyle::paper()
    bool transparent = false; ///< of paper
    bool textAsPaths = false;
    ui::FigureSize size; ///< empty: the figure's natural size
    double scale = 1;
    double textScale = 1;
    QString caption; ///< "auto": what the figure shows; empty: none
    QString title;
    ui::SourceRequest compare; ///< of figure: side A; its source is empty where it is the same one
    std::optional<ui::ComparisonSide> shown; ///< of the comparison; none: nothing is compared
    core::GenerationOptions generation;      ///< of generate
    QString end; ///< of generate: the word that ends the text; empty: the model's own
    core::TokenizerSource tokenizer;               ///< of tokenize
    std::optional<QString> text;                   ///< of tokenize; none: that of the file
    std::optional<QString> pair;                   ///< of tokenize: a second text
    bool decodes = false;                          ///< of tokenize: the text holds ids
    bool special = false;                          ///< of tokenize
    TrainRequest train;                            ///< of train
    bool answers = false;                          ///< of worksheet
    ui::SheetOfPaper sheet = ui::SheetOfPaper::A4; ///< of worksheet
    std::optional<core::Index> page;               ///< of worksheet: that alone, from 1
    bool json = false;
    bool session = true; ///< of figure: it carries its session
    QStringList words;   ///< of figure: what makes it again, without the command and the output
    QStringList leftOut; ///< of figure: what its recipe says and must not say
    double maximumPixels = std::numeric_limits<double>::infinity(); ///< of a received figure
    QString recipe; ///< of figure: the command line that makes the same figure again, as figure.png
};

/// Text for standard output, and nothing else to do: --help, --version.
struct PrintAndExit {
    QString text;
};

/// The command line cannot be understood: exit code 2.
struct UsageError {
    QString text;
};

using ParsedArguments = std::variant<Arguments, PrintAndExit, UsageError>;

ParsedArguments parseArguments(int count, char **words);

/// `figure` of a figure that carries these words: painted again, but for what was typed now. Which
/// files are read and written is what was typed, whatever the words are.
ParsedArguments paintedAgain(const Arguments &typed, const QStringList &carried);

} // namespace headlight::app
