#include "core/analysis/head_similarity.h"

#include "core/analysis/divergence.h"
#include "core/analysis/head_glances.h"
#include "core/cancelled.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

std::vector<std::optional<double>> totalsOf(const MatrixView &weights, const MeasuredText &text) {
    const VisibleKeys visible(weights, text);
    std::vector<std::optional<double>> totals;
    for (Index row = 0; row < weights.rows; ++row)
        totals.push_back(countedTotal(weights.row(row), text, visible, row));
    return totals;
}

} // namespace

ChosenHead::ChosenHead(const Trace &trace, const HeadId &id, Index sequence, SharedMatrix weights)
    : m_trace(&trace),
      m_id(id),
      m_sequence(sequence),
      m_weights(std::move(weights)),
      m_totals(totalsOf(m_weights.view(), measuredTextOf(trace, id.attention, sequence))) {}

Result<ChosenHead> ChosenHead::of(const Trace &trace, const HeadId &id, Index sequence,
                                  const std::stop_token &stop) {
    const auto step = trace.plan().find({Stage::AttentionWeights, id.attention});
    if (!step)
        return Error{"the chosen head has no attention weights", "",
                     "choose a head of a layer that has them"};
    const Index heads = trace.model().headsOf(id.attention);
    if (id.head < 0 || id.head >= heads)
        return Error{{"layer %1 has no head %2", id.attention.layer, id.head},
                     "",
                     {"its heads are 0 to %1", heads - 1}};
    if (stop.stop_requested())
        return cancelled();
    Result<SharedMatrix> weights = trace.madeMatrix(*step, sequence, id.head, stop);
    if (!weights)
        return weights.error();
    return ChosenHead(trace, id, sequence, *std::move(weights));
}

bool ChosenHead::isComparable(AttentionId attention) const {
    return &m_trace->queries(attention) == &m_trace->queries(m_id.attention) &&
           &m_trace->keys(attention) == &m_trace->keys(m_id.attention);
}

std::optional<double> ChosenHead::similarityOfRow(std::span<const float> weights, Index row,
                                                  const std::optional<double> &total) const {
    const std::optional<double> &ownTotal = m_totals[static_cast<std::size_t>(row)];
    if (!total || !ownTotal)
        return std::nullopt;
    const auto shareIn = [](std::span<const float> of, double sum) {
        return [of, sum](Index key) {
            return key < std::ssize(of)
                       ? std::abs(static_cast<double>(of[static_cast<std::size_t>(key)])) / sum
                       : 0;
        };
    };
    const std::span<const float> own = m_weights.row(row);
    return 1 - jensenShannonOf(std::ssize(own), shareIn(own, *ownTotal), shareIn(weights, *total));
}

std::optional<double> ChosenHead::similarity(const MatrixView &weights,
                                             AttentionId attention) const {
    const MatrixView own = m_weights.view();
    if (!isComparable(attention) || own.rows != weights.rows || own.columns != weights.columns)
        return std::nullopt;
    const auto totals = totalsOf(weights, measuredTextOf(*m_trace, attention, m_sequence));
    double sum = 0;
    Index count = 0;
    for (Index row = 0; row < weights.rows; ++row) {
        const auto ofRow =
            similarityOfRow(weights.row(row), row, totals[static_cast<std::size_t>(row)]);
        if (!ofRow)
            continue;
        sum += *ofRow;
        ++count;
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

Result<std::vector<std::optional<double>>> similaritiesAt(const Trace &trace, AttentionId attention,
                                                          Index sequence, const ChosenHead &chosen,
                                                          const std::stop_token &stop) {
    std::vector<std::optional<double>> similarities(
        static_cast<std::size_t>(trace.model().headsOf(attention)));
    const Outcome read =
        forEachHead(trace, attention, sequence, stop, [&](Index head, MatrixView weights) {
            similarities[static_cast<std::size_t>(head)] = chosen.similarity(weights, attention);
        });
    if (!read)
        return read.error();
    return similarities;
}

} // namespace headlight::core
