// Presentation: the keys of a keyboard or a presenter remote, and the steps that they trigger.
#include "ui/panels/filmstrip.h"
#include "ui/panels/question_card.h"
#include "ui/window/presenting/presentation.h"

#include <QAction>
#include <QKeyEvent>
#include <QStackedWidget>

namespace headlight::ui {

void Presentation::goTo(core::Index step) {
    if (const core::Outcome gone = m_document.goToStep(step); !gone)
        emit failed(gone.error());
}

void Presentation::next() {
    if (m_document.askedQuestion())
        return m_document.answer({}); // skips the question
    const core::Index step = m_document.state().lessonStep;
    if (step + 1 < lessonSteps())
        return goTo(step + 1);
    if (!m_filmstrip.stepActions().at(3)->isEnabled())
        return emit ended();
    ++m_beyond;
    m_filmstrip.next();
    showStep();
}

void Presentation::back() {
    const core::Index step = m_document.state().lessonStep;
    if (m_beyond == 0 && lessonSteps() > 0)
        return step > 0 ? goTo(step - 1) : void();
    m_beyond = std::max(0, m_beyond - 1);
    m_filmstrip.back();
    showStep();
}

bool Presentation::isBlank() const {
    return m_curtain->isVisibleTo(this);
}

void Presentation::blank(bool on) {
    m_curtain->setGeometry(rect());
    m_curtain->setVisible(on);
    m_curtain->raise();
}

bool Presentation::handleScaleKey(const QKeyEvent &event) {
    if (!event.modifiers().testFlag(Qt::ControlModifier))
        return false;
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setTextScale(m_scale + kScaleStep);
        return true;
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        setTextScale(m_scale - kScaleStep);
        return true;
    case Qt::Key_0:
        setTextScale(kUsualScale);
        return true;
    default:
        return false;
    }
}

/// True if keys go to the view first, because it replays a run. In a lesson, keys step through the
/// lesson.
bool Presentation::viewTakesKeys() const {
    return lessonSteps() == 0 && !currentView()->replayKeys().isEmpty();
}

void Presentation::keyPressEvent(QKeyEvent *event) {
    const bool blackens = event->key() == Qt::Key_B || event->key() == Qt::Key_Period;
    if (isBlank())
        return blank(false);
    if (handleScaleKey(*event))
        return;
    if (event->modifiers().testFlag(Qt::AltModifier)) {
        const int digit = event->key() - Qt::Key_0;
        const int index = (digit + 9) % 10; // 0 selects the tenth view, as in the window
        if (digit >= 0 && digit <= 9 && index < m_views->count())
            showView(static_cast<FigureView *>(m_views->widget(index))->viewName());
        return;
    }
    if (blackens)
        return blank(true);
    if (viewTakesKeys() && currentView()->takeKey(event))
        return;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_PageDown:
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return next();
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_PageUp:
    case Qt::Key_Backspace:
        return back();
    case Qt::Key_Home:
        return lessonSteps() > 0 ? goTo(0) : m_filmstrip.first();
    case Qt::Key_End:
        return lessonSteps() > 0 ? goTo(lessonSteps() - 1) : m_filmstrip.last();
    case Qt::Key_R:
        return m_reset.trigger();
    case Qt::Key_T:
        return showText(!m_text->isVisible());
    case Qt::Key_Escape:
        if (m_text->isVisible())
            return showText(false);
        if (showsArithmetic())
            return closeArithmetic();
        [[fallthrough]];
    case Qt::Key_F11:
        close();
        return;
    default:
        m_question->takesKey(event->key());
        return; // other keys of a presenter remote have no effect
    }
}

} // namespace headlight::ui
