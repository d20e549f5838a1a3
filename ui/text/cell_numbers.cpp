#include "ui/text/cell_numbers.h"

#include "core/format_number.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kPower = 9999.5; // numbers of at least this size are written with a power of ten

/// Returns the largest absolute value of the numbers written without a power of ten.
double largestOf(const NumberRange &range) {
    return std::max(-range.low, range.high);
}

/// True if a number of this size has at most `digits` digits before the point.
bool fits(double size, int digits, int decimals) {
    return size + 0.5 * std::pow(10, -decimals) < std::pow(10, digits);
}

} // namespace

void NumberRange::add(double number) {
    if (!std::isfinite(number)) {
        hasSpecial = true;
        return;
    }
    const double size = std::abs(number);
    if (size > 0.5 * std::pow(10, -CellNumbers::kMaxSmallDecimals))
        smallest = smallest == 0 ? size : std::min(smallest, size);
    const bool isLarge = size >= kPower;
    double &least = isLarge ? lowPower : low;
    double &most = isLarge ? highPower : high;
    least = std::min(least, number);
    most = std::max(most, number);
}

CellNumbers CellNumbers::usual(const NumberRange &range) {
    const double size = largestOf(range);
    return {fits(size, 1, 2) ? 2 : fits(size, 3, 1) ? 1 : 0, 4};
}

CellNumbers CellNumbers::brief(const NumberRange &range) {
    return {fits(largestOf(range), 1, 1) ? 1 : 0, 3};
}

CellNumbers CellNumbers::ofSmall(const NumberRange &range) {
    CellNumbers form = usual(range);
    while (range.smallest > 0 && form.decimals < kMaxSmallDecimals && form.isZero(range.smallest))
        ++form.decimals;
    return form;
}

QString CellNumbers::text(double number) const {
    if (std::isfinite(number) && !fits(std::abs(number), digits, 0)) {
        const QString power = QString::fromStdString(core::scientific(number, 0)); // "5e+04"
        const qsizetype e = power.indexOf(QLatin1Char('e'));
        return power.left(e + 1) + QString::number(power.mid(e + 1).toInt());
    }
    if (isZero(number) && number != 0 && decimals == 0)
        return QStringLiteral("≈0");
    QString text = QString::fromStdString(core::shown(number, decimals));
    const qsizetype first = text.startsWith(QChar(0x2212)) ? 1 : 0;
    if (text.mid(first, 2) == QLatin1String("0."))
        text.remove(first, 1); // ".54"
    return text;
}

bool CellNumbers::isZero(double number) const {
    return std::abs(number) <= 0.5 * std::pow(10, -decimals) &&
           core::rounded(number, decimals) == "0";
}

} // namespace headlight::ui
