// Saving and copying the figure of a view.
#pragma once

#include "core/result.h"
#include "ui/figures/export.h"

class QWidget;

namespace headlight::ui {

class Document;

/// Asks where, and writes the figure there whole or not at all. `size` is the view's on the screen.
/// Returns the path, empty where the person decided against it.
core::Result<QString> saveFigure(QWidget *parent, const Figure &figure, const Document &document,
                                 QSizeF size, const QString &view);

/// The figure as PNG and SVG on the clipboard.
core::Outcome copyFigure(const Figure &figure, QSizeF size);

/// The command line that makes the same figure again; stored in the file.
QString commandFor(const Document &document, const QString &view, QSizeF size);

} // namespace headlight::ui
