// Suggested captions of figures.
#pragma once

#include "ui/compare/compared.h"
#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// Returns a caption with source, text, stage, layer, head, mask, and unusual settings of the
/// mechanism. The user may edit it. The window and `--caption auto` use the same text.
QString suggestedCaption(const core::Session &session, const DocumentState &state,
                         const core::Selection &selection);

/// Adds the displayed side of a comparison to the caption.
QString withComparison(const QString &caption, const Compared &compared);

} // namespace headlight::ui
