#include "ui/figures/table/view_choices.h"

#include "ui/figures/table/views.h"

namespace headlight::ui {

void withoutUnused(FigureOptions &options) {
    HeadCombination &combination = options.combination;
    if (!combination.isOn())
        combination = {};
    if (!combination.isOn() || core::isThroughLayers(combination.combination))
        options.headLines.heads = {};
    if (combination.isOn() && !combination.canMerge()) {
        combination.words = false;
        combination.leftOut = {};
    }
}

FigureOptions chosenFor(const ViewInfo &info, FigureOptions options) {
    const FigureOptions usual;
    if (!info.has(Choice::Range))
        options.range = usual.range;
    if (!info.has(Choice::Range))
        options.scaling = usual.scaling;
    if (!info.has(Choice::Blocks))
        options.blocks = usual.blocks;
    if (!info.has(Choice::HeadOrder))
        options.order = usual.order;
    if (!info.has(Choice::Measure))
        options.measure = usual.measure;
    if (!info.has(Choice::Contextual))
        options.contextual = usual.contextual;
    if (!info.has(Choice::Granularity))
        options.granularity = usual.granularity;
    if (!info.has(Choice::Learned))
        options.learned = usual.learned;
    if (!info.has(Choice::Lines))
        options.lines = usual.lines;
    if (!info.has(Choice::BackwardPass))
        options.backwardPass = usual.backwardPass;
    if (!info.has(Choice::Planes))
        options.plane = usual.plane;
    if (!info.has(Choice::ChosenHeads))
        options.headLines.heads = usual.headLines.heads;
    if (!info.has(Choice::HeadLines))
        options.headLines.threshold = usual.headLines.threshold;
    if (!info.has(Choice::Combination))
        options.combination = usual.combination;
    else
        withoutUnused(options);
    if (!info.has(Choice::Summary))
        options.summary = usual.summary;
    return options;
}

} // namespace headlight::ui
