// Cache of the parts of a heatmap's painting that do not depend on the selection: the image of the
// cells and the widths of the labels. The key contains everything that an entry is built from, so
// entries are never out of date.
#pragma once

#include "core/analysis/matrix_pyramid.h"
#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QImage>
#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

namespace headlight::ui {

/// The key of a cell image. It keeps the tensor and the mask alive, so that their addresses are not
/// reused. It does not keep a pyramid alive, because it may be large, but only the control block
/// that identifies the pyramid.
struct CellImageSource {
    core::Tensor tensor;
    core::Index sequence = 0, head = 0;
    std::shared_ptr<const core::Mask> mask;
    ColourScale scale;
    std::optional<Cell> computedTo;
    core::Index firstPaddingRow = -1;
    bool hidesWholly = true;
    core::Index rows = 0, columns = 0;
    Cell origin;
    QSize pixels; ///< image size in device pixels
    FigureStyle style;
    QColor background;
    double fade = 1;
    BlockNumber blocks = BlockNumber::Largest;
    std::weak_ptr<const core::MatrixPyramid> pyramid; ///< empty: pixels read all cells

    bool operator==(const CellImageSource &other) const {
        return pixels == other.pixels && hasCellsOf(other);
    }
    /// True if both images show the same cells in the same colours. The number of cells per pixel
    /// may differ.
    bool hasCellsOf(const CellImageSource &other) const;
};

class PaintingCache {
  public:
    /// Returns the image of the source. Calls `make` only if it is not cached.
    QImage image(const CellImageSource &source, const std::function<QImage()> &make);
    /// Returns the cached image of the source, or else the cached image of another size that is
    /// closest. Null if none is cached.
    QImage nearest(const CellImageSource &source) const;
    /// Returns how many images were made. Used by tests to measure the cost of painting.
    int made() const { return m_made; }
    /// Returns the width of the widest text. Calls `measure` only if it is not cached.
    double width(const QStringList &texts, const QFont &font,
                 const std::function<double()> &measure);

    qint64 bytes() const;

  private:
    struct Image {
        CellImageSource source;
        QImage image;
    };
    struct Width {
        QStringList texts;
        QFont font;
        double width = 0;
    };
    std::vector<Image> m_images; // newest last
    std::vector<Width> m_widths;
    int m_made = 0;
};

} // namespace headlight::ui
