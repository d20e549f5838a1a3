// Numbers as text: short ones for cells, full ones for hovering. The minus is U+2212 everywhere,
// and all are rounded by core/format_number.
#pragma once

#include <QString>

namespace headlight::ui {

/// At most about five characters: ".54", "1.00", "−.37", "3.41", "12.3", "−∞". An exact zero is
/// "0"; a number that rounds to zero is ".00", so that the two are told apart.
QString cellText(double value);

/// The same where there is little room: ".5", "−3.1", "12", "1e3"; an exact zero is "0", a number
/// that rounds to zero ".0".
QString briefCellText(double value);

/// The shortest text that reads back as the same float: "0.41234567", "−∞".
QString fullText(float value);

/// A computed number with `decimals` decimals: "0.412", "−1.30"; an exact zero is "0".
QString numberText(double value, int decimals);

/// With four digits that count, of any size: "0.4123", "5.426·10⁻⁶".
QString digitsText(double value);

/// The same with so many decimals, and a power of ten in any case: "2·10⁻⁵", "1.5·10⁶".
QString powerText(double value, int decimals);

/// A loss: one that has almost gone keeps its digits.
QString lossText(double loss);

/// The same as numberText() for what is no computed number, such as the numbers at an axis: a zero
/// has all its decimals.
QString fixedText(double value, int decimals);

} // namespace headlight::ui
