// Heads in less room than they like to have, such as a column of a paper.
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/spacing.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr QSizeF kLeastSize{151, 140}; // px with the smallest type; 151 are just 40 mm
constexpr double kLeastAir = 0.4;      // of the usual white space

} // namespace

double HeadsFigure::leastTextScale() const {
    return std::min(m_style.textScale, kLeastTextScale);
}

QSizeF HeadsFigure::minimumSize() const {
    const double share = leastTextScale() / kLeastTextScale;
    return {std::floor(share * kLeastSize.width()), std::floor(share * kLeastSize.height())};
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
        std::clamp(share * m_style.textScale, leastTextScale(), m_style.textScale);
    narrow.m_enlarged = HeatmapFigure(m_enlarged.content(), narrow.m_style);
    // Less than 1 in any case: it is what tells a narrow one.
    narrow.m_air = std::clamp(share, kLeastAir, 0.99);
    return narrow;
}

double HeadsFigure::heightFor(double width) const {
    const QSizeF comfortable = comfortableSize();
    if (width >= comfortable.width())
        return std::max(Figure::heightFor(width), comfortable.height());
    const HeadsFigure narrow = narrowed({width, comfortable.height()});
    return std::max(HeadsGeometry::narrowHeight(narrow.request(QRectF(0, 0, width, width),
                                                               narrow.m_style, narrow.m_enlarged)),
                    minimumSize().height());
}

} // namespace headlight::ui
