#include "core/explain/line.h"

#include "core/format_number.h"

#include <charconv>
#include <cmath>

namespace headlight::core {

std::string decimalText(double value, int decimals) {
    if (std::abs(value) >= 1e5 && std::isfinite(value))
        return fullText(static_cast<float>(value));
    return shown(value, decimals);
}

double decimalValue(double value, int decimals) {
    if (!std::isfinite(value))
        return value;
    // Without the minus sign of displayed numbers, which from_chars() cannot parse.
    const std::string text = decimalText(std::abs(value), decimals);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    return std::copysign(read, value);
}

std::string termText(double value) {
    return decimalText(value, 2);
}

std::string resultText(double value) {
    return decimalText(value, 4);
}

std::string digitsText(double value) {
    const double size = std::abs(value);
    if (value == 0 || (size >= 0.1 && size < 1e4) || !std::isfinite(value))
        return resultText(value);
    int power = static_cast<int>(std::floor(std::log10(size)));
    double digits = size / std::pow(10.0, power);
    if (std::round(digits * 1000) >= 10000) { // 9.9996 rounds to 10
        digits /= 10;
        ++power;
    }
    return (value < 0 ? "−" : "") + decimalText(digits, 3) + "·10" + raised(power);
}

std::string fullText(float value) {
    if (!std::isfinite(value))
        return shown(static_cast<double>(value), 0);
    if (value == 0) // −0 is shown as 0
        return "0";
    std::string text = exact(value);
    for (std::size_t minus = text.find('-'); minus != text.npos; minus = text.find('-', minus))
        text.replace(minus, 1, "\u2212");
    return text;
}

} // namespace headlight::core
