#include "ui/text/number_text.h"

#include "core/explain/line.h"
#include "core/format_number.h"

#include <cmath>

namespace headlight::ui {

namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kInfinity(0x221E);

/// Returns text for NaN and infinities. Empty for finite values.
QString specialText(double value) {
    if (std::isnan(value))
        return QString::fromUtf8(core::kNoNumber.data(), core::kNoNumber.size());
    if (std::isinf(value))
        return value < 0 ? QString(kMinus) + kInfinity : QString(kInfinity);
    return {};
}

} // namespace

QString fullText(float value) {
    return QString::fromStdString(core::fullText(value));
}

QString numberText(double value, int decimals) {
    return QString::fromStdString(core::shown(value, decimals));
}

QString digitsText(double value) {
    return QString::fromStdString(core::digitsText(value));
}

QString powerText(double value, int decimals) {
    if (const QString special = specialText(value); !special.isEmpty())
        return special;
    const QString text = QString::fromStdString(core::scientific(value, decimals)); // "2e−05"
    const qsizetype e = text.indexOf(QLatin1Char('e'));
    QString exponent = text.mid(e + 1);
    const int power = exponent.replace(kMinus, QLatin1Char('-')).toInt();
    return text.left(e) + QStringLiteral("·10") + QString::fromStdString(core::raised(power));
}

QString lossText(double loss) {
    return loss < 0.001 ? digitsText(loss) : numberText(loss, loss < 0.1 ? 4 : 3);
}

QString fixedText(double value, int decimals) {
    return QString::fromStdString(core::fixed(value, decimals));
}

} // namespace headlight::ui
