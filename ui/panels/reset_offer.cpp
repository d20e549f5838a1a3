#include "ui/panels/reset_offer.h"

#include "ui/widgets/wrapped_button.h"

#include <QAccessible>
#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace headlight::ui {

namespace {

constexpr int kLinesOfRoom = 24;

} // namespace

ResetOffer::ResetOffer(Document &document, QAction &reset, QWidget *parent)
    : QFrame(parent),
      m_document(document),
      m_words(new QLabel(tr("This step shows your version."))),
      m_reset(new WrappedButton(tr("Reset"))),
      m_keep(new QPushButton(tr("Keep my changes"))),
      m_buttons(new QBoxLayout(QBoxLayout::LeftToRight)) {
    setObjectName("resetOffer");
    setAccessibleName(m_words->text());
    m_words->setObjectName("resetOfferText");
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_reset->setObjectName("offeredReset");
    m_reset->setAccessibleName(tr("Reset to the lesson's own text and numbers"));
    m_reset->setToolTip(tr("Restore the lesson's text and numbers; Undo brings yours back (%1)")
                            .arg(reset.shortcut().toString(QKeySequence::NativeText)));
    m_keep->setObjectName("keepEdits");
    m_keep->setAccessibleName(m_keep->text());
    m_keep->setToolTip(tr("Continue with your changes"));
    connect(m_reset, &QPushButton::clicked, &reset, &QAction::trigger);
    connect(m_keep, &QPushButton::clicked, this, &ResetOffer::keep);
    m_buttons->setSpacing(8);
    m_buttons->addWidget(m_reset, 1);
    m_buttons->addWidget(m_keep);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(m_words);
    layout->addLayout(m_buttons);
    hide();
    connect(&document, &Document::changed, this, &ResetOffer::documentChanged);
}

void ResetOffer::showKey(const QString &key) {
    m_reset->setText(tr("Reset (%1)").arg(key));
}

void ResetOffer::take(const ResetOffer &other) {
    m_isKept = other.m_isKept;
    offer(!other.isHidden());
}

void ResetOffer::keep() {
    m_isKept = true;
    offer(false);
}

void ResetOffer::resizeEvent(QResizeEvent *event) {
    QFrame::resizeEvent(event);
    const QMargins around = layout()->contentsMargins();
    const int beside = m_reset->sizeHint().width() + m_buttons->spacing() +
                       m_keep->sizeHint().width() + around.left() + around.right();
    m_buttons->setDirection(beside <= width() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ResetOffer::documentChanged(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || (state && !state->step && state->parts.any())) {
        m_isKept = false;
        offer(false);
    } else if (state && state->step) {
        offer(m_document.isEdited() && !m_isKept);
    }
}

void ResetOffer::offer(bool on) {
    const bool isNew = on && isHidden();
    // Hide the text in a small window with large text, because the lesson needs the space.
    m_words->setVisible(!parentWidget() ||
                        parentWidget()->height() >= kLinesOfRoom * fontMetrics().lineSpacing());
    setVisible(on);
    if (!isNew)
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

} // namespace headlight::ui
