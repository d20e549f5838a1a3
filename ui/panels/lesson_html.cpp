#include "ui/panels/lesson_html.h"

#include "core/lesson/question.h"
#include "ui/document/document.h"
#include "ui/figures/base/style.h"
#include "ui/panels/capture_html.h"
#include "ui/panels/marked_html.h"
#include "ui/panels/model_html.h"
#include "ui/text/changed_text.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <QCoreApplication>
#include <QPalette>

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("LessonPanel", text);
}

/// Describes the user's changes to the lesson. Empty if there are none.
QString changedText(const ChangedParts &edits) {
    QStringList words;
    for (std::size_t part = 0; part < core::kStateParts; ++part)
        if (edits.has(static_cast<core::StatePart>(part)))
            words << nameOf(static_cast<core::StatePart>(part));
    return listed(words);
}

/// Writes the HTML of the document's current step.
class StepWriter {
  public:
    StepWriter(const Document &document, const QPalette &palette, bool acts, QString score)
        : m_document(document),
          m_step(*document.lessonStep()),
          m_trace(document.trace().get()),
          m_palette(palette),
          m_acts(acts),
          m_score(std::move(score)),
          m_accent(palette.color(QPalette::Highlight)),
          m_base(palette.color(QPalette::Base)),
          m_faint(palette.color(QPalette::PlaceholderText)) {}

    QString html() {
        m_html = QString("<h3>%1</h3>").arg(symbolsInHtml(oneLine(m_step.title).toHtmlEscaped()));
        if (const QString words = changedText(m_document.state().edits); !words.isEmpty())
            note(tr("You changed %1. Claims that no longer hold are struck out.").arg(words));
        if (m_document.askedQuestion())
            return asking();
        if (m_step.question)
            sayAnswer();
        for (const std::string &text : m_step.text)
            if (const QString html = words(text); !html.trimmed().isEmpty())
                m_html += QString("<p style='line-height:136%'>%1</p>").arg(html);
        box(tr("A common mistake."), m_step.mistake, QColor(0xd0, 0x60, 0x20));
        if (m_step.exercise)
            sayExercise();
        box(tr("Try it."), m_step.tryIt, m_accent);
        if (m_step.run && m_acts)
            box(link("run", m_step.run->ablation ? tr("Run this ablation in a new window")
                                                 : tr("Start this training in a new window")),
                m_accent);
        if (!m_score.isEmpty())
            box(m_score, m_accent);
        return m_html;
    }

    QString line() {
        QStringList parts;
        if (m_document.askedQuestion()) {
            parts << questionFirst();
        } else {
            if (m_step.question)
                parts << answerLines() << QStringLiteral("·"); // the answer may have no full stop
            if (m_step.exercise)
                parts << words(m_step.exercise->text);
            for (const std::string &text : m_step.text)
                parts << words(text).trimmed();
        }
        parts.removeAll(QString());
        return QString("<b>%1</b>&nbsp;&nbsp; %2")
            .arg(symbolsInHtml(oneLine(m_step.title).toHtmlEscaped()),
                 parts.join(QLatin1Char(' ')));
    }

  private:
    static QString questionFirst() {
        return tr("A question first: choose an answer to continue this step.");
    }
    QString words(const std::string &text) const {
        return markedHtml(text, m_trace, m_palette, m_acts);
    }
    void note(const QString &text) {
        m_html += QString("<p style='line-height:140%;color:%1'>%2</p>").arg(m_faint.name(), text);
    }
    void box(const QString &inside, const QColor &colour) {
        m_html += QString("<table width='100%' cellpadding='9' style='margin-top:6px'><tr>"
                          "<td style='background-color:%1;line-height:136%'>%2</td></tr></table>")
                      .arg(mixed(colour, m_base, 0.08).name(), inside);
    }
    /// Writes no box if the text is empty, for example because the word it refers to was removed.
    void box(const QString &name, const std::string &text, const QColor &colour) {
        if (const QString html = words(text); !html.trimmed().isEmpty())
            box(QString("<b>%1</b> %2").arg(name, html), colour);
    }
    QString link(const char *target, const QString &text) const {
        return QString("<a href='lesson:%1' style='color: %3'>%2</a>")
            .arg(target, text.toHtmlEscaped(), m_palette.color(QPalette::Link).name());
    }

    QString asking() {
        m_html += QString("<p style='line-height:136%'>%1</p>").arg(questionFirst());
        if (m_acts)
            m_html += QString("<p>%1</p>").arg(link("tell", tr("Skip question")));
        return m_html;
    }

    void sayAnswer() {
        QStringList lines = answerLines();
        if (m_acts)
            lines.last() += "&nbsp; " + link("ask", tr("Ask again"));
        box(lines.join("<br>"), m_accent);
    }

    QStringList answerLines() const {
        const core::Question &question = *m_step.question;
        const auto chosen = m_document.answers().chosen(m_document.state().lessonStep);
        const auto right = m_trace ? core::rightAnswer(question, *m_trace)
                                   : core::Result<std::size_t>(core::Error{"", "", ""});
        QStringList lines;
        const QString answer = chosen ? words(question.answers[*chosen].text) : QString();
        const QString because = chosen ? words(question.answers[*chosen].because) : QString();
        if (right && chosen == *right)
            lines << sentences({tr("<b>Right:</b> %1").arg(ended(answer)), because});
        else if (right && chosen)
            // Quoted, because the reason that follows could otherwise look like a part of the
            // answer.
            lines << sentences({tr("<b>Not quite:</b> “%1”.").arg(answer), because})
                  << tr("The answer is: %1").arg(words(question.answers[*right].text));
        else if (right)
            lines << tr("The answer is: %1").arg(words(question.answers[*right].text));
        else
            lines << (m_document.isEdited() ? tr("After your changes, no answer is right.")
                                            : tr("No answer is right here."));
        return lines;
    }

    void sayExercise() {
        const core::Exercise &exercise = *m_step.exercise;
        QStringList lines{QString("<b>%1</b> %2").arg(tr("Your turn."), words(exercise.text))};
        core::ExerciseProgress solving;
        if (m_trace)
            solving = core::solvingOf(
                exercise, *m_trace,
                baseAt(m_document.session(), m_document.state().lessonStep).input.interventions);
        for (std::size_t goal = 0; goal < exercise.goals.size(); ++goal)
            lines << QString("%1 %2").arg(
                goal < solving.reached.size() && solving.reached[goal] ? "☑" : "☐",
                words(exercise.goals[goal].text));
        if (solving.isByHand)
            lines << tr(
                "Overridden heads and scores do not count here; change the matrices instead.");
        if (m_trace && solving.isSolved())
            lines << QString("<b>%1</b>").arg(tr("✓ Solved."));
        box(lines.join("<br>"), m_accent);
        if (!m_acts)
            return;
        const std::size_t given = std::min(
            m_document.answers().hints(m_document.state().lessonStep), exercise.hints.size());
        for (std::size_t hint = 0; hint < given; ++hint)
            m_html += QString("<p style='line-height:136%'><b>%1</b> %2</p>")
                          .arg(tr("Hint %1.").arg(hint + 1), words(exercise.hints[hint]));
        QStringList links;
        if (given < exercise.hints.size())
            links << link("hint", given == 0 ? tr("Give me a hint") : tr("One more hint"));
        if (exercise.solution != core::StatePatch())
            links << link("solve", tr("Show a solution"));
        m_html += QString("<p>%1</p>").arg(links.join("&nbsp;&nbsp; "));
    }

    const Document &m_document;
    const core::LessonStep &m_step;
    const core::Trace *m_trace;
    const QPalette &m_palette;
    bool m_acts;
    QString m_score;
    QColor m_accent, m_base, m_faint;
    QString m_html;
};

} // namespace

QString lessonLineHtml(const Document &document, const QPalette &palette) {
    const core::Session &session = document.session();
    return session.lesson && !session.capture ? StepWriter(document, palette, false, {}).line()
                                              : QString();
}

QString lessonHtml(const Document &document, const QPalette &palette, bool acts,
                   const QString &score) {
    const core::Session &session = document.session();
    if (session.capture)
        return captureHtml(session);
    if (!session.lesson)
        return modelHtml(session, document.state().model);
    return StepWriter(document, palette, acts, score).html();
}

} // namespace headlight::ui
