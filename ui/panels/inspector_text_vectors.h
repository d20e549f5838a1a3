// Shows the sequence as one vector, computed with methods older than embeddings. The model never
// reads this vector.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// Returns the bag of words and TF-IDF of the selected sequence, over the words of the batch.
QList<InspectorSection> textSections(const core::Trace &trace, const core::Selection &selection);

} // namespace headlight::ui
