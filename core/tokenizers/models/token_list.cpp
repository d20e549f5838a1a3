#include "core/tokenizers/models/token_list.h"

#include "core/in_quotes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <functional>

namespace headlight::core {

namespace {

std::uint32_t hashOf(std::string_view text) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
}

} // namespace

Result<TokenList> TokenList::from(std::vector<std::pair<std::string, Index>> tokens) {
    Index size = 0;
    for (const auto &[text, id] : tokens) {
        if (id < 0 || id >= kMaxTokens)
            return Error{{"the id %1 of %2 is out of range", id, inQuotes(text)}, "", ""};
        size = std::max(size, id + 1);
    }
    TokenList list;
    list.m_texts.resize(static_cast<std::size_t>(size));
    list.m_places.resize(std::bit_ceil(2 * tokens.size() + 1)); // keeps the table at most half full
    std::vector<bool> isTaken(static_cast<std::size_t>(size));
    for (auto &[text, id] : tokens) {
        std::string &place = list.m_texts[static_cast<std::size_t>(id)];
        if (isTaken[static_cast<std::size_t>(id)])
            return Error{
                {"%1 and %2 have the same id, %3", inQuotes(place), inQuotes(text), id}, "", ""};
        isTaken[static_cast<std::size_t>(id)] = true;
        place = std::move(text);
        const std::uint32_t hash = hashOf(place);
        list.m_places[list.placeOf(place, hash)] = {hash, static_cast<std::int32_t>(id)};
    }
    return list;
}

std::size_t TokenList::placeOf(std::string_view text, std::uint32_t hash) const {
    const std::size_t last = m_places.size() - 1;
    std::size_t at = hash & last;
    while (m_places[at].id != kEmpty &&
           (m_places[at].hash != hash || textOf(m_places[at].id) != text))
        at = (at + 1) & last;
    return at;
}

std::optional<Index> TokenList::idOf(std::string_view text) const {
    if (m_places.empty())
        return std::nullopt;
    const std::int32_t id = m_places[placeOf(text, hashOf(text))].id;
    return id == kEmpty ? std::nullopt : std::optional<Index>(id);
}

std::string_view TokenList::textOf(Index id) const {
    return id >= 0 && id < size() ? std::string_view(m_texts[static_cast<std::size_t>(id)])
                                  : std::string_view();
}

std::optional<std::vector<Index>> byteTokensOf(const TokenList &tokens) {
    std::vector<Index> ids;
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::array<char, 8> name{};
        std::snprintf(name.data(), name.size(), "<0x%02X>", byte);
        const auto id = tokens.idOf(name.data());
        if (!id)
            return std::nullopt;
        ids.push_back(*id);
    }
    return ids;
}

} // namespace headlight::core
