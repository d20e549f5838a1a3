// Renders worksheets and handouts to the file format that the arguments request.
#pragma once

#include "app/arguments.h"
#include "core/result.h"
#include "ui/figures/worksheet/sheet_pages.h"

#include <QByteArray>

namespace headlight::app {

/// Returns all pages as a PDF. Returns a single page if --page requests it or the format is a
/// picture. Needs a GUI application (paintOffscreen()). Errors: no such page; as ui::render().
core::Result<QByteArray> sheetBytes(const Arguments &arguments, const ui::SheetPages &pages,
                                    const QString &title);

} // namespace headlight::app
