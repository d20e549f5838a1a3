#include "core/formats/session/step_text.h"

#include "core/format_number.h"

#include <charconv>

namespace headlight::core {

namespace {

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The next word of the mark, taken off its front; empty at its end. A colon is a word of its own.
std::string_view nextWord(std::string_view &mark) {
    while (!mark.empty() && isSpace(mark.front()))
        mark.remove_prefix(1);
    std::size_t length = 0;
    while (length < mark.size() && !isSpace(mark[length]) && mark[length] != ':')
        ++length;
    if (length == 0 && !mark.empty())
        length = 1;
    const std::string_view word = mark.substr(0, length);
    mark.remove_prefix(length);
    return word;
}

template <typename Number>
bool readWhole(std::string_view word, Number &number) {
    const char *end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, number);
    return !word.empty() && read.ec == std::errc() && read.ptr == end && number >= 0;
}

/// The site, or the one that a model without such an attention has in its place.
Site inModel(Site site, const Model &model) {
    if (!model.hasStack(site.stack))
        site.stack = model.mainStack();
    const Site other(site.layer,
                     site.block == Block::SelfAttention ? Block::CrossAttention
                                                        : Block::SelfAttention,
                     site.stack);
    return !model.hasAttention(site) && model.hasAttention(other) ? other : site;
}

Tensor stageNamed(std::string_view name, const Trace &trace, Site site) {
    if (trace.has(name))
        return trace.stage(name);
    site = inModel(site, trace.model());
    const auto stage = findStage(name, site);
    return stage ? trace.stage(*stage, site) : Tensor();
}

Result<std::string> valueOf(std::string_view mark, const Trace &trace, Site site) {
    const std::string where = "{" + std::string(mark) + "}";
    const std::string_view name = nextWord(mark);
    const Tensor tensor = stageNamed(name, trace, site);
    if (tensor.isNull())
        return Error{"this model has no stage \"" + std::string(name) + "\"", where, ""};
    const Shape &shape = tensor.shape();
    Index offset = 0;
    std::size_t axis = 0;
    std::string_view word = nextWord(mark);
    for (; !word.empty() && word != ":"; word = nextWord(mark), ++axis) {
        Index index = 0;
        if (axis == shape.rank() || !readWhole(word, index) || index >= shape[axis])
            return Error{"\"" + std::string(word) + "\" is no index into " + shape.text(), where,
                         ""};
        offset = offset * shape[axis] + index;
    }
    if (axis != shape.rank())
        return Error{"expected " + std::to_string(shape.rank()) + " indices, found " +
                         std::to_string(axis),
                     where, "the stage is " + shape.text()};
    int decimals = 2;
    if (word == ":" &&
        (!readWhole(nextWord(mark), decimals) || decimals > 9 || !nextWord(mark).empty()))
        return Error{"expected 0 to 9 decimals after the colon", where, ""};
    const float value = tensor.values()[static_cast<std::size_t>(offset)];
    return shown(value, decimals);
}

/// The text with every mark replaced by what `value` makes of it.
template <typename Value>
Result<std::string> expand(std::string_view text, Value value) {
    std::string expanded;
    for (;;) {
        const std::size_t open = text.find_first_of("{}");
        expanded += text.substr(0, open);
        if (open == std::string_view::npos)
            return expanded;
        text.remove_prefix(open);
        const std::size_t close = text.find('}');
        if (close == 0 || close == std::string_view::npos)
            return Error{"a brace without its partner", std::string(text.substr(0, 40)), ""};
        Result<std::string> number = value(text.substr(1, close - 1));
        if (!number)
            return number.error();
        expanded += *number;
        text.remove_prefix(close + 1);
    }
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

/// Where the mark that opens at the text's front closes; npos where it is no mark.
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

Result<std::string> expandNumbers(std::string_view text, const Trace &trace, Site site) {
    return expand(text, [&](std::string_view mark) { return valueOf(mark, trace, site); });
}

std::string markedToHtml(std::string_view text) {
    std::string html;
    while (!text.empty()) {
        const bool strong = text.starts_with("**");
        const std::string_view mark = strong ? "**" : "*";
        const std::size_t close = closing(text, mark);
        if (close == std::string_view::npos) {
            // A run of stars that opens nothing is kept as it is.
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

std::string stepTextToHtml(std::string_view text, const Trace *trace, Site site) {
    const auto expanded = expand(text, [&](std::string_view mark) -> Result<std::string> {
        Result<std::string> value =
            trace ? valueOf(mark, *trace, site) : Result<std::string>(std::string("…"));
        return value ? std::move(value) : Result<std::string>(std::string("…"));
    });
    return markedToHtml(expanded ? std::string_view(*expanded) : text);
}

} // namespace headlight::core
