#include "core/lesson/marked_text.h"

namespace headlight::core {

namespace {

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void appendEscaped(std::string &html, char c) {
    switch (c) {
    case '&':
        html += "&amp;";
        break;
    case '<':
        html += "&lt;";
        break;
    case '>':
        html += "&gt;";
        break;
    case '"':
        html += "&quot;";
        break;
    default:
        html += c;
    }
}

/// Returns the position of the closing mark; npos if the text does not begin with a mark, or if no
/// mark closes it.
std::size_t closing(std::string_view text, std::string_view mark) {
    if (!text.starts_with(mark) || text.size() <= mark.size() || isSpace(text[mark.size()]) ||
        text[mark.size()] == '*')
        return std::string_view::npos;
    for (std::size_t at = text.find(mark, mark.size() + 1); at != std::string_view::npos;
         at = text.find(mark, at + 1))
        if (!isSpace(text[at - 1]) && (mark.size() == 2 || text.substr(at, 2) != "**"))
            return at;
    return std::string_view::npos;
}

} // namespace

std::string markedToHtml(std::string_view text) {
    std::string html;
    while (!text.empty()) {
        const bool strong = text.starts_with("**");
        const std::string_view mark = strong ? "**" : "*";
        const std::size_t close = closing(text, mark);
        if (close == std::string_view::npos) {
            // Writes stars that open no emphasis as text.
            do {
                appendEscaped(html, text.front());
                text.remove_prefix(1);
            } while (strong && text.starts_with('*'));
            continue;
        }
        const std::string tag = strong ? "strong" : "em";
        html += "<" + tag + ">" + markedToHtml(text.substr(mark.size(), close - mark.size())) +
                "</" + tag + ">";
        text.remove_prefix(close + mark.size());
    }
    return html;
}

} // namespace headlight::core
