// Tokens such as <|endoftext|>, which are found in a text before any other processing.
#pragma once

#include "core/tokenizers/normalizers/normalizer.h"
#include "core/tokenizers/text/prefix_search.h"

#include <unordered_map>
#include <variant>

namespace headlight::core {

struct AddedToken {
    std::string text;
    Index id = 0;
    bool isNormalized = false; ///< matched in the normalized text
    bool isWholeWord = false;  ///< only without an adjacent letter or digit
    bool stripsLeft = false;   ///< also takes preceding white space
    bool stripsRight = false;
    bool isSpecial = true; ///< not part of human-readable text
};

class AddedTokens {
  public:
    /// A token within a piece, or the text between two tokens.
    struct Part {
        TextPiece piece;
        std::optional<Index> id; ///< unset for text between tokens
    };

    AddedTokens() = default;
    AddedTokens(const AddedTokens &) = delete; // the searches contain views of m_texts
    AddedTokens &operator=(const AddedTokens &) = delete;
    AddedTokens(AddedTokens &&) = default;
    AddedTokens &operator=(AddedTokens &&) = default;

    /// Builds the list. `normalizer` may be null. Errors: those of the normalizer. Throws
    /// Cancelled.
    static Result<AddedTokens> from(std::vector<AddedToken> tokens, const Normalizer *normalizer,
                                    StopCheck &stop);

    /// Splits the piece into non-empty parts, in order. Takes the longest matching token, from left
    /// to right.
    std::vector<Part> split(TextPiece piece, bool isNormalized, StopCheck &stop) const;

    const std::vector<AddedToken> &all() const { return m_tokens; }
    const AddedToken *find(Index id) const;

  private:
    std::vector<AddedToken> m_tokens;
    std::vector<std::string> m_texts; ///< the text to search for, one per token
    std::unordered_map<Index, std::size_t> m_byId;
    PrefixSearch m_asTyped, m_normalized; ///< find indices in m_tokens
};

} // namespace headlight::core
