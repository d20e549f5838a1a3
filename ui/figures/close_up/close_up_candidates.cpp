#include "ui/figures/close_up/close_up_candidates.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headlight::ui {

namespace {

using core::Index;

// numbers of elements of the summed axis to try; 0: all
constexpr Index kSummedParts[] = {0, 16, 12, 10, 8, 6, 5, 4, 3, 2};
constexpr Index kShortPart = 5; // if the upper part is shorter, longer left parts are tried too
constexpr Index kLongerParts[] = {8, 6};

/// Returns the possible numbers of upper operands with numbers. Blocks have the same rows, so
/// either all of them have numbers or none.
std::vector<std::size_t> numbersAbove(const CloseUpRequest &request) {
    const std::size_t count = request.above.size();
    if (count == 0)
        return {0};
    if (request.above.front().isBlock)
        return {count, 0};
    std::vector<std::size_t> counts(count + 1);
    std::iota(counts.rbegin(), counts.rend(), std::size_t(0));
    return counts;
}

/// Returns the lengths to try for the summed axis, of upper and left operands. They are equal, so
/// that each number on the left has its factor above, unless the upper part is very short. Blocks
/// may show only the rows around the selected one.
std::vector<std::pair<Index, Index>> summedParts(const CloseUpRequest &request) {
    const auto isSummed = [](const CloseUpShape &one) { return one.isSummed || one.isBlock; };
    if (std::ranges::none_of(request.above, isSummed) &&
        std::ranges::none_of(request.left, isSummed))
        return {{0, 0}};
    std::vector<std::pair<Index, Index>> lengths;
    for (const Index summed : kSummedParts) {
        lengths.emplace_back(summed, summed);
        if (summed > 0 && summed < kShortPart)
            for (const Index longer : kLongerParts)
                lengths.emplace_back(summed, longer);
    }
    return lengths;
}

} // namespace

std::vector<CloseUpCandidate> closeUpCandidates(const CloseUpRequest &request, Index rows) {
    std::vector<CloseUpCandidate> all;
    const auto add = [&](const CloseUpCandidate &choice) {
        for (const bool isTight : {false, true}) {
            all.push_back(choice);
            all.back().isTight = isTight;
        }
    };
    const std::vector<std::pair<Index, Index>> lengths = summedParts(request);
    if (!request.result.numberCell.isEmpty())
        for (const std::size_t above : numbersAbove(request))
            for (std::size_t left = 0; left <= request.left.size(); ++left)
                for (const auto &[summed, leftSummed] : lengths) {
                    if (summed != leftSummed && (above == 0 || left == 0))
                        continue; // only one of the two lengths is visible
                    for (const Index columns : CloseUpCandidate::kParts)
                        if (columns == 0 ||
                            (request.hidesColumns && columns < request.result.columns))
                            add({true, above, left, summed, leftSummed, columns, rows});
                }
    if (rows == 0)
        add({.resultNumbers = false});
    return all;
}

} // namespace headlight::ui
