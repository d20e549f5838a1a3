// The views that a session, a lesson's step and the command line can ask for, by their ids. What
// each of them shows is for whoever paints it: see ui/figures/views.h.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace headlight::core {

enum class View {
    Flow,
    Heads,
    Similarity,
    Geometry,
    Output,
    Training,
    Softmax,
    Words,
    Heatmap, ///< a single one: a figure, no tab of the window, and nothing that a session asks for
};

/// In the order of the values.
inline constexpr std::array<std::string_view, 9> kViewIds{
    "flow", "heads", "similarity", "geometry", "output", "training", "softmax", "words", "heatmap"};
/// Of the window's tabs: what a session can ask for.
inline constexpr std::span<const std::string_view> kTabIds =
    std::span(kViewIds).first(kViewIds.size() - 1);

constexpr std::string_view idOf(View view) {
    return kViewIds[static_cast<std::size_t>(view)];
}

constexpr std::optional<View> findView(std::string_view id) {
    const auto found = std::ranges::find(kViewIds, id);
    return found == kViewIds.end() ? std::nullopt
                                   : std::optional(static_cast<View>(found - kViewIds.begin()));
}

} // namespace headlight::core
