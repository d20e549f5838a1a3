// The tokens of a vocabulary: their texts by id, and their ids by text.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::core {

inline constexpr Index kMaximumTokens = 2'000'000;

class TokenList {
  public:
    TokenList() = default;
    TokenList(const TokenList &) = delete; // the ids look into the texts
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
    std::vector<std::string> m_texts;
    std::unordered_map<std::string_view, Index> m_ids;
};

} // namespace headlight::core
