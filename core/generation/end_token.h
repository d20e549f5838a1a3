// The word with which a text ends.
#pragma once

#include "core/transformer/model/vocabulary.h"

namespace headlight::core {

/// The first of "<|endoftext|>", "<|end_of_text|>", "</s>", "[EOS]", "<eos>", "<EOS>" and "[SEP]"
/// that is in the vocabulary; none where none is.
std::optional<Index> endTokenOf(const Vocabulary &vocabulary);

} // namespace headlight::core
