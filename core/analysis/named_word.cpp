#include "core/analysis/named_word.h"

#include <algorithm>
#include <array>
#include <string>

namespace headlight::core {

namespace {

/// Characters that tokenizers put before a word to mark its beginning.
constexpr std::array<std::string_view, 3> kWordBeginnings{" ", "Ġ", "▁"};

std::string_view withoutBeginning(std::string_view word) {
    for (const std::string_view beginning : kWordBeginnings)
        if (word.starts_with(beginning))
            return word.substr(beginning.size());
    return word;
}

} // namespace

std::optional<Index> wordNamed(const Vocabulary &words, std::string_view text) {
    if (text.empty())
        return std::nullopt;
    std::vector<std::string> spellings{std::string(text)};
    for (const std::string_view beginning : kWordBeginnings)
        spellings.push_back(std::string(beginning) + std::string(text));
    for (const std::string &spelling : spellings)
        if (const auto found = std::ranges::find(words.words(), spelling);
            found != words.words().end())
            return found - words.words().begin();
    return std::nullopt;
}

std::vector<Index> wordsBeginningWith(const Vocabulary &words, std::string_view text,
                                      std::size_t count) {
    std::vector<Index> same, longer;
    if (text.empty())
        return same;
    for (Index id = 0; id < words.size(); ++id) {
        const std::string_view word = words.word(id), bare = withoutBeginning(word);
        if (word == text || bare == text)
            same.push_back(id);
        else if (longer.size() < count && (word.starts_with(text) || bare.starts_with(text)))
            longer.push_back(id);
    }
    same.insert(same.end(), longer.begin(), longer.end());
    if (same.size() > count)
        same.resize(count);
    return same;
}

} // namespace headlight::core
