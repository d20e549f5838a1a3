#include "ui/document/state/fitting_input.h"

namespace headlight::ui {

namespace {

/// Drops the cells of one kind of attention whose tokens do not exist.
void dropCells(core::MaskLayers &layers, core::Index sequences, core::Index queries,
               core::Index keys) {
    std::erase_if(layers, [&](core::MaskLayer &layer) {
        auto *cells = std::get_if<core::CellMask>(&layer);
        if (!cells)
            return false;
        const std::size_t dropped = std::erase_if(cells->cells, [&](const core::MaskCell &cell) {
            return cell.query >= queries || cell.key >= keys ||
                   (cell.sequence && *cell.sequence >= sequences);
        });
        return dropped > 0 && cells->cells.empty();
    });
}

} // namespace

void dropWhatDoesNotFit(core::Input &input) {
    const core::Index count = input.batch->count();
    const core::Index length = input.batch->length();
    std::erase_if(input.interventions.scores, [&](const core::ScoreIntervention &score) {
        return score.sequence >= count ||
               score.query >= input.queries(score.attention()).length() ||
               score.key >= input.keys(score.attention()).length();
    });
    dropCells(input.masks, count, length, length);
    if (!input.source)
        return;
    const core::Index other = input.source->length();
    dropCells(input.encoderMasks, count, other, other);
    dropCells(input.crossMasks, count, length, other);
}

} // namespace headlight::ui
