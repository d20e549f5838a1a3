#include "ui/panels/lesson_editor/lesson_editor.h"

#include "ui/document/lesson_catalogue.h"
#include "ui/panels/lesson_editor/exercise_page.h"
#include "ui/panels/lesson_editor/insert_tools.h"
#include "ui/panels/lesson_editor/leaving_offer.h"
#include "ui/panels/lesson_editor/lesson_page.h"
#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/panels/lesson_editor/problem_list.h"
#include "ui/panels/lesson_editor/question_page.h"
#include "ui/panels/lesson_editor/shows_page.h"
#include "ui/panels/lesson_editor/step_list.h"
#include "ui/panels/lesson_editor/text_page.h"
#include "ui/text/core_message.h"
#include "ui/widgets/dock_title_bar.h"
#include "ui/widgets/message_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/scrolling_page.h"
#include "ui/widgets/wrapped_button.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kLinesWithList = 22;         // text lines; a shorter dock shows steps in one line
constexpr int kMinLines = 6;               // lines of text that the editor always has space for
constexpr int kWholeTab = 0, kTextTab = 1; // tab indices; a step's pages start at kTextTab

int tabOfPage(std::size_t page) {
    return kTextTab + static_cast<int>(page);
}

/// Returns the text of a field that the user can type into; empty for other controls.
std::optional<QString> typedIn(const QWidget *field) {
    if (const auto *line = qobject_cast<const QLineEdit *>(field))
        return line->text();
    if (const auto *text = qobject_cast<const QPlainTextEdit *>(field))
        return text->toPlainText();
    return std::nullopt;
}

} // namespace

LessonEditor::LessonEditor(Document &document, SeenNow seen, QWidget *parent)
    : QStackedWidget(parent),
      m_document(document),
      m_seen(std::move(seen)),
      m_offerText(new QLabel),
      m_offer(new WrappedButton),
      m_steps(new StepList),
      m_tabs(new QTabWidget),
      m_lesson(new LessonPage),
      m_problems(new ProblemList(document)),
      m_tools(new InsertTools(
          document, {[this] { return targetOfMark(); }, [this] { return fieldForMark(); }})),
      m_refused(makeProblemLabel("lessonRefused")),
      m_lag(new QTimer(this)),
      m_wasModified(document.isModified()),
      m_leaving(new LeavingOffer(document, m_seen)) {
    setObjectName("lessonEditor");
    setAccessibleName(tr("Lesson editor"));
    auto *shows = new ShowsPage(document, m_seen);
    m_pages = {new TextPage(document), shows, new QuestionPage(document, m_seen),
               new ExercisePage(document)};
    addWidget(makeOffer());
    addWidget(makeFields());
    for (StepPage *page : m_pages)
        connectPage(page);
    connect(shows, &ShowsPage::panelsChanged, this, &LessonEditor::panelsChanged);
    connect(
        m_lesson, &LessonPage::edited, this, [this](const QString &words, const LessonEdit &edit) {
            apply(edits::editLesson(m_document.state(), m_document.session(), words, edit), words);
        });
    connect(m_steps, &StepList::chosen, this, [this](core::Index step) {
        if (const core::Outcome gone = m_document.goToStep(step); !gone)
            emit failed(gone.error());
    });
    connect(m_steps, &StepList::addRequested, this, [this] {
        addStep(edits::addStep(m_document.state(), m_document.session(), m_seen()));
    });
    connect(m_steps, &StepList::templateRequested, this, [this](edits::StepTemplate made) {
        addStep(edits::addStep(m_document.state(), m_document.session(),
                               edits::stepFrom(made, m_document.selectionInTrace(),
                                               m_document.trace().get(), m_seen())));
        showPageOf(made);
    });
    connect(m_steps, &StepList::duplicateRequested, this,
            [this] { apply(edits::duplicateStep(m_document.state(), m_document.session())); });
    connect(m_steps, &StepList::removeRequested, this,
            [this] { apply(edits::removeStep(m_document.state(), m_document.session())); });
    connect(m_steps, &StepList::moveRequested, this, [this](core::Index from, core::Index to) {
        apply(edits::moveStep(m_document.state(), m_document.session(), from, to));
    });
    connect(m_problems, &ProblemList::checked, this, [this](int count) {
        if (std::exchange(m_checksSaved, false) && count > 0)
            emit savedWithProblems(count);
    });
    connect(m_leaving, &LeavingOffer::accepted, this,
            [this](core::Index step, const edits::WindowState &looked) {
                apply(edits::showInStep(m_document.state(), m_document.session(), step, looked));
            });
    connect(m_problems, &ProblemList::problemChosen, this, &LessonEditor::goToProblem);
    connect(m_tools, &InsertTools::failed, this,
            [this](const QString &problem) { showProblemIn(m_refused, problem); });
    m_lag->setSingleShot(true);
    m_lag->setInterval(kTypingLag);
    connect(m_lag, &QTimer::timeout, this, [this] {
        showNumbers();
        QTimer::singleShot(0, this, &LessonEditor::keepInSight); // after the messages are laid out
    });
    auto *key = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_M), this);
    connect(key, &QShortcut::activated, m_tools, &InsertTools::insertNumber);
    auto *claimKey = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), this);
    connect(claimKey, &QShortcut::activated, m_tools, &InsertTools::insertClaim);
    connect(qApp, &QApplication::focusChanged, this,
            [this](QWidget *, QWidget *to) { focusMoved(to); });
    connect(&document, &Document::changed, this, &LessonEditor::documentChanged);
    refresh();
}

/// Creates the page shown while there is nothing to edit.
QWidget *LessonEditor::makeOffer() {
    m_offerText->setObjectName("explanation");
    m_offerText->setTextFormat(Qt::PlainText);
    m_offerText->setWordWrap(true);
    m_offer->setObjectName("offerLesson");
    connect(m_offer, &QPushButton::clicked, this, [this] {
        if (what() == What::BuiltIn)
            emit copyRequested();
        else
            emit newLessonRequested();
    });
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(m_offerText);
    layout->addWidget(m_offer);
    layout->addStretch(1);
    return page;
}

QWidget *LessonEditor::makeFields() {
    m_tabs->setObjectName("lessonEditorPages");
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(false); // in a narrow dock the names are elided instead
    m_tabs->tabBar()->setExpanding(true);
    m_tabs->tabBar()->setElideMode(Qt::ElideRight);
    m_tabs->tabBar()->setAccessibleName(tr("Part of the lesson to edit"));
    m_tabs->setProperty("narrow", true);
    m_tabs->addTab(scrollingPage(makeWhole()), tr("Lesson"));
    const std::array<QString, 4> names{tr("Text"), tr("Shows"), tr("Question"), tr("Exercise")};
    for (std::size_t page = 0; page < m_pages.size(); ++page)
        m_tabs->addTab(scrollingPage(m_pages[page]), names[page]);
    const std::array<QString, 5> tips{
        tr("Problems, title and other details of the lesson"), tr("Text of the current step"),
        tr("View and settings of the current step"), tr("Question before the current step"),
        tr("Exercise of the current step")};
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        m_tabs->setTabToolTip(tab, tips[static_cast<std::size_t>(tab)]);
    auto *fields = new QWidget;
    auto *layout = new QVBoxLayout(fields);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    const auto addInMargins = [layout](QWidget *widget) {
        auto *row = new QVBoxLayout;
        row->setContentsMargins(12, 0, 12, 0);
        row->addWidget(widget);
        layout->addLayout(row);
    };
    addInMargins(m_steps);
    layout->addWidget(m_tabs, 1);
    addInMargins(m_leaving); // below the fields, so that no field moves when it appears
    layout->addWidget(m_refused);
    layout->addWidget(m_tools);
    m_refused->setContentsMargins(12, 0, 12, 0);
    connect(m_tabs, &QTabWidget::currentChanged, this, &LessonEditor::showTools);
    m_tabs->setCurrentIndex(kTextTab);
    return fields;
}

/// Creates the page about the whole lesson: its problems and its properties.
QWidget *LessonEditor::makeWhole() {
    auto *whole = new QWidget;
    auto *layout = new QVBoxLayout(whole);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(8);
    layout->addWidget(m_problems);
    layout->addWidget(m_lesson);
    layout->addStretch(1);
    return whole;
}

void LessonEditor::connectPage(StepPage *page) {
    connect(page, &StepPage::edited, this, [this](const QString &words, const StepEdit &edit) {
        apply(edits::editStep(m_document.state(), m_document.session(), words, edit), words);
    });
    connect(page, &StepPage::made, this,
            [this](const core::Result<Change> &change) { apply(change); });
}

QWidget *LessonEditor::makeTitleBar() {
    return makeDockTitleBar(
        {tr("LESSON EDITOR"), tr("Hide the lesson editor"),
         tr("Hide the lesson editor (View → Panels → Lesson editor brings it back)")});
}

QSize LessonEditor::sizeHint() const {
    return {21 * fontMetrics().averageCharWidth() + 200, 480};
}

LessonEditor::What LessonEditor::what() const {
    if (!m_document.session().lesson)
        return What::Nothing;
    return isBuiltIn(m_document.source()) ? What::BuiltIn : What::Own;
}

/// Leaves space for the steps in one line, the tabs, a line of a page, and Insert with the name of
/// its field. Even the largest text must fit the smallest screens.
QSize LessonEditor::minimumSizeHint() const {
    constexpr int kFrames = 70, kMin = 120, kMax = 300; // px
    return {180, std::clamp(kMinLines * fontMetrics().lineSpacing() + kFrames, kMin, kMax)};
}

/// Shows the steps as a list, or in one line if large text leaves no space for a field below it.
void LessonEditor::placeSteps() {
    m_steps->setInOneLine(height() < kLinesWithList * fontMetrics().lineSpacing());
}

void LessonEditor::resizeEvent(QResizeEvent *event) {
    QStackedWidget::resizeEvent(event);
    placeSteps();
}

void LessonEditor::changeEvent(QEvent *event) {
    QStackedWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
        placeSteps();
    }
}

void LessonEditor::setInSight(bool inSight) {
    if (inSight && !m_inSight)
        m_leaving->enterStep();
    m_inSight = inSight;
    refresh();
}

void LessonEditor::takeFocus() {
    if (what() != What::Own)
        return m_offer->setFocus(Qt::OtherFocusReason);
    m_tabs->setCurrentIndex(kTextTab);
    m_pages[0]->goTo("text");
}

void LessonEditor::viewChanged() {
    m_leaving->noteSeen();
}

/// Checks the lesson when it is saved.
void LessonEditor::savedChanged() {
    const bool isSaved = m_wasModified && !m_document.isModified();
    m_wasModified = m_document.isModified();
    if (!isSaved || what() != What::Own)
        return;
    m_checksSaved = true;
    m_problems->check();
}

void LessonEditor::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event) || (m_inSight && what() == What::Own))
        m_leaving->documentChanged(event);
    if (is<SavedChanged>(event))
        savedChanged();
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || (state && (state->lesson || state->parts.any())))
        m_problems->forget();
    if (changesOnlyLesson(event) && m_inSight && what() == What::Own) {
        showFields();
        return m_lag->start();
    }
    if (is<SessionChanged>(event) || (state && (state->step || state->lesson)))
        return refresh();
    if (is<SavedChanged>(event) && currentIndex() != (what() == What::Own ? 1 : 0))
        return refresh(); // a built-in lesson was saved as a file and can now be edited
    if (!m_inSight || what() != What::Own)
        return;
    if (is<SelectionChanged>(event) || is<TraceChanged>(event))
        m_tools->showMark();
    if (is<TraceChanged>(event) || (state && state->edits))
        showNumbers();
}

void LessonEditor::refresh() {
    const What what = this->what();
    // The author sees a step without having to answer its question.
    m_document.setAsksQuestions(!(m_inSight && what == What::Own));
    setCurrentIndex(what == What::Own ? 1 : 0);
    if (!m_inSight)
        return;
    m_lag->stop();
    if (what == What::Own) {
        showFields();
        return showNumbers();
    }
    const bool isBuiltInLesson = what == What::BuiltIn;
    m_offerText->setText(
        isBuiltInLesson
            ? tr("This lesson is built in. A copy of it can be changed and saved in a file.")
        : m_document.isCapture()
            ? tr("A capture has no model, so it cannot have a lesson.")
            : tr("This session has no lesson. A new lesson starts with the current model and text, "
                 "and a first step that shows the current view."));
    const QString offer = isBuiltInLesson ? tr("Edit a copy") : tr("New lesson from this session");
    m_offer->setText(offer);
    m_offer->setAccessibleName(offer);
    m_offer->setToolTip(offer);
    m_offer->setVisible(!m_document.isCapture());
}

void LessonEditor::showFields() {
    const core::Session &session = m_document.session();
    m_steps->showSteps(*session.lesson, m_document.state().lessonStep);
    for (StepPage *page : m_pages)
        page->showStep(*m_document.lessonStep());
    m_lesson->showLesson(session);
    m_typedText = typedIn(m_typed);
    m_tools->showMark();
    showTools();
}

void LessonEditor::showNumbers() {
    for (StepPage *page : m_pages)
        page->showNumbers();
}

/// Shows the buttons on pages that have a field for marks.
void LessonEditor::showTools() {
    const int tab = m_tabs->currentIndex();
    m_tools->setVisible(tab != kWholeTab &&
                        m_pages[static_cast<std::size_t>(tab - kTextTab)]->hasMarks());
    m_tools->showMark();
}

void LessonEditor::focusMoved(QWidget *to) {
    if (!to || !isAncestorOf(to))
        return;
    if (markPlaceOf(to)) {
        m_field = to;
        m_tools->showMark();
    }
    if (to == m_typed)
        return;
    if (m_typed)
        m_typed->removeEventFilter(this);
    m_typed = to;
    m_typedText = typedIn(to);
    m_typing.stop();
    to->installEventFilter(this);
    // Scrolls to the whole answer with its condition. During a click, the page must not move.
    if (qobject_cast<QLineEdit *>(to) && QApplication::mouseButtons() == Qt::NoButton)
        QTimer::singleShot(0, this, &LessonEditor::keepInSight);
}

/// Scrolls until the field being edited and the message below it are visible. If they are taller
/// than the dock, scrolls to the cursor.
void LessonEditor::keepInSight() {
    QWidget *const page = m_typed && m_typed->hasFocus() ? m_tabs->currentWidget() : nullptr;
    auto *const area = qobject_cast<QScrollArea *>(page);
    if (!area || !area->isAncestorOf(m_typed))
        return;
    const auto placeOf = [&](const QWidget *widget, const QRect &rect) {
        return QRect(widget->mapTo(area->widget(), rect.topLeft()), rect.size());
    };
    const QWidget *const around = m_typed->parentWidget();
    const int available = area->viewport()->height() - 8;
    QRect seen = placeOf(around, around->rect());
    if (seen.height() > available) {
        const auto *text = qobject_cast<QPlainTextEdit *>(m_typed);
        const QRect cursor =
            placeOf(m_typed, text ? text->cursorRect() : static_cast<QWidget *>(m_typed)->rect());
        seen = cursor;
        if (const auto *problem = around->findChild<QLabel *>("fieldProblem");
            text && problem->isVisible())
            seen |= placeOf(problem, problem->rect());
        if (seen.height() > available)
            seen = cursor;
    }
    area->ensureVisible(0, seen.center().y(), 0, seen.height() / 2 + 4);
}

/// Leaves Undo to the document in every field, because a field's own undo could revert text of
/// another step and does not cover steps and matrices. Enter presses the focused button.
bool LessonEditor::eventFilter(QObject *object, QEvent *event) {
    if (object == m_typed && event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    if (object == m_typed && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        auto *button = qobject_cast<QAbstractButton *>(object);
        if (button && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
            button->click(); // Enter works like Space
            return true;
        }
    }
    return QStackedWidget::eventFilter(object, event);
}

QWidget *LessonEditor::targetOfMark() const {
    if (m_field && m_field->isVisibleTo(this))
        return m_field;
    const int tab = m_tabs->currentIndex();
    const StepPage *const page =
        tab == kWholeTab ? m_pages[0] : m_pages[static_cast<std::size_t>(tab - kTextTab)];
    return page->hasMarks() ? page->firstField() : m_pages[0]->firstField();
}

QWidget *LessonEditor::fieldForMark() {
    if (!m_field || !m_field->isVisibleTo(this)) {
        const auto page = static_cast<std::size_t>(m_tabs->currentIndex() - kTextTab);
        if (m_tabs->currentIndex() != kWholeTab && m_pages[page]->hasMarks())
            m_pages[page]->goTo({}); // the page's first field
        else
            takeFocus();
    }
    QWidget *const field = m_field; // copy: m_field follows the focus
    if (field)
        field->setFocus(Qt::OtherFocusReason);
    return field;
}

/// Goes to the text of the new step.
void LessonEditor::addStep(const core::Result<Change> &change) {
    apply(change);
    if (change)
        takeFocus();
}

void LessonEditor::showPageOf(edits::StepTemplate made) {
    const std::size_t page = made == edits::StepTemplate::PredictAndReveal ? 2
                             : made == edits::StepTemplate::Exercise       ? 3
                                                                           : 0;
    m_tabs->setCurrentIndex(tabOfPage(page));
    m_pages[page]->goTo(page == 0 ? "text" : QString());
}

/// Returns the undo gesture of an edit. Typing in a field is one undo step per sentence.
/// Consecutive changes of the minutes are one undo step. Every other choice or click is a separate
/// undo step.
int LessonEditor::gestureOf(const QString &words) {
    const std::optional<QString> typed = typedIn(m_typed);
    const bool isTyped = typed && m_typedText && *typed != *m_typedText;
    const bool isCounted = qobject_cast<QSpinBox *>(m_typed);
    const bool goesOn = isTyped ? m_typing.goesOn(*m_typedText, *typed) : isCounted;
    if (!goesOn || words != m_gesture)
        m_gestureNumber = m_document.newGesture();
    m_gesture = words;
    return isTyped || isCounted ? m_gestureNumber : Document::kNoGesture;
}

void LessonEditor::apply(const core::Result<Change> &change, const QString &gesture) {
    const int number = gesture.isEmpty() ? Document::kNoGesture : gestureOf(gesture);
    const core::Outcome applied = m_document.apply(change, number);
    m_typedText = typedIn(m_typed); // even if the edit was rejected
    showProblemIn(m_refused, applied ? QString() : translated(applied.error()));
}

void LessonEditor::goToProblem(core::Index step, const QString &place) {
    const auto &lesson = m_document.session().lesson;
    if (!lesson || step >= std::ssize(lesson->steps))
        return;
    if (step < 0) {
        m_tabs->setCurrentIndex(kWholeTab);
        return m_lesson->goTo(place);
    }
    if (step != m_document.state().lessonStep)
        if (const core::Outcome gone = m_document.goToStep(step); !gone)
            return emit failed(gone.error());
    std::size_t page = 0;
    const QString part = place.section('.', 0, 0).section('[', 0, 0);
    if (part == "show" || part == "set" || part == "panels" || part == "run")
        page = 1;
    else if (part == "question")
        page = 2;
    else if (part == "exercise")
        page = 3;
    m_tabs->setCurrentIndex(tabOfPage(page));
    m_pages[page]->goTo(place);
}

} // namespace headlight::ui
