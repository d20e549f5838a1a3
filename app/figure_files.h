// The files that one call of `figure` writes: one figure, or figures of several layers and heads.
#pragma once

#include "app/commands.h"
#include "core/selection/selection.h"

#include <optional>
#include <vector>

namespace headlight::app {

/// A figure of a layer and a head.
struct FigurePage {
    std::optional<core::Index> layer, head; ///< set if the command names several
    core::Selection selection;
};

struct FigureFile {
    QString name;
    std::vector<FigurePage> pages; ///< at least one; several only in a PDF
};

/// Checks that every figure of --layer and --head has its own file, or is a page of a PDF. Throws
/// OptionError.
void checkFigureNames(const Arguments &arguments);

/// Returns the files, layer by layer. If the command names a layer or a head, the layer replaces %l
/// in the name of the output, and the head %h. %% is always a percent sign. Figures with the same
/// name are pages of one PDF. Errors: a layer or head that does not exist; too many figures.
core::Result<std::vector<FigureFile>> figureFilesOf(const Arguments &arguments,
                                                    const ui::OpenedSource &opened);

/// Returns the arguments with the page's layer and head, if it sets them.
Arguments argumentsOfPage(const Arguments &arguments, const FigurePage &page);

/// Returns the arguments that are stored in the file. They apply to all of its figures.
Arguments storedArguments(const Arguments &arguments, const FigureFile &file);

} // namespace headlight::app
