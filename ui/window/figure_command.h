// The command line that makes the figure of a view again.
#pragma once

#include "ui/document/document.h"

#include <QSizeF>

namespace headlight::ui {

/// How a figure is to be saved.
struct FigureRecipe {
    QString view;
    core::Stage stage = core::Stage::Weights; ///< that it shows: not every view shows every stage
    QSizeF size;                              ///< logical pixels
    double scale = 1;
    bool dark = false;
    double textScale = 1;
    QString caption;  ///< empty: none
    QStringList lost; ///< what of the view no option says, in words
};

struct FigureCommand {
    QString text;     ///< "headlight figure …", without where it writes to
    QStringList lost; ///< what of the document it cannot say, in words
};

/// What `--caption auto` means for a figure of this stage.
QString suggestedCaption(const Document &document, core::Stage stage);

FigureCommand commandFor(const Document &document, const FigureRecipe &recipe);

} // namespace headlight::ui
