// The sequence as one vector from before embeddings: shown beside, and fed into nothing.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// Bag of words and TF-IDF of the selection's sequence, over the words of the batch.
QList<InspectorSection> textSections(const core::Trace &trace, const core::Selection &selection);

} // namespace headlight::ui
