#include "core/training/tasks/word_ids.h"

#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>

namespace headlight::core {

WordIds::WordIds() {
    of(kPadToken);
}

Index WordIds::of(std::string_view word) {
    const auto [found, isNew] = m_ids.emplace(word, std::ssize(m_words));
    if (isNew)
        m_words.emplace_back(word);
    return found->second;
}

std::vector<Index> WordIds::line(std::string_view words) {
    std::vector<Index> ids;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (end > 0)
            ids.push_back(of(words.substr(0, end)));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return ids;
}

std::vector<std::vector<Index>> WordIds::lines(std::initializer_list<std::string_view> lines) {
    std::vector<std::vector<Index>> all;
    for (const std::string_view words : lines)
        all.push_back(line(words));
    return all;
}

} // namespace headlight::core
