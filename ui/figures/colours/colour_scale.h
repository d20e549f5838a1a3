// Maps values to colours with a colour map and a range, and describes the range for the colour bar.
#pragma once

#include "core/analysis/matrix_pyramid.h"
#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "ui/figures/colours/colour_map.h"

#include <QCoreApplication>

#include <array>
#include <optional>
#include <vector>

namespace headlight::ui {

/// Fixed means 0 … 1 for attention weights, but AllHeads for signed values. Signed ranges are
/// symmetric about zero.
enum class Range { Fixed, PerRow, PerHead, AllHeads };

inline constexpr std::array kRanges{Range::Fixed, Range::PerRow, Range::PerHead, Range::AllHeads};

/// Returns the name used in files and on the command line: "fixed", "row", "head", "heads".
QString nameOf(Range range);

/// Distribution of the range's values over the map. Linear leaves the small weights of long texts
/// dark.
enum class Scaling { Linear, SquareRoot, Logarithmic };

inline constexpr std::array kScalings{Scaling::Linear, Scaling::SquareRoot, Scaling::Logarithmic};

/// Powers of ten that a logarithmic scale covers below its end. Smaller values have the colour of
/// 0.
inline constexpr int kDecades = 4;

/// Returns the name used in files and on the command line: "linear", "sqrt", "log".
QString nameOf(Scaling scaling);

/// The number that a pixel shows if it has several cells.
using core::BlockNumber;

inline constexpr std::array kBlockNumbers{BlockNumber::Largest, BlockNumber::Mean};

/// Returns "largest" or "mean".
QString nameOf(BlockNumber number);

struct ValueRange {
    double low = 0;
    double high = 0;
    bool operator==(const ValueRange &) const = default;
};

class ColourScale {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ColourScale)

  public:
    ColourScale() = default;
    /// Returns the scale of one matrix of the tensor. The range ignores NaN, infinity, and cells
    /// hidden by `mask` (may be null).
    static ColourScale of(const core::Tensor &tensor, core::Index sequence, core::Index head,
                          ColourMap map, Range range, const core::Mask *mask = nullptr);

    /// Returns a scale with fixed ends, such as −1 … 1 for cosines.
    static ColourScale between(ColourMap map, double low, double high);

    /// Returns a scale for one number per head. It ends at the largest absolute value, or at 1 if
    /// all are zero. It is symmetric about zero for a diverging map and begins at 0 otherwise.
    static ColourScale ofHeads(ColourMap map, double largest);

    /// Adapts the colours to a dark background; see tonedDown().
    void toneDown(bool on) { m_isOnDark = on; }

    void setScaling(Scaling scaling) { m_scaling = scaling; }
    Scaling scaling() const { return m_scaling; }

    ColourMap map() const { return m_map; }
    Range range() const { return m_range; }
    /// Returns the value's position on the map, 0 … 1. `row` matters only for Range::PerRow.
    double position(core::Index row, double value) const;
    /// Returns the ends of the range, or of the row's range for Range::PerRow.
    ValueRange endsOf(core::Index row) const;
    /// Returns the map position, 0 … 1, of the value at this share of the range. If the scaling is
    /// linear, this is the share itself.
    double positionOfShare(double share) const;
    QRgb colour(core::Index row, double value) const { return colourAt(position(row, value)); }
    /// Returns the colour at a position of the map, for the colour bar.
    QRgb colourAt(double t) const;
    /// Return the labels of the two ends of the colour bar: "0" and "1", "−3.2" and "3.2", "0" and
    /// "row max".
    QString lowText() const;
    QString highText() const;
    /// Returns "fixed", "per row", "this head", "all heads" or "this matrix", and the scaling.
    QString rangeText() const;
    bool operator==(const ColourScale &) const = default;

  private:
    ColourMap m_map = ColourMap::Viridis;
    Range m_range = Range::Fixed;
    Scaling m_scaling = Scaling::Linear;
    bool m_perHead = true;
    bool m_isOnDark = false;
    ValueRange m_ends{0, 1};
    std::vector<ValueRange> m_rows; // PerRow only
};

} // namespace headlight::ui
