#include "ui/panels/lesson_panel.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/panels/fitted_text.h"
#include "ui/panels/lesson_editor/typing.h"
#include "ui/panels/lesson_html.h"
#include "ui/panels/lesson_score.h"
#include "ui/panels/reset_offer.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/one_line.h"
#include "ui/text/step_number.h"
#include "ui/text/symbol_text.h"
#include "ui/widgets/dock_title_bar.h"
#include "ui/widgets/elided_button.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/wrapped_button.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

/// Smallest font size of a long step's text, as a share of the usual size, before it scrolls.
constexpr double kSmallestShare = 0.84;

QPushButton *showing(QAction *action, QPushButton *button, const char *name) {
    button->setText(action->text());
    button->setAccessibleName(action->toolTip());
    button->setObjectName(name);
    button->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard focus on the picture
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    const auto follow = [button, action] {
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible());
        button->setToolTip(action->toolTip());
    };
    QObject::connect(action, &QAction::changed, button, follow);
    follow();
    return button;
}

} // namespace

LessonPanel::LessonPanel(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_score(new LessonScore(document, this)),
      m_where(new ElidedButton),
      m_steps(new QMenu(tr("&Go to step"), this)),
      m_text(new FittedText(kSmallestShare)),
      m_back(new QAction(tr("‹ Back"), this)),
      m_next(new QAction(tr("Next ›"), this)),
      m_stepsAction(m_steps->menuAction()),
      m_reset(new QAction(tr("Reset"), this)),
      m_lag(new QTimer(this)) {
    setObjectName("lessonPanel");
    m_where->setObjectName("lessonSteps");
    m_where->setMenu(m_steps);
    m_where->setFlat(true);
    connect(m_steps, &QMenu::aboutToShow, this, &LessonPanel::showSteps);
    m_text->setObjectName("lessonText");
    m_text->setAccessibleName(tr("Lesson text"));
    m_usualTip = tr("Tinted numbers come from the computation and follow your changes");
    m_text->setToolTip(m_usualTip);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        if (link.toString().startsWith("editor"))
            emit editorRequested(link.toString().section(':', 1));
        if (link.scheme() == "glossary")
            emit termRequested(link.path());
        if (link.scheme() == "lesson")
            act(link.path());
    });
    connect(m_text, &FittedText::sliderMoved, this, &LessonPanel::moveSlider);
    connect(m_text, &QTextBrowser::highlighted, this, [this](const QUrl &link) {
        const auto entry = link.scheme() == "glossary" ? entryOfTerm(link.path()) : std::nullopt;
        m_text->setToolTip(entry ? tipOf(*entry) : m_usualTip);
        emit termHovered(entry ? entry->id : QString());
    });
    m_back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    m_next->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Right));
    m_backAtStart = new QShortcut(m_back->shortcut(), this);
    m_nextAtEnd = new QShortcut(m_next->shortcut(), this);
    m_back->setToolTip(tr("Go to the previous step (Alt+Left)"));
    m_next->setToolTip(
        tr("Go to the next step; after the last one, to the next lesson (Alt+Right)"));
    m_reset->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_R));
    m_reset->setToolTip(tr("Reset your changes to this step (%1). Undo restores them")
                            .arg(m_reset->shortcut().toString(QKeySequence::NativeText)));
    connect(m_back, &QAction::triggered, this, [this] { goTo(m_document.state().lessonStep - 1); });
    connect(m_next, &QAction::triggered, this, &LessonPanel::goOn);
    connect(m_reset, &QAction::triggered, this, [this] { tell(m_document.resetEdits()); });

    auto *wrapped = new WrappedButton;
    wrapped->setBriefText(tr("Next ›"));
    m_nextButton = showing(m_next, wrapped, "lessonNext");
    auto *head = new QHBoxLayout;
    head->addWidget(m_where, 1);
    head->addWidget(showing(m_reset, new ElidedButton, "lessonReset"));
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto *back = new ElidedButton;
    back->setBriefText(QStringLiteral("‹"));
    buttons->addWidget(showing(m_back, back, "lessonBack"), 0, Qt::AlignBottom);
    buttons->addWidget(m_nextButton, 1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 4, 16, 16);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_text, 1);
    layout->addWidget(new ResetOffer(document, *m_reset));
    layout->addLayout(buttons);
    m_lag->setSingleShot(true);
    m_lag->setInterval(kTypingLag);
    connect(m_lag, &QTimer::timeout, this, &LessonPanel::showStep);
    m_text->setMinimumWidth(120); // lets a narrow dock wrap the text
    connect(&document, &Document::changed, this, &LessonPanel::documentChanged);
    showStep();
}

QWidget &LessonPanel::text() const {
    return *m_text;
}

QWidget *LessonPanel::makeTitleBar(QWidget *extra) {
    return makeDockTitleBar({tr("LESSON"), tr("Hide the lesson"),
                             tr("Hide the lesson (View → Panels → Lesson brings it back)")},
                            extra);
}

void LessonPanel::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        showStep();
    QWidget::changeEvent(event);
}

void LessonPanel::documentChanged(const ChangeEvent &event) {
    // If only numbers change, TraceChanged follows and updates the text.
    const auto *state = std::get_if<StateChanged>(&event);
    if (changesOnlyLesson(event))
        return m_lag->start(); // typing in the lesson editor: do not lay out the text for every key
    if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<AnswersChanged>(event) ||
        (state && (state->step || state->edits || state->lesson)))
        showStep();
}

/// Moves a slider of the text. A drag is one undo step.
void LessonPanel::moveSlider(const QString &mark, double share, bool begins) {
    const core::TracePointer &trace = m_document.trace();
    if (!trace)
        return;
    if (begins)
        m_gesture = m_document.newGesture();
    tell(m_document.apply(edits::moveSlider(m_document.state(), *trace, mark, share), m_gesture));
}

void LessonPanel::act(const QString &what) {
    if (what == "tell")
        m_document.answer({});
    else if (what == "ask")
        m_document.askAgain();
    else if (what == "wrong")
        tell(m_score->askWrongAgain());
    else if (what == "hint")
        m_document.giveHint();
    else if (what == "solve")
        tell(m_document.showSolution());
    else if (what == "run")
        emit runRequested();
}

void LessonPanel::goTo(core::Index step) {
    tell(m_document.goToStep(step));
}

/// Returns the next lesson of the course or of the built-in lessons. After the last built-in
/// lesson, returns the whole transformer. Empty if no lesson follows.
QString LessonPanel::lessonAfter() const {
    if (const OpenCoursePointer &course = m_document.course())
        return course->after(m_document.source());
    const qsizetype now = lessonIds().indexOf(m_document.source());
    return now < 0 ? QString() : lessonIds().value(now + 1, translationExample());
}

void LessonPanel::goOn() {
    const core::Index next = m_document.state().lessonStep + 1;
    const auto &lesson = m_document.session().lesson;
    if (lesson && next < static_cast<core::Index>(lesson->steps.size()))
        return goTo(next);
    if (const QString after = lessonAfter(); !after.isEmpty())
        emit lessonRequested(after);
}

/// Describes the next step or lesson; empty if there is none.
QString LessonPanel::nextWords() const {
    const auto &lesson = m_document.session().lesson;
    const core::Index next = m_document.state().lessonStep + 1;
    if (lesson && next < static_cast<core::Index>(lesson->steps.size())) {
        const QString title =
            plainSymbols(oneLine(lesson->steps[static_cast<std::size_t>(next)].title));
        return title.trimmed().isEmpty() ? tr("Next step\u00A0›")
                                         : tr("Next: %1\u00A0›").arg(title);
    }
    if (const OpenCoursePointer &course = m_document.course())
        return lessonAfter().isEmpty()
                   ? QString()
                   : tr("Next lesson: %1\u00A0›")
                         .arg(course->lessons[course->indexOf(lessonAfter())].title);
    const QString after = lessonAfter();
    return !lesson || after.isEmpty() ? QString()
                                      : tr("Next lesson: %1\u00A0›").arg(lessonTitle(after));
}

void LessonPanel::tell(const core::Outcome &outcome) {
    if (!outcome)
        emit failed(outcome.error());
}

/// Fills the menu of steps before it opens, and marks the current step.
void LessonPanel::showSteps() {
    m_steps->clear();
    const core::Session &session = m_document.session();
    if (!session.lesson)
        return;
    core::Index index = 0;
    for (const core::LessonStep &step : session.lesson->steps) {
        const QString title = withAmpersands(plainSymbols(oneLine(step.title)));
        const QString name = title.trimmed().isEmpty()
                                 ? tr("%1. (no title)").arg(stepNumber(index))
                                 : tr("%1. %2").arg(stepNumber(index)).arg(title);
        QAction *action = m_steps->addAction(name, this, [this, index] { goTo(index); });
        action->setCheckable(true);
        action->setChecked(index == m_document.state().lessonStep);
        ++index;
    }
}

void LessonPanel::showStep() {
    m_lag->stop();
    const core::Session &session = m_document.session();
    const core::Index step = m_document.state().lessonStep;
    const core::Index count =
        session.lesson ? static_cast<core::Index>(session.lesson->steps.size()) : 0;
    m_where->setText(session.lesson           ? tr("Step %1 of %2").arg(stepNumber(step)).arg(count)
                     : m_document.isCapture() ? tr("Capture")
                     : session.pretrained     ? tr("Model")
                                              : tr("Session"));
    m_where->setBriefText(session.lesson ? tr("Step %1").arg(stepNumber(step)) : QString());
    m_where->setEnabled(count > 0);
    m_stepsAction->setEnabled(count > 0);
    m_where->setToolTip(
        session.lesson
            ? tr("Go to any step (the command line counts from 0: this is --step %1)").arg(step)
        : m_document.isCapture() ? tr("A capture has no steps")
                                 : tr("This session has no steps"));
    m_where->setAccessibleName(m_where->text());
    // Keeps the scroll position if only the numbers of the text changed.
    const QString text = lessonHtml(m_document, palette(), true, m_score->html(palette()));
    if (text != m_text->property("shown").toString()) {
        const int scrolled = m_text->verticalScrollBar()->value();
        const bool sameStep = m_text->property("step").toLongLong() == step;
        m_text->showHtml(text);
        m_text->setProperty("shown", text);
        m_text->setProperty("step", static_cast<qlonglong>(step));
        if (sameStep)
            m_text->verticalScrollBar()->setValue(scrolled);
    }
    const QString words = nextWords();
    m_nextButton->setText(words.isEmpty() ? tr("Next ›") : withAmpersands(words));
    m_nextButton->setAccessibleName(words.isEmpty() ? tr("Next ›") : words);
    m_nextButton->updateGeometry();
    m_back->setEnabled(step > 0);
    m_next->setEnabled(!words.isEmpty());
    m_backAtStart->setEnabled(count > 0 && !m_back->isEnabled());
    m_nextAtEnd->setEnabled(count > 0 && !m_next->isEnabled());
    m_reset->setEnabled(m_document.isEdited());
}

} // namespace headlight::ui
