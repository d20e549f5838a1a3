#include "ui/document/edits/step_templates.h"

#include "core/explain/opened.h"
#include "core/lesson/cell_mark.h"
#include "core/lesson/cell_reference.h"
#include "core/lesson/claim.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace headlight::ui::edits {

namespace {

constexpr std::size_t kTemplateAnswers = 3;

struct TemplateText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StepTemplate)
};

std::string utf8(const QString &text) {
    return text.toStdString();
}

QString markOf(const core::Selection &selection, const core::Trace *trace) {
    return trace ? QString::fromStdString(core::cellMark(selection, *trace)) : QString();
}

/// Returns the columns with the largest numbers of the row, sorted by index.
std::vector<core::Index> largestColumns(std::string_view row, const core::Trace &trace) {
    const auto cells = core::takeRow(row, trace, {});
    if (!cells)
        return {};
    std::vector<core::Index> columns(cells->numbers.size());
    std::iota(columns.begin(), columns.end(), 0);
    std::ranges::stable_sort(columns, std::greater(), [&](core::Index column) {
        return cells->numbers[static_cast<std::size_t>(column)];
    });
    columns.resize(std::min(columns.size(), kTemplateAnswers));
    std::ranges::sort(columns);
    return columns;
}

/// Returns a view of the scores, from which a student can predict the weights without reading them
/// off. Empty for any other stage, so that the question covers the picture.
std::optional<core::SelectionPatch>
beforeWeights(core::SelectionPatch show, const core::Selection &weights, const core::Trace &trace) {
    if (weights.stage != core::Stage::AttentionWeights ||
        !trace.has(core::Stage::MaskedScores, weights.attention()))
        return std::nullopt;
    show.view = core::idOf(core::View::CloseUp);
    show.stage = core::Stage::MaskedScores;
    show.clearsCell = true;
    show.query = weights.query;
    show.key.reset();
    show.dimension.reset();
    show.distance.reset();
    show.opened.reset();
    show.softmax.reset();
    return show;
}

/// Sets a question about which key has the largest number in the selected row. Returns false if the
/// stage's rows have no keys, or if no query is selected.
bool askAboutRow(core::LessonStep &step, core::Selection selection, const core::Trace *trace) {
    const core::StageInfo &info = core::infoOf(selection.stage);
    if (!trace || !info.overKeys() || !selection.query)
        return false;
    selection.key.reset();
    const QString row = markOf(selection, trace).section(QLatin1String("most "), 1);
    if (row.isEmpty())
        return false;
    const QString query = row.section(' ', -1);
    core::Question &question = *step.question;
    question.text =
        utf8(selection.stage == core::Stage::AttentionWeights
                 ? TemplateText::tr("To which word does *%1* give the largest weight?").arg(query)
                 : TemplateText::tr("With which word does *%1* score highest?").arg(query));
    question.answers.clear();
    for (const core::Index key : largestColumns(utf8(row), *trace)) {
        selection.key = key;
        const QString cell = markOf(selection, trace);
        const QString words = selection.stage == core::Stage::AttentionWeights
                                  ? TemplateText::tr("To *%1*")
                                  : TemplateText::tr("With *%1*");
        question.answers.push_back(
            {utf8(words.arg(cell.section(' ', -1))), utf8("most " + cell), {}});
    }
    if (question.answers.size() < core::kMinAnswers)
        question.answers.resize(core::kMinAnswers);
    step.text = {utf8(TemplateText::tr("It is *{most %1}*, with {%1 @most}.").arg(row))};
    question.show = beforeWeights(step.show, selection, *trace);
    return true;
}

void predict(core::LessonStep &step, const core::Selection &selection, const core::Trace *trace) {
    step.title = utf8(TemplateText::tr("Predict, then look"));
    step.question.emplace().answers.resize(core::kMinAnswers);
    if (!askAboutRow(step, selection, trace))
        step.text = {utf8(TemplateText::tr("Say here what the picture shows, and why."))};
}

void workExample(core::LessonStep &step, core::Selection selection, const core::Trace *trace) {
    // The expanded arithmetic is about one number. For a row, use its largest number.
    if (const auto cell = trace && selection.query ? core::openedCell(*trace, selection)
                                                   : std::optional<core::Selection>()) {
        selection = *cell;
        step.show.query = cell->query;
        step.show.key = cell->key;
        step.show.dimension = cell->dimension;
    }
    const QString mark = markOf(selection, trace);
    step.title = utf8(TemplateText::tr("A worked example"));
    step.show.opened = true;
    step.text = {
        utf8(mark.isEmpty() ? TemplateText::tr("One number, worked out: select it in the picture, "
                                               "then press *Show the current view*.")
                            : TemplateText::tr("One number, worked out: {%1}.").arg(mark)),
        utf8(TemplateText::tr("*Given*: name the input numbers, and show where they are.")),
        utf8(TemplateText::tr("*Worked out*: describe the calculation, step by step."))};
    step.tryIt = utf8(TemplateText::tr("Click another number, and say how it was worked out."));
}

/// Returns the text of a goal. The text contains the mark, so it stays true while the user changes
/// the number.
QString goalText(const QString &mark, const QString &condition) {
    const QString limit = condition.mid(mark.size() + 1); // such as "> 0.4"
    const QString number = limit.mid(2).replace(QLatin1Char('-'), QStringLiteral("−"));
    return (limit.startsWith(QLatin1Char('>')) ? TemplateText::tr("More than %1; now it is {%2}")
                                               : TemplateText::tr("Less than %1; now it is {%2}"))
        .arg(number, mark);
}

void setExercise(core::LessonStep &step, const QString &mark, const core::Trace *trace) {
    step.title = utf8(TemplateText::tr("An exercise"));
    step.show.opened = false; // expanded arithmetic would leave little room for the matrices
    core::Exercise &exercise = step.exercise.emplace();
    exercise.text =
        utf8(TemplateText::tr("Change numbers in the *Editor* until the goal is reached."));
    core::Goal &goal = exercise.goals.emplace_back();
    const auto condition = trace && !mark.isEmpty()
                               ? core::goalAbout(utf8(mark), *trace)
                               : core::Result<std::string>(core::Error{"", "", ""});
    if (!condition)
        return;
    goal.condition = *condition;
    goal.text = utf8(goalText(mark, QString::fromStdString(*condition)));
}

} // namespace

core::LessonStep stepFrom(StepTemplate made, const core::Selection &selection,
                          const core::Trace *trace, const WindowState &seen) {
    core::LessonStep step;
    step.show = seen.place;
    step.look = seen.look;
    switch (made) {
    case StepTemplate::PredictAndReveal:
        predict(step, selection, trace);
        break;
    case StepTemplate::WorkedExample:
        workExample(step, selection, trace);
        break;
    case StepTemplate::Exercise:
        setExercise(step, markOf(selection, trace), trace);
        break;
    }
    return step;
}

} // namespace headlight::ui::edits
