#include "core/explain/meeting.h"

#include "core/explain/evaluation.h"

#include <algorithm>
#include <set>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Axis = Coordinate::Kind;

bool runsOverOthers(const Expression &x) {
    return x.is(Kind::Sum) || x.is(Kind::Mean) || x.is(Kind::Maximum) ||
           std::ranges::any_of(x.of, runsOverOthers);
}

bool hasLearned(const Expression &x) {
    return x.is(Kind::Learned) || std::ranges::any_of(x.of, hasLearned);
}

} // namespace

std::optional<Meeting> meetingOf(const Expression &x) {
    std::set<std::size_t> read;
    bool isOfHeads = false, isElsewhere = false;
    forEachRead(x, [&](const Expression &one) {
        read.insert(one.which);
        isOfHeads |= one.head.has_value();
        isElsewhere |= one.row.kind != Axis::Row || one.column.kind != Axis::Column;
    });
    if (isOfHeads)
        return Meeting::SideBySide;
    if (read.empty())
        return hasLearned(x) ? std::optional(Meeting::LookUp) : std::nullopt;
    if (const Expression *sum = outerSum(x); sum && sum->is(Kind::Sum))
        return Meeting::Product;
    return isElsewhere || runsOverOthers(x) ? Meeting::ByRows : Meeting::CellByCell;
}

std::string signBetween(const Expression &x) {
    const std::optional<Meeting> meeting = meetingOf(x);
    if (meeting == Meeting::Product)
        return outerSum(x)->of[0].of[1].row.kind == Axis::Column ? "" : "×";
    std::set<std::size_t> read;
    forEachRead(x, [&](const Expression &one) { read.insert(one.which); });
    if (meeting != Meeting::CellByCell || read.size() < 2)
        return "";
    return x.is(Kind::Add) ? "+" : x.is(Kind::Multiply) ? "⊙" : "";
}

} // namespace headlight::core
