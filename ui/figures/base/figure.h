// A figure: a plain value that paints itself on any QPainter (screen, PNG, SVG, PDF, clipboard).
#pragma once

#include <QPainter>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

/// The kind of paint device. Cells are one unsmoothed image on a raster device and rectangles on a
/// vector device.
enum class Device { Raster, Vector };

/// Precision of the cells of a large matrix on a raster device. Coarse is for a view that the user
/// is moving. If the exact image of small cells is not cached, it paints a coarser image with more
/// cells per pixel. Cells that can be told apart are always exact.
enum class CellDetail { Full, Coarse };

class Figure {
  public:
    virtual ~Figure() = default;

    /// Returns the intended size in logical pixels.
    virtual QSizeF naturalSize() const = 0;

    /// Returns the smallest size at which the parts do not overlap. Smaller files are refused. A
    /// smaller view paints the figure at this size and scales it down.
    virtual QSizeF minimumSize() const { return {1, 1}; }

    /// Returns the smallest size, at least that of the view (`sight`), at which nothing is left out
    /// for lack of space. If it is larger than the view, the view scrolls.
    virtual QSizeF readableSize(const QSizeF &sight) const {
        return sight.expandedTo(minimumSize());
    }
    /// Returns the size below which a view scales the figure down instead of scrolling it.
    virtual QSizeF minSight() const { return minimumSize(); }

    /// Returns the height for a given width, in the proportions of the natural size.
    virtual double heightFor(double width) const {
        const QSizeF natural = naturalSize();
        return std::ceil(
            std::max(width * natural.height() / natural.width(), minimumSize().height()));
    }

    /// Paints the complete figure into `area`, including the background. A figure must not draw
    /// outside the area, because vector devices of Qt 6.4 do not clip.
    virtual void paint(QPainter &painter, const QRectF &area, Device device) const = 0;

    /// Returns the number of cells in all matrices. Above kMaxVectorCells, vector files also embed
    /// matrices as images.
    virtual qint64 cellCount() const = 0;

    /// Returns a one-sentence description for screen readers and file metadata.
    virtual QString description() const = 0;
};

/// Returns the factor that makes content of size `least` fit into `size`; 1 if it already fits, or
/// if nothing would be visible.
inline double shrinkOf(const QSizeF &least, const QSizeF &size) {
    if (size.isEmpty())
        return 1;
    return std::min({1.0, size.width() / least.width(), size.height() / least.height()});
}
/// Returns the factor by which a figure painted at its minimum size is scaled down.
inline double shrinkOf(const Figure &figure, const QSizeF &size) {
    return shrinkOf(figure.minimumSize(), size);
}

inline constexpr qint64 kMaxVectorCells = 40000;

} // namespace headlight::ui
