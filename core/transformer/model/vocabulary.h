// The words that a model knows, each with its number.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::core {

class Vocabulary {
  public:
    /// The words by id. A word that is empty or stands twice is an error: "vocabulary[3]".
    static Result<std::shared_ptr<const Vocabulary>> create(std::vector<std::string> words);

    Index size() const { return static_cast<Index>(m_words.size()); } ///< V
    const std::vector<std::string> &words() const { return m_words; }
    const std::string &word(Index id) const { return m_words[static_cast<std::size_t>(id)]; }
    /// Where the vocabulary does not have the token, that of its word for unknown ones ("[UNK]",
    /// "<unk>"); none where it has no such word either.
    std::optional<Index> idOf(std::string_view token) const;
    bool operator==(const Vocabulary &other) const { return m_words == other.m_words; }

  private:
    std::vector<std::string> m_words;
    std::unordered_map<std::string_view, Index> m_ids; // into m_words, which never move
    std::optional<Index> m_unknown;
};

using VocabularyPointer = std::shared_ptr<const Vocabulary>;

} // namespace headlight::core
