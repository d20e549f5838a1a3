#include "core/transformer/run/forward_runner.h"

#include "core/cancelled.h"
#include "core/tensor/in_parallel.h"
#include "core/tensor/product.h"
#include "core/transformer/run/finite.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Minimum work that justifies waking another thread, in multiply-adds.
constexpr Index kWorthSharing = Index(1) << 18;
/// Cost of one element for an operation that is not a matrix product, in multiply-adds.
constexpr Index kOfOneNumber = 8;
/// Number of elements that a thread computes at a time, so that they stay in its L2 cache.
constexpr Index kTileNumbers = Index(1) << 16;
constexpr Index kMinRowsOfProduct = 32;
/// If more than 1/16 of the columns have changed, computing them one by one is slower than
/// computing all columns.
constexpr Index kWorthColumnByColumn = 16;

bool hasAll(const std::vector<char> &places) {
    return std::ranges::find(places, false) == places.end();
}

/// True if all rows of all matrices have to be computed.
bool areAll(const std::vector<Index> &from) {
    return std::ranges::all_of(from, [](Index first) { return first == 0; });
}

} // namespace

ForwardRunner::ForwardRunner(const RunRequest &request)
    : m_run(request), m_plan(request.plan), m_reuse(m_run) {
    for (StepId id = 0; id < request.known.size(); ++id)
        m_run.steps[m_plan.origin(id)].numbers = request.known[id];
    for (Index lane = 0; lane < maxThreads(); ++lane)
        m_lanes.push_back(std::make_unique<ForwardScratch>(m_run));
}

void ForwardRunner::begin(const std::function<bool(StepId)> &isKept) {
    for (StepId id = 0; id < m_plan.size(); ++id) {
        if (!isKept(id))
            continue;
        const StepId origin = m_plan.origin(id);
        m_run.isKept[origin] = true;
        if (isCopy(m_plan[origin])) // shares the tensor of its input
            m_run.isKept[m_run.sourceOf(origin)] = true;
    }
    for (StepId id = m_plan.size(); id-- > 0;)
        for (const StepId read : m_plan[id].reads) {
            StepState &state = m_run.steps[m_plan.origin(read)];
            state.lastReader =
                std::max(state.lastReader, m_run.isKept[id] ? id : m_run.steps[id].lastReader);
            ++m_run.steps[m_run.sourceOf(read)].readers;
        }
    m_run.findNarrow();
}

void ForwardRunner::run(const std::function<bool(StepId)> &isKept) {
    begin(isKept);
    for (StepId id = 0; id < m_plan.size(); ++id) {
        if (!m_plan[id].isOwn())
            continue;
        m_reuse.compare(id);
        tellOfReuse(id);
        if (m_run.isKept[id] && m_run.steps[id].numbers.isNull()) {
            if (m_run.request.progress)
                m_run.request.progress->set(layersBefore(m_run.request.model, m_plan[id].at));
            keep(id);
            release(id);
        }
    }
}

/// Reports to the observer which attention weights are reused, and so may be missing from its
/// calls.
void ForwardRunner::tellOfReuse(StepId id) const {
    if (m_run.observed.empty() || !m_run.observed[id])
        return;
    const StepState &state = m_run.steps[id];
    WeightsObserver &observer = *m_run.request.observer;
    if (hasAll(state.same))
        observer.reuse(*m_run.observed[id], WeightsObserver::Reused::All);
    else if (std::ranges::any_of(state.sameRows,
                                 [](const SameRows &same) { return same.rows > 0; }))
        observer.reuse(*m_run.observed[id], WeightsObserver::Reused::FirstRows);
}

void ForwardRunner::prepare(StepId asked) {
    begin([asked](StepId id) { return id == asked; });
    for (StepId id = 0; id < m_plan.size(); ++id)
        m_reuse.compare(id);
}

Numbers ForwardRunner::rowsOf(StepId asked, Index sequence, Index head, Rows rows, Index columns) {
    const StepId id = m_run.sourceOf(asked);
    const Step &step = m_plan[id];
    const MatrixKey place = m_run.placeOf(id, sequence, head);
    Numbers made(static_cast<std::size_t>(rows.count * columns));
    const MutableMatrixView out{made.data(), rows.count, columns, columns};
    if (const MatrixView held = m_run.held(id, place, rows.first); held.data) {
        for (Index row = 0; row < rows.count; ++row)
            std::copy_n(held.row(rows.first + row).data(), columns, out.row(row).data());
        return made;
    }
    From from(matricesOf(step), step.shape.last(1));
    from[place] = rows.first;
    provideReadsOf(id, from);
    const Index height = rowsAtOnce(id), end = rows.first + rows.count;
    std::vector<Item> items;
    for (Index first = rows.first; first < end; first += height)
        items.push_back({sequence, head, {first, std::min(height, end - first)}});
    makeItems(id, items, [&](const Item &item) {
        return out.rowBlock(item.rows.first - rows.first, item.rows.count);
    });
    for (const auto &lane : m_lanes)
        lane->forget();
    return made;
}

std::vector<Numbers> ForwardRunner::rowOfWords(std::span<const StepId> steps, Index sequence,
                                               Index row) {
    run([](StepId) { return false; });
    std::vector<Numbers> made;
    for (const StepId asked : steps) {
        const StepId id = m_run.sourceOf(asked);
        if (const MatrixKey place = m_run.placeOf(id, sequence, 0);
            !m_run.held(id, place, row).data) {
            From from(matricesOf(m_plan[id]), m_plan[id].shape.last(1));
            from[place] = row;
            provideReadsOf(id, from);
        }
        const MatrixView numbers = m_lanes[0]->rows(id, sequence, 0, {row, 1});
        made.emplace_back(numbers.row(0).begin(), numbers.row(0).end());
    }
    // Count all steps over words up to the last requested one, because each was computed once.
    for (StepId id = steps.empty() ? m_plan.size() : m_run.sourceOf(steps.back());
         id < m_plan.size() && m_run.isPassing(id) && m_run.steps[id].numbers.isNull();
         id = m_run.sourceOf(m_plan[id].reads[0]))
        m_made += m_plan[id].shape.last(0);
    return made;
}

void ForwardRunner::keep(StepId id) {
    StepState &state = m_run.steps[id];
    const Step &step = m_plan[id];
    if (isCopy(step)) {
        state.numbers = m_run.steps[m_run.sourceOf(id)].numbers;
        return;
    }
    if (!state.lent.isNull() && hasAll(state.same)) {
        state.numbers = state.lent;
        return;
    }
    From missing(state.same.size());
    for (MatrixKey place = 0; place < missing.size(); ++place)
        missing[place] = m_run.held(id, place).data ? step.shape.last(1) : 0;
    make(id, std::move(missing));
    forEachMatrix(step, [&](Index b, Index h) {
        const MatrixKey place = m_run.placeOf(id, b, h);
        const MutableMatrixView out = bufferOf(id, b, h);
        if (state.isLent(place)) {
            std::copy_n(state.lent.view(b, h).data, sizeOfMatrix(step), out.data);
            return;
        }
        note(id, h);
        state.same[place] =
            state.same[place] || (!state.lent.isNull() && haveSameBits(out, state.lent.view(b, h)));
    });
    state.numbers = !state.lent.isNull() && hasAll(state.same)
                        ? state.lent
                        : Tensor(step.shape, std::move(state.values));
    state.values = Numbers();
    state.madeFrom.clear();
}

/// Returns the rows of `read` that the step needs to compute these rows.
ForwardRunner::From ForwardRunner::readBy(StepId id, const From &from, std::size_t which,
                                          StepId read) const {
    const Step &step = m_plan[id], &source = m_plan[read];
    using Reach = Dependence::Reach;
    const Reach reach = dependenceOf(step.operation).reach;
    const bool own = rowReachOf(step.operation, which) == RowReach::Own;
    From needed(matricesOf(source), reach == Reach::AllSequences ? 0 : source.shape.last(1));
    forEachMatrix(step, [&](Index b, Index h) {
        const Operation *change = step.changeAt(b, h);
        const Index first = from[m_run.placeOf(id, b, h)];
        if (first >= step.shape.last(1) || (change && replaces(*change)))
            return;
        const Index sequence = sequenceRead(source, b);
        const Index its = headRead(h, step.heads(), source.heads());
        for (Index head = 0; head < source.heads(); ++head)
            if (reach == Reach::AllHeads || head == its) {
                Index &needs = needed[m_run.placeOf(read, sequence, head)];
                needs = std::min(needs, own ? first : 0);
            }
    });
    return needed;
}

/// Computes the missing inputs of these rows, except temporary stages over keys or words.
void ForwardRunner::provideReadsOf(StepId id, const From &from) {
    for (std::size_t which = 0; which < m_plan[id].reads.size(); ++which) {
        const StepId read = m_run.sourceOf(m_plan[id].reads[which]);
        if (!m_run.steps[read].numbers.isNull())
            continue;
        const Index rows = m_plan[read].shape.last(1);
        From missing = readBy(id, from, which, read);
        for (MatrixKey place = 0; place < missing.size(); ++place)
            if (missing[place] < rows && m_run.held(read, place, missing[place]).data)
                missing[place] = rows;
        if (std::ranges::all_of(missing, [rows](Index first) { return first >= rows; }))
            continue;
        if (m_run.isPassing(read))
            provideReadsOf(read, missing);
        else
            make(read, std::move(missing));
    }
}

/// Copies rows from the earlier trace if their inputs have not changed.
void ForwardRunner::takeOver(StepId id, From &from) {
    StepState &state = m_run.steps[id];
    const Step &step = m_plan[id];
    if (state.numbersBefore.isNull() || infoOf(step.at.stage).overKeys() || step.shape.rank() < 3)
        return;
    forEachMatrix(step, [&](Index b, Index h) {
        const MatrixKey place = m_run.placeOf(id, b, h);
        const Index same = state.sameRows[place].rows;
        if (state.same[place] || from[place] >= same)
            return;
        std::copy_n(state.numbersBefore.view(b, h).data, same * step.shape.last(0),
                    bufferOf(id, b, h).data);
        from[place] = same;
    });
}

/// Computes the matrices of a step, each from its row in `from` to the last one.
void ForwardRunner::make(StepId id, From from) {
    StepState &state = m_run.steps[id];
    const Step &step = m_plan[id];
    const Index rows = step.shape.last(1);
    if (state.values.empty()) {
        state.values.resize(matricesOf(step) * sizeOfMatrix(step));
        state.madeFrom.assign(matricesOf(step), rows);
        if (!m_run.isKept[id])
            m_temporary.push_back(id);
    }
    forEachMatrix(step, [&](Index b, Index h) {
        const Operation *change = step.changeAt(b, h);
        Index &first = from[m_run.placeOf(id, b, h)];
        if (change && readsAllRows(*change) && first < rows)
            first = 0;
    });
    const From asked = from;
    takeOver(id, from);
    provideReadsOf(id, from);
    if (std::ranges::any_of(from, [rows](Index first) { return first < rows; })) {
        if (dependenceOf(step.operation).reach == Dependence::Reach::AllSequences)
            makeTogether(id);
        else if (const MatrixView x = wholeRowsRead(id, from); !x.data)
            makeByRows(id, from);
        else if (!areAll(from) || !makeChangedColumns(id, x))
            makeLinear(id, x, from[0]);
    }
    for (const auto &lane : m_lanes)
        lane->forget();
    for (const Index first : from)
        m_made += (rows - first) * step.shape.last(0);
    for (MatrixKey place = 0; place < from.size(); ++place)
        if (asked[place] < rows) // reused rows start at row 0
            state.madeFrom[place] = from[place] > asked[place] ? 0 : asked[place];
}

/// Computes an operation that reads all sequences at the same time.
void ForwardRunner::makeTogether(StepId id) {
    const Step &step = m_plan[id];
    const Rows all{0, step.shape.last(1)};
    if (step.shape.rank() == 2) // rows are sequences
        return m_lanes[0]->fill(id, 0, 0, all, bufferOf(id, 0, 0));
    std::vector<MutableMatrixView> out;
    for (Index b = 0; b < step.sequences(); ++b)
        out.push_back(bufferOf(id, b, 0));
    throwIfCancelled(m_run.request.stop);
    applyToAll(step.operation, m_lanes[0]->operandsOf(id, 0, 0, all), out);
    if (!allFinite(m_run.steps[id].values, mayHide(step.operation), m_run.request.stop))
        m_run.noteUnsound(id);
}

/// Returns the number of rows that a thread computes at a time.
Index ForwardRunner::rowsAtOnce(StepId id) const {
    const Step &step = m_plan[id];
    const Index rows = step.shape.last(1);
    const bool ofAll = std::ranges::any_of(
        step.changes, [](const Change &change) { return readsAllRows(change.operation); });
    Index columns = step.shape.last(0);
    bool reads = false;
    for (const StepId read : step.reads)
        if (const StepId source = m_run.sourceOf(read); m_run.isPassing(source)) {
            reads = true;
            columns = std::max(columns, m_plan[source].shape.last(0));
        }
    if (ofAll || (traitsOf(step.operation).isProduct && !reads))
        return rows;
    const Index fewest = reads ? kMinRowsOfProduct : 1;
    return std::clamp(kTileNumbers / columns, std::min(fewest, rows), rows);
}

void ForwardRunner::makeByRows(StepId id, const From &from) {
    const Step &step = m_plan[id];
    const Index rows = step.shape.last(1), height = rowsAtOnce(id);
    std::vector<Item> items;
    forEachMatrix(step, [&](Index b, Index h) {
        for (Index first = from[m_run.placeOf(id, b, h)]; first < rows; first += height)
            items.push_back({b, h, {first, std::min(height, rows - first)}});
    });
    makeItems(id, items, [&](const Item &item) {
        return bufferOf(id, item.sequence, item.head).rowBlock(item.rows.first, item.rows.count);
    });
}

void ForwardRunner::makeItems(StepId id, const std::vector<Item> &items,
                              const std::function<MutableMatrixView(const Item &)> &roomOfItem) {
    const Step &step = m_plan[id];
    const auto makeItem = [&](Index at, Index lane) {
        const Item &item = items[static_cast<std::size_t>(at)];
        m_lanes[static_cast<std::size_t>(lane)]->fill(id, item.sequence, item.head, item.rows,
                                                      roomOfItem(item));
    };
    Index ofOneNumber = kOfOneNumber, rows = 0;
    for (const StepId read : step.reads)
        if (traitsOf(step.operation).isProduct || m_run.isPassing(m_run.sourceOf(read)))
            ofOneNumber = std::max(ofOneNumber, m_plan[read].shape.last(0));
    for (const Item &item : items)
        rows += item.rows.count;
    const auto count = static_cast<Index>(items.size());
    if (count > 1 && rows * step.shape.last(0) * ofOneNumber >= kWorthSharing)
        return inParallel(count, makeItem);
    for (Index item = 0; item < count; ++item)
        makeItem(item, 0);
}

/// Returns the input of a linear step as one matrix [B·T, C], starting at the first row to compute
/// if there is one sequence. Returns an empty view unless all sequences and heads can be computed
/// in a single product.
MatrixView ForwardRunner::wholeRowsRead(StepId id, const From &from) const {
    const Step &step = m_plan[id];
    if (!std::holds_alternative<op::Linear>(step.operation) || !step.changes.empty() ||
        step.parameters[0].split == ParameterSlice::Split::Rows)
        return {};
    const Index first = from[0];
    const bool ofOne = step.sequences() == 1 && std::ranges::count(from, first) == std::ssize(from);
    if (!ofOne && !areAll(from))
        return {};
    const StepId read = m_run.sourceOf(step.reads[0]);
    const StepState &state = m_run.steps[read];
    const Step &source = m_plan[read];
    if (source.heads() > 1 || source.sequences() != step.sequences())
        return {};
    const Index columns = source.shape.last(0), rows = source.shape.count() / columns;
    const auto madeFrom = [first](Index made) { return made <= first; };
    const float *data = nullptr;
    if (!state.numbers.isNull())
        data = state.numbers.values().data();
    else if (!state.madeFrom.empty() && std::ranges::all_of(state.madeFrom, madeFrom))
        data = state.values.data();
    return data ? MatrixView{data, rows, columns, columns}.rowBlock(first, rows - first)
                : MatrixView();
}

/// Computes a linear step in a single product, starting at token `first`.
void ForwardRunner::makeLinear(StepId id, MatrixView x, Index first) {
    const Step &step = m_plan[id];
    const std::stop_token &stop = m_run.request.stop;
    const auto parameter = [&](std::size_t which) { // for all heads
        return which < step.parameters.size()
                   ? StepParameter(m_run.request.model.parameters, {step.parameters[which].id})
                   : StepParameter();
    };
    const StepParameter weight = parameter(0);
    const SharedMatrix bias = parameter(1).numbers();
    const Index heads = step.heads(), size = step.shape.last(0), columns = heads * size;
    Numbers &numbers = heads > 1 ? m_together : m_run.steps[id].values;
    if (heads > 1)
        m_together.resize(static_cast<std::size_t>(x.rows * columns));
    const MutableMatrixView all{numbers.data() + (heads > 1 ? 0 : first * columns), x.rows, columns,
                                columns};
    throwIfCancelled(stop);
    if (std::get<op::Linear>(step.operation).transposed)
        multiplyTransposed(x, weight, all, stop);
    else
        multiply(x, weight, all, stop);
    throwIfCancelled(stop);
    const Index height = std::clamp(kTileNumbers / columns, Index(1), all.rows);
    const Index tokens = step.shape.last(1);
    const auto finish = [&](Index item, Index) {
        const Index end = std::min(all.rows, (item + 1) * height);
        for (Index row = item * height; row < end; ++row) {
            const std::span<float> made = all.row(row);
            if (!bias.empty())
                for (std::size_t c = 0; c < made.size(); ++c)
                    made[c] += bias.row(0)[c];
            for (Index h = 0; h < heads && heads > 1; ++h)
                std::copy_n(
                    made.data() + h * size, size,
                    bufferOf(id, (first + row) / tokens, h).row((first + row) % tokens).data());
        }
        const MutableMatrixView checked = all.rowBlock(item * height, end - item * height);
        if (!allFinite({checked.data, static_cast<std::size_t>(checked.rows * columns)}, false,
                       stop))
            m_run.noteUnsound(id);
    };
    const Index count = (all.rows + height - 1) / height;
    if (all.rows * columns * kOfOneNumber >= kWorthSharing)
        return inParallel(count, finish);
    for (Index item = 0; item < count; ++item)
        finish(item, 0);
}

/// If few cells of the parameter have been edited, recomputes only the columns of these cells and
/// copies the others. Returns false if the earlier trace does not have the step, or too many
/// columns have changed.
bool ForwardRunner::makeChangedColumns(StepId id, MatrixView x) {
    const Step &step = m_plan[id];
    const std::optional<std::vector<Index>> changed = m_reuse.changedColumns(id);
    const Index columns = step.shape.last(0);
    if (!changed || std::ssize(*changed) > columns / kWorthColumnByColumn)
        return false;
    StepState &state = m_run.steps[id];
    const std::stop_token &stop = m_run.request.stop;
    const StepParameter weight(m_run.request.model.parameters, {step.parameters[0].id});
    const SharedMatrix bias =
        step.parameters.size() > 1
            ? StepParameter(m_run.request.model.parameters, {step.parameters[1].id}).numbers()
            : SharedMatrix();
    std::ranges::copy(state.lent.values(), state.values.begin());
    const bool transposed = std::get<op::Linear>(step.operation).transposed;
    Numbers made(static_cast<std::size_t>(x.rows));
    const MutableMatrixView column{made.data(), x.rows, 1, 1};
    for (const Index c : *changed) {
        if (transposed)
            multiplyTransposed(x, weight.rowBlock(c, 1), column, stop);
        else
            multiply(x, weight.columnBlock(c, 1), column, stop);
        throwIfCancelled(stop);
        for (Index row = 0; row < x.rows; ++row) {
            if (!bias.empty())
                column(row, 0) += bias.row(0)[static_cast<std::size_t>(c)];
            state.values[static_cast<std::size_t>(row * columns + c)] = column(row, 0);
        }
        if (!allFinite(made, false, stop))
            m_run.noteUnsound(id);
    }
    m_made -= x.rows * (columns - std::ssize(*changed)); // make() counts all columns
    return true;
}

MutableMatrixView ForwardRunner::bufferOf(StepId id, Index sequence, Index head) {
    const Step &step = m_plan[id];
    const Index rows = step.shape.last(1), columns = step.shape.last(0);
    float *const data =
        m_run.steps[id].values.data() + m_run.placeOf(id, sequence, head) * sizeOfMatrix(step);
    return {data, rows, columns, columns};
}

/// Frees the buffers that later steps do not need.
void ForwardRunner::release(StepId until) {
    std::erase_if(m_temporary, [&](StepId id) {
        StepState &state = m_run.steps[id];
        if (state.lastReader > until)
            return false;
        state.values = Numbers(); // `= {}` would clear it but keep its memory
        state.madeFrom.clear();
        return true;
    });
}

void ForwardRunner::note(StepId id, Index head) {
    const Step &step = m_plan[id];
    const std::string name = stageName(step.at.stage, step.at.attention);
    if (m_recomputed.empty() || m_recomputed.back() != name)
        m_recomputed.push_back(name);
    // Keys and values belong to groups. The heads that they affect are counted at the scores or
    // contexts.
    if (step.shape.rank() == 4 && !infoOf(step.at.stage).ofKeys())
        m_heads.emplace(step.at.attention, head);
}

std::vector<Tensor> ForwardRunner::takeNumbers() {
    std::vector<Tensor> numbers;
    for (StepId id = 0; id < m_plan.size(); ++id) {
        const StepId origin = m_plan.origin(id);
        numbers.push_back(m_run.isKept[origin] ? m_run.steps[origin].numbers : Tensor());
    }
    return numbers;
}

Work ForwardRunner::takeWork() {
    return {std::move(m_recomputed), static_cast<Index>(m_heads.size()), 0, m_made};
}

std::string ForwardRunner::overflowed() const {
    if (m_run.firstUnsound >= m_plan.size())
        return {};
    const StageId at = m_plan[m_run.firstUnsound].at;
    return stageName(at.stage, at.attention);
}

} // namespace headlight::core
