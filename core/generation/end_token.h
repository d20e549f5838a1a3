// The end-of-text token.
#pragma once

#include "core/transformer/model/vocabulary.h"

namespace headlight::core {

/// Returns the first of "<|endoftext|>", "<|end_of_text|>", "</s>", "[EOS]", "<eos>", "<EOS>" and
/// "[SEP]" that the vocabulary contains; none if it contains none of them.
std::optional<Index> endTokenOf(const Vocabulary &vocabulary);

} // namespace headlight::core
