#include "ui/panels/lesson_editor/exercise_page.h"

#include "core/lesson/question.h"
#include "ui/panels/lesson_editor/choice_rows.h"
#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/panels/lesson_editor/shows_page.h"
#include "ui/panels/lesson_editor/solution_check.h"
#include "ui/widgets/message_label.h"
#include "ui/widgets/wrapped_button.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

ExercisePage::ExercisePage(Document &document, QWidget *parent)
    : StepPage(parent),
      m_document(document),
      m_sets(new QCheckBox(tr("Set an exercise"))),
      m_all(new QWidget),
      m_text(new MarkedField("exerciseText",
                             {tr("Exercise"), tr("Text of the exercise"),
                              tr("Shown above the goals, under Your turn")},
                             MarkedField::Holds::One, 3)),
      m_goals(new ChoiceRows(
          "goal",
          {tr("Goal %1"), tr("Goal %1 is reached if"), tr("Add a goal"), tr("Remove goal %1")}, 1,
          core::kMaxGoals, document)),
      m_hints(
          new MarkedField("exerciseHints",
                          {tr("Hints"), tr("Shown one by one. An empty line starts the next hint."),
                           tr("At most eight hints, shown one by one")},
                          MarkedField::Holds::Paragraphs, 4)),
      m_solution(new QLabel),
      m_solved(new MessageLabel(kMessageLines)),
      m_unsolved(makeProblemLabel("solutionProblem")),
      m_check(new SolutionCheck(this)),
      m_take(pageButton("takeSolution", tr("Use my changes as the solution"),
                        tr("Solve the exercise in the window, then press this button. Reset goes "
                           "back to the start"))),
      m_try(pageButton(
          "trySolution", tr("Try the solution"),
          tr("Apply the solution to the step, as a student sees it; Undo reverts the change"))),
      m_byHand(new QCheckBox(tr("Count overrides of heads and scores"))) {
    m_sets->setObjectName("setsExercise");
    m_sets->setAccessibleName(m_sets->text());
    m_sets->setToolTip(tr("Goals that are ticked off while the student edits the numbers"));
    m_byHand->setObjectName("exerciseByHand");
    m_byHand->setAccessibleName(m_byHand->text());
    m_byHand->setToolTip(tr("If this is off, a solution may not override heads or scores"));
    m_solution->setTextFormat(Qt::PlainText);
    m_solution->setWordWrap(true);
    m_solved->setKeepsSpace(true);
    m_solution->setObjectName("exerciseSolution");
    m_solved->setObjectName("exerciseSolved");
    auto *inner = new QVBoxLayout(m_all);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(6);
    for (QWidget *widget : QList<QWidget *>{m_text, m_goals, m_solved, m_hints, m_solution,
                                            m_unsolved, m_take, m_try, m_byHand})
        inner->addWidget(widget);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(m_sets);
    layout->addWidget(m_all);
    layout->addStretch(1);
    connect(m_sets, &QCheckBox::clicked, this, [this](bool sets) {
        emit edited(sets ? tr("Add an exercise") : tr("Remove the exercise"),
                    [sets](core::LessonStep &step) {
                        step.exercise.reset();
                        if (sets)
                            step.exercise.emplace().goals.resize(1);
                    });
        if (sets)
            m_text->takeFocus();
    });
    connect(m_text, &MarkedField::edited, this, [this] {
        edit(tr("Exercise"),
             [text = m_text->text()](core::Exercise &exercise) { exercise.text = text; });
    });
    connect(m_goals, &ChoiceRows::edited, this, [this] {
        edit(tr("Goals"), [rows = m_goals->rows()](core::Exercise &exercise) {
            exercise.goals = choicesOf<core::Goal>(rows);
        });
    });
    connect(m_hints, &MarkedField::edited, this, [this] {
        edit(tr("Hints"),
             [hints = m_hints->texts()](core::Exercise &exercise) { exercise.hints = hints; });
    });
    connect(m_byHand, &QCheckBox::clicked, this, [this](bool counts) {
        edit(tr("Score overrides"),
             [counts](core::Exercise &exercise) { exercise.byHand = counts; });
    });
    connect(m_take, &QPushButton::clicked, this, [this] {
        emit made(edits::takeSolution(m_document.state(), m_document.session(),
                                      m_document.traceIsStale() ? nullptr : m_document.trace()));
    });
    connect(m_check, &SolutionCheck::checked, this,
            [this] { showProblemIn(m_unsolved, m_check->problem()); });
    connect(m_try, &QPushButton::clicked, this, [this] { (void)m_document.showSolution().ok(); });
}

void ExercisePage::edit(const QString &words, const std::function<void(core::Exercise &)> &edit) {
    emit edited(words, [edit](core::LessonStep &step) {
        if (step.exercise)
            edit(*step.exercise);
    });
}

void ExercisePage::showStep(const core::LessonStep &step) {
    m_sets->setChecked(step.exercise.has_value());
    m_all->setVisible(step.exercise.has_value());
    if (!step.exercise)
        return;
    m_text->setText(step.exercise->text);
    m_goals->setRows(rowsOf(step.exercise->goals));
    m_hints->setTexts(step.exercise->hints);
    m_byHand->setChecked(step.exercise->byHand);
    const QString solution = setTextOf(step.exercise->solution);
    m_solution->setText(solution.isEmpty() ? tr("There is no solution yet")
                                           : tr("The solution changes %1").arg(solution));
    m_try->setEnabled(!solution.isEmpty());
    m_unsolved->setKeepsSpace(!solution.isEmpty());
}

void ExercisePage::showNumbers() {
    const core::LessonStep *const step = m_document.lessonStep();
    const core::Trace *const trace = m_document.trace().get();
    if (!step || !step->exercise)
        return;
    m_text->check(trace);
    m_goals->check(trace);
    m_hints->check(trace);
    m_take->setEnabled(m_document.state().edits.any());
    m_check->check(m_document.session(), m_document.state().lessonStep);
    if (!trace)
        return m_solved->showMessage({});
    m_solved->setVisible(std::ranges::all_of(step->exercise->goals, [](const core::Goal &goal) {
        return !goal.condition.empty(); // if empty, the result is unknown
    }));
    const core::ExerciseProgress solving = core::solvingOf(
        *step->exercise, *trace,
        baseAt(m_document.session(), m_document.state().lessonStep).input.interventions);
    m_solved->showMessage(solving.isByHand ? tr("Overridden heads and scores do not count")
                          : solving.isSolved()
                              ? (m_document.isEdited()
                                     ? tr("✓ Your changes solve the exercise")
                                     : tr("The exercise is already solved at the start"))
                              : tr("The exercise is not solved yet"));
}

bool ExercisePage::hasMarks() const {
    const core::LessonStep *const step = m_document.lessonStep();
    return step && step->exercise;
}

QWidget *ExercisePage::firstField() const {
    return m_text->field();
}

void ExercisePage::goTo(const QString &place) {
    if (place.contains("goals["))
        m_goals->takeFocus(place);
    else if (place.contains("hints"))
        m_hints->takeFocus();
    else if (place.contains("solution"))
        m_take->setFocus(Qt::OtherFocusReason);
    else
        m_text->takeFocus();
}

} // namespace headlight::ui
