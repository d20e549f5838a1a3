#include "ui/figures/number_text.h"

#include "core/format_number.h"

#include <cmath>

namespace headlight::ui {

namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kInfinity(0x221E);

/// NaN and the infinities; empty for any other number.
QString specialText(double value) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value < 0 ? QString(kMinus) + kInfinity : QString(kInfinity);
    return {};
}

} // namespace

QString cellText(double value) {
    if (const QString special = specialText(value); !special.isEmpty())
        return special;
    if (value == 0)
        return QStringLiteral("0");
    const double size = std::abs(value);
    QString digits;
    if (size < 9.995) {
        digits = QString::number(size, 'f', 2);
        if (digits.startsWith(QLatin1Char('0')))
            digits.remove(0, 1); // ".54"
    } else if (size < 99.95) {
        digits = QString::number(size, 'f', 1);
    } else if (size < 9999.5) {
        digits = QString::number(size, 'f', 0);
    } else {
        const int exponent = static_cast<int>(std::floor(std::log10(size)));
        digits = QStringLiteral("%1e%2")
                     .arg(QString::number(size / std::pow(10.0, exponent), 'f', 0))
                     .arg(exponent);
    }
    return value < 0 ? kMinus + digits : digits;
}

QString fullText(float value) {
    if (const QString special = specialText(static_cast<double>(value)); !special.isEmpty())
        return special;
    return QString::fromStdString(core::exact(value)).replace(QLatin1Char('-'), kMinus);
}

QString fixedText(double value, int decimals) {
    return QString::fromStdString(core::fixed(value, decimals));
}

} // namespace headlight::ui
