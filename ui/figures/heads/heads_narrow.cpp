// HeadsFigure in narrow spaces, such as a column of a paper.
#include "ui/figures/base/spacing.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/heads/heads_upright.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr QSizeF kMinSize{151, 140};  // px with the smallest type; 151 px are about 40 mm
constexpr core::Index kFewHeads = 12; // number of heads that fit into kMinSize
constexpr double kMinSpacing = 0.4;   // smallest factor of the white space
constexpr double kColumn = 1.6;       // widest column, as a multiple of the comfortable width

} // namespace

double HeadsFigure::minTextScale() const {
    return std::min(m_style.textScale, kMinTextScale);
}

QSizeF HeadsFigure::minimumSize() const {
    // More heads need more space. The limit is the usual minimum size, scaled down in the same
    // ratio.
    const auto more =
        static_cast<double>(std::clamp(headCount(), kFewHeads, core::Index(64)) - kFewHeads);
    const double share = minTextScale() / kMinTextScale;
    return {std::floor(share * (kMinSize.width() + 4.3 * more)),
            std::floor(share * (kMinSize.height() + 2 * more))};
}

bool HeadsFigure::isNarrow(const QSizeF &size) const {
    const QSizeF comfortable = comfortableSize();
    return m_air == 1 &&
           (size.width() < comfortable.width() || size.height() < comfortable.height());
}

HeadsFigure HeadsFigure::narrowed(const QSizeF &size) const {
    const double share = shrinkOf(comfortableSize(), size);
    HeadsFigure narrow = *this;
    narrow.m_style.textScale =
        std::clamp(share * m_style.textScale, minTextScale(), m_style.textScale);
    narrow.m_enlarged = HeatmapFigure(m_enlarged.content(), narrow.m_style);
    // A factor below 1 marks a narrow figure.
    narrow.m_air = std::clamp(share, kMinSpacing, 0.99);
    return narrow;
}

double HeadsFigure::heightFor(double width) const {
    const QSizeF comfortable = comfortableSize();
    if (width >= comfortable.width()) {
        const double usual = std::max(Figure::heightFor(width), comfortable.height());
        const QSizeF cell = geometry(QRectF(0, 0, width, usual)).enlarged.cell;
        if (width >= kColumn * comfortable.width() || cell.isEmpty() ||
            std::min(cell.width(), cell.height()) >= kMinWholeCell)
            return usual;
        // With so many tokens, the enlarged heatmap has more space below the others than beside
        // them.
        const HeadsRequest wanted = request(QRectF(0, 0, width, width), m_style, m_enlarged);
        return std::max({usual, HeadsGeometry::narrowHeight(wanted),
                         std::ceil(kUpright * width + wanted.titleHeight) + 10});
    }
    const HeadsFigure narrow = narrowed({width, comfortable.height()});
    return std::max(HeadsGeometry::narrowHeight(narrow.request(QRectF(0, 0, width, width),
                                                               narrow.m_style, narrow.m_enlarged)),
                    minimumSize().height());
}

} // namespace headlight::ui
