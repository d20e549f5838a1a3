#include "ui/panels/lesson_editor/question_page.h"

#include "core/lesson/question.h"
#include "ui/panels/lesson_editor/choice_rows.h"
#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/panels/lesson_editor/shows_page.h"
#include "ui/text/core_message.h"
#include "ui/text/token_names.h"
#include "ui/widgets/message_label.h"
#include "ui/widgets/wrapped_button.h"

#include <QCheckBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Returns the token that the question's picture frames as a key, if the answer contains this word.
/// Otherwise returns an empty text.
QString framedWordOf(const core::Selection &place, const core::Answer &answer,
                     const core::Trace &trace) {
    const core::Batch &keys = trace.keys(place.attention());
    if (!place.key || place.sequence >= keys.count() || *place.key >= keys[place.sequence].length)
        return {};
    const QString word = tokenText(keys[place.sequence][*place.key].text);
    static const QRegularExpression between(QStringLiteral("[^\\w]+"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    const QStringList words = QString::fromStdString(answer.text).split(between);
    return words.contains(word) ? word : QString();
}

} // namespace

QuestionPage::QuestionPage(Document &document, SeenNow seen, QWidget *parent)
    : StepPage(parent),
      m_document(document),
      m_seen(std::move(seen)),
      m_asks(new QCheckBox(tr("Ask before showing the step"))),
      m_all(new QWidget),
      m_text(new MarkedField(
          "questionAsked",
          {tr("Question"), tr("Text of the question"), tr("Leave out the numbers to be found")},
          MarkedField::Holds::One, 3)),
      m_answers(new ChoiceRows("answer",
                               {tr("Answer %1"), tr("Answer %1 is right if"), tr("Add an answer"),
                                tr("Remove answer %1"), tr("Shown after answer %1 is chosen"),
                                tr("Answer %1 is always right")},
                               core::kMinAnswers, core::kMaxAnswers, document)),
      m_right(new MessageLabel(kMessageLines)),
      m_shows(new QLabel),
      m_show(pageButton("askSeen", tr("Show the current view with the question"),
                        tr("The question is then shown next to the picture"))),
      m_cover(pageButton("askCovered", tr("Cover the picture"),
                         tr("The question replaces the picture until it is answered"))),
      m_ask(pageButton("askNow", tr("Ask now"),
                       tr("Show the question in the window, as a student sees it"))) {
    m_asks->setObjectName("asksQuestion");
    m_asks->setAccessibleName(m_asks->text());
    m_asks->setToolTip(tr("The student chooses an answer before seeing the text and the picture"));
    m_shows->setTextFormat(Qt::PlainText);
    m_shows->setWordWrap(true);
    m_right->setKeepsSpace(true);
    m_right->setObjectName("rightAnswer");
    m_shows->setObjectName("askedShows");
    auto *inner = new QVBoxLayout(m_all);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(6);
    inner->addWidget(m_text);
    inner->addWidget(m_answers);
    for (QWidget *widget : QList<QWidget *>{m_right, m_shows, m_show, m_cover, m_ask})
        inner->addWidget(widget);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(m_asks);
    layout->addWidget(m_all);
    layout->addStretch(1);
    connect(m_asks, &QCheckBox::clicked, this, [this](bool asks) {
        emit edited(asks ? tr("Add a question") : tr("Remove the question"),
                    [asks](core::LessonStep &step) {
                        step.question.reset();
                        if (asks)
                            step.question.emplace().answers.resize(core::kMinAnswers);
                    });
        if (asks)
            m_text->takeFocus();
    });
    connect(m_text, &MarkedField::edited, this, [this] {
        edit(tr("Question"),
             [text = m_text->text()](core::Question &question) { question.text = text; });
    });
    connect(m_answers, &ChoiceRows::edited, this, [this] {
        edit(tr("Answers"), [rows = m_answers->rows()](core::Question &question) {
            question.answers = choicesOf<core::Answer>(rows);
        });
    });
    connect(m_show, &QPushButton::clicked, this, [this] {
        core::SelectionPatch place = m_seen().place;
        place.softmax.reset(); // a question uses the softmax settings of its step
        edit(tr("View of a question"),
             [place](core::Question &question) { question.show = place; });
    });
    connect(m_cover, &QPushButton::clicked, this, [this] {
        edit(tr("View of a question"), [](core::Question &question) { question.show.reset(); });
    });
    connect(m_ask, &QPushButton::clicked, this, [this] { m_document.askAgain(); });
}

void QuestionPage::edit(const QString &words, const std::function<void(core::Question &)> &edit) {
    emit edited(words, [edit](core::LessonStep &step) {
        if (step.question)
            edit(*step.question);
    });
}

void QuestionPage::showStep(const core::LessonStep &step) {
    m_asks->setChecked(step.question.has_value());
    m_all->setVisible(step.question.has_value());
    if (!step.question)
        return;
    m_text->setText(step.question->text);
    m_answers->setRows(rowsOf(step.question->answers));
    showPlace(step, nullptr);
    m_cover->setEnabled(step.question->show.has_value());
}

void QuestionPage::showNumbers() {
    const core::LessonStep *const step = m_document.lessonStep();
    const core::Trace *const trace = m_document.trace().get();
    if (!step || !step->question)
        return;
    m_text->check(trace);
    m_answers->check(trace);
    if (!trace)
        return m_right->showMessage({});
    const core::Result<std::size_t> right = core::rightAnswer(*step->question, *trace);
    m_right->setVisible(
        std::ranges::all_of(step->question->answers, [](const core::Answer &answer) {
            return !answer.condition.empty(); // the row reports a missing condition
        }));
    m_right->showMessage(right ? tr("Answer %1 is right at present").arg(*right + 1)
                               : translated(right.error()));
    showPlace(*step, right ? &step->question->answers[*right] : nullptr);
}

/// Describes the picture shown during the question, and warns if the picture highlights the right
/// answer.
void QuestionPage::showPlace(const core::LessonStep &step, const core::Answer *right) {
    const std::optional<core::SelectionPatch> &show = step.question->show;
    if (!show)
        return m_shows->setText(tr("During the question, the picture is covered"));
    QStringList lines{tr("During the question: %1").arg(placeTextOf(*show))};
    const core::Trace *const trace = m_document.trace().get();
    if (right && trace) {
        const core::Selection place = show->applied(m_document.session().view.applied({}));
        if (const QString framed = framedWordOf(place, *right, *trace); !framed.isEmpty())
            lines << tr("⚠ The picture highlights “%1”, which gives away the right answer")
                         .arg(framed);
    }
    m_shows->setText(lines.join(QLatin1Char('\n')));
}

bool QuestionPage::hasMarks() const {
    const core::LessonStep *const step = m_document.lessonStep();
    return step && step->question;
}

QWidget *QuestionPage::firstField() const {
    return m_text->field();
}

void QuestionPage::goTo(const QString &place) {
    if (place.contains("answers["))
        m_answers->takeFocus(place);
    else
        m_text->takeFocus();
}

} // namespace headlight::ui
