// Tokens that are found in a text before anything else is done to it, such as <|endoftext|>.
#pragma once

#include "core/tokenizers/normalizers/normalizer.h"
#include "core/tokenizers/text/prefix_search.h"

#include <unordered_map>
#include <variant>

namespace headlight::core {

struct AddedToken {
    std::string text;
    Index id = 0;
    bool isNormalized = false; ///< looked for in the normalized text
    bool isWholeWord = false;  ///< no letter or digit stands beside it
    bool stripsLeft = false;   ///< white space before it is part of it
    bool stripsRight = false;
    bool isSpecial = true; ///< no part of a text that people read
};

class AddedTokens {
  public:
    /// A token within a piece, or what stands between two.
    struct Part {
        TextPiece piece;
        std::optional<Index> id; ///< of the token
    };

    AddedTokens() = default;
    AddedTokens(const AddedTokens &) = delete; // the searches look at the texts
    AddedTokens &operator=(const AddedTokens &) = delete;
    AddedTokens(AddedTokens &&) = default;
    AddedTokens &operator=(AddedTokens &&) = default;

    /// `normalizer` may be null. Errors: its own. Throws Cancelled.
    static Result<AddedTokens> from(std::vector<AddedToken> tokens, const Normalizer *normalizer,
                                    StopCheck &stop);

    /// The piece in parts, in its order; none is empty. From the left, the longest token that fits.
    std::vector<Part> split(TextPiece piece, bool isNormalized, StopCheck &stop) const;

    const std::vector<AddedToken> &all() const { return m_tokens; }
    const AddedToken *find(Index id) const;

  private:
    std::vector<AddedToken> m_tokens;
    std::vector<std::string> m_texts; ///< of each, as it is looked for
    std::unordered_map<Index, std::size_t> m_byId;
    PrefixSearch m_asTyped, m_normalized; ///< an entry's id is a place in m_tokens
};

} // namespace headlight::core
