// The command line that makes the figure of a view again.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/files/export.h"

#include <QSizeF>

namespace headlight::ui {

/// How a figure is to be saved.
struct FigureCommandLine {
    QString view;
    core::Stage stage =
        core::Stage::AttentionWeights; ///< that it shows: not every view shows every stage
    FigureSize size;                   ///< with a height
    double scale = 1;
    Format format = Format::Png;
    bool dark = false;
    bool paper = false;       ///< FigureStyle::paper(), and not dark
    bool transparent = false; ///< of paper
    bool textAsPaths = false; ///< of SVG and PDF
    double textScale = 1;
    FigureOptions options; ///< as the view has them; those that it does not use are the usual ones
    ColourMap weightsMap = ColourMap::Viridis;
    ColourMap signedMap = ColourMap::BlueWhiteRed;
    QString caption;     ///< empty: none
    bool session = true; ///< the file carries its session
};

struct FigureCommand {
    QString text; ///< "headlight figure … -o figure.png"; -o again.png where figure.png is read
    /// The same as a figure has it: files without the folders that they lie in, and always that
    /// name, wherever the figure was saved, so that the bytes do not depend on it.
    QString stored;
    QStringList lost;  ///< what of the document it cannot say, in words; the session that the
                       ///< figure carries says everything
    QStringList words; ///< those of what is stored between "headlight figure" and "-o"
};

/// What `--caption auto` means for a figure of this stage.
/// `view`: whose figure it is; empty: of any that shows the trace.
QString suggestedCaption(const Document &document, core::Stage stage, const QString &view = {});

/// Where options cannot say what is shown, its source is the figure itself: "figure.png".
FigureCommand commandFor(const Document &document, const FigureCommandLine &recipe);

/// What the figure carries: the session as it is shown, and the command's words.
std::string carriedBy(const Document &document, const FigureCommandLine &recipe);

} // namespace headlight::ui
