#include "core/transformer/plan/operation.h"

#include <iterator>

namespace headlight::core {

op::JoinNeighbours::SourceColumn op::JoinNeighbours::sourceOf(Index column) const {
    auto part = parts.begin();
    for (; std::next(part) != parts.end() && column >= part->columns; ++part)
        column -= part->columns;
    return {*part, part->first + column};
}

bool makeTheSame(const Operation &a, const Operation &b) {
    return a == b;
}

Traits traitsOf(const Operation &operation) {
    return std::visit([](const auto &of) { return op::traitsOf(of); }, operation);
}

Dependence dependenceOf(const Operation &operation) {
    return traitsOf(operation).on;
}

RowReach rowReachOf(const Operation &operation, std::size_t which) {
    switch (traitsOf(operation).rows) {
    case RowsRead::Same:
    case RowsRead::SameWithAllKeys:
        return RowReach::Own;
    case RowsRead::SameAndColumns:
    case RowsRead::SameAndWeighted:
        return which == 0 ? RowReach::Own : RowReach::All;
    case RowsRead::Columns:
    case RowsRead::All:
        return RowReach::All;
    }
    return RowReach::All;
}

bool replaces(const Operation &change) {
    const auto *replace = std::get_if<op::Replace>(&change);
    return replace && replace->by != op::Replace::By::Mean;
}

bool readsAllRows(const Operation &change) {
    const auto *replace = std::get_if<op::Replace>(&change);
    return replace && replace->by == op::Replace::By::Mean;
}

} // namespace headlight::core
