#include "core/analysis/cell_explanation.h"

#include "core/analysis/weighting.h"
#include "core/operations/alibi.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace headlight::core {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Outcome inside(const char *what, Index index, Index count) {
    if (index >= 0 && index < count)
        return Done{};
    return Error{std::string(what) + " " + std::to_string(index) + " does not exist", "selection",
                 "there are " + std::to_string(count)};
}

/// Sequence, attention and head of the place exist, as far as its stage has them.
Outcome placed(const Trace &trace, const Selection &place, Part part) {
    const Model &model = trace.model();
    if (Outcome outcome = inside("sequence", place.sequence, trace.batch().count()); !outcome)
        return outcome;
    if (Outcome outcome = inside("head", place.head, model.config.heads); !outcome)
        return outcome;
    if (part == Part::Head)
        return Done{};
    if (!model.hasStack(place.stack))
        return Error{"there is no stack " + std::string(wordOf(place.stack)), "selection", ""};
    if (part == Part::Embedding || part == Part::Final)
        return Done{};
    if (Outcome outcome = inside("layer", place.layer, model.layerCount(place.stack)); !outcome)
        return outcome;
    if (part == Part::Attention && !trace.masks(place.site()))
        return Error{"the layer has no " + std::string(wordOf(place.block)) + " attention",
                     "selection", ""};
    return Done{};
}

Outcome chosen(const char *what, std::optional<Index> index, Index count) {
    if (!index)
        return Error{std::string("no ") + what + " is chosen", "selection", "choose a cell"};
    return inside(what, *index, count);
}

double normOf(std::span<const float> values) {
    double sum = 0;
    for (const float value : values)
        sum += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(sum);
}

Index visibleKeys(const Mask &mask, Index query) {
    Index visible = 0;
    for (Index key = 0; key < mask.keys(); ++key)
        visible += mask.hidden(query, key) ? 0 : 1;
    return visible;
}

/// e^((score − maximum)/temperature), with forward()'s convention for scores that overflowed.
double exponentialOf(float score, float maximum, float temperature) {
    if (maximum == kInfinity)
        return score == kInfinity ? 1 : 0;
    return std::exp((static_cast<double>(score) - static_cast<double>(maximum)) /
                    static_cast<double>(temperature));
}

/// What the distance adds to a pair's score.
std::optional<PositionBias> positionBias(const Trace &trace, const Selection &place) {
    const SharedMatrix all =
        matrixAt(trace, {Stage::PositionBias, place.site()}, place.sequence, place.head);
    if (all.empty())
        return std::nullopt;
    const Config &config = trace.model().config;
    PositionBias bias;
    bias.value = all(*place.query, *place.key);
    bias.distance = *place.key - *place.query;
    if (config.positions == Positions::Alibi)
        bias.slope = alibiSlopes(config.heads)[static_cast<std::size_t>(place.head)];
    else
        bias.bucket = relativeBucket(bias.distance, config.relative, place.stack != Stack::Decoder);
    return bias;
}

} // namespace

double RowExplanation::entropyBits() const {
    return entropy / std::numbers::ln2;
}

std::optional<Index> selectedRow(const Selection &place) {
    if (place.stage == Stage::Pooled || place.stage == Stage::ClassLogits)
        return place.sequence;
    return infoOf(place.stage).ofKeys() ? place.key : place.query;
}

SharedMatrix matrixAt(const Trace &trace, const Selection &place) {
    if (!placed(trace, place, infoOf(place.stage).part))
        return {};
    return matrixAt(trace, {place.stage, place.site()}, place.sequence, place.head);
}

Result<PairExplanation> explainPair(const Trace &trace, const Selection &place) {
    if (Outcome outcome = placed(trace, place, Part::Attention); !outcome)
        return outcome.error();
    const Mask &mask = trace.mask(place.sequence, place.site());
    for (const Outcome &outcome :
         {chosen("query", place.query, mask.queries()), chosen("key", place.key, mask.keys())})
        if (!outcome)
            return outcome.error();
    if (!trace.has(Stage::Query, place.site()))
        return Error{"how the weights came to be is not known", "selection", ""};
    const Index i = *place.query, j = *place.key;
    const auto at = [&](Stage stage) {
        return matrixAt(trace, {stage, place.site()}, place.sequence, place.head);
    };
    const Config &config = trace.model().config;
    PairExplanation pair;
    const SharedMatrix queries = at(Stage::Query), keys = at(Stage::Key);
    const auto query = queries.row(i), key = keys.row(j);
    for (std::size_t n = 0; n < query.size(); ++n)
        pair.terms.push_back({query[n], key[n]});
    pair.score = at(Stage::Scores)(i, j);
    pair.setByHand = trace.input()
                         .interventions.scoreAt(place.sequence, place.site(), place.head, i, j)
                         .has_value();
    pair.scale = config.scale.factor(config.headSize);
    pair.scaled = at(Stage::ScaledScores)(i, j);
    pair.position = positionBias(trace, place);
    const Stage beforeMask = pair.position ? Stage::BiasedScores : Stage::ScaledScores;
    pair.biased = at(beforeMask)(i, j);
    pair.hiddenBy = mask.hiddenBy(i, j);
    pair.visible = visibleKeys(mask, i);
    const bool after = config.masking.afterSoftmax;
    if (after)
        pair.unmaskedWeight = at(Stage::UnmaskedWeights)(i, j);
    else
        pair.masked = at(Stage::MaskedScores)(i, j);
    pair.temperature = config.temperature;
    pair.softmax = config.softmax;
    pair.isUniform = weightingOf(trace, place.site(), place.head).isUniform;
    pair.weight = at(Stage::Weights)(i, j);
    const SharedMatrix values = at(Stage::Value);
    for (const float value : values.row(j))
        pair.contribution.push_back({pair.weight, value});
    const SharedMatrix numbers = at(after ? beforeMask : Stage::MaskedScores);
    const auto row = numbers.row(i);
    const float maximum = *std::max_element(row.begin(), row.end());
    if (!config.softmax || maximum == -kInfinity)
        return pair;
    pair.rowMaximum = maximum;
    pair.exponential = exponentialOf(pair.number(), maximum, config.temperature);
    for (const float score : row)
        pair.sum += exponentialOf(score, maximum, config.temperature);
    return pair;
}

Result<RowExplanation> explainRow(const Trace &trace, const Selection &place) {
    if (!infoOf(place.stage).overKeys())
        return Error{"the stage's columns are no keys", "selection", ""};
    const SharedMatrix matrix = matrixAt(trace, place);
    if (matrix.empty())
        return Error{"the model has no such stage", "selection", ""};
    if (Outcome outcome = chosen("query", place.query, matrix.rows); !outcome)
        return outcome.error();
    const Mask &mask = trace.mask(place.sequence, place.site());
    const auto row = matrix.row(*place.query);
    RowExplanation result;
    result.visible = visibleKeys(mask, *place.query);
    result.seesNothing = seesNothing(trace, place.sequence, place.site(), place.head, *place.query);
    // Before the mask every pair has a number, also those that the mask will hide.
    const bool isBeforeMask = place.stage != Stage::MaskedScores && place.stage != Stage::Weights;
    if (!result.seesNothing || isBeforeMask) {
        const auto largest = std::max_element(row.begin(), row.end());
        result.largestAt = largest - row.begin();
        result.largest = *largest;
    }
    const SharedMatrix weights =
        trace.matrix(Stage::Weights, place.site(), place.sequence, place.head);
    if (weights.empty())
        return Error{"the layer's weights cannot be made", "selection", ""};
    for (const float weight : weights.row(*place.query)) {
        result.weightSum += static_cast<double>(weight);
        if (weight > 0)
            result.entropy -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
    }
    return result;
}

Result<VectorExplanation> explainVector(const Trace &trace, const Selection &place) {
    const SharedMatrix matrix = matrixAt(trace, place);
    if (matrix.empty() || infoOf(place.stage).overKeys())
        return Error{"the model has no such stage of vectors, or no such place", "selection", ""};
    const std::optional<Index> row = selectedRow(place);
    if (const Outcome outcome = chosen("token", row, matrix.rows); !outcome)
        return outcome.error();
    VectorExplanation vector;
    vector.row = *row;
    vector.values.assign(matrix.row(*row).begin(), matrix.row(*row).end());
    vector.norm = normOf(vector.values);
    if (place.dimension) {
        if (const Outcome outcome = inside("dimension", *place.dimension, matrix.columns); !outcome)
            return outcome.error();
        vector.cell = originOf(trace, place, *row, *place.dimension);
    }
    return vector;
}

Result<float> valueAt(const Trace &trace, const Selection &place) {
    const SharedMatrix matrix = matrixAt(trace, place);
    if (matrix.empty())
        return Error{"the model has no such stage, or no such place", "selection", ""};
    const bool pairs = infoOf(place.stage).overKeys();
    const std::optional<Index> row = selectedRow(place);
    const std::optional<Index> column = pairs ? place.key : place.dimension;
    for (const Outcome &outcome : {chosen("token", row, matrix.rows),
                                   chosen(pairs ? "key" : "dimension", column, matrix.columns)})
        if (!outcome)
            return outcome.error();
    return matrix(*row, *column);
}

} // namespace headlight::core
