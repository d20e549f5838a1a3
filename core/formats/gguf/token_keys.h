// The keys of a GGUF file that all kinds of tokenizers share.
#pragma once

#include "core/formats/gguf/gguf_file.h"
#include "core/formats/tokenizer/sentence_piece_pieces.h"
#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/models/token_list.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

/// The values of tokenizer.ggml.*, read and checked. Throws GgufReadError.
class TokenKeys {
  public:
    explicit TokenKeys(const GgufFile &file);

    const std::vector<std::string> &texts() const { return m_texts; } ///< valid UTF-8
    Index count() const { return static_cast<Index>(m_texts.size()); }
    PieceKind kindOf(Index id) const {
        return m_kinds.empty() ? PieceKind::Normal : m_kinds[static_cast<std::size_t>(id)];
    }
    /// Returns the token id in a key such as "bos_token_id".
    std::optional<Index> id(const char *name) const;
    std::optional<bool> flag(const char *name) const;
    /// Returns the scores, one for each token. The key is required.
    std::vector<float> scores() const;
    /// Returns the merges, as texts such as "a b". The key is required.
    std::vector<std::string_view> merges() const;
    /// Returns an empty text if the key is missing.
    std::string text(const char *name) const;

    /// Specifies whether added() includes user-defined tokens.
    enum class OfUser { LeftOut, Added };
    /// Returns the tokens that must be found in a text before all others: control tokens and the
    /// unknown token.
    std::vector<AddedToken> added(OfUser ofUser) const;
    /// Returns a token list with these texts, one for each id.
    TokenList list(const std::vector<std::string> &texts) const;

    /// Throws an error that names the key "tokenizer.ggml.NAME".
    [[noreturn]] void fail(const char *name, Message what, Message remedy = {}) const;

  private:
    void checkKind(const char *name, bool isRead) const;

    const GgufFile &m_file;
    std::vector<std::string> m_texts;
    std::vector<PieceKind> m_kinds; ///< empty: all tokens are normal
};

} // namespace headlight::core
