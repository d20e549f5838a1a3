#include "ui/window/presenting/presented_lesson.h"

#include "ui/document/document.h"
#include "ui/panels/lesson_html.h"

#include <QRegularExpression>
#include <QScrollBar>

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

PresentedLesson::PresentedLesson(QWidget *parent) : FittedText(kSmallestShare, parent) {
    setObjectName("presentedLesson");
    setAccessibleName(tr("Lesson text"));
    setFocusPolicy(Qt::NoFocus); // the keys step
    setTextInteractionFlags(Qt::NoTextInteraction);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void PresentedLesson::show(const Document &document) {
    const QString html = withoutLinks(lessonHtml(document, palette(), false));
    if (html == m_html)
        return;
    m_html = html;
    showHtml(html);
    verticalScrollBar()->setValue(0);
}

} // namespace headlight::ui
