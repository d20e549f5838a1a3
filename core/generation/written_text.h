// Streams the text of tokens that are generated one by one.
#pragma once

#include "core/transformer/model/model.h"

#include <string>
#include <vector>

namespace headlight::core {

/// A token may be part of a character or change the text before it, so only text that no later
/// token can change is returned. For models without a tokenizer, the words of the vocabulary are
/// the text.
class WrittenText {
  public:
    /// Continues the tokens of one sequence of a batch, whose own text is not returned.
    WrittenText(const Model &model, const Batch &before, Index sequence = 0);

    /// Adds a token and returns the new text, which may be empty.
    std::string add(Index id);
    /// Returns the text that was held back. Call it at the end.
    std::string rest();

  private:
    std::string textSoFar() const;

    TextReaderPointer m_reader;
    VocabularyPointer m_words;
    Stack m_stack;
    std::string m_between;    ///< separator of words, if there is no tokenizer
    std::vector<Index> m_ids; ///< ids of all tokens, including the given ones
    std::string m_said;       ///< the part of their text that was returned
};

} // namespace headlight::core
