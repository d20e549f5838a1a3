// Printing of figures.
#pragma once

#include "core/result.h"
#include "ui/figures/base/figure.h"

#include <QString>

#include <vector>

class QPrinter;

namespace headlight::ui {

/// Sets landscape or portrait to match the figure, for a printer that is not set up yet.
void fitPage(QPrinter &printer, QSizeF size);

/// Prints the figure laid out for `size` (logical pixels), centred and as large as the page allows.
/// Errors: the printer cannot be started.
core::Outcome printFigure(const Figure &figure, QSizeF size, QPrinter &printer);

/// Prints each figure at its natural size on its own page. Errors: as printFigure().
core::Outcome printPages(const std::vector<const Figure *> &pages, QPrinter &printer);

/// Returns the message after printing: `sent`, or the path of the file that was printed to.
QString printedText(const QPrinter &printer, const QString &sent);

} // namespace headlight::ui
