#include "ui/panels/lesson_editor/leaving_offer.h"

#include "ui/text/step_number.h"
#include "ui/widgets/wrapped_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

namespace headlight::ui {

LeavingOffer::LeavingOffer(Document &document, SeenNow seen, QWidget *parent)
    : QFrame(parent), m_document(document), m_seen(std::move(seen)), m_words(new QLabel) {
    setObjectName("leavingOffer");
    setAccessibleName(tr("Offer to use the view that you looked at"));
    setFrameShape(QFrame::StyledPanel);
    m_words->setObjectName("leavingWords");
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    QPushButton *use = pageButton("leavingUse", tr("Use the view I looked at"),
                                  tr("Show that view in the step from now on"));
    QPushButton *keep =
        pageButton("leavingKeep", tr("Keep its view"), tr("Keep the step as it is"));
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(use, 1);
    buttons->addWidget(keep);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);
    layout->addWidget(m_words);
    layout->addLayout(buttons);
    connect(use, &QPushButton::clicked, this, [this] {
        hide();
        emit accepted(m_offered, m_offeredView);
    });
    connect(keep, &QPushButton::clicked, this, &QWidget::hide);
    hide();
}

/// Offers the view that the author last looked at, if the step that was left has another view.
void LeavingOffer::offerLooked() {
    if (m_entered && m_looked && m_looked->place != m_entered->place)
        offer(m_step, *m_looked);
}

void LeavingOffer::noteSeen() {
    if (m_entered && m_step == m_document.state().lessonStep)
        m_looked = m_seen();
}

void LeavingOffer::documentChanged(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event)) {
        hide(); // the step belonged to the previous session
        return enterStep();
    }
    if (state && state->lesson) {
        hide(); // an added step shows the view that the author looked at
        if (state->step || !m_document.lessonStep() || m_document.lessonStep()->show != m_shown)
            enterStep(); // the steps were moved, or the step's view was changed
        return;
    }
    if (state && state->step) {
        hide();
        offerLooked();
        return enterStep();
    }
    if (is<SelectionChanged>(event))
        noteSeen();
}

void LeavingOffer::enterStep() {
    m_entered.reset();
    m_looked.reset();
    m_step = m_document.state().lessonStep;
    if (const core::LessonStep *step = m_document.lessonStep())
        m_shown = step->show;
    QTimer::singleShot(0, this, [this, step = m_step] {
        if (step != m_step || m_entered || !m_document.lessonStep())
            return; // the step changed, its view is already known, or there is no lesson
        m_entered = m_seen();
        m_looked = m_entered;
    });
}

void LeavingOffer::offer(core::Index step, const edits::WindowState &seen) {
    m_offered = step;
    m_offeredView = seen;
    m_words->setText(
        tr("Step %1 does not show the view that you looked at.").arg(stepNumber(step)));
    show();
}

} // namespace headlight::ui
