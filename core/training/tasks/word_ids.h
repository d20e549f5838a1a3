// Maps the words of a task's grammar to ids once, so that examples consist of plain ids.
#pragma once

#include "core/tensor/matrix.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::core {

class WordIds {
  public:
    WordIds(); ///< id 0 is kPadToken

    /// Returns the id of a word. New words get the next id.
    Index of(std::string_view word);
    /// Returns the ids of space-separated words.
    std::vector<Index> line(std::string_view words);
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
