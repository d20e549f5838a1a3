#include "core/formats/json/text.h"

#include "core/format_number.h"
#include "core/formats/json/reader.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

std::size_t skipSpace(std::string_view json, std::size_t at) {
    return std::min(json.find_first_not_of(kWhiteSpace, at), json.size());
}

/// Returns the position after the string that starts at `at`.
std::size_t skipString(std::string_view json, std::size_t at) {
    for (++at; at < json.size() && json[at] != '"'; ++at)
        if (json[at] == '\\')
            ++at;
    return std::min(at + 1, json.size());
}

/// Returns the position after the value that starts at `at`.
std::size_t skipValue(std::string_view json, std::size_t at) {
    std::size_t depth = 0;
    while (at < json.size()) {
        const char c = json[at];
        if (c == '"') {
            at = skipString(json, at);
        } else if (c == '{' || c == '[') {
            ++depth;
            ++at;
        } else if (c == '}' || c == ']') {
            --depth;
            ++at;
        } else if (depth == 0) {
            return std::min(json.find_first_of(" \t\r\n,}]", at), json.size());
        } else {
            ++at;
        }
        if (depth == 0)
            return at;
    }
    return at;
}

/// Returns a member's name without quotes and escapes.
std::string nameIn(std::string_view quoted) {
    if (quoted.find('\\') == std::string_view::npos)
        return std::string(quoted.substr(1, quoted.size() - 2));
    const auto read = readJson(quoted);
    return read && read->kind == JsonValue::Kind::String ? read->text() : std::string();
}

} // namespace

std::string jsonText(std::string_view text) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (quoted += '\\') += c;
        else if (c == '\n')
            quoted += "\\n";
        else if (c == '\t')
            quoted += "\\t";
        else if (byte < 0x20 || byte == 0x7F)
            ((quoted += "\\u00") += kDigits[byte >> 4]) += kDigits[byte & 0xF];
        else
            quoted += c;
    }
    return quoted + '"';
}

std::string jsonNumber(float number) {
    // −0 needs the decimal point, because "-0" would be read as an integer, which has no −0.
    return number == 0 && std::signbit(number) ? "-0.0" : exact(number);
}

std::string jsonObject(const std::vector<JsonMemberText> &members, const std::string &separator) {
    std::string text = "{";
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i > 0)
            text += separator.empty() ? ", " : ",";
        text += separator + jsonText(members[i].name) + ": " + members[i].value;
    }
    // The closing brace is indented by two columns less than the members.
    if (!members.empty() && separator.size() > 2)
        text += separator.substr(0, separator.size() - 2);
    return text + "}";
}

std::vector<JsonSpan> membersOf(std::string_view json) {
    std::vector<JsonSpan> members;
    std::size_t at = std::min(json.find('{'), json.size()); // also skips a byte order mark
    while (at < json.size()) {
        const std::size_t begin = skipSpace(json, at + 1); // after the brace or a comma
        if (begin >= json.size() || json[begin] != '"')
            break;
        const std::size_t nameEnd = skipString(json, begin);
        const std::size_t value = skipSpace(json, skipSpace(json, nameEnd) + 1); // skips the colon
        const std::size_t end = skipValue(json, value);
        members.push_back({nameIn(json.substr(begin, nameEnd - begin)), begin, value, end});
        at = skipSpace(json, end);
        if (at >= json.size() || json[at] != ',')
            break;
    }
    return members;
}

std::vector<std::string_view> elementsOf(std::string_view json) {
    std::vector<std::string_view> elements;
    std::size_t at = std::min(json.find('['), json.size());
    while (at < json.size()) {
        const std::size_t begin = skipSpace(json, at + 1); // after the bracket or a comma
        if (begin >= json.size() || json[begin] == ']')
            break;
        const std::size_t end = skipValue(json, begin);
        elements.push_back(json.substr(begin, end - begin));
        at = skipSpace(json, end);
        if (at >= json.size() || json[at] != ',')
            break;
    }
    return elements;
}

std::string jsonArray(const std::vector<std::string> &elements, const std::string &separator) {
    std::string text = "[";
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (i > 0)
            text += separator.empty() ? ", " : ",";
        text += separator + elements[i];
    }
    if (!elements.empty() && separator.size() > 2)
        text += separator.substr(0, separator.size() - 2);
    return text + "]";
}

std::string separatorOf(std::string_view object) {
    const std::size_t first = object.find('{') + 1;
    return std::string(object.substr(first, skipSpace(object, first) - first));
}

std::string spliced(std::string_view object, const JsonEdits &edits) {
    const std::vector<JsonSpan> members = membersOf(object);
    const std::size_t first = object.find('{') + 1;
    const std::string separator = separatorOf(object);
    std::string text;
    const auto put = [&](std::string_view lead, std::string_view body) {
        if (!text.empty())
            text += lead;
        text += body;
    };
    std::size_t before = first;
    for (const JsonSpan &member : members) {
        const std::string_view lead = object.substr(before, member.begin - before);
        before = member.end;
        const auto edit = std::find_if(edits.begin(), edits.end(), [&](const JsonMemberText &e) {
            return e.name == member.name;
        });
        if (edit == edits.end())
            put(lead, object.substr(member.begin, member.end - member.begin));
        else if (!edit->value.empty())
            put(lead, std::string(object.substr(member.begin, member.value - member.begin)) +
                          edit->value);
    }
    for (const JsonMemberText &edit : edits) {
        const bool known = std::any_of(members.begin(), members.end(), [&](const JsonSpan &member) {
            return member.name == edit.name;
        });
        if (!known && !edit.value.empty())
            put(separator.empty() ? ", " : "," + separator,
                jsonText(edit.name) + ": " + edit.value);
    }
    const std::string tail(object.substr(before));
    return std::string(object.substr(0, first)) + (members.empty() ? "" : separator) + text + tail;
}

} // namespace headlight::core
