// The tokens of a vocabulary: their texts by id, and their ids by text.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

inline constexpr Index kMaximumTokens = 2'000'000;

class TokenList {
  public:
    TokenList() = default;
    TokenList(const TokenList &) = delete; // there may be millions of them
    TokenList &operator=(const TokenList &) = delete;
    TokenList(TokenList &&) = default;
    TokenList &operator=(TokenList &&) = default;

    /// In any order; ids need not be without gaps. Of a text that is there twice, the last id is
    /// the one that is looked up. Errors: an id below 0 or of kMaximumTokens and more, an id twice.
    static Result<TokenList> from(std::vector<std::pair<std::string, Index>> tokens);

    std::optional<Index> idOf(std::string_view text) const;
    /// Empty where no token has this id.
    std::string_view textOf(Index id) const;
    /// One more than the largest id.
    Index size() const { return static_cast<Index>(m_texts.size()); }

  private:
    /// A text is looked for from the place that its hash says, up to an empty one: in a file of a
    /// million merges three million times, so that a list of its own for each place would take
    /// longer than all the rest.
    struct Place {
        std::uint32_t hash = 0;
        std::int32_t id = kEmpty;
    };
    static constexpr std::int32_t kEmpty = -1;

    /// Where the text is, or would be. There is an empty place.
    std::size_t placeOf(std::string_view text, std::uint32_t hash) const;

    std::vector<std::string> m_texts;
    std::vector<Place> m_places; ///< a power of two
};

} // namespace headlight::core
