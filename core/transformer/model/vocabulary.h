// The words that a model knows, each with its number.
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
    /// The words by id. Two may read alike. One that is empty is an error, "vocabulary[3]": nothing
    /// would be seen of it; what decodes to no text needs a name, such as "<0xE2>".
    static Result<std::shared_ptr<const Vocabulary>> create(std::vector<std::string> words);

    Index size() const { return static_cast<Index>(m_words.size()); } ///< V
    const std::vector<std::string> &words() const { return m_words; }
    const std::string &word(Index id) const { return m_words[static_cast<std::size_t>(id)]; }
    /// Of words that read alike the first. Where the vocabulary does not have the text, that of its
    /// word for unknown ones ("[UNK]", "<unk>"); none where it has no such word either.
    std::optional<Index> idOf(std::string_view text) const;
    /// The token's own id, where it has one; else that of its text.
    std::optional<Index> idOf(const Token &token) const {
        return token.id ? token.id : idOf(token.text);
    }
    /// The token of a word: it has an id where its text would give another one.
    Token token(Index id) const;
    /// Whether another word has the same text.
    bool readsLikeAnother(Index id) const { return m_alike.contains(word(id)); }
    bool hasWordsAlike() const { return !m_alike.empty(); }
    bool operator==(const Vocabulary &other) const { return m_words == other.m_words; }

  private:
    std::vector<std::string> m_words;
    std::unordered_map<std::string_view, Index> m_ids; // into m_words, which never move
    std::unordered_set<std::string_view> m_alike;      // texts of several words
    std::optional<Index> m_unknown;
};

using VocabularyPointer = std::shared_ptr<const Vocabulary>;

} // namespace headlight::core
