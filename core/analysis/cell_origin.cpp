#include "core/analysis/cell_origin.h"

#include "core/analysis/origin_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

double rotated(const RotationOrigin &turn) {
    const double across = static_cast<double>(turn.other) * static_cast<double>(turn.sine);
    return static_cast<double>(turn.own) * static_cast<double>(turn.cosine) +
           (turn.isFirst ? -across : across);
}

double activated(const ActivationOrigin &origin) {
    return static_cast<double>(activate(origin.input, origin.activation)) *
           static_cast<double>(origin.hidden.value_or(1));
}

/// The value by what was found out about it.
double workedOut(const origin::Work &work) {
    const CellExplanation &cell = work.cell;
    const double linear = sumOf(cell.terms) + static_cast<double>(cell.bias.value_or(0));
    switch (cell.origin) {
    case Origin::LookUp:
    case Origin::Linear:
    case Origin::Weighted:
    case Origin::Mean:
        return linear;
    case Origin::Sum: {
        double sum = 0;
        for (const Addend &addend : cell.addends)
            sum += static_cast<double>(addend.number) * static_cast<double>(addend.factor);
        return sum;
    }
    case Origin::Same:
        return static_cast<double>(work.matrix(*cell.from)(work.row, work.column));
    case Origin::Head:
        return static_cast<double>(matrixAt(work.trace, *cell.from, work.place.sequence,
                                            cell.head)(work.row, cell.headDimension));
    case Origin::Norm:
        return cell.norm->value();
    case Origin::Rotated:
        return rotated(*cell.rotation);
    case Origin::Activated:
        return activated(*cell.activation);
    case Origin::Transformed:
        return cell.norm ? cell.norm->value() : activated(*cell.activation);
    case Origin::Softmax:
        return cell.share->exponential / cell.share->sum;
    case Origin::Pooled:
        return cell.pooled->isMapped ? std::tanh(linear) : linear;
    case Origin::Silenced:
        return 0;
    case Origin::Vector:
        break;
    }
    return static_cast<double>(cell.value);
}

} // namespace

double sumOf(const std::vector<Term> &terms) {
    double sum = 0;
    for (const Term &term : terms)
        sum += term.product();
    return sum;
}

double NormOrigin::value() const {
    const double centred = static_cast<double>(input) - mean;
    const double scaled = deviation == 0 ? 0 : centred / deviation;
    return scaled * static_cast<double>(gain.value_or(1)) + static_cast<double>(bias.value_or(0));
}

CellExplanation originOf(const Trace &trace, const Selection &place, Index row, Index column) {
    origin::Work work{trace, place, row, column};
    work.cell.dimension = column;
    work.cell.value =
        matrixAt(trace, {place.stage, place.site()}, place.sequence, place.head)(row, column);
    switch (infoOf(place.stage).part) {
    case Part::Embedding:
        origin::embedding(work);
        break;
    case Part::Attention:
        origin::attention(work);
        break;
    case Part::FeedForward:
        origin::feedForward(work);
        break;
    case Part::Layer:
        origin::layer(work);
        break;
    case Part::Final:
    case Part::Head:
        origin::head(work);
        break;
    }
    work.cell.sum = workedOut(work);
    return std::move(work.cell);
}

namespace origin {

ParameterId Work::parameter(ParameterKind which) const {
    ParameterId id;
    id.which = which;
    const ParameterPart part = partOf(which);
    if (part == ParameterPart::Head)
        return id;
    id.stack = place.stack == Stack::Encoder ? Stack::Encoder : Stack::Only;
    if (part == ParameterPart::Stack)
        return id;
    id.layer = model().weightsLayer(place.stack, place.layer);
    if (part == ParameterPart::Attention)
        id.block = place.block;
    return id;
}

void linear(Work &work, StageAt from, ParameterKind which, ParameterKind bias, Index column) {
    CellExplanation &cell = work.cell;
    cell.origin = Origin::Linear;
    cell.from = from;
    cell.weights = work.parameter(which);
    cell.column = column;
    const SharedMatrix rows = work.matrix(from);
    const auto input = rows.row(work.row);
    const MatrixView matrix = work.numbers(which)->view();
    cell.terms.reserve(input.size());
    for (std::size_t i = 0; i < input.size(); ++i)
        cell.terms.push_back({input[i], matrix(static_cast<Index>(i), column)});
    if (const Parameter &added = work.numbers(bias))
        cell.bias = (*added)(0, column);
}

void same(Work &work, StageAt from) {
    work.cell.origin = Origin::Same;
    work.cell.from = from;
}

void sum(Work &work, std::optional<StageAt> left, StageAt right) {
    work.cell.origin = Origin::Sum;
    for (const std::optional<StageAt> &at : {left, std::optional(right)})
        if (at)
            work.cell.addends.push_back(
                {Addend::Kind::Stage, work.matrix(*at)(work.row, work.column), 1, *at, 0});
}

void feedForward(Work &work) {
    const Selection &place = work.place;
    const auto from = sourceOf(work.trace, place.stage, place.site());
    if (!from)
        return; // the number stands alone
    const Site site = place.site();
    switch (place.stage) {
    case Stage::FeedForwardNorm:
        return norm(work, *from, ParameterKind::FeedForwardNormGain,
                    ParameterKind::FeedForwardNormBias);
    case Stage::Gate:
        return linear(work, *from, ParameterKind::Gate, ParameterKind::GateBias, work.column);
    case Stage::Hidden:
        return linear(work, *from, ParameterKind::Hidden, ParameterKind::HiddenBias, work.column);
    case Stage::Activated: {
        CellExplanation &cell = work.cell;
        cell.origin = Origin::Activated;
        cell.from = from;
        cell.activation = {
            work.config().feedForward.activation, work.matrix(*from)(work.row, work.column), {}};
        if (from->stage == Stage::Gate)
            cell.activation->hidden = work.matrix({Stage::Hidden, site})(work.row, work.column);
        return;
    }
    case Stage::FeedForwardOutput:
        return linear(work, *from, ParameterKind::FeedForwardOutput,
                      ParameterKind::FeedForwardOutputBias, work.column);
    default: // FeedForwardResidualSum
        return sum(work, from, {Stage::FeedForwardOutput, site});
    }
}

void layer(Work &work) {
    const Site site = work.place.site();
    const auto from = sourceOf(work.trace, work.place.stage, site);
    if (!from)
        return;
    const bool hasNetwork = work.trace.has(Stage::FeedForwardOutput, site);
    if (work.place.stage == Stage::LayerInput || !hasNetwork)
        return same(work, *from);
    if (work.config().normsAfter())
        return norm(work, *from, ParameterKind::FeedForwardNormGain,
                    ParameterKind::FeedForwardNormBias);
    if (from->stage == Stage::FeedForwardOutput)
        return same(work, *from);
    sum(work, from, {Stage::FeedForwardOutput, site});
}

} // namespace origin

} // namespace headlight::core
