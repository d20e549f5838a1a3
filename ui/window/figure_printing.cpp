#include "ui/window/figure_printing.h"
#include "ui/words/core_message.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPrinter>

#include <algorithm>

namespace headlight::ui {

void fitPage(QPrinter &printer, QSizeF size) {
    printer.setPageOrientation(size.width() > size.height() ? QPageLayout::Landscape
                                                            : QPageLayout::Portrait);
}

core::Outcome printFigure(const Figure &figure, QSizeF size, QPrinter &printer) {
    size = size.expandedTo(figure.minimumSize()); // a small window shows it shrunk
    QPainter painter;
    if (!painter.begin(&printer))
        return core::Error{messageOf(QCoreApplication::translate(
                               "FigurePrinting", "the printer could not be started")),
                           printer.outputFileName().toStdString(),
                           messageOf(QCoreApplication::translate(
                               "FigurePrinting", "choose another printer or file"))};
    const QRectF page = printer.pageRect(QPrinter::DevicePixel);
    const double factor = std::min(page.width() / size.width(), page.height() / size.height());
    // The painter's origin is the page's printable corner already.
    painter.translate((page.width() - size.width() * factor) / 2,
                      (page.height() - size.height() * factor) / 2);
    painter.scale(factor, factor);
    figure.paint(painter, QRectF(QPointF(), size), Device::Vector);
    painter.end();
    return core::Done{};
}

} // namespace headlight::ui
