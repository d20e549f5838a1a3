// Command line that reproduces the figure of a view.
#pragma once

#include "core/analysis/head_glances.h"
#include "ui/document/document.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/files/export.h"
#include "ui/figures/model/head_effects.h"

#include <QSizeF>

namespace headlight::ui {

/// Options for saving a figure.
struct FigureCommandLine {
    QString view;
    core::Stage stage =
        core::Stage::AttentionWeights; ///< the displayed stage; not every view shows every stage
    FigureSize size;                   ///< with both width and height
    double scale = 1;
    Format format = Format::Png;
    bool dark = false;
    bool paper = false;       ///< like FigureStyle::paper(); not with `dark`
    bool transparent = false; ///< only with `paper`
    bool textAsPaths = false; ///< only for SVG and PDF
    double textScale = 1;
    FigureOptions options; ///< the view's options; options that it does not use have their defaults
    ColourMap weightsMap = ColourMap::Viridis;
    ColourMap signedMap = ColourMap::BlueWhiteRed;
    std::vector<core::HeadId> pinned; ///< heads that the model view shows large
    /// The heads that get a figure each; empty: one figure, of the selected head.
    std::vector<core::HeadId> heads{};
    QString output{};  ///< name of the output, with %l and %h; empty: "figure.png" and the like
    QString measure{}; ///< shown in the model view instead of thumbnails; empty: none
    std::optional<ChosenEffects> effects{}; ///< shown in the model view instead of thumbnails
    QString beyondOptions; ///< names displayed content that no option expresses; empty: nothing
    QString caption;       ///< empty: no caption
    bool session = true;   ///< true: the file contains its session
};

struct FigureCommand {
    /// "headlight figure … -o figure.png", or with the recipe's output. Writes again.png if the
    /// command reads figure.png.
    QString text;
    /// The command stored in a figure. File paths have no folders and the output name is fixed, so
    /// that the bytes do not depend on where the figure was saved.
    QString stored;
    QStringList lost;  ///< content that no option expresses; only the stored session has it
    QStringList words; ///< words of `stored` between "headlight figure" and "-o"
};

/// Returns the document's selection. If the recipe has heads, moves it to the first head and to the
/// recipe's stage. Then drops the query and the key if the head's attention has other tokens.
core::Selection selectionOf(const Document &document, const FigureCommandLine &recipe);

/// Returns the result of `--caption auto` for a figure of this stage. `view`: the figure's view;
/// empty: any view that shows the trace.
QString suggestedCaption(const Document &document, core::Stage stage, const QString &view = {});
/// Returns the suggested caption for the recipe's figure.
QString suggestedCaption(const Document &document, const FigureCommandLine &recipe);

/// Returns the command. If options cannot express what is shown, the command's source is the figure
/// itself: "figure.png".
FigureCommand commandFor(const Document &document, const FigureCommandLine &recipe);

/// Returns the data stored in the figure: the session as shown, and the command's words.
std::string carriedBy(const Document &document, const FigureCommandLine &recipe);

} // namespace headlight::ui
