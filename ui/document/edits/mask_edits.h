// Edits of the mask: its layers, and the single cells on top of them.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// Returns the masks of an attention module, shared by all layers of its kind. Every edit below
/// changes the masks of `attention`.
core::MaskLayers &masksAt(core::Input &input, core::AttentionId attention);

/// Adds the layer above the others but below the user's cells. Errors: the layer exists already; a
/// window or block of less than 1 token.
core::Result<Change> addLayer(const DocumentState &state, const core::MaskLayer &layer,
                              core::AttentionId attention = {});
/// Errors of removeLayer() and replaceLayer(): no such layer.
core::Result<Change> removeLayer(const DocumentState &state, std::size_t index,
                                 core::AttentionId attention = {});
core::Result<Change> replaceLayer(const DocumentState &state, std::size_t index,
                                  const core::MaskLayer &layer, core::AttentionId attention = {});
/// Replaces all layers. An empty list means that nothing is hidden.
core::Result<Change> setLayers(const DocumentState &state, core::MaskLayers layers,
                               core::AttentionId attention = {});

enum class CellMaskEdit {
    Hide,
    Show,
    Follow, ///< hidden or visible as in the layers below
};

struct MaskId {
    core::Index query = 0;
    core::Index key = 0;
    auto operator<=>(const MaskId &) const = default;
};

/// Sets the cells for this sequence only, or for all if the batch has a single one. A cell has at
/// most one entry. Errors: no such sequence, query or key; no cells.
core::Result<Change> setMaskCells(const DocumentState &state, core::Index sequence,
                                  const std::vector<MaskId> &cells, CellMaskEdit wish,
                                  core::AttentionId attention = {});
/// Paints cells as hidden or visible. Removes an entry if the layers below already give the same
/// result.
core::Result<Change> paintMaskCells(const DocumentState &state, core::Index sequence,
                                    const std::vector<MaskId> &cells, bool visible,
                                    core::AttentionId attention = {});
/// Sets all keys of the query. If hidden, the row is fully masked.
core::Result<Change> setMaskRow(const DocumentState &state, core::Index sequence, core::Index query,
                                CellMaskEdit wish, core::AttentionId attention = {});
/// Removes the user's cells for all sequences. Error: there are none.
core::Result<Change> clearMaskCells(const DocumentState &state, core::AttentionId attention = {});

/// Returns the number of cells set by the user.
std::size_t countMaskCells(const core::MaskLayers &layers);
/// Returns the user's setting of a cell.
CellMaskEdit wishOf(const core::MaskLayers &layers, core::Index sequence, const MaskId &cell);

} // namespace headlight::ui::edits
