#include "core/analysis/cell_explanation.h"

#include "core/analysis/weighting.h"
#include "core/operations/position.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace headlight::core {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const AttentionWeights &weightsOf(const Trace &trace, Index layer) {
    return trace.model().weights.main.layers[static_cast<std::size_t>(layer)].selfAttention;
}

Outcome inside(const char *what, Index index, Index count) {
    if (index >= 0 && index < count)
        return Done{};
    return Error{std::string(what) + " " + std::to_string(index) + " does not exist", "selection",
                 "there are " + std::to_string(count)};
}

/// Sequence, layer and head of the place exist.
Outcome placed(const Trace &trace, const Selection &place) {
    const auto layers = static_cast<Index>(trace.model().weights.main.layers.size());
    for (const Outcome &outcome : {inside("sequence", place.sequence, trace.batch().count()),
                                   inside("layer", place.layer, layers),
                                   inside("head", place.head, trace.model().config.heads)})
        if (!outcome)
            return outcome;
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

std::vector<Term> termsOf(std::span<const float> left, MatrixView right, Index column) {
    std::vector<Term> terms;
    terms.reserve(left.size());
    for (std::size_t i = 0; i < left.size(); ++i)
        terms.push_back({left[i], right(static_cast<Index>(i), column)});
    return terms;
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

void explainLinear(CellExplanation &cell, std::span<const float> input, const Parameter &weight,
                   const Parameter &bias, Index column) {
    cell.origin = Origin::Linear;
    cell.terms = termsOf(input, weight->view(), column);
    if (bias)
        cell.bias = (*bias)(0, column);
}

/// What each head's part of the concatenated row adds to a cell of the output.
std::vector<double> headParts(const std::vector<Term> &terms, Index headSize) {
    std::vector<double> parts(terms.size() / static_cast<std::size_t>(headSize));
    for (std::size_t i = 0; i < terms.size(); ++i)
        parts[i / static_cast<std::size_t>(headSize)] += terms[i].product();
    return parts;
}

void explainInput(const Trace &trace, const Selection &place, Index row, CellExplanation &cell) {
    const bool positions = trace.model().config.positions != Positions::None;
    if (place.layer > 0) {
        cell.origin = Origin::LayerOutput;
    } else if (place.stage == Stage::Embeddings) {
        cell.origin = Origin::Vector;
    } else if (!positions) {
        cell.origin = Origin::Same;
    } else {
        const Index column = cell.dimension;
        const float embedding = trace.stage(Stage::Embeddings).matrix(place.sequence)(row, column);
        cell.origin = Origin::Position;
        cell.terms = {{embedding, 1}};
        cell.bias = sinusoidalPosition(row, column, trace.model().config.width);
    }
}

/// A number of the context as the head's state lets it be.
void explainContext(const Trace &trace, const Selection &place, Index row, CellExplanation &cell) {
    const HeadState state = trace.input().interventions.stateOf(place.site(), place.head);
    if (state == HeadState::Zero) {
        cell.origin = Origin::Silenced;
        return;
    }
    const MatrixView weights =
        trace.stage(Stage::Weights, place.site()).matrix(place.sequence, place.head);
    const MatrixView values =
        trace.stage(Stage::Value, place.site()).matrix(place.sequence, place.head);
    if (state != HeadState::Mean) {
        cell.origin = Origin::Weighted;
        cell.terms = termsOf(weights.row(row), values, cell.dimension);
        return;
    }
    cell.origin = Origin::Mean;
    const Index real = trace.batch()[place.sequence].length;
    for (Index t = 0; t < real; ++t)
        cell.terms.push_back(
            {static_cast<float>(sumOf(termsOf(weights.row(t), values, cell.dimension))),
             1.0f / static_cast<float>(real)});
}

CellExplanation explainCell(const Trace &trace, const Selection &place, Index row, Index column,
                            float value) {
    CellExplanation cell;
    cell.dimension = column;
    cell.value = value;
    const AttentionWeights &weights = weightsOf(trace, place.layer);
    const Index d = trace.model().config.headSize;
    const Index ofHead = place.head * d + column; // the column in the heads' common matrices
    const auto input = [&] {
        return stageTensor(trace, Stage::Positioned, place.site()).matrix(place.sequence).row(row);
    };
    switch (place.stage) {
    case Stage::Query:
        explainLinear(cell, input(), weights.query, weights.queryBias, ofHead);
        break;
    case Stage::Key:
        explainLinear(cell, input(), weights.key, weights.keyBias, ofHead);
        break;
    case Stage::Value:
        explainLinear(cell, input(), weights.value, weights.valueBias, ofHead);
        break;
    case Stage::Context:
        explainContext(trace, place, row, cell);
        break;
    case Stage::Concatenated:
        cell.origin = Origin::Head;
        cell.head = column / d;
        cell.headDimension = column % d;
        break;
    case Stage::Output:
        explainLinear(
            cell, trace.stage(Stage::Concatenated, place.site()).matrix(place.sequence).row(row),
            weights.output, weights.outputBias, column);
        cell.heads = headParts(cell.terms, d);
        break;
    default:
        explainInput(trace, place, row, cell);
    }
    cell.sum = cell.terms.empty() && !cell.bias
                   ? static_cast<double>(value)
                   : sumOf(cell.terms) + static_cast<double>(cell.bias.value_or(0));
    return cell;
}

} // namespace

double sumOf(const std::vector<Term> &terms) {
    double sum = 0;
    for (const Term &term : terms)
        sum += term.product();
    return sum;
}

double RowExplanation::entropyBits() const {
    return entropy / std::numbers::ln2;
}

std::optional<Index> selectedRow(const Selection &place) {
    const Role role = infoOf(place.stage).role;
    return role == Role::Key || role == Role::Value ? place.key : place.query;
}

Tensor stageTensor(const Trace &trace, Stage stage, Site site) {
    if (site.layer > 0 && infoOf(stage).part == Part::Embedding)
        return trace.stage(Stage::LayerInput, site);
    return trace.stage(stage, site);
}

Result<PairExplanation> explainPair(const Trace &trace, const Selection &place) {
    const Index length = trace.batch().length();
    for (const Outcome &outcome : {placed(trace, place), chosen("query", place.query, length),
                                   chosen("key", place.key, length)})
        if (!outcome)
            return outcome.error();
    const Index i = *place.query, j = *place.key;
    const auto at = [&](Stage stage) {
        return trace.stage(stage, place.site()).matrix(place.sequence, place.head);
    };
    const Config &config = trace.model().config;
    PairExplanation pair;
    const auto query = at(Stage::Query).row(i), key = at(Stage::Key).row(j);
    for (std::size_t n = 0; n < query.size(); ++n)
        pair.terms.push_back({query[n], key[n]});
    pair.score = at(Stage::Scores)(i, j);
    pair.setByHand = trace.input()
                         .interventions.scoreAt(place.sequence, place.layer, place.head, i, j)
                         .has_value();
    pair.scale = config.scale.factor(config.headSize);
    pair.scaled = at(Stage::ScaledScores)(i, j);
    const Mask &mask = trace.mask(place.sequence, place.site());
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
    for (const float value : at(Stage::Value).row(j))
        pair.contribution.push_back({pair.weight, value});
    const auto row = at(after ? Stage::ScaledScores : Stage::MaskedScores).row(i);
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
    const Index length = trace.batch().length();
    for (const Outcome &outcome : {placed(trace, place), chosen("query", place.query, length)})
        if (!outcome)
            return outcome.error();
    if (!infoOf(place.stage).overKeys())
        return Error{"the stage's columns are no keys", "selection", ""};
    const Mask &mask = trace.mask(place.sequence, place.site());
    const auto row =
        trace.stage(place.stage, place.site()).matrix(place.sequence, place.head).row(*place.query);
    RowExplanation result;
    result.visible = visibleKeys(mask, *place.query);
    result.seesNothing = seesNothing(trace, place.sequence, place.site(), place.head, *place.query);
    // Before the mask every pair has a number, also those that the mask will hide.
    const bool beforeMask = place.stage != Stage::MaskedScores && place.stage != Stage::Weights;
    if (!result.seesNothing || beforeMask) {
        const auto largest = std::max_element(row.begin(), row.end());
        result.largestAt = largest - row.begin();
        result.largest = *largest;
    }
    for (const float weight : trace.stage(Stage::Weights, place.site())
                                  .matrix(place.sequence, place.head)
                                  .row(*place.query)) {
        result.weightSum += static_cast<double>(weight);
        if (weight > 0)
            result.entropy -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
    }
    return result;
}

Result<VectorExplanation> explainVector(const Trace &trace, const Selection &place) {
    if (const Outcome outcome = placed(trace, place); !outcome)
        return outcome.error();
    const Tensor tensor = stageTensor(trace, place.stage, place.site());
    if (tensor.isNull() || infoOf(place.stage).overKeys())
        return Error{"the model has no such stage of vectors", "selection", ""};
    const MatrixView matrix = tensor.matrix(place.sequence, place.head);
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
        vector.cell =
            explainCell(trace, place, *row, *place.dimension, matrix(*row, *place.dimension));
    }
    return vector;
}

Result<float> valueAt(const Trace &trace, const Selection &place) {
    if (const Outcome outcome = placed(trace, place); !outcome)
        return outcome.error();
    const Tensor tensor = stageTensor(trace, place.stage, place.site());
    if (tensor.isNull())
        return Error{"the model has no such stage", "selection", ""};
    const MatrixView matrix = tensor.matrix(place.sequence, place.head);
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
