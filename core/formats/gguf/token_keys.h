// The keys of a GGUF file's tokenizer that all kinds of tokenizers have.
#pragma once

#include "core/formats/gguf/gguf_file.h"
#include "core/formats/tokenizer/sentence_piece_pieces.h"
#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/models/token_list.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

/// tokenizer.ggml.*, read and checked. Throws GgufReadError.
class TokenKeys {
  public:
    explicit TokenKeys(const GgufFile &file);

    const std::vector<std::string> &texts() const { return m_texts; } ///< valid UTF-8
    Index count() const { return static_cast<Index>(m_texts.size()); }
    PieceKind kindOf(Index id) const {
        return m_kinds.empty() ? PieceKind::Normal : m_kinds[static_cast<std::size_t>(id)];
    }
    /// Returns an id of a key such as "bos_token_id".
    std::optional<Index> id(const char *name) const;
    std::optional<bool> flag(const char *name) const;
    /// Returns the scores, one for each token. The key is required.
    std::vector<float> scores() const;
    /// Returns the merges, texts such as "a b". The key is required.
    std::vector<std::string_view> merges() const;
    /// Returns an empty text if the key is missing.
    std::string text(const char *name) const;

    /// Whether the user's own tokens are among the added ones.
    enum class OfUser { LeftOut, Added };
    /// Returns the tokens to look for in a text before all others: control tokens and the unknown
    /// one.
    std::vector<AddedToken> added(OfUser ofUser) const;
    /// Returns the list of all tokens with these texts, one for each id.
    TokenList list(const std::vector<std::string> &texts) const;

    /// Throws with the key "tokenizer.ggml.NAME".
    [[noreturn]] void fail(const char *name, Message what, Message remedy = {}) const;

  private:
    void checkKind(const char *name, bool isRead) const;

    const GgufFile &m_file;
    std::vector<std::string> m_texts;
    std::vector<PieceKind> m_kinds; ///< empty: all normal
};

} // namespace headlight::core
