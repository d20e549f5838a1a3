#include "ui/document/fitting_input.h"

namespace headlight::ui {

void dropWhatDoesNotFit(core::Input &input) {
    const core::Index length = input.batch->length();
    const core::Index count = input.batch->count();
    const auto isBeyond = [length](const auto &cell) {
        return cell.query >= length || cell.key >= length;
    };
    std::erase_if(input.interventions.scores, [&](const core::ScoreIntervention &score) {
        return score.sequence >= count || isBeyond(score);
    });
    std::erase_if(input.masks, [&](core::MaskLayer &layer) {
        auto *cells = std::get_if<core::CellMask>(&layer);
        if (!cells)
            return false;
        const std::size_t dropped = std::erase_if(cells->cells, [&](const core::MaskCell &cell) {
            return isBeyond(cell) || (cell.sequence && *cell.sequence >= count);
        });
        return dropped > 0 && cells->cells.empty();
    });
}

} // namespace headlight::ui
