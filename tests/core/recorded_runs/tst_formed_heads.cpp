// The table of formed heads in docs/training.md has the numbers of real runs.
#include "core_test.h"
#include "recorded_runs/formed_heads.h"
#include "scratch.h"
#include "tests/support/long.h"

#include <charconv>

namespace {

/// Returns the numbers in a text, in order.
std::vector<double> numbersIn(std::string_view text) {
    std::vector<double> numbers;
    std::string digits;
    for (const char letter : std::string(text) + ' ')
        if ((letter >= '0' && letter <= '9') || (letter == '.' && !digits.empty())) {
            digits += letter;
        } else if (!digits.empty()) {
            double &number = numbers.emplace_back();
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
            digits.clear();
        }
    return numbers;
}

/// A row of the published table: the numbers in the last parentheses of its third cell, and in its
/// fourth cell.
struct PublishedRow {
    std::string task;
    Index layer = -1;
    std::vector<double> measures, steps;
};

std::vector<PublishedRow> publishedRows() {
    std::istringstream page(contentOf(std::filesystem::path(HEADLIGHT_DOCS) / "training.md"));
    std::vector<PublishedRow> rows;
    std::string line;
    while (std::getline(page, line) && !line.starts_with("| task | layer |"))
        ;
    std::getline(page, line); // the line below the names of the columns
    while (std::getline(page, line) && line.starts_with('|')) {
        std::vector<std::string> cells;
        std::istringstream parts(line.substr(1));
        for (std::string cell; std::getline(parts, cell, '|');)
            cells.push_back(cell);
        REQUIRE(cells.size() >= 4);
        PublishedRow &row = rows.emplace_back();
        const auto open = cells[0].find('`'), close = cells[0].rfind('`');
        row.task = open == std::string::npos
                       ? rows.size() > 1 ? rows[rows.size() - 2].task : std::string()
                       : cells[0].substr(open + 1, close - open - 1);
        const std::vector<double> layer = numbersIn(cells[1]);
        REQUIRE(layer.size() == 1);
        row.layer = static_cast<Index>(layer[0]);
        const auto parenthesis = cells[2].rfind('(');
        REQUIRE(parenthesis != std::string::npos);
        row.measures = numbersIn(cells[2].substr(parenthesis));
        row.steps = numbersIn(cells[3]);
    }
    return rows;
}

} // namespace

TEST_CASE("the published table has the heads that form") {
    // Another kind of processor rounds sums differently, so a run differs a little there.
    constexpr double kMeasureDiffers = 0.1, kStepsDiffer = 1.3; // a difference, a factor
    const std::vector<PublishedRow> rows = publishedRows();
    const std::uint64_t seeds = headlight::test::isLong() ? 3 : 1;
    std::size_t next = 0;
    for (const WatchableTask &watched : watchableTasks()) {
        const std::vector<FormedRow> formed = valueOf(formedRowsOf(watched, seeds));
        for (std::size_t purpose = 0; purpose < formed.size(); ++purpose) {
            REQUIRE(next < rows.size());
            const PublishedRow &row = rows[next++];
            const auto cells = formedCells(formed[purpose]);
            INFO(watched.id, ", layer ", watched.purposes[purpose].layer, ": (", cells[0], ") | ",
                 cells[1]);
            CHECK(row.task == watched.id);
            CHECK(row.layer == watched.purposes[purpose].layer);
            REQUIRE(row.measures.size() == 6);
            REQUIRE(row.steps.size() == 3);
            for (std::size_t run = 0; run < formed[purpose].size(); ++run) {
                REQUIRE(formed[purpose][run].has_value());
                const FormedNumbers &numbers = *formed[purpose][run];
                CHECK(std::abs(row.measures[2 * run] - numbers.start) < kMeasureDiffers);
                CHECK(std::abs(row.measures[2 * run + 1] - numbers.end) < kMeasureDiffers);
                const double step = std::max<double>(1, static_cast<double>(numbers.step));
                CHECK(row.steps[run] < kStepsDiffer * step);
                CHECK(row.steps[run] > step / kStepsDiffer);
            }
        }
    }
    CHECK(next == rows.size()); // the table has no further rows
}
