#include "core/parse_number.h"

#include "core/format_number.h"
#include "core/in_quotes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace headlight::core {

namespace {

constexpr std::string_view kSpaces = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpaces);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find_first_of(separators);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> linesOf(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1); // spreadsheets end the last line as well
    return split(text, "\n");
}

std::string_view separatorOf(std::string_view text, const std::vector<std::string_view> &lines) {
    for (const std::string_view separator : {"\t", ";"})
        if (text.find(separator) != std::string_view::npos)
            return separator;
    const bool hasPoint = text.find('.') != std::string_view::npos;
    const bool hasSpace = text.find(", ") != std::string_view::npos;
    const bool several = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
        return std::count(line.begin(), line.end(), ',') > 1;
    });
    if (text.find(',') != std::string_view::npos && (hasPoint || hasSpace || several))
        return ",";
    return " ";
}

} // namespace

Result<float> parseNumber(std::string_view text) {
    const auto wrong = [text] {
        return Error{{"%1 is not a number", inQuotes(text)}, "", "write it like 0.5, 0,5 or 1e-3"};
    };
    std::string_view rest = trimmed(text);
    const bool negative = rest.starts_with('-') || rest.starts_with(kMinusSign);
    if (negative)
        rest.remove_prefix(rest.front() == '-' ? 1 : kMinusSign.size());
    else if (rest.starts_with('+'))
        rest.remove_prefix(1);
    // from_chars takes a second sign, "inf" and "nan".
    if (rest.empty() || rest.size() > 400 || rest.find_first_not_of("0123456789.,eE+-") == 0 ||
        rest.front() == '+' || rest.front() == '-')
        return wrong();
    std::string digits(rest);
    for (std::size_t at = digits.find(kMinusSign); at != std::string::npos;
         at = digits.find(kMinusSign))
        digits.replace(at, kMinusSign.size(), "-"); // of the exponent
    if (std::count(digits.begin(), digits.end(), ',') +
            std::count(digits.begin(), digits.end(), '.') >
        1)
        return wrong();
    std::replace(digits.begin(), digits.end(), ',', '.');
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
        return wrong();
    // Out of range is both too large and too small: the exponent's sign tells.
    const bool tiny = error != std::errc() && digits.find_first_of("eE") != std::string::npos &&
                      digits[digits.find_first_of("eE") + 1] == '-';
    if (tiny)
        number = 0;
    const auto single = static_cast<float>(negative ? -number : number);
    if ((error != std::errc() && !tiny) || !std::isfinite(single))
        return Error{{"%1 is larger than 32 bits can hold", inQuotes(text)},
                     "",
                     "the largest is about 3.4e38"};
    return single;
}

Result<std::vector<std::vector<float>>> parseTable(std::string_view text) {
    if (text.size() > kMaximumTableBytes)
        return Error{
            {"it is longer than %1 bytes", kMaximumTableBytes}, "", "paste a smaller block"};
    if (trimmed(text).empty())
        return Error{"it holds no number", "", ""};
    const std::vector<std::string_view> lines = linesOf(text);
    const std::string_view separator = separatorOf(text, lines);
    std::vector<std::vector<float>> rows;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        const std::string where = "line " + std::to_string(line + 1);
        std::vector<float> row;
        const std::string_view whole = separator == " " ? trimmed(lines[line]) : lines[line];
        for (const std::string_view field : split(whole, separator)) {
            if (separator == " " && field.empty())
                continue;
            const Result<float> number = parseNumber(field);
            if (!number)
                return Error{number.error().what,
                             where + ", column " + std::to_string(row.size() + 1),
                             number.error().remedy};
            row.push_back(*number);
        }
        if (!rows.empty() && row.size() != rows.front().size())
            return Error{
                {"it has %1 numbers, the lines before %2", row.size(), rows.front().size()},
                where,
                "give every line the same number"};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace headlight::core
