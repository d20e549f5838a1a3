// Edits of the mask: its layers, and the single cells that lie on top of them.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// The masks of an attention: all layers of its kind share them. Every edit below is of the masks
/// of one `site`.
core::MaskLayers &masksAt(core::Input &input, core::AttentionId attention);

/// On top of the other layers, but beneath the cells set by hand. Errors: the same layer is there
/// already; a window or a block of less than 1 token.
core::Result<Change> addLayer(const DocumentState &state, const core::MaskLayer &layer,
                              core::AttentionId attention = {});
/// Errors of both: there is no such layer.
core::Result<Change> removeLayer(const DocumentState &state, std::size_t index,
                                 core::AttentionId attention = {});
core::Result<Change> replaceLayer(const DocumentState &state, std::size_t index,
                                  const core::MaskLayer &layer, core::AttentionId attention = {});
/// All of them: none hides nothing.
core::Result<Change> setLayers(const DocumentState &state, core::MaskLayers layers,
                               core::AttentionId attention = {});

enum class CellMaskEdit {
    Hide,
    Show,
    Follow, ///< what the layers beneath say
};

struct MaskId {
    core::Index query = 0;
    core::Index key = 0;
    auto operator<=>(const MaskId &) const = default;
};

/// For the sequence alone, or for all where the batch has only one. A cell has one entry, however
/// often it is set. Errors: no such sequence, query or key; no cell.
core::Result<Change> setMaskCells(const DocumentState &state, core::Index sequence,
                                  const std::vector<MaskId> &cells, CellMaskEdit wish,
                                  core::AttentionId attention = {});
/// Painting: hidden or visible, but no entry where the layers beneath say the same anyway.
core::Result<Change> paintMaskCells(const DocumentState &state, core::Index sequence,
                                    const std::vector<MaskId> &cells, bool visible,
                                    core::AttentionId attention = {});
/// Every key of the query. Hidden: a row that sees nothing.
core::Result<Change> setMaskRow(const DocumentState &state, core::Index sequence, core::Index query,
                                CellMaskEdit wish, core::AttentionId attention = {});
/// All cells of all sequences follow the layers. Error: there are none.
core::Result<Change> clearMaskCells(const DocumentState &state, core::AttentionId attention = {});

/// How many cells were set by hand.
std::size_t countMaskCells(const core::MaskLayers &layers);
/// What a cell was said to be by hand.
CellMaskEdit wishOf(const core::MaskLayers &layers, core::Index sequence, const MaskId &cell);

} // namespace headlight::ui::edits
