// The sequence as one vector, with methods older than embeddings. It is only shown, never fed into
// the model.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// Returns bag of words and TF-IDF of the selection's sequence over the words of the batch.
QList<InspectorSection> textSections(const core::Trace &trace, const core::Selection &selection);

} // namespace headlight::ui
