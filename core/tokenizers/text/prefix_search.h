// Finds the texts in a list that occur at a position of another text.
#pragma once

#include "core/tensor/matrix.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A sorted list of texts. Texts with a common prefix are adjacent, so each further byte narrows
/// the range. Contains views, so the texts must outlive the search and must not move.
class PrefixSearch {
  public:
    struct Entry {
        std::string_view text;
        Index id = 0;
    };

    explicit PrefixSearch(std::vector<Entry> entries = {}) : m_entries(std::move(entries)) {
        std::erase_if(m_entries, [](const Entry &entry) { return entry.text.empty(); });
        std::sort(m_entries.begin(), m_entries.end(),
                  [](const Entry &a, const Entry &b) { return a.text < b.text; });
        // Index of the first entry for each first byte.
        m_first.assign(257, m_entries.size());
        for (std::size_t i = m_entries.size(); i-- > 0;)
            m_first[static_cast<unsigned char>(m_entries[i].text.front())] = i;
        for (std::size_t byte = 256; byte-- > 0;)
            m_first[byte] = std::min(m_first[byte], m_first[byte + 1]);
    }

    bool empty() const { return m_entries.empty(); }

    /// Calls `found(entry)` for each entry that is a prefix of `text`, the shortest first.
    template <typename Found>
    void each(std::string_view text, const Found &found) const {
        if (text.empty())
            return;
        const auto byte = static_cast<unsigned char>(text.front());
        auto low = m_entries.begin() + static_cast<std::ptrdiff_t>(m_first[byte]);
        auto high = m_entries.begin() + static_cast<std::ptrdiff_t>(m_first[byte + 1u]);
        for (std::size_t length = 1; low != high; ++length) {
            // All entries in the range start with the same `length` bytes. The shortest ones come
            // first.
            for (; low != high && low->text.size() == length; ++low)
                found(*low);
            if (length == text.size())
                return;
            const auto next = static_cast<unsigned char>(text[length]);
            const auto at = [length](const Entry &entry) {
                return static_cast<unsigned char>(entry.text[length]);
            };
            low =
                std::lower_bound(low, high, next, [&at](const Entry &entry, unsigned char wanted) {
                    return at(entry) < wanted;
                });
            high =
                std::upper_bound(low, high, next, [&at](unsigned char wanted, const Entry &entry) {
                    return wanted < at(entry);
                });
        }
    }

  private:
    std::vector<Entry> m_entries;
    std::vector<std::size_t> m_first;
};

} // namespace headlight::core
