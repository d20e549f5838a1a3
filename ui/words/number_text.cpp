#include "ui/words/number_text.h"

#include "core/explain/line.h"
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

/// At most four characters, with as many places as there is room for.
QString shortDigits(double size) {
    for (const int decimals : {2, 1, 0}) {
        const QString digits = numberText(size, decimals);
        if (digits.size() > 4)
            continue;
        return digits.startsWith(QStringLiteral("0.")) ? digits.mid(1) : digits; // ".54"
    }
    const QString digits = QString::fromStdString(core::scientific(size, 0)); // "5e+04"
    const qsizetype e = digits.indexOf(QLatin1Char('e'));
    return digits.left(e + 1) + QString::number(digits.mid(e + 1).toInt());
}

} // namespace

QString cellText(double value) {
    if (const QString special = specialText(value); !special.isEmpty())
        return special;
    const QString digits = shortDigits(std::abs(value));
    // The sign is that of numberText(): what rounds to zero has none.
    return value < 0 && digits != QStringLiteral(".00") ? kMinus + digits : digits;
}

QString fullText(float value) {
    return QString::fromStdString(core::fullText(value));
}

QString numberText(double value, int decimals) {
    return QString::fromStdString(core::shown(value, decimals));
}

QString fixedText(double value, int decimals) {
    return QString::fromStdString(core::fixed(value, decimals));
}

} // namespace headlight::ui
