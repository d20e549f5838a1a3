#include "core/parse_number.h"

#include "core/format_number.h"
#include "core/in_quotes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace headlight::core {

std::string_view withoutOuterSpaces(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kNumberSpaces);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kNumberSpaces) - first + 1);
}

Result<float> parseNumber(std::string_view text) {
    const auto wrong = [text] {
        return Error{{"%1 is not a number", inQuotes(text)}, "", "write it like 0.5, 0,5 or 1e-3"};
    };
    std::string_view rest = withoutOuterSpaces(text);
    const bool negative = rest.starts_with('-') || rest.starts_with(kMinusSign);
    if (negative)
        rest.remove_prefix(rest.front() == '-' ? 1 : kMinusSign.size());
    else if (rest.starts_with('+'))
        rest.remove_prefix(1);
    // Rejects what from_chars would accept: a second sign, "inf" and "nan".
    if (rest.empty() || rest.size() > 400 || rest.find_first_not_of("0123456789.,eE+-") == 0 ||
        rest.front() == '+' || rest.front() == '-')
        return wrong();
    std::string digits(rest);
    for (std::size_t at = digits.find(kMinusSign); at != std::string::npos;
         at = digits.find(kMinusSign))
        digits.replace(at, kMinusSign.size(), "-"); // replaces the minus of the exponent
    if (std::count(digits.begin(), digits.end(), ',') +
            std::count(digits.begin(), digits.end(), '.') >
        1)
        return wrong();
    std::replace(digits.begin(), digits.end(), ',', '.');
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
        return wrong();
    // from_chars reports overflow and underflow with the same error. The exponent's sign
    // distinguishes them.
    const bool tiny = error != std::errc() && digits.find_first_of("eE") != std::string::npos &&
                      digits[digits.find_first_of("eE") + 1] == '-';
    if (tiny)
        number = 0;
    const auto single = static_cast<float>(negative ? -number : number);
    if ((error != std::errc() && !tiny) || !std::isfinite(single))
        return Error{{"%1 is too large for a 32-bit float", inQuotes(text)},
                     "",
                     "the largest is about 3.4e38"};
    return single;
}

} // namespace headlight::core
