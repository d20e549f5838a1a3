#include "core/transformer/trace/trace.h"

#include <algorithm>
#include <new>

namespace headlight::core {

namespace {

/// True if the step is computed separately, not together with its layer or the output layer.
bool isSingle(const Step &step) {
    const Part part = infoOf(step.at.stage).part;
    return step.isAside || !step.isNamed() ||
           (part != Part::Attention && part != Part::FeedForward && part != Part::OutputLayer);
}

thread_local std::size_t madeHere = 0;

} // namespace

Trace::Trace(Model model, Input input, TraceMasks masks, PlanPointer plan,
             std::vector<Tensor> numbers, Work work, const StageComputer &computer, Detail held,
             std::shared_ptr<const StageSource> source)
    : m_model(std::move(model)),
      m_input(std::move(input)),
      m_masks(std::move(masks)),
      m_plan(std::move(plan)),
      m_numbers(std::move(numbers)),
      m_work(std::move(work)),
      m_computer(computer),
      m_held(held),
      m_source(std::move(source)) {
    assert(m_held != Detail::Automatic);
    assert(m_numbers.size() == m_plan->size());
    if (m_source) // a smaller cache, because reading again is cheaper than computing
        m_details.matrices = MatrixCache(kReadMatricesBytes);
}

bool Trace::has(std::string_view name) const {
    const auto at = findStageAnywhere(name);
    return at && m_plan->find(*at);
}

Tensor Trace::stage(std::string_view name) const {
    const auto at = findStageAnywhere(name);
    const auto step = at ? m_plan->find(*at) : std::nullopt;
    return step ? made(*step) : Tensor();
}

Tensor Trace::made(StepId step) const try {
    if (!m_numbers[step].isNull() || isByHead(step) || isByRow(step))
        return m_numbers[step];
    if (Tensor made = detail(step); !made.isNull())
        return made;
    const std::scoped_lock making(m_making);
    if (Tensor made = detail(step); !made.isNull()) // another thread has computed it
        return made;
    ++madeHere;
    return make(step, {}).ok() ? detail(step) : Tensor();
} catch (const std::bad_alloc &) {
    return {};
}

std::size_t stagesMadeOnThisThread() {
    return madeHere;
}

Tensor Trace::detail(StepId step) const {
    const std::scoped_lock lock(m_mutex);
    if (isSingle((*m_plan)[step]))
        return m_details.single == step ? m_details.ofSingle : Tensor();
    const StageId at = (*m_plan)[step].at;
    const bool ofHead = infoOf(at.stage).part == Part::OutputLayer;
    const std::vector<Tensor> &made = ofHead ? m_details.ofHead : m_details.ofLayer;
    const bool isThere = !made.empty() && (ofHead || m_details.layer == layerOf(at.attention));
    return isThere ? made[step] : Tensor();
}

SharedMatrix Trace::detail(StepId step, Index sequence, Index head) const {
    if (isByHead(step)) {
        const std::scoped_lock lock(m_mutex);
        return m_details.matrices.find(step, sequence, head);
    }
    const Tensor tensor = detail(step);
    return tensor.isNull() ? SharedMatrix() : tensor.matrix(sequence, head);
}

Tensor Trace::held(StepId step) const {
    if (!m_numbers[step].isNull() || isSingle((*m_plan)[step]))
        return m_numbers[step];
    return detail(step);
}

Outcome Trace::make(StepId step, std::stop_token stop, const Trace *earlier) const {
    if (isSingle((*m_plan)[step]))
        return makeSingle(step, std::move(stop));
    const StageId at = (*m_plan)[step].at;
    const bool ofHead = infoOf(at.stage).part == Part::OutputLayer;
    if (!ofHead) { // free memory first, so that there are never two layers in it
        const std::scoped_lock lock(m_mutex);
        m_details.layer.reset();
        m_details.ofLayer.clear();
    }
    auto made = ofHead ? m_computer.outputLayer(*this, std::move(stop))
                       : m_computer.layer(*this, at.attention.stack, at.attention.layer,
                                          std::move(stop), earlier);
    if (!made)
        return made.error();
    const std::scoped_lock lock(m_mutex);
    if (ofHead) {
        m_details.ofHead = std::move(*made);
    } else {
        m_details.ofLayer = std::move(*made);
        m_details.layer = layerOf(at.attention);
    }
    return Done{};
}

/// Computes one step from all available values, including details.
Outcome Trace::makeSingle(StepId id, std::stop_token stop) const {
    auto made = m_computer.step(*this, known(), id, std::move(stop));
    if (!made)
        return made.error();
    const std::scoped_lock lock(m_mutex);
    m_details.single = id;
    m_details.ofSingle = (*made)[id];
    return Done{};
}

std::vector<Tensor> Trace::known() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<Tensor> known = m_numbers;
    for (const std::vector<Tensor> *details : {&m_details.ofLayer, &m_details.ofHead})
        for (StepId step = 0; step < details->size(); ++step)
            if (known[step].isNull())
                known[step] = (*details)[step];
    return known;
}

bool Trace::isByHead(StepId id) const {
    return (m_held == Detail::Heads || m_held == Detail::Rows) && m_numbers[id].isNull() &&
           infoOf((*m_plan)[id].at.stage).overKeys();
}

bool Trace::isByRow(StepId id) const {
    return m_held == Detail::Rows && m_numbers[id].isNull() &&
           infoOf((*m_plan)[id].at.stage).overWords();
}

bool Trace::isByRow(Stage stage) const {
    const auto step = m_plan->find({stage, {}});
    return step && isByRow(*step);
}

bool Trace::isRowReady(Stage stage, Index sequence, Index row) const {
    const auto step = m_plan->find({stage, {}});
    if (!step || !isByRow(*step))
        return isReady(stage, {}, sequence);
    const std::scoped_lock lock(m_mutex);
    return !m_details.rows.find(*step, sequence, row).empty();
}

bool Trace::isByHead(Stage stage, AttentionId attention) const {
    const auto step = m_plan->find({stage, attention});
    return step && isByHead(*step);
}

/// Computes the rest of the layer first, because other heads will need it too.
Outcome Trace::makeMatrix(StepId id, Index sequence, Index head, std::stop_token stop,
                          const Trace *earlier) const {
    const Step &step = (*m_plan)[id];
    bool isOfLayer = true;
    {
        const std::scoped_lock lock(m_mutex);
        m_details.matrices.makeRoomFor(step.shape.last(1) * step.shape.last(0) *
                                       static_cast<Index>(sizeof(float)));
        isOfLayer = m_details.layer == layerOf(step.at.attention);
    }
    if (!m_source && !isOfLayer)
        if (const auto query = m_plan->find({Stage::Query, step.at.attention}))
            if (Outcome made = make(*query, stop, earlier); !made)
                return made;
    auto made = m_computer.rows(*this, known(), id, sequence, head, {0, step.shape.last(1)}, stop);
    if (!made)
        return made.error();
    const std::scoped_lock lock(m_mutex);
    m_details.matrices.add(id, sequence, head, std::move(*made));
    return Done{};
}

bool Trace::isReady(Stage stage, AttentionId attention, Index sequence, Index head) const {
    const auto step = m_plan->find({stage, attention});
    if (!step || !m_numbers[*step].isNull() || (isWhole() && !(*m_plan)[*step].isAside) ||
        isByRow(*step))
        return true;
    return isByHead(*step) ? !detail(*step, sequenceOf(*step, sequence), head).empty()
                           : !detail(*step).isNull();
}

Result<TracePointer> Trace::prepared(Stage stage, AttentionId attention, Index sequence, Index head,
                                     std::stop_token stop, const Trace *earlier) const try {
    auto trace = std::make_shared<Trace>(m_model, m_input, m_masks, m_plan, m_numbers, m_work,
                                         m_computer, m_held, m_source);
    {
        const std::scoped_lock lock(m_mutex);
        trace->m_details = m_details;
    }
    if (trace->isReady(stage, attention, sequence, head))
        return TracePointer(std::move(trace));
    const StepId step = *m_plan->find({stage, attention});
    const Outcome made = isByHead(step) ? trace->makeMatrix(step, sequenceOf(step, sequence), head,
                                                            std::move(stop), earlier)
                                        : trace->make(step, std::move(stop), earlier);
    if (!made)
        return made.error();
    return TracePointer(std::move(trace));
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the layer", "text", "use a shorter text"};
}

TracePointer Trace::withoutDetails() const {
    return std::make_shared<const Trace>(m_model, m_input, m_masks, m_plan, m_numbers, m_work,
                                         m_computer, m_held, m_source);
}

Index Trace::sequenceOf(StepId step, Index sequence) const {
    return (*m_plan)[step].sequences() == 1 ? 0 : sequence;
}

Index Trace::headOf(StepId id, Index queryHead) const {
    const Step &step = (*m_plan)[id];
    const StageInfo &info = infoOf(step.at.stage);
    // Captures can have one key matrix per head.
    const Index heads = m_model.headsOf(step.at.attention);
    if (info.ofKeys() && step.heads() < heads)
        return queryHead * step.heads() / heads;
    return info.perHead ? queryHead : 0;
}

SharedMatrix Trace::matrix(Stage stage, AttentionId attention, Index sequence, Index head) const {
    const auto step = m_plan->find({stage, attention});
    return step ? matrix(*step, sequence, headOf(*step, head)) : SharedMatrix();
}

SharedMatrix Trace::matrix(StepId step, Index sequence, Index head) const {
    Result<SharedMatrix> made = madeMatrix(step, sequence, head);
    return made ? std::move(*made) : SharedMatrix();
}

Result<SharedMatrix> Trace::madeMatrix(StepId step, Index sequence, Index head,
                                       std::stop_token stop) const try {
    const Index own = sequenceOf(step, sequence);
    if (!m_numbers[step].isNull())
        return m_numbers[step].matrix(own, head);
    if (isByRow(step)) {
        const Shape &shape = (*m_plan)[step].shape;
        const Index bytes = shape.last(1) * shape.last(0) * static_cast<Index>(sizeof(float));
        return Error{{"all rows of this stage would need %1 MB", bytes >> 20},
                     stageName((*m_plan)[step].at.stage),
                     "choose a row, or use a shorter text"};
    }
    if (SharedMatrix made = detail(step, own, head); !made.empty())
        return made;
    const std::scoped_lock making(m_making);
    if (SharedMatrix made = detail(step, own, head);
        !made.empty()) // another thread has computed it
        return made;
    ++madeHere;
    if (Outcome made = isByHead(step) ? makeMatrix(step, own, head, std::move(stop))
                                      : make(step, std::move(stop));
        !made)
        return made.error();
    return detail(step, own, head);
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the attention", "text", "use a shorter text"};
}

SharedMatrix Trace::rows(StepId step, Index sequence, Index head, Rows rows) const {
    Result<SharedMatrix> made = madeRows(step, sequence, head, rows);
    return made ? std::move(*made) : SharedMatrix();
}

Result<SharedMatrix> Trace::madeRows(StepId step, Index sequence, Index head, Rows rows,
                                     std::stop_token stop) const try {
    const Index own = sequenceOf(step, sequence);
    if (isByRow(step))
        return makeRowsOfWords(step, own, rows, std::move(stop));
    if (!isByHead(step)) {
        const Result<SharedMatrix> all = madeMatrix(step, sequence, head, std::move(stop));
        if (!all || all->empty())
            return all;
        return all->rowBlock(rows.first, rows.count);
    }
    if (const SharedMatrix made = detail(step, own, head); !made.empty())
        return made.rowBlock(rows.first, rows.count);
    return m_computer.rows(*this, known(), step, own, head, rows, std::move(stop));
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the rows", "text", "use a shorter text"};
}

/// Computes a single row together with the same row of the other stages over words, because views
/// and explanations show them together.
Result<SharedMatrix> Trace::makeRowsOfWords(StepId step, Index sequence, Rows rows,
                                            std::stop_token stop) const {
    const bool isOneRow = rows.count == 1 && (*m_plan)[step].isNamed();
    if (isOneRow) {
        const std::scoped_lock lock(m_mutex);
        if (SharedMatrix made = m_details.rows.find(step, sequence, rows.first); !made.empty())
            return made;
    }
    // Compute the input of the logits for all rows, because other rows will need it too.
    if (const auto input = m_plan->find({Stage::OutputLayerInput, {}});
        input && m_numbers[*input].isNull()) {
        const std::scoped_lock making(m_making);
        if (detail(*input).isNull())
            if (Outcome made = make(*input, stop); !made)
                return made.error();
    }
    if (!isOneRow)
        return m_computer.rows(*this, known(), step, sequence, 0, rows, std::move(stop));
    ++madeHere;
    auto made = m_computer.rowOfWords(*this, known(), sequence, rows.first, std::move(stop));
    if (!made)
        return made.error();
    const std::scoped_lock lock(m_mutex);
    for (StepId id = 0; id < made->size(); ++id)
        if (const SharedMatrix &row = (*made)[id]; !row.empty()) {
            m_details.rows.makeRoomFor(row.columns * static_cast<Index>(sizeof(float)));
            m_details.rows.add(id, sequence, rows.first, row);
        }
    return (*made)[step];
}

Outcome Trace::inBlocks(StepId step, Index sequence, Index head,
                        const std::function<Outcome(Index first, MatrixView rows)> &take,
                        std::stop_token stop) const {
    if (!isByRow(step)) {
        const Result<SharedMatrix> made = madeMatrix(step, sequence, head, std::move(stop));
        return made ? take(0, made->view()) : Outcome(made.error());
    }
    const Shape &shape = (*m_plan)[step].shape;
    const Index all = shape.last(1);
    const Index bytes = shape.last(0) * static_cast<Index>(sizeof(float));
    const Index atOnce = std::max<Index>(2, kRowsBytes / std::max<Index>(1, bytes));
    for (Index first = 0; first < all; first += atOnce) {
        const Result<SharedMatrix> made =
            madeRows(step, sequence, head, {first, std::min(atOnce, all - first)}, stop);
        if (!made)
            return made.error();
        if (Outcome taken = take(first, made->view()); !taken)
            return taken;
    }
    return Done{};
}

std::vector<std::string> Trace::names() const {
    std::vector<std::string> names;
    for (const Step &step : m_plan->steps())
        if (step.isNamed() && !step.isAside)
            names.push_back(stageName(step.at.stage, step.at.attention));
    return names;
}

} // namespace headlight::core
