#include "ui/panels/fitted_text.h"

#include <QEvent>
#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

FittedText::FittedText(double smallestShare, QWidget *parent)
    : QTextBrowser(parent), m_smallestShare(smallestShare) {
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
}

void FittedText::setTextSize(double pixels) {
    m_pixels = pixels;
    fitText();
}

void FittedText::showHtml(const QString &html) {
    const QString focused = focusedSlider();
    setHtml(html);
    fitText();
    if (!focused.isEmpty())
        focusSlider(focused);
}

void FittedText::resizeEvent(QResizeEvent *event) {
    QTextBrowser::resizeEvent(event);
    fitText();
}

void FittedText::changeEvent(QEvent *event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitText();
}

/// Outlines the text if it has the focus. Qt marks only a focused link, and the text may have none.
void FittedText::paintEvent(QPaintEvent *event) {
    QTextBrowser::paintEvent(event);
    if (!hasFocus())
        return;
    QPainter painter(viewport());
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void FittedText::focusInEvent(QFocusEvent *event) {
    QTextBrowser::focusInEvent(event);
    viewport()->update();
}

void FittedText::focusOutEvent(QFocusEvent *event) {
    QTextBrowser::focusOutEvent(event);
    viewport()->update();
}

void FittedText::scrollContentsBy(int dx, int dy) {
    QTextBrowser::scrollContentsBy(dx, dy);
    if (hasFocus())
        viewport()->update(); // the outline must not move with the text
}

void FittedText::fitText() {
    QFont text = font();
    const double usual = m_pixels > 0 ? m_pixels : QFontInfo(text).pixelSize();
    const double least = std::min(usual, std::ceil(m_smallestShare * usual));
    for (m_shown = usual; m_shown > 0; m_shown -= 1) {
        text.setPixelSize(std::max(1, qRound(m_shown)));
        document()->setDefaultFont(text);
        if (document()->size().height() <= viewport()->height() || m_shown - 1 < least)
            return;
    }
}

} // namespace headlight::ui
