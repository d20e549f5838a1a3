// View options set on the command line. The window's menus offer the same options.
#pragma once

#include "core/selection/softmax_look.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/base/style.h"

#include <optional>

namespace headlight::ui {

/// Options from the command line. A field is unset if its option was not given.
struct ViewChoices {
    std::optional<Range> range;
    std::optional<Scaling> scaling;
    std::optional<BlockNumber> blocks;
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
    std::optional<bool> opened; ///< part of the selection and not of the options
    std::optional<bool> lines;
    std::optional<LineHeads> lineHeads;
    std::optional<double> threshold;
    std::optional<core::Combination> combination;
    std::optional<bool> words; ///< the combination merges tokens into words
    std::optional<core::LeftOutKeys> leftOut;
    std::optional<core::KeptWeights> kept;
    core::SoftmaxPatch softmax{}; ///< part of the document and not of the options
    std::optional<bool>
        gradients; ///< if true, the gradients computed from the trace become part of the options
};

/// Calls visit(choice, option) for each choice and the option that it sets.
template <class Choices, class Options, class Style, class Visit>
void visitChoices(Choices &choices, Options &options, Style &style, Visit visit) {
    visit(choices.range, options.range);
    visit(choices.scaling, options.scaling);
    visit(choices.blocks, options.blocks);
    visit(choices.order, options.order);
    visit(choices.measure, options.measure);
    visit(choices.contextual, options.contextual);
    visit(choices.granularity, options.granularity);
    visit(choices.spaces, options.plane.spaces);
    visit(choices.axes, options.plane.axes);
    visit(choices.gravity, options.plane.gravity);
    visit(choices.together, options.plane.together);
    visit(choices.learned, options.learned);
    visit(choices.lines, options.lines);
    visit(choices.lineHeads, options.headLines.heads);
    visit(choices.threshold, options.headLines.threshold);
    visit(choices.combination, options.combination.combination);
    visit(choices.words, options.combination.words);
    visit(choices.leftOut, options.combination.leftOut);
    visit(choices.kept, options.combination.kept);
    visit(choices.weightsMap, style.weightsMap);
    visit(choices.signedMap, style.signedMap);
}

/// Resets the options that the chosen combination does not use.
void withoutUnused(FigureOptions &options);

inline void apply(const ViewChoices &choices, FigureOptions &options, FigureStyle &style) {
    visitChoices(choices, options, style,
                 [](const auto &choice, auto &option) { option = choice.value_or(option); });
}

/// Returns the choices that produce these options. Defaults need no choice.
inline ViewChoices choicesOf(const FigureOptions &options, const FigureStyle &style) {
    ViewChoices choices;
    visitChoices(choices, options, style,
                 [](auto &choice, const auto &option) { choice = option; });
    const FigureOptions usual;
    const FigureStyle usualStyle;
    visitChoices(choices, usual, usualStyle, [](auto &choice, const auto &option) {
        if (choice == option)
            choice.reset();
    });
    return choices;
}

} // namespace headlight::ui
