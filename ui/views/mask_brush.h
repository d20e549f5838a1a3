// One gesture that paints the mask: the cell it begins at decides whether cells are hidden or
// shown, and all of it is one undo step.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <set>

namespace headlight::ui {

/// The cells of the straight line between two, both included (Bresenham 1965): a fast mouse skips
/// none.
std::vector<edits::MaskId> lineOfCells(const Cell &from, const Cell &to);
/// All cells of the rectangle between two corners.
std::vector<edits::MaskId> rectangleOfCells(const Cell &from, const Cell &to);

class MaskBrush {
  public:
    /// Of the attention and the sequence at `place`. Nothing is painted yet. The cell must exist.
    MaskBrush(Document &document, const core::Selection &place, const Cell &first);
    /// Whether it makes cells visible.
    bool shows() const { return m_shows; }
    /// Whether what is there is what it paints.
    bool paints(const core::Selection &place) const {
        return place.attention() == m_attention && place.sequence == m_sequence;
    }

    // Errors: as paintMaskCells(). Nothing has happened then.
    /// From where it is, in a straight line.
    core::Outcome lineTo(const Cell &cell);
    /// From where it began, instead of what was painted since.
    core::Outcome rectangleTo(const Cell &cell);
    /// As it was before.
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
