// The vector of a whole text, as sentence-transformers computes it.
#pragma once

#include "core/formats/pretrained/sentence_transformer.h"
#include "core/transformer/trace/trace.h"

#include <vector>

namespace headlight::core {

/// Returns the pooled rows of a sequence at the last stage before the output layer, [C]. A vector
/// of length 0 stays as it is. The model must have one stack.
std::vector<float> sentenceVector(const Trace &trace, Index sequence,
                                  const SentencePooling &pooling);

} // namespace headlight::core
