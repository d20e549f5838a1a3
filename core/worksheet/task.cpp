#include "core/worksheet/task.h"

#include "core/explain/evaluation.h"
#include "core/explain/sources.h"
#include "core/explain/symbols.h"
#include "core/selection/selected.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace headlight::core {

namespace {

template <typename Test>
const Expression *partWith(const Expression &x, Test test) {
    if (test(x))
        return &x;
    for (const Expression &part : x.of)
        if (const Expression *found = partWith(part, test))
            return found;
    return nullptr;
}

/// True if a step whose values have this meaning can be computed by hand, with a calculator for
/// roots and exponentials.
bool isForAPencil(const Meaning &meaning) {
    const auto isGiven = [](const Expression &x) { return x.is(Expression::Kind::Given); };
    const bool isLookedUp =
        isGiven(meaning.number) || (meaning.inSymbols && isGiven(*meaning.inSymbols));
    const bool isRotated = meaning.isOfEachRow;
    return !isLookedUp && !isRotated && !partWith(meaning.number, [](const Expression &x) {
        return x.is(Expression::Kind::ErrorFunction);
    });
}

/// Returns the mask if the step hides keys.
const Expression *maskIn(const Meaning &meaning) {
    return partWith(meaning.number, [](const Expression &x) {
        return x.is(Expression::Kind::Choose) && x.when == Expression::When::Hidden;
    });
}

/// Returns the kind of the row that is added to each token's row; no value if no row is added.
std::optional<WorksheetMatrix::Kind> rowAddedBy(const Meaning &meaning) {
    for (const Remark &remark : meaning.remarks)
        if (remark.note == Note::PositionsAdded)
            return WorksheetMatrix::Kind::Positions;
        else if (remark.note == Note::TypesAdded)
            return WorksheetMatrix::Kind::TokenTypes;
    return std::nullopt;
}

std::vector<Index> countedFrom(Index first, Index count) {
    std::vector<Index> indices(static_cast<std::size_t>(count));
    std::iota(indices.begin(), indices.end(), first);
    return indices;
}

/// Returns all indices if they fit, otherwise a range that includes the selected one.
std::vector<Index> windowOf(Index count, Index most, std::optional<Index> selected) {
    const Index shown = std::min(count, most);
    const Index first = std::clamp<Index>(selected.value_or(0) - shown / 2, 0, count - shown);
    return countedFrom(first, shown);
}

/// A matrix, and which of its rows and columns are needed.
struct Needed {
    WorksheetMatrix matrix;
    StepId step = 0;       ///< step of the stage, or the step that has the parameter
    std::size_t slice = 0; ///< index of the parameter in the step
    Index head = 0;        ///< head of the step
    std::set<Index> rows{}, columns{};

    bool isSame(const Needed &other) const {
        return matrix.kind == other.matrix.kind && step == other.step && slice == other.slice &&
               head == other.head;
    }
    void need(std::set<Index> &which, std::optional<Index> one, Index all) {
        if (one)
            which.insert(*one);
        else
            for (Index i = 0; i < all; ++i)
                which.insert(i);
    }
    void need(std::optional<Index> row, std::optional<Index> column) {
        need(rows, row, matrix.allRows);
        need(columns, column, matrix.allColumns);
    }
};

class TaskMaker {
  public:
    TaskMaker(const TracePointer &trace, const Selection &selection)
        : m_trace(*trace), m_plan(trace->plan()), m_task{trace, selection, {}, {}, {}} {}

    std::variant<WorksheetTask, WorksheetUnavailable> make();

  private:
    const Operation *changeOf(const Step &step, Index head) const {
        return step.changeAt(step.sequences() == 1 ? 0 : sequence(), head);
    }
    Index sequence() const { return m_task.selection.sequence; }
    Meaning meaning(const Slice &made) const { return meaningOf(m_trace, sequence(), made); }
    bool canBeDone(StepId id, Index head) const;
    /// Collects the inputs of a cell, following unnamed steps.
    void note(const Slice &made);
    void noteStage(const Slice &read);
    void noteParameters(const Slice &made);
    void add(Needed needed, std::optional<Index> row, std::optional<Index> column);
    bool fits() const;
    WorksheetMatrix filled(const Needed &needed) const;
    float numberOf(const Needed &needed, const SharedMatrix &stage, const ParameterBlock &block,
                   Index row, Index column) const;
    std::size_t workOf(const Slice &cell) const;
    bool poolsTokens(const Step &step) const;
    void leaveBlank(StepId id, Index head);

    const Trace &m_trace;
    const Plan &m_plan;
    WorksheetTask m_task;
    std::vector<Needed> m_needed;
};

bool TaskMaker::canBeDone(StepId id, Index head) const {
    const Step &step = m_plan[m_plan.origin(id)];
    if (const Operation *change = changeOf(step, head); change && replaces(*change))
        return true;
    const Meaning all = meaning({id, head, {}, {}});
    const bool readsOthers = partWith(
        all.number, [](const Expression &x) { return x.rowsOf != Expression::RowsOf::Sequence; });
    if (readsOthers && step.sequences() > 1)
        return false; // values of other sequences are not given
    return isForAPencil(all) && std::ranges::all_of(step.reads, [&](StepId read) {
               return m_plan[read].isNamed() || canBeDone(read, head);
           });
}

void TaskMaker::add(Needed needed, std::optional<Index> row, std::optional<Index> column) {
    auto found =
        std::ranges::find_if(m_needed, [&](const Needed &one) { return one.isSame(needed); });
    if (found == m_needed.end())
        found = m_needed.insert(found, std::move(needed));
    found->need(row, column);
}

void TaskMaker::noteStage(const Slice &read) {
    const Step &step = m_plan[read.step];
    Needed needed;
    needed.matrix.at = step.at;
    needed.matrix.head = read.head;
    needed.matrix.role = infoOf(step.at.stage).role;
    needed.matrix.allRows = step.shape.last(1);
    needed.matrix.allColumns = step.shape.last(0);
    needed.step = read.step;
    needed.head = read.head;
    add(std::move(needed), read.row, read.column);
}

/// Collects the inputs of a cell that are not stages: tables for positions, token types or the
/// mask, otherwise the parameters of the step. For a parameter, only the cell's column is needed,
/// or its row if it is transposed.
void TaskMaker::noteParameters(const Slice &made) {
    using Kind = WorksheetMatrix::Kind;
    const Step &step = m_plan[made.step];
    Needed needed;
    needed.matrix.at = step.at;
    needed.matrix.allRows = step.shape.last(1);
    needed.matrix.allColumns = step.shape.last(0);
    needed.step = made.step;
    needed.head = made.head;
    needed.matrix.role = roleOfParameters(step);
    const auto ofTokens = [&](Kind kind) {
        needed.matrix.kind = kind;
        add(needed, made.row, made.column);
    };
    const Meaning all = meaning({made.step, made.head, {}, {}});
    if (const auto kind = rowAddedBy(all))
        return ofTokens(*kind);
    if (maskIn(all))
        return ofTokens(Kind::Mask);
    for (std::size_t i = 0; i < step.parameters.size(); ++i) {
        const ParameterBlock block =
            sliceOf(m_trace.model().parameters, step.parameters[i], step.heads(), made.head);
        if (block.empty())
            continue;
        needed.matrix.kind = Kind::Learned;
        needed.matrix.id = step.parameters[i].id;
        needed.matrix.allRows = block.rows;
        needed.matrix.allColumns = block.columns;
        needed.matrix.transposed = partWith(all.number, [i](const Expression &x) {
            return x.is(Expression::Kind::Learned) && x.which == i &&
                   x.row.kind == Coordinate::Kind::Column;
        });
        needed.slice = i;
        if (block.rows == 1 && block.columns == 1) // a head's sink, which every cell uses
            add(needed, 0, 0);
        else if (needed.matrix.transposed)
            add(needed, made.column, {});
        else
            add(needed, {}, made.column);
    }
}

void TaskMaker::note(const Slice &made) {
    const Slice own{m_plan.origin(made.step), made.head, made.row, made.column};
    for (const Slice &read : readsOf(m_trace, sequence(), own))
        if (m_plan[read.step].isNamed())
            noteStage(read);
        else
            note(read);
    const Operation *change = changeOf(m_plan[own.step], made.head);
    if (!change || !replaces(*change))
        noteParameters(own);
}

bool TaskMaker::fits() const {
    return std::ranges::all_of(m_needed, [](const Needed &needed) {
        return static_cast<Index>(std::max(needed.rows.size(), needed.columns.size())) <= kMaxGiven;
    });
}

float TaskMaker::numberOf(const Needed &needed, const SharedMatrix &stage,
                          const ParameterBlock &block, Index row, Index column) const {
    if (needed.matrix.kind == WorksheetMatrix::Kind::Stage)
        return stage.empty() ? std::numeric_limits<float>::quiet_NaN() : stage(row, column);
    if (needed.matrix.kind == WorksheetMatrix::Kind::Learned)
        return block(row, column);
    // A table whose rows are added to the rows of the tokens, or the mask.
    const Slice cell{needed.step, needed.head, row, column};
    const Meaning of = meaning(cell);
    Evaluation evaluation(m_trace, sequence(), cell);
    const auto value = [&](const Expression &x) { return static_cast<float>(evaluation.value(x)); };
    if (needed.matrix.kind != WorksheetMatrix::Kind::Mask)
        return value(*partNamed(of.number, Quantity::Other));
    const Expression &mask = *maskIn(of);
    if (evaluation.holds(mask))
        return value(mask.of[1]);
    return infoOf(m_plan[needed.step].at.stage).role == Role::Weights ? 1 : 0;
}

WorksheetMatrix TaskMaker::filled(const Needed &needed) const {
    WorksheetMatrix matrix = needed.matrix;
    matrix.rows.assign(needed.rows.begin(), needed.rows.end());
    matrix.columns.assign(needed.columns.begin(), needed.columns.end());
    const Step &step = m_plan[needed.step];
    const bool isStage = matrix.kind == WorksheetMatrix::Kind::Stage;
    // A stage with one row per sequence has a single matrix.
    const Index own = step.sequences() == 1 ? 0 : sequence();
    const bool isByRow = isStage && m_trace.isByRow(needed.step);
    SharedMatrix stage =
        isStage && !isByRow ? m_trace.matrix(needed.step, own, needed.head) : SharedMatrix();
    const ParameterBlock block =
        isStage || step.parameters.empty()
            ? ParameterBlock()
            : sliceOf(m_trace.model().parameters, step.parameters[needed.slice], step.heads(),
                      needed.head);
    for (const Index row : matrix.rows) {
        if (isByRow)
            stage = m_trace.rows(needed.step, own, needed.head, {row, 1});
        for (const Index column : matrix.columns)
            matrix.numbers.push_back(numberOf(needed, stage, block, isByRow ? 0 : row, column));
    }
    return matrix;
}

/// Returns the number of products in the sum for the cell; 2 if the cell is not a sum.
std::size_t TaskMaker::workOf(const Slice &cell) const {
    const Meaning of = meaning(cell);
    const Expression *sum = outerSum(of.number);
    if (sum && sum->is(Expression::Kind::Mean)) // a mean over tokens
        sum = &sum->of[0];
    return sum && sum->is(Expression::Kind::Sum) ? static_cast<std::size_t>(sum->count) : 2;
}

/// True if the rows of the step are sequences, each computed from its tokens through unnamed steps.
bool TaskMaker::poolsTokens(const Step &step) const {
    if (step.shape.rank() != 2 || step.reads.empty())
        return false;
    const Step &read = m_plan[step.reads.front()];
    return read.shape.rank() > 2 || (!read.isNamed() && poolsTokens(read));
}

/// Marks all cells as blank, except cells set by the user.
void TaskMaker::leaveBlank(StepId id, Index head) {
    const WorksheetMatrix &asked = m_task.asked;
    for (const Index row : asked.rows) {
        const auto set = meaning({id, head, row, {}}).setInRow;
        for (const Index column : asked.columns)
            m_task.blank.push_back(
                std::ranges::find(set, column, &std::pair<Index, float>::first) == set.end());
    }
}

std::variant<WorksheetTask, WorksheetUnavailable> TaskMaker::make() {
    const std::optional<Region> region = regionOf(m_plan, m_task.selection);
    const auto id = region ? m_plan.find(region->at) : std::nullopt;
    if (!id || m_plan.origin(*id) != *id || !canBeDone(*id, region->head))
        return WorksheetUnavailable::NothingToDo;
    const Step &step = m_plan[*id];
    const Index rows = step.shape.last(1), columns = step.shape.last(0);
    Needed asked;
    asked.matrix.at = step.at;
    asked.matrix.head = asked.head = region->head;
    asked.matrix.role = infoOf(step.at.stage).role;
    asked.matrix.allRows = rows;
    asked.matrix.allColumns = columns;
    asked.step = *id;
    // Show rows over keys completely, because they sum to 1 or are averaged.
    const Index most =
        infoOf(step.at.stage).overKeys() && columns <= kMaxGiven ? kMaxGiven : kMaxAskedCells;
    const std::vector<Index> shownColumns = windowOf(columns, most, region->column);
    const auto rowWork = static_cast<Index>(workOf({*id, region->head, 0, 0})) *
                         static_cast<Index>(shownColumns.size());
    // For a pooled stage, show only the sequence whose tokens are given.
    const std::vector<Index> shownRows =
        poolsTokens(step)
            ? std::vector{sequence()}
            : windowOf(rows, std::clamp<Index>(kMaxWork / rowWork, 1, kMaxAskedCells), region->row);
    asked.rows = {shownRows.begin(), shownRows.end()};
    asked.columns = {shownColumns.begin(), shownColumns.end()};
    for (const Index row : shownRows)
        for (const Index column : shownColumns)
            note({*id, region->head, row, column});
    if (!fits())
        return WorksheetUnavailable::TooLarge;
    for (const Needed &needed : m_needed)
        m_task.given.push_back(filled(needed));
    m_task.asked = filled(asked);
    leaveBlank(*id, region->head);
    return std::move(m_task);
}

} // namespace

std::optional<WorksheetMatrix> worksheetPicture(const Trace &trace, const Selection &selection) {
    const Plan &plan = trace.plan();
    const std::optional<Region> region = regionOf(plan, selection);
    const auto id = region ? plan.find(region->at) : std::nullopt;
    if (!id)
        return std::nullopt;
    const Step &step = plan[*id];
    WorksheetMatrix picture;
    picture.at = step.at;
    picture.head = region->head;
    picture.role = infoOf(step.at.stage).role;
    picture.allRows = step.shape.last(1);
    picture.allColumns = step.shape.last(0);
    picture.rows = windowOf(picture.allRows, kMaxGiven, region->row);
    picture.columns = windowOf(picture.allColumns, kMaxGiven, region->column);
    // A stage with one row per sequence has a single matrix.
    const Index sequence = step.sequences() == 1 ? 0 : selection.sequence;
    const Index head = infoOf(step.at.stage).perHead ? selection.head : 0; // a query head
    for (const Index row : picture.rows) {
        const SharedMatrix numbers = trace.rows(*id, sequence, head, {row, 1});
        if (numbers.empty())
            return std::nullopt;
        for (const Index column : picture.columns)
            picture.numbers.push_back(numbers(0, column));
    }
    return picture;
}

std::variant<WorksheetTask, WorksheetUnavailable> worksheetTask(const TracePointer &trace,
                                                                const Selection &selection) {
    return TaskMaker(trace, selection).make();
}

} // namespace headlight::core
