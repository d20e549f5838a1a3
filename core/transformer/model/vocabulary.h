// The vocabulary of a model: words and their ids.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"
#include "core/tokenizers/text/token.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace headlight::core {

class Vocabulary {
  public:
    /// Creates a vocabulary from words in id order. A word can occur more than once. Errors: an
    /// empty word ("vocabulary[3]"), because it would be invisible. Tokens that decode to no text
    /// need a name, such as "<0xE2>".
    static Result<std::shared_ptr<const Vocabulary>> create(std::vector<std::string> words);

    Index size() const { return static_cast<Index>(m_words.size()); } ///< V
    const std::vector<std::string> &words() const { return m_words; }
    const std::string &word(Index id) const { return m_words[static_cast<std::size_t>(id)]; }
    /// Returns the first id of the text. If the text is unknown, returns the id of "[UNK]" or
    /// "<unk>", or nullopt if the vocabulary has neither.
    std::optional<Index> idOf(std::string_view text) const;
    /// Returns the token's own id if it is set, otherwise the id of its text.
    std::optional<Index> idOf(const Token &token) const {
        return token.id ? token.id : idOf(token.text);
    }
    /// Returns the token for a word. The token's id is set only if its text alone would give
    /// another id.
    Token token(Index id) const;
    /// True if another word has the same text.
    bool readsLikeAnother(Index id) const { return m_alike.contains(word(id)); }
    bool hasWordsAlike() const { return !m_alike.empty(); }
    bool operator==(const Vocabulary &other) const { return m_words == other.m_words; }

  private:
    std::vector<std::string> m_words;
    std::unordered_map<std::string_view, Index>
        m_ids;                                    // keys point into m_words, which is never resized
    std::unordered_set<std::string_view> m_alike; // texts shared by several words
    std::optional<Index> m_unknown;
};

using VocabularyPointer = std::shared_ptr<const Vocabulary>;

} // namespace headlight::core
