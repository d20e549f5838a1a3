#include "core/analysis/pass_glances.h"

#include "core/analysis/head_similarity.h"

#include <algorithm>
#include <atomic>

namespace headlight::core {

namespace {

/// Maximum memory of the layer that is being reduced. A larger layer is computed later.
constexpr Index kMaxBytes = Index(64) << 20;

Index bytesOf(const Mask &mask, Index heads, Index side) {
    const Index row =
        Index(sizeof(HeadMeasures)) + Index(sizeof(float)) * std::min(mask.keys(), side);
    return heads * mask.queries() * row;
}

} // namespace

/// The reduced rows of one head. Each row is written by one thread.
struct PassGlances::Head {
    Head(const Mask &mask, Index side)
        : reduced(mask, side),
          isTaken(static_cast<std::size_t>(mask.queries())),
          missing(mask.queries()) {}

    ReducedHead reduced;
    std::vector<std::atomic_flag>
        isTaken;                // a pass that computes a row twice must not write it twice
    std::atomic<Index> missing; // number of rows that have not been reduced
    Matrix weights{};           // complete rows of the chosen head; empty for others
};

struct PassGlances::Layer {
    Layer(const Trace &trace, AttentionId attention, Index sequence, Index side)
        : text(measuredTextOf(trace, attention, sequence)),
          mask(&trace.mask(sequence, attention)),
          visible(*mask),
          missing(trace.model().headsOf(attention)) {
        for (Index head = 0; head < missing; ++head)
            heads.push_back(std::make_unique<Head>(*mask, side));
    }

    MeasuredText text;
    const Mask *mask; // mask of the trace in m_glances
    VisibleKeys visible;
    std::vector<std::unique_ptr<Head>> heads;
    std::atomic<Index> missing; // number of incomplete heads
    // The head to compare with; null if similarities are not measured.
    std::shared_ptr<const ChosenHead> chosen;
};

std::shared_ptr<const TraceGlances> PassGlances::glances() const {
    const std::scoped_lock lock(m_mutex);
    return m_glances;
}

std::shared_ptr<const TraceGlances> PassGlances::glancesOf(const Trace &finished, Index sequence,
                                                           const TraceGlances *earlier) const {
    const std::scoped_lock lock(m_mutex);
    if (!m_glances || !m_glances->isOf(finished, sequence))
        return nullptr;
    m_layers.clear(); // the pass has ended
    auto made = std::make_shared<TraceGlances>(*m_glances);
    made->trace = finished.withoutDetails(); // the trace can compute the other layers
    if (!earlier || !m_previous || &earlier->trace->plan() != m_previous.get() ||
        earlier->sequence != sequence || earlier->attentions != made->attentions)
        return made;
    for (std::size_t layer = 0; layer < made->made.size(); ++layer)
        if (!made->made[layer] && m_unchanged.contains(made->attentions[layer]))
            made->made[layer] = earlier->made[layer];
    return made;
}

void PassGlances::begin(const TracePointer &unfinished, const Trace *previous) {
    const std::scoped_lock lock(m_mutex);
    m_layers.clear();
    m_unchanged.clear();
    m_partial.clear();
    m_chosen.reset();
    m_glances = std::make_shared<const TraceGlances>(*unfinished, m_sequence);
    // Measures depend on the tokens too.
    const bool hasSameTokens = previous && previous->input().batch == unfinished->input().batch &&
                               previous->input().source == unfinished->input().source;
    m_previous = hasSameTokens ? previous->sharedPlan() : nullptr;
}

void PassGlances::reuse(AttentionId attention, Reused reused) {
    const std::scoped_lock lock(m_mutex);
    (reused == Reused::All ? m_unchanged : m_partial).insert(attention);
}

std::shared_ptr<PassGlances::Layer> PassGlances::layerOf(AttentionId attention) {
    const std::scoped_lock lock(m_mutex);
    if (m_partial.contains(attention))
        return nullptr;
    const Trace &trace = *m_glances->trace;
    if (bytesOf(trace.mask(m_sequence, attention), trace.model().headsOf(attention),
                m_glances->side()) > kMaxBytes)
        return nullptr;
    std::shared_ptr<Layer> &layer = m_layers[attention];
    if (!layer) {
        layer = std::make_shared<Layer>(trace, attention, m_sequence, m_glances->side());
        layer->chosen = m_chosen;
        if (m_similarTo && m_similarTo->attention == attention && m_similarTo->head >= 0 &&
            m_similarTo->head < std::ssize(layer->heads))
            layer->heads[static_cast<std::size_t>(m_similarTo->head)]->weights =
                Matrix(layer->mask->queries(), layer->mask->keys());
    }
    return layer;
}

void PassGlances::take(AttentionId attention, Index sequence, Index head, Index first,
                       const MatrixView &rows) {
    if (sequence != m_sequence)
        return;
    const std::shared_ptr<Layer> layer = layerOf(attention);
    if (!layer)
        return;
    Head &own = *layer->heads[static_cast<std::size_t>(head)];
    Index taken = 0;
    for (Index row = 0; row < rows.rows; ++row) {
        const Index query = first + row;
        const auto at = static_cast<std::size_t>(query);
        if (own.isTaken[at].test_and_set())
            continue;
        HeadMeasures &measures =
            own.reduced.take(rows.row(row), query, layer->text, layer->visible);
        if (layer->chosen && layer->chosen->isComparable(attention))
            measures.similarity = layer->chosen->similarityOfRow(
                rows.row(row), query,
                countedTotal(rows.row(row), layer->text, layer->visible, query));
        if (isChosen(attention, head))
            std::ranges::copy(rows.row(row), own.weights.view().row(query).begin());
        ++taken;
    }
    if (taken > 0 && own.missing.fetch_sub(taken) == taken && layer->missing.fetch_sub(1) == 1)
        finish(attention, *layer);
}

void PassGlances::finish(AttentionId attention, Layer &layer) {
    HeadGlances made{attention, {}, nullptr};
    if (layer.chosen)
        made.similarTo = m_similarTo;
    for (const std::unique_ptr<Head> &head : layer.heads)
        made.heads.push_back(head->reduced.glance());
    if (!made.heads.empty() && layer.mask->hidesAnything()) {
        const SharedMatrix &numbers = made.heads.front().sample.numbers;
        made.hidden = maskOfBlocks(*layer.mask, numbers.rows, numbers.columns);
    }
    const auto complete = std::ranges::find_if(
        layer.heads, [](const auto &head) { return head->weights.rows() > 0; });
    std::shared_ptr<const ChosenHead> chosen;
    if (complete != layer.heads.end()) {
        const auto weights = std::make_shared<const Matrix>(std::move((*complete)->weights));
        chosen = std::make_shared<const ChosenHead>(*m_glances->trace, *m_similarTo, m_sequence,
                                                    SharedMatrix(weights->view(), weights));
    }
    const std::scoped_lock lock(m_mutex);
    if (chosen)
        m_chosen = std::move(chosen);
    auto more = std::make_shared<TraceGlances>(*m_glances);
    const auto place = std::ranges::find(more->attentions, attention) - more->attentions.begin();
    more->take(static_cast<std::size_t>(place), std::move(made));
    m_glances = std::move(more);
    m_layers.erase(attention);
}

} // namespace headlight::core
