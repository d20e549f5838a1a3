#include "core/lesson/mark_words.h"

namespace headlight::core {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

} // namespace

std::string_view nextMarkWord(std::string_view &mark) {
    while (!mark.empty() && isBlank(mark.front()))
        mark.remove_prefix(1);
    std::size_t length = 0;
    while (length < mark.size() && !isBlank(mark[length]) && mark[length] != ':')
        ++length;
    if (length == 0 && !mark.empty())
        length = 1;
    const std::string_view word = mark.substr(0, length);
    mark.remove_prefix(length);
    return word;
}

Index tokenCalled(std::string_view word, const Batch &batch, Index sequence) {
    if (sequence >= batch.count())
        return -1;
    Index which = 1;
    if (const std::size_t hash = word.rfind('#'); hash != std::string_view::npos && hash > 0)
        if (readWholeWord(word.substr(hash + 1), which))
            word = word.substr(0, hash);
    const std::vector<Token> &tokens = batch[sequence].tokens;
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if (tokens[at].text == word && --which == 0)
            return static_cast<Index>(at);
    return -1;
}

} // namespace headlight::core
