// Numbers as text, the same in every locale.
#pragma once

#include <string>
#include <string_view>

namespace headlight::core {

/// As people read it: U+2212.
inline constexpr std::string_view kMinusSign = "\u2212";

/// What stands where there is no number: one that cannot be read, or that a capture does not have.
inline constexpr std::string_view kNoNumber = "\u2014";

/// For people: at most `decimals` places, zeros at the end left away, the sign a real minus
/// (U+2212): "0.5", "0", "−0.25". What rounds to zero is "0", without a sign. Infinities are "∞"
/// and "−∞", what is not a number is kNoNumber.
std::string rounded(double value, int decimals);

/// The same with exactly `decimals` places: "0.50".
std::string fixed(double value, int decimals);

/// What a computed number is shown as, wherever that is: as fixed(), but an exact zero is "0", so
/// that it is told from one that rounds to zero ("0.00", without a sign). Ties go to the even
/// digit, as Python and NumPy print them: 0.125 is "0.12".
std::string shown(double value, int decimals);

/// The same as a power of ten, with `decimals` places before it: "4.1e−05", "5e+04".
std::string scientific(double value, int decimals);

/// An exponent as it stands above the line: "⁻⁵", "¹²".
std::string raised(int exponent);

/// For files: the shortest text that reads back as the same float, with an ASCII minus: "0.1",
/// "-1e-09", "-inf".
std::string exact(float value);

} // namespace headlight::core
