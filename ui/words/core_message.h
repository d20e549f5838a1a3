// The core's sentences in the language of the window.
#pragma once

#include "core/formats/warning.h"
#include "core/result.h"

#include <QString>

namespace headlight::ui {

/// Translated by its code, its arguments too; in English where there is no translation. Plain text:
/// what stands in it may come from a file.
QString translated(const core::Message &message);

/// One line: "where: what; what to do".
QString translated(const core::Error &error);
QString translated(const core::Warning &warning);

/// A sentence that is translated already, as the core's errors carry it.
core::Message messageOf(const QString &sentence);

} // namespace headlight::ui
