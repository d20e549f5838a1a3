#include "ui/window/presenting/presented_lesson.h"

#include "ui/document/document.h"
#include "ui/panels/lesson_html.h"

#include <QRegularExpression>
#include <QScrollBar>

namespace headlight::ui {

namespace {

/// Smallest size of a long text before it scrolls, as a share of the usual size; still readable
/// from a distance.
constexpr double kSmallestShare = 0.6;

/// Removes links: present mode has no editor that they could open.
QString withoutLinks(QString html) {
    static const QRegularExpression link("</?a(\\s[^>]*)?>");
    return html.remove(link);
}

} // namespace

PresentedLesson::PresentedLesson(QWidget *parent) : FittedText(kSmallestShare, parent) {
    setObjectName("presentedLesson");
    setAccessibleName(tr("Lesson text"));
    setFocusPolicy(Qt::NoFocus); // keys step through the lesson
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
