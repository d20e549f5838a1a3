// A figure is a plain value that paints itself on any QPainter: the screen, a PNG, an SVG, a PDF,
// the clipboard.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

/// What a figure is painted on. Cells are one unsmoothed image on a raster device and rectangles on
/// a vector one.
enum class Device { Raster, Vector };

class Figure {
  public:
    virtual ~Figure() = default;

    /// The size, in logical pixels, at which it looks as meant.
    virtual QSizeF naturalSize() const = 0;

    /// Smaller than this its parts would lie over each other: files are refused, and a view paints
    /// it at this size and shrinks what it painted.
    virtual QSizeF minimumSize() const { return {1, 1}; }

    /// From `sight` on the least size at which nothing of it is left out for want of room. A view
    /// that is smaller scrolls over it.
    virtual QSizeF readableSize(const QSizeF &sight) const {
        return sight.expandedTo(minimumSize());
    }
    /// How small a view can be that scrolls over it; a smaller one shrinks what it shows.
    virtual QSizeF leastSight() const { return minimumSize(); }

    /// How high it is where only its width is given: in the proportions of its natural size.
    virtual double heightFor(double width) const {
        const QSizeF natural = naturalSize();
        return std::ceil(
            std::max(width * natural.height() / natural.width(), minimumSize().height()));
    }

    /// Paints the whole figure into `area`, background included. Everything it draws lies within
    /// the area: vector devices of Qt 6.4 do not clip, so a figure leaves out what would not.
    virtual void paint(QPainter &painter, const QRectF &area, Device device) const = 0;

    /// How many cells it has in all its matrices: past kMaximumVectorCells they are embedded as
    /// images in vector files too.
    virtual qint64 cellCount() const = 0;

    /// What it shows, in a sentence, for those who cannot see it and for the file's description.
    virtual QString description() const = 0;
};

/// By how much what needs `least` shrinks to fit into `size`; 1 where it need not.
inline double shrinkOf(const QSizeF &least, const QSizeF &size) {
    return std::min({1.0, size.width() / least.width(), size.height() / least.height()});
}
/// By how much a figure that is painted at its minimum size shrinks.
inline double shrinkOf(const Figure &figure, const QSizeF &size) {
    return shrinkOf(figure.minimumSize(), size);
}

inline constexpr qint64 kMaximumVectorCells = 40000;

} // namespace headlight::ui
