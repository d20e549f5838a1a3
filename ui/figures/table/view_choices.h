// View options set on the command line. The window's menus offer the same options.
#pragma once

#include "core/selection/softmax_look.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/base/style.h"

#include <optional>

namespace headlight::ui {

/// Each field is empty if the option was not given.
struct ViewChoices {
    std::optional<Range> range;
    std::optional<core::HeadOrder> order;
    std::optional<core::HeadOrder> measure;
    std::optional<core::Stage> contextual;
    std::optional<Granularity> granularity;
    std::optional<ColourMap> weightsMap, signedMap;
    std::optional<ShownSpaces> spaces;
    std::optional<PlaneAxes> axes;
    std::optional<double> gravity;
    std::optional<bool> together;
    std::optional<bool> learned;
    std::optional<bool> opened; ///< part of the selection, not of the options
    std::optional<bool> lines;
    core::SoftmaxPatch softmax{}; ///< part of the document, not of the options
    std::optional<bool>
        gradients; ///< the gradients computed from the trace become part of the options
};

inline void apply(const ViewChoices &choices, FigureOptions &options, FigureStyle &style) {
    options.range = choices.range.value_or(options.range);
    options.order = choices.order.value_or(options.order);
    options.measure = choices.measure.value_or(options.measure);
    options.contextual = choices.contextual.value_or(options.contextual);
    options.granularity = choices.granularity.value_or(options.granularity);
    options.plane.spaces = choices.spaces.value_or(options.plane.spaces);
    options.plane.axes = choices.axes.value_or(options.plane.axes);
    options.plane.gravity = choices.gravity.value_or(options.plane.gravity);
    options.plane.together = choices.together.value_or(options.plane.together);
    options.learned = choices.learned.value_or(options.learned);
    options.lines = choices.lines.value_or(options.lines);
    style.weightsMap = choices.weightsMap.value_or(style.weightsMap);
    style.signedMap = choices.signedMap.value_or(style.signedMap);
}

} // namespace headlight::ui
