// The button beside a line of arithmetic that opens and closes the expanded arithmetic.
#pragma once

#include "ui/figures/base/style.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

/// Returns the width of the button and of the gap before it, px.
double openerSpace(const FigureStyle &style);
/// Returns the rectangle of the button beside a line.
QRectF openerBeside(const QRectF &line, const FigureStyle &style);
/// Paints two arrows that point away from each other, or towards each other if the arithmetic is
/// open.
void paintOpener(QPainter &painter, const QRectF &rect, bool isOpen, const FigureStyle &style);

} // namespace headlight::ui
