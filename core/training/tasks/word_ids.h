// The words of a task's grammar, each with its id: made once, so that examples are only numbers.
#pragma once

#include "core/tensor/matrix.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::core {

class WordIds {
  public:
    WordIds(); ///< knows kPadToken as 0

    /// A word that is not known yet gets the next id.
    Index of(std::string_view word);
    /// Of words that stand apart by spaces; none in an empty line.
    std::vector<Index> line(std::string_view words);
    /// Of several such lines.
    std::vector<std::vector<Index>> lines(std::initializer_list<std::string_view> lines);

    const std::vector<std::string> &words() const { return m_words; }

  private:
    std::vector<std::string> m_words;
    std::unordered_map<std::string, Index> m_ids;
};

inline void append(std::vector<Index> &tokens, const std::vector<Index> &more) {
    tokens.insert(tokens.end(), more.begin(), more.end());
}

} // namespace headlight::core
