// What of a heatmap's painting stays the same while the selection moves over it: the image of its
// cells and how wide its labels are. Each is found again by everything that it was made from, so
// that it is never an older one.
#pragma once

#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QImage>
#include <QStringList>

#include <functional>
#include <vector>

namespace headlight::ui {

/// All that the image of some cells is made from. It keeps the numbers and the mask alive, so that
/// nothing else is ever taken for them.
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
    QSize pixels; ///< of the image: the device's pixels count
    FigureStyle style;
    QColor background;
    double fade = 1;

    bool operator==(const CellImageSource &other) const;
};

class PaintingCache {
  public:
    /// As `make` makes it of the source, which is asked only for what is not kept.
    QImage image(const CellImageSource &source, const std::function<QImage()> &make);
    /// Of the widest of the texts, by `measure`.
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
    std::vector<Image> m_images; // the newest last
    std::vector<Width> m_widths;
};

} // namespace headlight::ui
