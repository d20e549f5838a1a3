// A figure on paper.
#pragma once

#include "core/result.h"
#include "ui/figures/base/figure.h"

#include <QString>

#include <vector>

class QPrinter;

namespace headlight::ui {

/// The page turned as the figure lies, for a printer nobody has set up yet.
void fitPage(QPrinter &printer, QSizeF size);

/// The figure as it is at `size` (logical pixels), as large as the page allows and in its middle.
/// Errors: a printer that cannot be started.
core::Outcome printFigure(const Figure &figure, QSizeF size, QPrinter &printer);

/// Each at its natural size on a page of its own. Errors: the same.
core::Outcome printPages(const std::vector<const Figure *> &pages, QPrinter &printer);

/// What is said once it is printed: `sent`, or where the file is that it was printed to.
QString printedWords(const QPrinter &printer, const QString &sent);

} // namespace headlight::ui
