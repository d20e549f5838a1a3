// A figure's text in an SVG: <metadata id="headlight-figure">, escaped.
#include "core/cancelled.h"
#include "core/formats/figure/carriers.h"
#include "core/formats/figure/figure_session.h"
#include "core/formats/session/data/session.h"

#include <charconv>

namespace headlight::core {

namespace {

constexpr std::string_view kElement = "<metadata";

/// Returns the character in UTF-8; empty if the character is invalid.
std::string encoded(std::uint32_t c) {
    const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return {};
    if (c < 0x80)
        return {byte(c)};
    if (c < 0x800)
        return {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
    if (c < 0x10000)
        return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
    return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)),
            byte(0x80 | (c & 0x3F))};
}

/// Returns the character of an entity such as "amp", "lt", "#13" or "#xd"; empty if XML does not
/// define it.
std::string characterOf(std::string_view name) {
    for (const auto &[known, c] :
         {std::pair("amp", "&"), std::pair("lt", "<"), std::pair("gt", ">"),
          std::pair("quot", "\""), std::pair("apos", "'")})
        if (name == known)
            return c;
    if (!name.starts_with('#'))
        return {};
    name.remove_prefix(1);
    const bool hexadecimal = name.starts_with('x');
    name.remove_prefix(hexadecimal ? 1 : 0);
    std::uint32_t code = 0;
    const char *end = name.data() + name.size();
    const auto read = std::from_chars(name.data(), end, code, hexadecimal ? 16 : 10);
    return read.ec == std::errc() && read.ptr == end ? encoded(code) : std::string();
}

Result<std::string> unescaped(std::string_view text, StopCheck &stop) {
    constexpr std::size_t kMaxNameBytes = 10;
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        stop.throwIfRequested();
        const std::size_t escape = std::min(text.find('&'), text.size());
        plain += text.substr(0, escape);
        text.remove_prefix(escape);
        if (text.empty())
            break;
        const std::size_t end = text.substr(0, kMaxNameBytes).find(';');
        const std::string character =
            end == std::string_view::npos ? std::string() : characterOf(text.substr(1, end - 1));
        if (character.empty())
            return Error{"its metadata is damaged", "", ""};
        plain += character;
        text.remove_prefix(end + 1);
    }
    return plain;
}

/// A character that XML 1.0 cannot represent, at the start of the text: U+FFFE, U+FFFF, a lone
/// surrogate, most control characters.
struct Unspeakable {
    std::size_t bytes = 0; ///< 0: XML can represent it
    unsigned code = 0;
};

Unspeakable unspeakableAt(std::string_view text) {
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    if (byte(0) < 0x20 && byte(0) != '\t' && byte(0) != '\n' && byte(0) != '\r')
        return {1, byte(0)};
    const bool isSurrogate = byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF;
    const bool isNone = byte(0) == 0xEF && byte(1) == 0xBF && (byte(2) == 0xBE || byte(2) == 0xBF);
    if ((isSurrogate || isNone) && byte(2) >= 0x80 && byte(2) <= 0xBF)
        return {3, (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)};
    return {};
}

/// Returns the numeric JSON escape of a character. In JSON, such characters occur only in strings.
std::string jsonEscape(unsigned code) {
    constexpr char kDigits[] = "0123456789abcdef";
    return {'\\',
            'u',
            kDigits[code >> 12 & 0xF],
            kDigits[code >> 8 & 0xF],
            kDigits[code >> 4 & 0xF],
            kDigits[code & 0xF]};
}

} // namespace

Result<std::string> textInSvg(std::string_view svg, const std::stop_token &stop) {
    if (svg.substr(0, 4096).find("<svg") == std::string_view::npos)
        return Error{"it is not a PNG, SVG or PDF file", "", "use a figure that Headlight saved"};
    const std::string id = "id=\"" + std::string(kSvgMetadata) + '"';
    StopCheck check(stop);
    // Continues the search after each element, so that every byte is scanned only once.
    for (std::size_t at = svg.find(kElement), open = 0; at != std::string_view::npos;
         at = svg.find(kElement, open)) {
        check.throwIfRequested();
        open = svg.find('>', at);
        if (open == std::string_view::npos)
            return Error{"the file is truncated", "", "use the complete file"};
        if (svg.substr(at, open - at).find(id) == std::string_view::npos)
            continue;
        const std::size_t close = svg.find('<', open);
        if (close == std::string_view::npos)
            return Error{"the file is truncated", "", "use the complete file"};
        if (close - open > kMaxSessionBytes)
            return Error{"its embedded session is too large", "", ""};
        return unescaped(svg.substr(open + 1, close - open - 1), check);
    }
    return carriesNothing();
}

std::string withTextInSvg(std::string svg, std::string_view text) {
    // Qt always writes a description directly before the drawing.
    constexpr std::string_view kBefore = "</desc>";
    const std::size_t place = svg.find(kBefore);
    if (place == std::string::npos)
        return svg;
    std::string element = "\n<metadata id=\"" + std::string(kSvgMetadata) + "\">";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (const Unspeakable no = unspeakableAt(text.substr(i, 3)); no.bytes > 0) {
            element += jsonEscape(no.code);
            i += no.bytes - 1;
        } else if (c == '&')
            element += "&amp;";
        else if (c == '<')
            element += "&lt;";
        else if (c == '>')
            element += "&gt;";
        else if (c == '\r') // otherwise XML parsers replace it with a line feed
            element += "&#13;";
        else
            element += c;
    }
    svg.insert(place + kBefore.size(), element + "</metadata>");
    return svg;
}

} // namespace headlight::core
