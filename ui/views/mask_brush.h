// One mask-painting gesture. Its first cell decides whether cells are hidden or shown. The gesture
// is one undo step.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <set>

namespace headlight::ui {

/// Returns the cells of the straight line between two cells, both included (Bresenham 1965), so
/// that a fast mouse skips none.
std::vector<edits::MaskId> lineOfCells(const Cell &from, const Cell &to);
/// Returns all cells of the rectangle between two corners.
std::vector<edits::MaskId> rectangleOfCells(const Cell &from, const Cell &to);

class MaskBrush {
  public:
    /// Starts a gesture for the attention module and sequence of `place`, without painting. The
    /// cell must exist.
    MaskBrush(Document &document, const core::Selection &place, const Cell &first);
    /// True if the gesture makes cells visible.
    bool shows() const { return m_shows; }
    /// True if the mask at `place` is the one that the gesture paints.
    bool paints(const core::Selection &place) const {
        return place.attention() == m_attention && place.sequence == m_sequence;
    }

    // Errors: those of paintMaskCells(). On an error nothing changes.
    /// Paints a straight line from the last cell.
    core::Outcome lineTo(const Cell &cell);
    /// Paints the rectangle from the first cell. Replaces everything that the gesture has painted
    /// so far.
    core::Outcome rectangleTo(const Cell &cell);
    /// Restores the mask from before the gesture.
    void cancel();

  private:
    core::Outcome paint();

    Document &m_document;
    DocumentState m_before;
    core::AttentionId m_attention;
    core::Index m_sequence;
    int m_gesture;
    bool m_shows;
    Cell m_first, m_last;
    std::set<edits::MaskId> m_cells;
};

} // namespace headlight::ui
