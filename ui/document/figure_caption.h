// What a figure shows, in words that stand beneath it.
#pragma once

#include "ui/compare/compared.h"
#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// Source, text, stage, layer, head, mask and what else of the mechanism differs from the usual:
/// a suggestion that the person may change. The same for the window and for `--caption auto`.
QString suggestedCaption(const core::Session &session, const DocumentState &state,
                         const core::Selection &selection);

/// The caption, and which side of a comparison it is.
QString withComparison(const QString &caption, const Compared &compared);

} // namespace headlight::ui
