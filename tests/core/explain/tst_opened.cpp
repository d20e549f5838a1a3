// The expanded arithmetic matches what forward() computed, and its summands add up.
#include "core/explain/derivation.h"
#include "core/explain/opened.h"
#include "tests/core/explained_traces.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

bool isNear(double a, double b) {
    return a == b || std::abs(a - b) <= 2e-5 * std::max({1.0, std::abs(a), std::abs(b)});
}

double sum(const std::vector<double> &numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

void check(const Trace &trace, const Selection &place, float value) {
    const OpenedArithmetic opened = openedArithmetic(trace, place);
    REQUIRE(!opened.lines.empty());
    // The last line must end in the value.
    const Line &last = opened.lines.back();
    const auto isResult = [](const Piece &piece) { return piece.kind == Piece::Kind::Result; };
    const auto result = std::find_if(last.rbegin(), last.rend(), isResult);
    REQUIRE(result != last.rend());
    CHECK(result->text == resultText(static_cast<double>(value)));
    for (const OpenedRow &row : opened.rows)
        CHECK(std::ssize(row.numbers) == opened.columnCount());
    if (opened.stressed)
        CHECK((*opened.stressed >= 0 && *opened.stressed < opened.columnCount()));
    if (opened.rows.empty())
        return;
    const Derivation cell = derivationsOf(trace, place).back();
    const std::vector<double> &made = opened.rows.back().numbers;
    if (!opened.adds) { // elementwise: the value is in its own column
        REQUIRE(opened.stressed);
        CHECK(made[static_cast<std::size_t>(*opened.stressed)] == static_cast<double>(value));
    } else if (cell.find(Quantity::Maximum)) {
        CHECK(isNear(made[static_cast<std::size_t>(*opened.stressed)] / sum(made),
                     static_cast<double>(value)));
    } else if (cell.find(Quantity::Deviation)) {
        CHECK(
            isNear(sum(made) / static_cast<double>(made.size()), cell.number(Quantity::Variance)));
    } else {
        REQUIRE(opened.rows.size() == 3);
        for (std::size_t i = 0; i < made.size(); ++i)
            CHECK(made[i] == opened.rows[0].numbers[i] * opened.rows[1].numbers[i]);
        CHECK(
            isNear(sum(made) + cell.find(Quantity::Bias).value_or(0), static_cast<double>(value)));
    }
}

} // namespace

TEST_CASE("every number of every stage can be opened") {
    std::vector<NamedTrace> traces = explainedTraces();
    std::ranges::move(blockTraces(), std::back_inserter(traces));
    for (const NamedTrace &named : traces) {
        CAPTURE(named.name);
        forEachCell(*named.trace, [&](const Selection &place, float value) {
            CAPTURE(infoOf(place.stage).name);
            CAPTURE(place.layer);
            check(*named.trace, place, value);
        });
    }
}

TEST_CASE("of a row its largest number is opened, of nothing that of the first row") {
    const NamedTrace named = explainedTraces().front();
    Selection selection;
    selection.stage = Stage::Scores;
    selection.query = 2;
    auto cell = openedCell(*named.trace, selection);
    REQUIRE(cell);
    const SharedMatrix scores = named.trace->matrix(Stage::Scores, {}, 0, 0);
    for (const float score : scores.row(2))
        CHECK(std::abs(score) <= std::abs(scores(2, *cell->key)));
    CHECK(cell->query == 2);
    selection.key = 1; // a selected key is kept
    CHECK(openedCell(*named.trace, selection)->key == 1);
    selection.query.reset();
    selection.key.reset();
    CHECK(openedCell(*named.trace, selection)->query == 0);
    selection.stage = Stage::Key; // the rows of this stage are the keys' tokens
    selection.key = 3;
    cell = openedCell(*named.trace, selection);
    REQUIRE(cell);
    CHECK(cell->key == 3);
    CHECK(cell->dimension.has_value());
}

TEST_CASE("small numbers get the decimals that they need") {
    const auto decimals = [](std::vector<double> numbers) {
        return decimalsOf({"", {}, Role::Residual, false, std::move(numbers)});
    };
    CHECK(decimals({3.4, 0.001}) == 2);
    CHECK(decimals({0.05, -0.02}) == 3);
    CHECK(decimals({-0.004}) == 4);
    CHECK(decimals({0, -INFINITY}) == 2);
}
