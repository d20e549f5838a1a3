#include "core/tokenizers/models/token_list.h"

#include "core/in_quotes.h"

namespace headlight::core {

Result<TokenList> TokenList::from(std::vector<std::pair<std::string, Index>> tokens) {
    Index size = 0;
    for (const auto &[text, id] : tokens) {
        if (id < 0 || id >= kMaximumTokens)
            return Error{{"the id %1 of %2 is out of range", id, inQuotes(text)}, "", ""};
        size = std::max(size, id + 1);
    }
    TokenList list;
    list.m_texts.resize(static_cast<std::size_t>(size));
    list.m_ids.reserve(tokens.size());
    std::vector<bool> isTaken(static_cast<std::size_t>(size));
    for (auto &[text, id] : tokens) {
        std::string &place = list.m_texts[static_cast<std::size_t>(id)];
        if (isTaken[static_cast<std::size_t>(id)])
            return Error{
                {"%1 and %2 have the same id, %3", inQuotes(place), inQuotes(text), id}, "", ""};
        isTaken[static_cast<std::size_t>(id)] = true;
        place = std::move(text);
        list.m_ids[place] = id;
    }
    return list;
}

std::optional<Index> TokenList::idOf(std::string_view text) const {
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? std::nullopt : std::optional<Index>(found->second);
}

std::string_view TokenList::textOf(Index id) const {
    return id >= 0 && id < size() ? std::string_view(m_texts[static_cast<std::size_t>(id)])
                                  : std::string_view();
}

} // namespace headlight::core
