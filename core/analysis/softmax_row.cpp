#include "core/analysis/softmax_row.h"

#include "core/analysis/attention_row_properties.h"
#include "core/analysis/row_measures.h"
#include "core/operations/row_sum.h"
#include "core/operations/softmax.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::core {

namespace {

constexpr float kAgree = 0.01f; // tolerance, because captures may be in half precision

/// Returns the last existing stage before softmax.
std::optional<Stage> logitsStage(const Trace &trace, AttentionId attention) {
    for (const Stage stage :
         {Stage::MaskedScores, Stage::BiasedScores, Stage::CappedScores, Stage::ScaledScores})
        if (trace.has(stage, attention))
            return stage;
    return std::nullopt;
}

std::vector<float> rowOf(const Trace &trace, Stage stage, const Selection &selection, Index query) {
    const auto step = trace.plan().find({stage, selection.attention()});
    if (!step)
        return {};
    const SharedMatrix rows = trace.rows(*step, selection.sequence, selection.head, {query, 1});
    if (rows.empty())
        return {};
    return copied(rows.row(0));
}

/// Returns the first query with two or more visible keys, else the first with one.
Index firstToShow(const Trace &trace, const Selection &selection) {
    const Mask &mask = trace.mask(selection.sequence, selection.attention());
    const Index count = trace.queries(selection.attention())[selection.sequence].length;
    for (const Index least : {2, 1})
        for (Index query = 0; query < count; ++query)
            if (mask.visibleKeys(query) >= least)
                return query;
    return 0;
}

/// Stores the softcap and the position biases, which are applied between the scaled score and the
/// logit.
void addDetours(const Trace &trace, const Selection &selection, SoftmaxRowFromTrace &traced) {
    const AttentionId attention = selection.attention();
    const Config &config = trace.model().config;
    traced.scale = config.scale.factor(config.scaledSize(attention.block == Block::SelfAttention));
    traced.isCapped = trace.has(Stage::CappedScores, attention);
    traced.cap = traced.isCapped ? config.scoreCap.limit : 0;
    traced.isBiased = trace.has(Stage::BiasedScores, attention);
    if (!traced.isBiased)
        return;
    traced.biases = rowOf(trace, Stage::BiasedScores, selection, traced.query);
    const std::vector<float> unbiased =
        rowOf(trace, traced.isCapped ? Stage::CappedScores : Stage::ScaledScores, selection,
              traced.query);
    for (std::size_t key = 0; key < std::min(traced.biases.size(), unbiased.size()); ++key)
        traced.biases[key] -= unbiased[key];
}

/// True if softmax of the logits results in the stored probabilities.
bool explains(const SoftmaxRow &row) {
    std::vector<float> made(row.size());
    softmax(row.logits, row.temperature, made, row.sink.value_or(kNoSink));
    for (std::size_t i = 0; i < row.size(); ++i)
        if (!(std::abs(made[i] - row.probabilities[i]) <= kAgree))
            return false;
    return true;
}

} // namespace

Index SoftmaxRow::visible() const {
    return std::ssize(hidden) - std::ranges::count(hidden, true);
}

double SoftmaxRow::sinkShare() const {
    if (!sink || probabilities.empty())
        return 0;
    const auto most =
        static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
    const auto largest = static_cast<double>(probabilities[most]);
    if (!(largest > 0))
        return visible() > 0 ? 1 : 0;
    return largest * std::exp((static_cast<double>(*sink) - static_cast<double>(logits[most])) /
                              static_cast<double>(temperature));
}

double SoftmaxRow::entropyBits() const {
    const double sum = rowSum(probabilities.size(), [this](std::size_t key) {
        return static_cast<double>(probabilities[key]);
    });
    if (!(sum > 0))
        return 0;
    const double ofShares =
        sink ? entropyOf(probabilities) / sum + std::log(sum) : entropyOf(probabilities);
    return ofShares / std::numbers::ln2;
}

double SoftmaxRow::maxEntropyBits() const {
    return visible() > 0 ? std::log2(static_cast<double>(visible())) : 0;
}

double SoftmaxRow::jacobianNorm() const {
    return softmaxJacobianNorm(probabilities, 1, sinkShare());
}

Matrix SoftmaxRow::jacobian(const std::vector<std::size_t> &shown) const {
    std::vector<float> weights;
    for (const std::size_t i : shown)
        weights.push_back(probabilities[i]);
    return softmaxJacobian(weights, 1);
}

SoftmaxRow ownRow(const SoftmaxLook &look) {
    SoftmaxRow row;
    for (const float logit : look.logits)
        row.logits.push_back(logit * look.times);
    row.temperature = look.temperature;
    row.hidden.assign(row.size(), false);
    row.probabilities.resize(row.size());
    softmax(row.logits, row.temperature, row.probabilities);
    return row;
}

std::optional<float> SoftmaxRowFromTrace::scoreFor(std::size_t key, float logit) const {
    double scaled = static_cast<double>(logit);
    if (key < biases.size())
        scaled -= static_cast<double>(biases[key]);
    if (cap > 0)
        scaled = static_cast<double>(cap) * std::atanh(scaled / static_cast<double>(cap));
    const auto score = static_cast<float>(scaled / static_cast<double>(scale));
    return std::isfinite(score) ? std::optional(score) : std::nullopt;
}

std::variant<SoftmaxRowFromTrace, SoftmaxRowError> softmaxRowFromTrace(const Trace &trace,
                                                                       const Selection &selection) {
    const AttentionId attention = selection.attention();
    const bool isCaptured = trace.model().isCaptured();
    const bool attends =
        isCaptured ? trace.has(Stage::AttentionWeights, attention) || logitsStage(trace, attention)
                   : trace.model().hasAttention(attention);
    if (!attends)
        return SoftmaxRowError::NoAttention;
    const bool masksAfter = trace.has(Stage::UnmaskedWeights, attention);
    const Stage made = masksAfter ? Stage::UnmaskedWeights : Stage::AttentionWeights;
    const std::optional<Stage> read = logitsStage(trace, attention);
    if (!trace.has(made, attention))
        return SoftmaxRowError::NoWeights;
    // The trace may be older than the selection and may not have its row.
    if (!read || selection.sequence >= trace.queries(attention).count() ||
        selection.head >= trace.model().headsOf(attention))
        return SoftmaxRowError::NoScores;
    if (!isCaptured && !trace.model().config.softmax)
        return SoftmaxRowError::NoSoftmax;
    if (weightingOf(trace, attention, selection.head).isUniform)
        return SoftmaxRowError::Uniform;
    SoftmaxRowFromTrace traced;
    const Index queries = trace.queries(attention)[selection.sequence].length;
    traced.isSelected = selection.query && *selection.query < queries;
    traced.query = traced.isSelected ? *selection.query : firstToShow(trace, selection);
    traced.stage = *read;
    traced.isComputed = !isCaptured;
    traced.masksAfter = masksAfter;
    SoftmaxRow &row = traced.row;
    row.logits = rowOf(trace, *read, selection, traced.query);
    row.probabilities = rowOf(trace, made, selection, traced.query);
    if (row.logits.empty() || row.logits.size() != row.probabilities.size())
        return SoftmaxRowError::NoScores; // the file can no longer be read
    const Mask &mask = trace.mask(selection.sequence, attention);
    for (std::size_t key = 0; key < row.size(); ++key)
        row.hidden.push_back(mask.hidden(traced.query, static_cast<Index>(key)));
    if (!masksAfter &&
        seesNothing(trace, selection.sequence, attention, selection.head, traced.query))
        return SoftmaxRowError::SeesNothing;
    if (traced.isComputed) {
        row.temperature = trace.model().config.temperature;
        if (trace.model().hasSinks(attention))
            row.sink = (*trace.model().attentionParameters(attention).sinks)(0, selection.head);
        addDetours(trace, selection, traced);
    }
    traced.isExplained = explains(row);
    const Interventions &interventions = trace.input().interventions;
    for (std::size_t key = 0; key < row.size(); ++key)
        traced.setByHand.push_back(interventions
                                       .scoreAt(selection.sequence, attention, selection.head,
                                                traced.query, static_cast<Index>(key))
                                       .has_value());
    return traced;
}

} // namespace headlight::core
