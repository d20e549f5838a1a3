// From a value to its colour: a colour map and the range it is spread over. Says its range in words
// for the colour bar.
#pragma once

#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "ui/figures/colours/colour_map.h"

#include <QCoreApplication>

#include <array>
#include <optional>
#include <vector>

namespace headlight::ui {

/// Fixed: 0 … 1 (weights; for signed values it means AllHeads). The signed ranges are symmetric
/// about zero.
enum class Range { Fixed, PerRow, PerHead, AllHeads };

inline constexpr std::array kRanges{Range::Fixed, Range::PerRow, Range::PerHead, Range::AllHeads};

/// "fixed", "row", "head", "heads", as files and the command line write it.
QString nameOf(Range range);
std::optional<Range> findRange(const QString &name);

struct ValueRange {
    double low = 0;
    double high = 0;
    bool operator==(const ValueRange &) const = default;
};

class ColourScale {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ColourScale)

  public:
    ColourScale() = default;
    /// The scale of one matrix of the tensor. Infinite values and NaN do not count for the range,
    /// nor do cells that `mask` hides, where it is not null.
    static ColourScale of(const core::Tensor &tensor, core::Index sequence, core::Index head,
                          ColourMap map, Range range, const core::Mask *mask = nullptr);

    /// The same ends whatever the values: −1 … 1 for cosines.
    static ColourScale between(ColourMap map, double low, double high);

    /// On a dark ground: see tonedDown().
    void toneDown(bool on) { m_ground = on ? Ground::Dark : Ground::Light; }
    /// The values are changes; on a dark ground: see changeOnDark().
    void setOfChange(bool isDark) { m_ground = isDark ? Ground::DarkOfChange : Ground::Light; }

    ColourMap map() const { return m_map; }
    Range range() const { return m_range; }
    /// Where the value lies on the map, 0 … 1; rows count only for Range::PerRow.
    double position(core::Index row, double value) const;
    QRgb colour(core::Index row, double value) const { return colourAt(position(row, value)); }
    /// At a place of the map, as the colour bar shows it.
    QRgb colourAt(double t) const;
    /// For the two ends of the colour bar: "0" and "1", "−3.2" and "3.2", "0" and "row max".
    QString lowText() const;
    QString highText() const;
    /// "fixed", "per row", "this head", "all heads", "this matrix".
    QString rangeText() const;
    bool operator==(const ColourScale &) const = default;

  private:
    enum class Ground { Light, Dark, DarkOfChange };

    ColourMap m_map = ColourMap::Viridis;
    Range m_range = Range::Fixed;
    bool m_perHead = true;
    Ground m_ground = Ground::Light;
    ValueRange m_ends{0, 1};
    std::vector<ValueRange> m_rows; // PerRow only
};

} // namespace headlight::ui
