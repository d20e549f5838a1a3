#include "core/explain/meeting.h"

#include "core/explain/evaluation.h"

#include <algorithm>
#include <set>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Axis = Coordinate::Kind;

constexpr const char *kBiasSymbol = "b"; // a learned row that is added to all rows

bool runsOverOthers(const Expression &x) {
    return x.is(Kind::Sum) || x.is(Kind::Mean) || x.is(Kind::Maximum) ||
           std::ranges::any_of(x.of, runsOverOthers);
}

bool hasLearned(const Expression &x) {
    return x.is(Kind::Learned) || std::ranges::any_of(x.of, hasLearned);
}

/// True if the value depends on the coordinate. The indices of its own sums do not count.
bool dependsOn(const Expression &x, Axis axis) {
    const bool isOver = x.is(Kind::Sum) || x.is(Kind::Mean) || x.is(Kind::Maximum);
    if (isOver && x.over == axis)
        return false;
    if (x.is(Kind::Read) || x.is(Kind::Learned) || x.is(Kind::Table))
        return x.row.kind == axis || x.column.kind == axis;
    if (x.is(Kind::Choose) && x.when == Expression::When::Hidden &&
        (axis == Axis::Row || axis == Axis::Column))
        return true;
    if (x.is(axis == Axis::Row ? Kind::RowIndex : Kind::KeyIndex))
        return axis == Axis::Row || axis == Axis::Column;
    return std::ranges::any_of(x.of,
                               [axis](const Expression &part) { return dependsOn(part, axis); });
}

class MatrixCollector {
  public:
    void collect(const Expression &x, std::optional<Quantity> name = {},
                 const std::string &symbol = {}) {
        switch (x.kind) {
        case Kind::Read:
        case Kind::Learned:
        case Kind::Table:
            return add(x, name, symbol);
        case Kind::Named:
            collect(x.of[0], x.quantity, x.text);
            if (isShown(x.quantity))
                add(x, x.quantity, x.text);
            return;
        case Kind::Call: // the body reads everything that the function depends on
            return collect(x.of[1], name);
        case Kind::Choose:
            if (x.when == Expression::When::Hidden && x.of[1].is(Kind::Number) &&
                x.of[2].is(Kind::Number))
                return add(x, name, x.text);
            break;
        case Kind::Side:
            for (std::size_t i = 0; i < x.of.size(); ++i) {
                if (x.of[i].count > 0) { // the part may come from other rows
                    addPart(x.of[i], symbol);
                    continue;
                }
                add(x.of[i], name, symbol);
                m_found.back().block = static_cast<Index>(i);
                m_found.back().shares = MeetingMatrix::Shares::Columns;
            }
            return;
        default:
            break;
        }
        for (const Expression &part : x.of)
            collect(part, name);
    }
    std::vector<MeetingMatrix> take() { return std::move(m_found); }

  private:
    /// True for intermediate results of norms and softmax that a figure shows.
    static bool isShown(Quantity quantity) {
        return quantity == Quantity::Mean || quantity == Quantity::Variance ||
               quantity == Quantity::Exponential || quantity == Quantity::Sum ||
               quantity == Quantity::SinkExponential;
    }

    static bool isSameMatrix(const MeetingMatrix &a, const MeetingMatrix &b) {
        if (a.part.kind != b.part.kind || a.part.step != b.part.step)
            return false;
        if (a.part.is(Kind::Read) || a.part.is(Kind::Learned))
            return a.part.which == b.part.which && a.part.head == b.part.head;
        return a.name == b.name;
    }

    /// Adds the matrix of a part of Kind::Side, once for all parts.
    void addPart(const Expression &x, const std::string &symbol) {
        MeetingMatrix made{x};
        made.symbol = symbol;
        made.shares = MeetingMatrix::Shares::Rows;
        const bool isNew = std::ranges::none_of(
            m_found, [&](const MeetingMatrix &one) { return isSameMatrix(one, made); });
        if (x.is(Kind::Read) && isNew)
            m_found.push_back(std::move(made));
    }

    void add(const Expression &x, std::optional<Quantity> name, const std::string &symbol) {
        using Shares = MeetingMatrix::Shares;
        // A learned row that is added to a token's row, such as a position vector, differs from
        // token to token. A bias is the same for all.
        const bool isRowOfToken =
            x.is(Kind::Learned) && name == Quantity::Other && symbol != kBiasSymbol;
        const bool row = dependsOn(x, Axis::Row) || isRowOfToken;
        const bool column = dependsOn(x, Axis::Column);
        if (!row && !column && !x.is(Kind::Read))
            return; // a single value, not a matrix
        MeetingMatrix made{x};
        made.name = name;
        made.symbol = symbol;
        made.shares = row && column ? Shares::Cells
                      : row         ? Shares::Rows
                      : column      ? Shares::Columns
                                    : Shares::Nothing;
        made.isTransposed = column && !row && x.row.kind == Axis::Column;
        made.isSummed = dependsOn(x, Axis::Summed) || dependsOn(x, Axis::Token);
        const auto before = std::ranges::find_if(
            m_found, [&](const MeetingMatrix &one) { return isSameMatrix(one, made); });
        if (before == m_found.end())
            m_found.push_back(std::move(made));
        else if (made.shares == Shares::Cells)
            *before = std::move(made);
    }

    std::vector<MeetingMatrix> m_found;
};

} // namespace

std::optional<Meeting> meetingOf(const Expression &x) {
    std::set<std::size_t> read;
    bool isOfHeads = false, isElsewhere = false;
    forEachRead(x, [&](const Expression &one) {
        read.insert(one.which);
        isOfHeads |= one.head.has_value();
        isElsewhere |= one.row.kind != Axis::Row || one.column.kind != Axis::Column;
    });
    if (isOfHeads || x.is(Kind::Side))
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

std::vector<MeetingMatrix> meetingMatrices(const Expression &x) {
    MatrixCollector collector;
    collector.collect(x);
    return collector.take();
}

} // namespace headlight::core
