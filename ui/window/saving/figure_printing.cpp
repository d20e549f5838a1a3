#include "ui/window/saving/figure_printing.h"
#include "ui/text/core_message.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPrinter>

#include <algorithm>

namespace headlight::ui {

void fitPage(QPrinter &printer, QSizeF size) {
    printer.setPageOrientation(size.width() > size.height() ? QPageLayout::Landscape
                                                            : QPageLayout::Portrait);
}

namespace {

/// Paints the figure centred and as large as the page allows.
void paintOnPage(QPainter &painter, const Figure &figure, QSizeF size, const QPrinter &printer) {
    const QRectF page = printer.pageRect(QPrinter::DevicePixel);
    const double factor = std::min(page.width() / size.width(), page.height() / size.height());
    painter.save();
    // The painter's origin is already the printable corner of the page.
    painter.translate((page.width() - size.width() * factor) / 2,
                      (page.height() - size.height() * factor) / 2);
    painter.scale(factor, factor);
    figure.paint(painter, QRectF(QPointF(), size), Device::Vector);
    painter.restore();
}

core::Error cannotStart(const QPrinter &printer) {
    return {
        messageOf(
            QCoreApplication::translate("FigurePrinting", "the printer could not be started")),
        printer.outputFileName().toStdString(),
        messageOf(QCoreApplication::translate("FigurePrinting", "choose another printer or file"))};
}

} // namespace

core::Outcome printFigure(const Figure &figure, QSizeF size, QPrinter &printer) {
    QPainter painter;
    if (!painter.begin(&printer))
        return cannotStart(printer);
    // A small window shows the figure shrunk. Printing uses its full size.
    paintOnPage(painter, figure, size.expandedTo(figure.minimumSize()), printer);
    painter.end();
    return core::Done{};
}

core::Outcome printPages(const std::vector<const Figure *> &pages, QPrinter &printer) {
    QPainter painter;
    if (!painter.begin(&printer))
        return cannotStart(printer);
    for (const Figure *const page : pages) {
        if (page != pages.front())
            printer.newPage();
        paintOnPage(painter, *page, page->naturalSize(), printer);
    }
    painter.end();
    return core::Done{};
}

QString printedText(const QPrinter &printer, const QString &sent) {
    const QString file = printer.outputFileName();
    return file.isEmpty() ? sent
                          : QCoreApplication::translate("FigurePrinting", "Saved %1").arg(file);
}

} // namespace headlight::ui
