// The parsed command line. Parsing happens before any Qt application exists, because Qt's platform
// code removes arguments.
#pragma once

#include "app/options.h"
#include "core/analysis/heads_of_trace.h"
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "core/generation/generator.h"
#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"
#include "ui/command_line/view_request.h"
#include "ui/figures/worksheet/sheet_of_paper.h"

#include <functional>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace headlight::app {

using ui::HeadChoice;
using ui::OptionError;

/// An option that sets a recipe field.
struct RecipeChange {
    const char *option;
    bool isOfModel; ///< sets the model or the examples, which a resumed run already has
    std::function<void(core::Recipe &)> apply;
};

struct TrainRequest {
    QString task;                       ///< empty: resumes the run of `resume`
    QString resume;                     ///< a session file
    bool isResumed = false;             ///< --resume: may overwrite the session file
    QString textFile;                   ///< for the tasks "characters" and "words"
    std::optional<core::Ablation> race; ///< ablation of a second run; new runs only
    std::vector<RecipeChange> changes;
};

/// The request of a view or figure, and the arguments of the other commands.
struct Arguments : ui::ViewRequest {
    Command command = Command::Window;
    QStringList files;   ///< the files to check
    QString output;      ///< a path, or "-"
    QStringList outputs; ///< figure: the files that `output` names; empty: only `output`
    QString format;      ///< "png", "svg", "pdf", "safetensors"
    core::GenerationOptions generation; ///< for generate
    QString end; ///< for generate: the word that ends the text; empty: the model's end token
    core::TokenizerSource tokenizer;               ///< for tokenize
    std::optional<QString> text;                   ///< for tokenize, cosine; unset: from the file
    std::optional<QString> pair;                   ///< for tokenize and cosine: a second text
    bool decodes = false;                          ///< for tokenize: the text consists of ids
    bool special = false;                          ///< for tokenize
    TrainRequest train;                            ///< for train
    bool answers = false;                          ///< for worksheet and handout
    ui::SheetOfPaper sheet = ui::SheetOfPaper::A4; ///< for worksheet and handout
    std::optional<core::Index> page; ///< for worksheet and handout: page number; unset: all pages
    bool allLessons = false;         ///< for handout: every built-in lesson
    bool worksheets = false;         ///< for handout: a worksheet follows each lesson
    QStringList measures;            ///< for measures: the names to compute; empty: all
    std::optional<ui::HeadName> similarTo; ///< for measures: the head to compare all heads with
    core::HeadState silencedWith = core::HeadState::Zero; ///< for ablate
    bool csv = false; ///< for tables: measures, ablate, rollout, flow, compare
    bool json = false;
    std::optional<core::Index> alternatives{}; ///< generate with --json
    QString texts;                             ///< a file with many texts; empty: only one
    QStringList words;   ///< figure: words that reproduce the figure, without command and output
    QStringList leftOut; ///< figure: ignored options, which a stored command may not set
    double maximumPixels = std::numeric_limits<double>::infinity(); ///< limit for a received figure
    QString recipe; ///< for figure: the command line that reproduces the figure as figure.png
};

/// The output of --help or --version. The program prints it and exits.
struct PrintAndExit {
    QString text;
};

/// An invalid command line: exit code 2.
struct UsageError {
    QString text;
};

using ParsedArguments = std::variant<Arguments, PrintAndExit, UsageError>;

ParsedArguments parseArguments(int count, char **words);

/// Parses `figure` for a source figure whose stored command consists of `carried`. Typed options
/// override stored ones. Only typed words decide which files are read and written.
ParsedArguments paintedAgain(const Arguments &typed, const QStringList &carried);

} // namespace headlight::app
