#include "ui/window/presenting/presented_lesson.h"

#include "ui/document/document.h"
#include "ui/panels/lesson_html.h"
#include "ui/panels/marked_html.h"

#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

/// Smallest size of a long text before it scrolls, as a share of the usual size.
constexpr double kSmallestShare = 0.82;
constexpr double kLine = 1.36; // line height relative to the type size
constexpr int kTextAir = 20;   // px above and below the whole text, with the border

/// Removes links to the editor, because present mode has no editor.
QString presentable(QString html) {
    static const QRegularExpression link("</?a(\\s[^>]*)?>");
    return withReadableScripts(html.remove(link));
}

void leaveAlone(QTextBrowser &text) {
    text.setFocusPolicy(Qt::NoFocus); // keys step through the lesson
    text.setTextInteractionFlags(Qt::NoTextInteraction);
    text.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

/// Returns the ends of the sentences after the title, as positions in the text. Does not look for a
/// capital letter, because a sentence may begin with a lower-case word of the example.
QList<qsizetype> sentenceEnds(const QString &text, qsizetype title) {
    static const QRegularExpression end("[.!?…][\"”’)]*\\s+|[。！？]");
    QList<qsizetype> ends;
    for (auto found = end.globalMatch(text, title); found.hasNext();)
        ends << found.next().capturedEnd();
    if (ends.isEmpty() || ends.last() < text.size())
        ends << text.size();
    return ends;
}

} // namespace

PresentedLesson::PresentedLesson(QWidget *parent) : QTextBrowser(parent) {
    setObjectName("presentedLesson");
    setAccessibleName(tr("Lesson text"));
    setFrameShape(QFrame::NoFrame);
    leaveAlone(*this);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setDocumentMargin(0);
    viewport()->setCursor(Qt::PointingHandCursor);
}

void PresentedLesson::setTextSize(int usual, int least) {
    m_usual = usual;
    m_least = std::min(usual, least);
}

void PresentedLesson::show(const Document &document) {
    const QString html = presentable(lessonLineHtml(document, palette()));
    if (html == m_html)
        return;
    m_html = html;
    const qsizetype title = html.indexOf(QLatin1String("</b>"));
    setHtml(html.first(title));
    const qsizetype start = toPlainText().size() + 1;
    setHtml(html);
    m_ends = sentenceEnds(toPlainText(), start);
}

double PresentedLesson::showSentences(qsizetype count, int pixels, int width) {
    QFont text = font();
    text.setPixelSize(pixels);
    document()->setDefaultFont(text);
    setHtml(
        QStringLiteral("<p style='line-height:%1%'>%2</p>").arg(qRound(100 * kLine)).arg(m_html));
    m_isCut = count < m_ends.size();
    if (m_isCut) {
        QTextCursor rest(document());
        rest.setPosition(static_cast<int>(m_ends[count - 1]));
        rest.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        rest.removeSelectedText();
        rest.insertText(QStringLiteral("…"), QTextCharFormat());
    }
    document()->setTextWidth(width);
    m_shown = pixels;
    return document()->size().height();
}

int PresentedLesson::layOutFor(int width, int lines) {
    const auto most = [&](int pixels) { return lines * std::ceil(kLine * pixels) + 4; };
    for (qsizetype count = m_ends.size(); count > 1; --count)
        if (const double height = showSentences(count, m_usual, width); height <= most(m_usual))
            return static_cast<int>(std::ceil(height));
    int pixels = m_usual;
    double height = showSentences(std::min<qsizetype>(1, m_ends.size()), pixels, width);
    while (height > most(m_usual) && pixels > m_least)
        height = showSentences(1, --pixels, width);
    return static_cast<int>(std::ceil(height));
}

void PresentedLesson::mouseReleaseEvent(QMouseEvent *) {
    emit clicked();
}

void PresentedLesson::wheelEvent(QWheelEvent *event) {
    event->accept(); // the wheel must not scroll
}

PresentedText::PresentedText(QWidget *parent) : FittedText(kSmallestShare, parent) {
    setObjectName("presentedText");
    setAccessibleName(tr("Full text of the step"));
    setFrameShape(QFrame::StyledPanel);
    leaveAlone(*this);
    hide();
}

void PresentedText::show(const Document &document) {
    const QString html = presentable(lessonHtml(document, palette(), false));
    if (html == m_html)
        return;
    m_html = html;
    showHtml(html);
    verticalScrollBar()->setValue(0);
}

void PresentedText::placeIn(const QRect &room) {
    setGeometry(room); // try all the space first, to find the largest text that fits
    const int needed = static_cast<int>(std::ceil(this->document()->size().height())) + kTextAir;
    if (needed < room.height())
        setGeometry(QRect(room.topLeft(), QSize(room.width(), needed)));
}

} // namespace headlight::ui
