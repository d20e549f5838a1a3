// The tokens of a vocabulary, which can be found by id and by text.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

inline constexpr Index kMaxTokens = 2'000'000;

class TokenList {
  public:
    TokenList() = default;
    TokenList(const TokenList &) = delete; // copies are expensive: there may be millions of tokens
    TokenList &operator=(const TokenList &) = delete;
    TokenList(TokenList &&) = default;
    TokenList &operator=(TokenList &&) = default;

    /// Accepts tokens in any order and ids with gaps. If a text occurs twice, idOf() returns the
    /// last id. Errors: an id below 0 or not below kMaxTokens, a duplicate id.
    static Result<TokenList> from(std::vector<std::pair<std::string, Index>> tokens);

    std::optional<Index> idOf(std::string_view text) const;
    /// Returns an empty text for an unknown id.
    std::string_view textOf(Index id) const;
    /// Returns the largest id plus one.
    Index size() const { return static_cast<Index>(m_texts.size()); }

  private:
    /// A slot of a hash table with linear probing. A file of a million merges needs three million
    /// lookups, so a table with a list for each bucket would load much more slowly.
    struct Place {
        std::uint32_t hash = 0;
        std::int32_t id = kEmpty;
    };
    static constexpr std::int32_t kEmpty = -1;

    /// Returns the slot that contains `text`, or the empty slot for it. The table is never full.
    std::size_t placeOf(std::string_view text, std::uint32_t hash) const;

    std::vector<std::string> m_texts;
    std::vector<Place> m_places; ///< the size is a power of two
};

/// Returns the ids of <0x00> to <0xFF>; nullopt if any is missing.
std::optional<std::vector<Index>> byteTokensOf(const TokenList &tokens);

} // namespace headlight::core
