// The views that sessions, lesson steps and the command line can select, by id. See
// ui/figures/table/views.h for their contents.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace headlight::core {

enum class View {
    CloseUp,
    Whole,
    Heads,
    Similarity,
    Geometry,
    Output,
    Training,
    Softmax,
    Words,
    Birth,
    Model, ///< all heads of all layers
    Lines,
    Text,
    QueryKey,
    Heatmap, ///< a single heatmap: only in figures, not a tab and not in sessions
};

/// Indexed by View.
inline constexpr std::array<std::string_view, 15> kViewIds{
    "close-up", "whole", "heads", "similarity", "geometry", "output",    "training", "softmax",
    "words",    "birth", "model", "lines",      "text",     "query-key", "heatmap"};
/// Ids of the views that are tabs of the window. Sessions can select only these.
inline constexpr std::span<const std::string_view> kTabIds =
    std::span(kViewIds).first(kViewIds.size() - 1);

/// Id of View::Whole in older files and commands.
inline constexpr std::string_view kFormerWholeId = "flow";

constexpr std::string_view idOf(View view) {
    return kViewIds[static_cast<std::size_t>(view)];
}

constexpr std::optional<View> findView(std::string_view id) {
    if (id == kFormerWholeId)
        id = idOf(View::Whole);
    const auto found = std::ranges::find(kViewIds, id);
    return found == kViewIds.end() ? std::nullopt
                                   : std::optional(static_cast<View>(found - kViewIds.begin()));
}

} // namespace headlight::core
