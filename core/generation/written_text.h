// Streams the text of tokens while they are generated.
#pragma once

#include "core/transformer/model/model.h"

#include <string>
#include <vector>

namespace headlight::core {

/// A token may be part of a character or change the text before it, so text is returned only when
/// later tokens cannot change it. Without a tokenizer, the text consists of words of the
/// vocabulary.
class WrittenText {
  public:
    /// Continues one sequence of a batch. The existing text of the sequence is not returned.
    WrittenText(const Model &model, const Batch &before, Index sequence = 0);

    /// Adds a token. Returns the new text, which may be empty.
    std::string add(Index id);
    /// Returns the text that has been held back. Call it at the end.
    std::string rest();

  private:
    std::string textSoFar() const;

    TextReaderPointer m_reader;
    VocabularyPointer m_words;
    Stack m_stack;
    std::string m_between;    ///< separator of words; empty with a tokenizer
    std::vector<Index> m_ids; ///< ids of all tokens, including those of the batch
    std::string m_returned;   ///< text that was returned so far
};

} // namespace headlight::core
