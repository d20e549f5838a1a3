// The text of tokens that are written one by one, as it can be said while they come.
#pragma once

#include "core/transformer/model/model.h"

#include <string>
#include <vector>

namespace headlight::core {

/// A token may be a part of a character, or change what stands before it: only what no later token
/// can change is given out. Where a model has no tokenizer, its words are the text.
class WrittenText {
  public:
    /// Behind the tokens of one sequence of a batch, whose text is not given out.
    WrittenText(const Model &model, const Batch &before, Index sequence = 0);

    /// What the text grew by; may be nothing.
    std::string add(Index id);
    /// What was held back, at the end.
    std::string rest();

  private:
    std::string textSoFar() const;

    TextReaderPointer m_reader;
    VocabularyPointer m_words;
    Stack m_stack;
    std::string m_between;    ///< two words, where there is no reader
    std::vector<Index> m_ids; ///< of all tokens, those before included
    std::string m_said;       ///< the beginning of their text that was given out
};

} // namespace headlight::core
