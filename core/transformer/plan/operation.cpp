#include "core/transformer/plan/operation.h"

#include <iterator>
#include <limits>

namespace headlight::core {

namespace {

/// Lists all operations explicitly, without a default: with a wrong dependence, a pass would reuse
/// results that an edit has made invalid.
struct DependenceOf {
    using Reach = Dependence::Reach;

    /// Operations that depend only on inputs and parameters.
    template <OneOf<op::Captured, op::Clone, op::Linear, op::ApplyRotary, op::TuneQueries,
                    op::DotProduct, op::Each, op::DistanceBias, op::DistanceVectors,
                    op::PickDistances, op::Softmax, op::SinkWeight, op::WeightedSum, op::SplitHeads,
                    op::JoinColumns, op::JoinNeighbours, op::Add, op::Gate, op::KeepLargest,
                    op::ScaleForExperts, op::ExpertLinear, op::MixExperts, op::SetCells>
                  Alone>
    Dependence operator()(const Alone &) const {
        return {};
    }
    Dependence operator()(const op::EmbeddingLookup &) const { return {.tokens = true}; }
    Dependence operator()(const op::AddRows &of) const {
        return {.tokenTypes = of.kind == op::AddRows::Kind::TokenTypes};
    }
    Dependence operator()(const op::Normalise &of) const {
        if (of.kind == NormKind::Batch)
            return {.reach = Reach::AllSequences, .lengths = true};
        return {};
    }
    Dependence operator()(const op::Mask &) const { return {.mask = true}; }
    Dependence operator()(const op::ConcatHeads &) const { return {.reach = Reach::AllHeads}; }
    Dependence operator()(const op::Pool &) const {
        return {.reach = Reach::AllSequences, .lengths = true};
    }
    Dependence operator()(const op::Replace &of) const {
        using By = op::Replace::By;
        return {.lengths = of.by == By::Mean, .mask = of.by == By::Uniform};
    }
};

} // namespace

op::JoinNeighbours::SourceColumn op::JoinNeighbours::sourceOf(Index column) const {
    auto part = parts.begin();
    for (; std::next(part) != parts.end() && column >= part->columns; ++part)
        column -= part->columns;
    return {*part, part->first + column};
}

bool makeTheSame(const Operation &a, const Operation &b) {
    return a == b;
}

Dependence dependenceOf(const Operation &operation) {
    return std::visit(DependenceOf(), operation);
}

RowReach rowReachOf(const Operation &operation, std::size_t which) {
    const bool isOfTwo = std::holds_alternative<op::DotProduct>(operation) ||
                         std::holds_alternative<op::WeightedSum>(operation);
    if (const auto *pick = std::get_if<op::PickDistances>(&operation))
        return pick->byKeys ? RowReach::All : RowReach::Own;
    if (isOfTwo)
        return which == 0 ? RowReach::Own : RowReach::All;
    if (dependenceOf(operation).reach == Dependence::Reach::AllSequences ||
        std::holds_alternative<op::JoinNeighbours>(operation))
        return RowReach::All;
    return RowReach::Own;
}

bool isProduct(const Operation &operation) {
    return std::holds_alternative<op::Linear>(operation) ||
           std::holds_alternative<op::ExpertLinear>(operation) ||
           std::holds_alternative<op::DotProduct>(operation) ||
           std::holds_alternative<op::WeightedSum>(operation);
}

bool replaces(const Operation &change) {
    const auto *replace = std::get_if<op::Replace>(&change);
    return replace && replace->by != op::Replace::By::Mean;
}

bool readsAllRows(const Operation &change) {
    const auto *replace = std::get_if<op::Replace>(&change);
    return replace && replace->by == op::Replace::By::Mean;
}

bool mayHide(const Operation &operation) {
    const auto *mask = std::get_if<op::Mask>(&operation);
    return mask && mask->value == -std::numeric_limits<float>::infinity();
}

} // namespace headlight::core
