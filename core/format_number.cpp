#include "core/format_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight::core {

namespace {

constexpr int kMaxDecimals = 40;

bool isZero(const std::string &digits) {
    return digits.find_first_not_of("0.") == std::string::npos;
}

/// Returns the digits of a finite number, without its sign.
std::string digitsOf(double value, int decimals,
                     std::chars_format format = std::chars_format::fixed) {
    std::array<char, 400> buffer; // the largest double has 309 digits before the point
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                   format, std::clamp(decimals, 0, kMaxDecimals));
    return {buffer.data(), end.ptr};
}

std::string signedText(double value, const std::string &digits) {
    return value < 0 && !isZero(digits) ? std::string(kMinusSign) + digits : digits;
}

std::string notFinite(double value) {
    if (std::isnan(value))
        return std::string(kNoNumber);
    return value < 0 ? std::string(kMinusSign) + "∞" : "∞";
}

} // namespace

std::string rounded(double value, int decimals) {
    if (!std::isfinite(value))
        return notFinite(value);
    std::string digits = digitsOf(value, decimals);
    if (digits.find('.') != std::string::npos) {
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.')
            digits.pop_back();
    }
    return signedText(value, digits);
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value))
        return notFinite(value);
    return signedText(value, digitsOf(value, decimals));
}

std::string shown(double value, int decimals) {
    return value == 0 ? "0" : fixed(value, decimals);
}

std::string scientific(double value, int decimals) {
    if (!std::isfinite(value))
        return notFinite(value);
    std::string digits = digitsOf(value, decimals, std::chars_format::scientific);
    if (const std::size_t minus = digits.find('-'); minus != std::string::npos)
        digits.replace(minus, 1, kMinusSign);
    return value < 0 ? std::string(kMinusSign) + digits : digits;
}

std::string significant(double value, int digits) {
    if (!std::isfinite(value))
        return notFinite(value);
    std::string text = digitsOf(value, digits, std::chars_format::general);
    if (const std::size_t minus = text.find('-'); minus != std::string::npos)
        text.replace(minus, 1, kMinusSign);
    return signedText(value, text);
}

std::string raised(int exponent) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (int rest = std::abs(exponent); rest > 0 || text.empty(); rest /= 10)
        text = digits[rest % 10] + text;
    return (exponent < 0 ? "⁻" : "") + text;
}

std::string exact(float value) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

std::string exactDouble(double value) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

} // namespace headlight::core
