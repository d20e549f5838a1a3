#include "core/training/run/history.h"

#include <algorithm>

namespace headlight::core {

HistoryPoint takePointOf(History &history, Index step) {
    HistoryPoint point;
    if (!history.empty() && history.back().step == step) {
        point = std::move(history.back());
        history.pop_back();
    }
    point.step = step;
    return point;
}

void addPoint(History &history, HistoryPoint point) {
    // Distance between the points to keep. Doubles when the length of the run doubles.
    const Index most = static_cast<Index>(kMaxHistory) / 2;
    Index every = 1;
    while (point.step / every >= most)
        every *= 2;
    // Points with held-out metrics are kept, too. All others are removed once they are not the
    // last.
    const auto isKept = [every](const HistoryPoint &kept) {
        return kept.heldOut || kept.step % every == 0;
    };
    if (point.step > 0 && point.step / every == most / 2 && point.step % every == 0)
        std::erase_if(history, [&](const HistoryPoint &kept) { return !isKept(kept); });
    else if (!history.empty() && !isKept(history.back()))
        history.pop_back();
    history.push_back(std::move(point));
}

} // namespace headlight::core
