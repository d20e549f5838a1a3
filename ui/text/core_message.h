// Translation of the core's messages.
#pragma once

#include "core/formats/warning.h"
#include "core/result.h"

#include <QString>

namespace headlight::ui {

/// Translates the message and its arguments. Falls back to English. The result is plain text,
/// because arguments may come from a file.
QString translated(const core::Message &message);

/// Returns one line: "where: what; what to do".
QString translated(const core::Error &error);
QString translated(const core::Warning &warning);

/// Wraps a sentence that is already translated, for use in core errors.
core::Message messageOf(const QString &sentence);

} // namespace headlight::ui
