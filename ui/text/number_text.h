// Number formatting. The minus sign is U+2212 everywhere. All rounding is done by
// core/format_number.
#pragma once

#include <QString>

namespace headlight::ui {

/// Returns the shortest text that parses to the same float: "0.41234567", "−∞".
QString fullText(float value);

/// Formats a computed value with `decimals` decimals: "0.412", "−1.30". An exact zero is "0".
QString numberText(double value, int decimals);

/// Formats with four significant digits: "0.4123", "5.426·10⁻⁶".
QString digitsText(double value);

/// Formats with `decimals` decimals, always with a power of ten: "2·10⁻⁵", "1.5·10⁶".
QString powerText(double value, int decimals);

/// Formats a loss. A very small loss keeps its significant digits.
QString lossText(double loss);

/// Formats values that are not computed, such as axis labels. Like numberText(), but a zero keeps
/// all of its decimals.
QString fixedText(double value, int decimals);

} // namespace headlight::ui
