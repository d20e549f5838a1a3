// Formats numbers as text, independent of the locale.
#pragma once

#include <string>
#include <string_view>

namespace headlight::core {

/// The minus sign in displayed text, U+2212.
inline constexpr std::string_view kMinusSign = "\u2212";

/// Shown instead of NaN and instead of a value that is missing from a capture or cannot be read.
inline constexpr std::string_view kNoNumber = "\u2014";

/// Formats a number for display: at most `decimals` decimal places, without trailing zeros, with a
/// real minus sign (U+2212): "0.5", "0", "−0.25". Values that round to zero are "0" without a sign.
/// Infinities are "∞" and "−∞", NaN is kNoNumber.
std::string rounded(double value, int decimals);

/// Like rounded(), but with exactly `decimals` places: "0.50".
std::string fixed(double value, int decimals);

/// Formats a computed value for display. Like fixed(), but an exact zero is "0", to distinguish it
/// from a value that rounds to zero ("0.00"). Ties round to even, as in Python and NumPy: 0.125 is
/// "0.12".
std::string shown(double value, int decimals);

/// Formats a number in scientific notation with `decimals` decimal places: "4.1e−05", "5e+04".
std::string scientific(double value, int decimals);

/// Formats a number with at most `digits` significant digits, without trailing zeros:
/// "0.412345678901", "−1.3e−08". Use it for values that differ only in later digits.
std::string significant(double value, int digits);

/// Returns an exponent in superscript digits: "⁻⁵", "¹²".
std::string raised(int exponent);

/// Returns the shortest text that parses back to the same float, for files. Its minus is ASCII:
/// "0.1", "-1e-09", "-inf".
std::string exact(float value);
/// As exact(), for a double.
std::string exactDouble(double value);

} // namespace headlight::core
