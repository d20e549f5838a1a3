// Saving and copying the figure of a view.
#pragma once

#include "core/result.h"
#include "ui/figures/files/export.h"
#include "ui/window/saving/figure_command.h"

#include <QHashFunctions>

namespace headlight::ui {

class FigureView;

/// The hash seed of a command, as long as it lives: the fonts of a PDF come in the order of a hash.
class ScopedHashSeed {
  public:
    ScopedHashSeed() { QHashSeed::setDeterministicGlobalSeed(); }
    ~ScopedHashSeed() { QHashSeed::resetRandomGlobalSeed(); }
    Q_DISABLE_COPY_MOVE(ScopedHashSeed)
};

/// The view's figure as the recipe wants it, its caption beneath it; null until there is a trace.
std::unique_ptr<Figure> figureFor(FigureView &view, const FigureCommandLine &recipe);

/// How its file is to be, without the words that it holds.
ExportOptions optionsFor(const FigureCommandLine &recipe);

/// Writes that figure whole or not at all, the command that makes it again in its metadata. The
/// same bytes as the command writes. Errors: as render() and core::writeFile().
core::Outcome writeFigure(FigureView &view, const FigureCommandLine &recipe, const QString &path);

/// The figure as PNG and SVG on the clipboard.
core::Outcome copyFigure(const Figure &figure, QSizeF size);

} // namespace headlight::ui
