#include "ui/figures/worksheet/handout_text.h"

#include "core/lesson/step_text.h"
#include "ui/figures/worksheet/solution_text.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/text/step_number.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct HandoutWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Handout)
};

using Kind = HandoutLine::Kind;

class HandoutWriter {
  public:
    explicit HandoutWriter(const core::Handout &handout) : m_handout(handout) {}

    HandoutText write() {
        facts();
        if (!m_handout.aim.empty()) {
            heading(HandoutWords::tr("Aim"));
            add(Kind::Text, plain(m_handout.aim));
        }
        actions();
        questions();
        difficulties();
        return {oneLine(m_handout.title), m_lines};
    }

  private:
    void add(Kind kind, const QString &html) { m_lines.push_back({kind, html}); }
    void heading(const QString &words) { add(Kind::Heading, words.toHtmlEscaped()); }
    static QString plain(const std::string &text) {
        return QString::fromStdString(text).toHtmlEscaped();
    }
    static QString marked(const std::string &text, const core::HandoutStep &step) {
        return QString::fromStdString(core::stepTextToHtml(text, step.trace.get()));
    }
    QString nameOf(core::Index step) const {
        return HandoutWords::tr("Step %1: %2")
            .arg(stepNumber(step))
            .arg(oneLine(m_handout.steps[static_cast<std::size_t>(step)].step.title)
                     .toHtmlEscaped());
    }

    void facts() {
        QStringList facts;
        if (m_handout.minutes > 0)
            facts << HandoutWords::tr("%n minutes", nullptr, static_cast<int>(m_handout.minutes));
        facts << HandoutWords::tr("%n steps", nullptr, static_cast<int>(m_handout.steps.size()));
        if (!m_handout.needs.empty()) {
            QStringList needs;
            for (const std::string &need : m_handout.needs)
                needs << HandoutWords::tr("“%1”").arg(plain(need));
            facts << HandoutWords::tr("after %1").arg(listed(needs));
        }
        add(Kind::Facts, facts.join(QStringLiteral(" · ")));
    }

    void actions() {
        heading(HandoutWords::tr("What to press"));
        add(Kind::Text,
            HandoutWords::tr("<strong>Alt+→</strong> and <strong>Alt+←</strong>: next and previous "
                             "step. <strong>Ctrl+R</strong>: reset the step. <strong>F11</strong>: "
                             "full screen, for the class."));
        forEachStep([this](core::Index index, const core::HandoutStep &step) {
            const core::LessonStep &lesson = step.step;
            if (lesson.run)
                action(index, HandoutWords::tr("Start the training that the step offers."));
            if (!lesson.tryIt.empty())
                action(index, marked(lesson.tryIt, step));
            if (lesson.exercise)
                exercise(index, step);
        });
    }
    void action(core::Index step, const QString &html) {
        add(Kind::Item, HandoutWords::tr("<strong>%1</strong> %2").arg(ended(nameOf(step)), html));
    }
    void exercise(core::Index index, const core::HandoutStep &step) {
        const core::Exercise &exercise = *step.step.exercise;
        QStringList changes;
        for (const QString &line : solutionLines(exercise.solution, step.trace->model()))
            changes << line.toHtmlEscaped();
        const QString text = marked(exercise.text, step);
        action(index, changes.isEmpty()
                          ? text
                          : HandoutWords::tr("%1 <em>One solution:</em> %2")
                                .arg(text, ended(changes.join(QStringLiteral("; ")))));
    }

    void questions() {
        bool isFirst = true;
        forEachStep([&](core::Index index, const core::HandoutStep &step) {
            if (!step.step.question)
                return;
            if (std::exchange(isFirst, false))
                heading(HandoutWords::tr("Questions and answers"));
            const core::Question &question = *step.step.question;
            add(Kind::Question, HandoutWords::tr("<strong>Step %1.</strong> %2")
                                    .arg(stepNumber(index))
                                    .arg(marked(question.text, step)));
            for (std::size_t i = 0; i < question.answers.size(); ++i) {
                const core::Answer &answer = question.answers[i];
                const QString text = marked(answer.text, step);
                add(step.right == i ? Kind::Right : Kind::Wrong,
                    answer.because.empty()
                        ? text
                        : HandoutWords::tr("%1: %2").arg(text, marked(answer.because, step)));
            }
        });
    }

    void difficulties() {
        bool isFirst = true;
        const auto add = [&](const QString &html) {
            if (std::exchange(isFirst, false))
                heading(HandoutWords::tr("What goes wrong in class"));
            this->add(Kind::Item, html);
        };
        for (const std::string &difficulty : m_handout.difficulties)
            add(plain(difficulty));
        forEachStep([&](core::Index index, const core::HandoutStep &step) {
            if (!step.step.mistake.empty())
                add(HandoutWords::tr("<strong>Step %1.</strong> %2")
                        .arg(stepNumber(index))
                        .arg(marked(step.step.mistake, step)));
        });
    }

    template <typename Visit>
    void forEachStep(const Visit &visit) const {
        for (std::size_t i = 0; i < m_handout.steps.size(); ++i)
            visit(static_cast<core::Index>(i), m_handout.steps[i]);
    }

    const core::Handout &m_handout;
    QList<HandoutLine> m_lines;
};

} // namespace

HandoutText handoutText(const core::Handout &handout) {
    return HandoutWriter(handout).write();
}

} // namespace headlight::ui
