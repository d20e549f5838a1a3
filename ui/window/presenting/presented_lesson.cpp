#include "ui/window/presenting/presented_lesson.h"

#include "ui/document/document.h"
#include "ui/panels/lesson_html.h"

#include <QRegularExpression>
#include <QScrollBar>

#include <algorithm>

namespace headlight::ui {

namespace {

/// A long text shrinks to this share of its size before it scrolls: it is still read from afar.
constexpr double kSmallestShare = 0.6;

/// There is no editor here that a link could open.
QString withoutLinks(QString html) {
    static const QRegularExpression link("</?a(\\s[^>]*)?>");
    return html.remove(link);
}

} // namespace

PresentedLesson::PresentedLesson(QWidget *parent) : QTextBrowser(parent) {
    setObjectName("presentedLesson");
    setAccessibleName(tr("Lesson text"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // the keys step
    setTextInteractionFlags(Qt::NoTextInteraction);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void PresentedLesson::setTextSize(double pixels) {
    m_pixels = pixels;
    fitText();
}

void PresentedLesson::show(const Document &document) {
    const QString html = withoutLinks(lessonHtml(document, palette()));
    if (html == m_html)
        return;
    m_html = html;
    setHtml(html);
    fitText();
    verticalScrollBar()->setValue(0);
}

void PresentedLesson::resizeEvent(QResizeEvent *event) {
    QTextBrowser::resizeEvent(event);
    fitText();
}

void PresentedLesson::fitText() {
    QFont text = font();
    const double least = kSmallestShare * m_pixels;
    for (m_shown = m_pixels; m_shown > 0; m_shown -= 1) {
        text.setPixelSize(std::max(1, qRound(m_shown)));
        document()->setDefaultFont(text);
        if (document()->size().height() <= viewport()->height() || m_shown - 1 < least)
            return;
    }
}

} // namespace headlight::ui
