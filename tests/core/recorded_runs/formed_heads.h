// The table of docs/training.md: the heads that form in each task, with several seeds.
#pragma once

#include "core/training/run/recorded_run.h"

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace headlight::core::test {

/// A head of one run.
struct FormedNumbers {
    double start = 0, end = 0; ///< measures of the first and the last snapshot
    Index step = 0;            ///< at which the head has formed
};
/// One element per seed, from seed 1. An element is empty if no head of the layer serves the
/// purpose.
using FormedRow = std::vector<std::optional<FormedNumbers>>;

/// Trains the task with the seeds 1 to `seeds`, and returns a row per purpose, or an error of
/// recordRun().
inline Result<std::vector<FormedRow>> formedRowsOf(const WatchableTask &watched,
                                                   std::uint64_t seeds) {
    const TaskPointer task = findTask(watched.id);
    std::vector<FormedRow> rows(watched.purposes.size());
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Recipe recipe = task->info().recipe;
        recipe.seed = seed;
        const auto run = recordRun(recipe, task);
        if (!run)
            return run.error();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            auto &numbers = rows[row].emplace_back();
            for (const FormedHead &head : (*run)->heads)
                if (head.purpose.layer == watched.purposes[row].layer)
                    numbers = FormedNumbers{head.measures.front(), head.measures.back(),
                                            (*run)->snapshots[head.formed].step};
        }
    }
    return rows;
}

/// Returns the last two cells of a row: "0.15, 0.82; 0.16, 0.81; 0.14, 0.82" and "234; 162; 270".
inline std::array<std::string, 2> formedCells(const FormedRow &row) {
    std::array<std::string, 2> cells;
    for (const auto &numbers : row) {
        for (std::string &cell : cells)
            cell += cell.empty() ? "" : "; ";
        if (!numbers) {
            cells[0] += "none";
            cells[1] += "never";
            continue;
        }
        char text[64];
        std::snprintf(text, sizeof text, "%.2f, %.2f", numbers->start, numbers->end);
        cells[0] += text;
        cells[1] += std::to_string(numbers->step);
    }
    return cells;
}

} // namespace headlight::core::test
