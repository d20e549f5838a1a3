// Saving and copying of a view's figure.
#pragma once

#include "core/result.h"
#include "ui/figures/base/style.h"
#include "ui/figures/files/export.h"
#include "ui/window/saving/figure_command.h"

#include <QHashFunctions>

namespace headlight::ui {

class FigureView;

/// Sets a fixed hash seed for its lifetime, because the order of a PDF's fonts depends on a hash.
class ScopedHashSeed {
  public:
    ScopedHashSeed() { QHashSeed::setDeterministicGlobalSeed(); }
    ~ScopedHashSeed() { QHashSeed::resetRandomGlobalSeed(); }
    Q_DISABLE_COPY_MOVE(ScopedHashSeed)
};

/// Returns the style of the recipe.
FigureStyle styleOf(const FigureCommandLine &recipe);

/// Creates the figure of the recipe's view, for the selected head, with its style and caption; null
/// until there is a trace.
std::unique_ptr<Figure> figureFor(FigureView &view, const FigureCommandLine &recipe);

/// Returns the export options, without the text that the file stores.
ExportOptions optionsFor(const FigureCommandLine &recipe);

/// Writes the figure atomically, with the command that reproduces it in the metadata. The command
/// writes the same bytes. Errors: as render() and core::writeFile().
core::Outcome writeFigure(FigureView &view, const FigureCommandLine &recipe, const QString &path);

/// Copies the figure to the clipboard as PNG and SVG.
core::Outcome copyFigure(const Figure &figure, QSizeF size);

} // namespace headlight::ui
