#include "ui/panels/step_icon.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace headlight::ui {

namespace {

/// Returns the path in a 16 × 16 square, pointing right unless mirrored.
QPainterPath pathOf(StepSymbol symbol) {
    QPainterPath path;
    const auto triangle = [&path](double left, double right) {
        path.moveTo(left, 3);
        path.lineTo(right, 8);
        path.lineTo(left, 13);
        path.closeSubpath();
    };
    switch (symbol) {
    case StepSymbol::Play:
        triangle(4, 13);
        break;
    case StepSymbol::Pause:
        path.addRect(4, 3, 3, 10);
        path.addRect(9, 3, 3, 10);
        break;
    case StepSymbol::Back:
    case StepSymbol::Next:
        path.moveTo(6, 3.5);
        path.lineTo(10.5, 8);
        path.lineTo(6, 12.5);
        break;
    case StepSymbol::First:
    case StepSymbol::Last:
        triangle(3, 10.5);
        path.addRect(11, 3, 2, 10);
        break;
    }
    return path;
}

QPixmap drawn(StepSymbol symbol, const QColor &colour, int side) {
    constexpr int kDensity = 3; // picture pixels per px, so that it is sharp on every screen
    QPixmap pixmap(side * kDensity, side * kDensity);
    pixmap.setDevicePixelRatio(kDensity);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(side / 16.0, side / 16.0);
    if (symbol == StepSymbol::Back || symbol == StepSymbol::First) {
        painter.translate(16, 0);
        painter.scale(-1, 1);
    }
    const bool open = symbol == StepSymbol::Back || symbol == StepSymbol::Next;
    painter.setPen(open ? QPen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin)
                        : QPen(Qt::NoPen));
    painter.setBrush(open ? QBrush(Qt::NoBrush) : QBrush(colour));
    painter.drawPath(pathOf(symbol));
    return pixmap;
}

} // namespace

QIcon stepIcon(StepSymbol symbol, const QColor &colour, const QColor &disabled, int side) {
    QIcon icon(drawn(symbol, colour, side));
    icon.addPixmap(drawn(symbol, disabled, side), QIcon::Disabled);
    return icon;
}

} // namespace headlight::ui
