#include "ui/figures/files/figure_size.h"

#include <QRegularExpression>

#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kMillimetresPerInch = 25.4;

QString lengthText(double length, LengthUnit unit) {
    return QString::number(length, 'g', 10) + (unit == LengthUnit::Pixel ? "" : nameOf(unit));
}

} // namespace

QString nameOf(LengthUnit unit) {
    switch (unit) {
    case LengthUnit::Pixel:
        return QStringLiteral("px");
    case LengthUnit::Millimetre:
        return QStringLiteral("mm");
    case LengthUnit::Inch:
        return QStringLiteral("in");
    }
    return {};
}

std::optional<LengthUnit> findLengthUnit(const QString &name) {
    for (const LengthUnit unit : kLengthUnits)
        if (name == nameOf(unit))
            return unit;
    return std::nullopt;
}

double pixelsOf(LengthUnit unit) {
    switch (unit) {
    case LengthUnit::Pixel:
        break;
    case LengthUnit::Millimetre:
        return kPixelsPerInch / kMillimetresPerInch;
    case LengthUnit::Inch:
        return kPixelsPerInch;
    }
    return 1;
}

std::optional<FigureSize> FigureSize::parse(const QString &text) {
    // Also accepts the format of sizeText(), "84 × 60 mm", because users copy it from errors.
    static const QRegularExpression form(
        R"(^([0-9]{1,10}(?:\.[0-9]{1,6})?) ?(px|mm|in)?)"
        R"((?: ?[x×] ?([0-9]{1,10}(?:\.[0-9]{1,6})?) ?(px|mm|in)?)?$)");
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const bool hasHeight = match.hasCaptured(3);
    const QString first = match.captured(2), second = match.captured(4);
    // The last unit of "84x60mm" applies to both sides. "84mmx60" is rejected because it would mix
    // millimetres and pixels.
    if (hasHeight && second.isEmpty() ? !first.isEmpty()
                                      : hasHeight && !first.isEmpty() && first != second)
        return std::nullopt;
    const QString unit = second.isEmpty() ? first : second;
    const FigureSize size(match.captured(1).toDouble(), match.captured(3).toDouble(),
                          findLengthUnit(unit).value_or(LengthUnit::Pixel));
    const bool isWhole =
        size.width == std::floor(size.width) && size.height == std::floor(size.height);
    if (size.isEmpty() || (hasHeight && !(size.height > 0)) ||
        (size.unit == LengthUnit::Pixel && !isWhole))
        return std::nullopt;
    return size;
}

QString FigureSize::text() const {
    if (isEmpty())
        return {};
    const QString first = lengthText(width, unit);
    return height > 0 ? first + 'x' + lengthText(height, unit) : first;
}

QSizeF sizeOf(const Figure &figure, const FigureSize &asked) {
    if (asked.isEmpty())
        return figure.naturalSize();
    const QSizeF size = asked.inPixels();
    return asked.height > 0 ? size : QSizeF(size.width(), figure.heightFor(size.width()));
}

QString sizeText(const QSizeF &pixels, LengthUnit unit) {
    if (unit == LengthUnit::Pixel)
        return QStringLiteral("%1 × %2")
            .arg(std::ceil(pixels.width()), 0, 'f', 0)
            .arg(std::ceil(pixels.height()), 0, 'f', 0);
    const double tenths = unit == LengthUnit::Millimetre ? 10 : 100; // 0.1 mm or 0.01 in
    const auto side = [&](double length) {
        return QString::number(std::ceil(length / pixelsOf(unit) * tenths - 1e-6) / tenths);
    };
    return QStringLiteral("%1 × %2 %3")
        .arg(side(pixels.width()), side(pixels.height()), nameOf(unit));
}

} // namespace headlight::ui
