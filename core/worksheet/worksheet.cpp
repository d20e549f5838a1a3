#include "core/worksheet/worksheet.h"

#include "core/lesson/question.h"

#include <algorithm>

namespace headlight::core {

namespace {

bool asksForTheSame(const WorksheetStep &step, const WorksheetTask &task) {
    return step.task && step.task->selection.sequence == task.selection.sequence &&
           step.task->given == task.given && step.task->asked == task.asked;
}

/// True if the picture has the numbers that the task leaves blank.
bool isAskedIn(const WorksheetMatrix &picture, const WorksheetTask &task,
               const Selection &pictured) {
    return picture.at == task.asked.at && picture.head == task.asked.head &&
           pictured.sequence == task.selection.sequence;
}

/// True if a cell of the stage's matrix has the number that the task leaves blank there.
bool hasBlankOf(const WorksheetMatrix &shown, const WorksheetTask &task) {
    const WorksheetMatrix &asked = task.asked;
    for (std::size_t row = 0; row < shown.rows.size(); ++row)
        for (std::size_t column = 0; column < shown.columns.size(); ++column) {
            const auto askedRow = std::ranges::find(asked.rows, shown.rows[row]);
            const auto askedColumn = std::ranges::find(asked.columns, shown.columns[column]);
            if (askedRow == asked.rows.end() || askedColumn == asked.columns.end())
                continue;
            const auto r = static_cast<std::size_t>(askedRow - asked.rows.begin());
            const auto c = static_cast<std::size_t>(askedColumn - asked.columns.begin());
            if (task.blank[r * asked.columns.size() + c] &&
                shown.number(row, column) == asked.number(r, c))
                return true;
        }
    return false;
}

} // namespace

void addStep(Worksheet &sheet, WorksheetStep step, const std::optional<Selection> &shown) {
    if (step.question)
        if (const Result<std::size_t> right = rightAnswer(*step.question, *step.trace))
            step.right = *right;
    if (shown) {
        auto made = worksheetTask(step.trace, *shown);
        if (auto *task = std::get_if<WorksheetTask>(&made)) {
            if (std::ranges::none_of(sheet.steps, [&](const WorksheetStep &earlier) {
                    return asksForTheSame(earlier, *task);
                }))
                step.task = std::move(*task);
        } else if (std::get<WorksheetUnavailable>(made) == WorksheetUnavailable::TooLarge) {
            WorksheetStep &left = sheet.leftOut.emplace_back();
            left.step = step.step;
            left.title = step.title;
            left.trace = step.trace;
            if (step.title.empty())
                sheet.leftOut.back().task = WorksheetTask{step.trace, *shown, {}, {}, {}};
        }
    }
    if (step.question && step.pictured)
        step.picture = worksheetPicture(*step.trace, *step.pictured);
    if (step.picture && step.task && isAskedIn(*step.picture, *step.task, *step.pictured))
        step.picture.reset();
    if (step.question || step.task || step.exercise)
        sheet.steps.push_back(std::move(step));
}

bool givesAnswersOf(const WorksheetStep &step, const WorksheetStep &earlier) {
    if (!earlier.task)
        return false;
    const auto gives = [&task = *earlier.task](const WorksheetMatrix &shown, Index sequence) {
        return shown.kind == WorksheetMatrix::Kind::Stage && shown.at == task.asked.at &&
               shown.head == task.asked.head && sequence == task.selection.sequence &&
               hasBlankOf(shown, task);
    };
    return (step.picture && gives(*step.picture, step.pictured->sequence)) ||
           (step.task && std::ranges::any_of(step.task->given, [&](const WorksheetMatrix &given) {
                return gives(given, step.task->selection.sequence);
            }));
}

void addStages(Worksheet &sheet, const TracePointer &trace, const Selection &selection) {
    for (const Step &step : trace->plan().steps()) {
        const StageInfo &info = infoOf(step.at.stage);
        const bool isHere = info.part == Part::Embedding || info.part == Part::Final ||
                            info.part == Part::OutputLayer ||
                            step.at.attention == selection.attention();
        if (!step.isNamed() || !isHere || step.isAside)
            continue;
        Selection at = selection;
        at.stage = step.at.stage;
        at.setAttention(step.at.attention);
        WorksheetStep stage;
        stage.trace = trace;
        addStep(sheet, std::move(stage), at);
    }
}

} // namespace headlight::core
