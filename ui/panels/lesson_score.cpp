#include "ui/panels/lesson_score.h"

#include "core/lesson/question.h"

#include <QPalette>

#include <algorithm>

namespace headlight::ui {

LessonScore::LessonScore(Document &document, QObject *parent)
    : QObject(parent), m_document(document) {
    connect(&document, &Document::changed, this, &LessonScore::documentChanged);
}

core::Index LessonScore::rightCount() const {
    return std::ranges::count_if(m_right, [](const auto &each) { return each.second; });
}

core::Index LessonScore::wrongCount() const {
    return std::ssize(m_right) - rightCount();
}

QString LessonScore::html(const QPalette &palette) const {
    const auto &lesson = m_document.session().lesson;
    if (!lesson || m_right.empty() ||
        m_document.state().lessonStep + 1 != std::ssize(lesson->steps))
        return {};
    const auto asked = std::ranges::count_if(
        lesson->steps, [](const core::LessonStep &step) { return step.question.has_value(); });
    QString score =
        QString("<b>%1</b>").arg(tr("%1 of %2 questions right.").arg(rightCount()).arg(asked));
    if (const auto open = asked - std::ssize(m_right); open > 0)
        score += "&nbsp; " + tr("%n not answered.", nullptr, static_cast<int>(open));
    if (wrongCount() == 0)
        return score;
    return QString("%1&nbsp; <a href='lesson:wrong' style='color: %2'>%3</a>")
        .arg(score, palette.color(QPalette::Link).name(), tr("Ask again what I got wrong"));
}

core::Outcome LessonScore::askWrongAgain() {
    std::optional<core::Index> first;
    for (const auto &[step, isRight] : m_right)
        if (!isRight) {
            m_again.insert(step);
            first = first.value_or(step);
        }
    if (!first)
        return core::Done{};
    if (*first != m_document.state().lessonStep)
        return m_document.goToStep(*first);
    m_again.erase(*first);
    m_document.askAgain();
    return core::Done{};
}

void LessonScore::documentChanged(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || (state && state->lesson)) {
        m_right.clear();
        m_again.clear();
    }
    // Asks again before the step is shown, so that the answer is not revealed.
    if (state && state->step && m_again.erase(m_document.state().lessonStep) > 0)
        m_document.askAgain();
    if (is<AnswersChanged>(event) || is<TraceChanged>(event))
        judge();
}

/// Records whether the answer of the current step is right, once the step's numbers are computed.
void LessonScore::judge() {
    const core::Index at = m_document.state().lessonStep;
    const core::LessonStep *const step = m_document.lessonStep();
    if (!step || !step->question)
        return;
    const auto chosen = m_document.answers().chosen(at);
    if (!chosen) {
        m_right.erase(at); // the question is asked again, or was skipped
        return;
    }
    if (m_right.contains(at) || m_document.traceIsStale())
        return;
    if (const auto right = core::rightAnswer(*step->question, *m_document.trace()))
        m_right[at] = *right == *chosen;
}

} // namespace headlight::ui
