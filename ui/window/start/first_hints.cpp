#include "ui/window/start/first_hints.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kClosedKey[] = "start/hintsClosed";
constexpr int kLargestShare = 12; // a long hint takes at most 1/12 of the window's height
constexpr int kMaxShare = 4;      // words taller than 1/4 of the window may be cut

QString allWords() {
    return FirstHints::tr(
        "Three things to try:  click a cell to see where its number comes from  ·  drag a number "
        "when the pointer is ↔  ·  press → for the next cell, Page Down for the next stage");
}

QString fewWords() {
    return FirstHints::tr("Try: click a cell  ·  drag a number  ·  →  ·  Page Down");
}

} // namespace

FirstHints::FirstHints(QWidget *parent) : QFrame(parent), m_words(new QLabel(allWords())) {
    setObjectName("firstHints");
    setAccessibleName(tr("Three things to try"));
    m_words->setObjectName("hintText");
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setToolTip(allWords());
    auto *close = new QPushButton(tr("Got it"));
    close->setObjectName("closeHints");
    close->setAccessibleName(tr("Close the hints for good"));
    close->setToolTip(close->accessibleName());
    connect(close, &QPushButton::clicked, this, [this] {
        QSettings().setValue(kClosedKey, true);
        hide();
    });
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 8, 8);
    row->setSpacing(12);
    row->addWidget(m_words, 1);
    row->addWidget(close);
    setAccessibleDescription(allWords());
    hide();
}

bool FirstHints::event(QEvent *event) {
    const bool isTaken = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest) // the text size has changed
        chooseWords();
    return isTaken;
}

void FirstHints::resizeEvent(QResizeEvent *event) {
    QFrame::resizeEvent(event);
    chooseWords();
}

/// Shows fewer words if large text leaves no space on a small screen. The window's layout must not
/// cut their lines.
void FirstHints::chooseWords() {
    const QRect space(0, 0, m_words->width(), QWIDGETSIZE_MAX);
    const int needed =
        m_words->fontMetrics().boundingRect(space, Qt::TextWordWrap, allWords()).height();
    m_words->setText(kLargestShare * needed <= window()->height() ? allWords() : fewWords());
    const int high =
        std::min(m_words->heightForWidth(m_words->width()), window()->height() / kMaxShare);
    if (m_words->minimumHeight() == high)
        return;
    m_words->setMinimumHeight(high);
    // A layout ignores a new size while it places the hints, so report the size later.
    QMetaObject::invokeMethod(
        m_words, [this] { m_words->updateGeometry(); }, Qt::QueuedConnection);
}

void FirstHints::offer() {
    setVisible(!QSettings().value(kClosedKey, false).toBool());
}

} // namespace headlight::ui
