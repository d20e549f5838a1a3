#include "ui/panels/fitted_text.h"

#include <QEvent>
#include <QFontInfo>

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
