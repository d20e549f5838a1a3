#include "ui/figures/geometry/plane_projection.h"

#include "core/analysis/attention_contribution.h"

#include <algorithm>

namespace headlight::ui {

using core::Index;
using core::SequenceHeadId;
using core::Stage;
using core::VectorSpace;

namespace {

constexpr Index kMaxOverlaid = 4; // maximum number of overlaid sequences

/// Returns the rows that define a plane of the residual stream: the start and end of each word's
/// path.
std::vector<std::vector<float>> residualRows(const core::Trace &trace,
                                             const std::vector<Index> &sequences,
                                             core::AttentionId attention) {
    std::vector<std::vector<float>> rows;
    for (const Index sequence : sequences) {
        const Index length = trace.queries(attention)[sequence].length;
        const auto take = [&](const core::MatrixView &matrix) {
            for (Index token = 0; token < std::min(length, matrix.rows); ++token)
                rows.emplace_back(matrix.row(token).begin(), matrix.row(token).end());
        };
        if (const auto gravity = core::attentionShiftOf(trace, sequence, attention)) {
            take(gravity->from.view());
            take(gravity->to.view());
        } else {
            for (const core::SpaceVector &vector :
                 core::vectorsOf(trace, VectorSpace::Residual,
                                 {sequence, attention.layer, 0, attention.block, attention.stack}))
                if (vector.token < length && vector.stage == Stage::Positioned)
                    rows.emplace_back(vector.numbers.begin(), vector.numbers.end());
        }
    }
    return rows;
}

core::Matrix asMatrix(const std::vector<std::vector<float>> &rows) {
    if (rows.empty())
        return {};
    core::Matrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy(rows[i].begin(), rows[i].end(), matrix.view().row(static_cast<Index>(i)).begin());
    return matrix;
}

/// Returns only the keys, if there are any. The keys define the plane, and queries are directions
/// in it.
std::vector<core::SpaceVector> withoutQueries(std::vector<core::SpaceVector> vectors) {
    const auto isQuery = [](const core::SpaceVector &vector) {
        return vector.stage == Stage::Query;
    };
    if (!std::ranges::all_of(vectors, isQuery))
        std::erase_if(vectors, isQuery);
    return vectors;
}

} // namespace

SequenceHeadId placeOf(const core::Selection &selection) {
    return {selection.sequence, selection.layer, selection.head, selection.block, selection.stack};
}

std::vector<Index> sequencesOf(const core::Trace &trace, const core::Selection &selection,
                               const PlaneOptions &options) {
    if (!options.together || trace.batch().count() == 1)
        return {selection.sequence};
    std::vector<Index> sequences;
    for (Index i = 0; i < std::min(trace.batch().count(), kMaxOverlaid); ++i)
        sequences.push_back(i);
    return sequences;
}

std::vector<core::SpaceVector> realVectors(const core::Trace &trace, VectorSpace space,
                                           const SequenceHeadId &place) {
    std::vector<core::SpaceVector> vectors = core::vectorsOf(trace, space, place);
    std::erase_if(vectors, [&](const core::SpaceVector &vector) {
        const bool ofKeys = core::infoOf(vector.stage).ofKeys();
        const core::Batch &batch =
            ofKeys ? trace.keys(place.attention()) : trace.queries(place.attention());
        return batch[place.sequence].isPadding(vector.token);
    });
    return vectors;
}

Index widthOf(const core::Trace &trace, const core::Selection &selection, VectorSpace space) {
    const std::vector<core::SpaceVector> vectors =
        core::vectorsOf(trace, space, placeOf(selection));
    return vectors.empty() ? 0 : static_cast<Index>(vectors.front().numbers.size());
}

core::Result<core::Projection> projectionOf(const core::Trace &trace,
                                            const core::Selection &selection, VectorSpace space,
                                            const PlaneOptions &options) {
    const bool isResidual = space == VectorSpace::Residual;
    const core::Matrix rows =
        isResidual ? asMatrix(residualRows(trace, sequencesOf(trace, selection, options),
                                           selection.attention()))
                   : core::rowsOf(withoutQueries(realVectors(trace, space, placeOf(selection))));
    if (rows.rows() == 0)
        return core::Error{"these vectors were not captured", "", ""};
    if (rows.columns() <= 2)
        return core::exactPlane(rows.columns());
    if (options.axes == PlaneAxes::DotProduct && space == VectorSpace::QueryKey) {
        if (!selection.query)
            return core::Error{"select a query: click a row or a word", "", ""};
        const core::SharedMatrix queries =
            trace.matrix(Stage::Query, selection.attention(), selection.sequence, selection.head);
        if (queries.empty())
            return core::Error{"the queries were not captured", "", ""};
        return core::dotProductPlane(queries.row(*selection.query), rows.view());
    }
    return core::principalPlane(rows.view());
}

} // namespace headlight::ui
