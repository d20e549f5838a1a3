#include "ui/figures/colours/colour_scale.h"

#include "ui/text/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace headlight::ui {

namespace {

/// Widens the range to all finite, unmasked values of the row. The range is symmetric about zero
/// for a diverging map and contains zero otherwise. Skips masked cells, because they may hold large
/// placeholder values.
void widen(ValueRange &range, std::span<const float> values, bool diverging, const core::Mask *mask,
           core::Index row) {
    const auto widenTo = [&](std::span<const float> visible) {
        for (const float value : visible) {
            if (!std::isfinite(value))
                continue;
            range.low = std::min(range.low, static_cast<double>(value));
            range.high = std::max(range.high, static_cast<double>(value));
        }
    };
    if (!mask)
        widenTo(values);
    else
        mask->forEachRun(row, [&](const core::MaskRun &run) {
            if (!run.hidden())
                widenTo(values.subspan(static_cast<std::size_t>(run.first),
                                       static_cast<std::size_t>(run.length())));
        });
    if (diverging) {
        range.high = std::max(range.high, -range.low);
        range.low = -range.high;
    }
}

/// Formats an end of the colour bar with three significant digits, or four if it is very small.
QString endText(double value) {
    const double size = std::abs(value);
    if (size == 0 || size == 1)
        return fixedText(value, 0);
    if (size < 0.001)
        return digitsText(value);
    if (size >= 100000)
        return fullText(static_cast<float>(value));
    const int decimals = size < 0.1 ? 4 : size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0;
    return fixedText(value, decimals);
}

} // namespace

QString nameOf(Range range) {
    switch (range) {
    case Range::Fixed:
        return QStringLiteral("fixed");
    case Range::PerRow:
        return QStringLiteral("row");
    case Range::PerHead:
        return QStringLiteral("head");
    case Range::AllHeads:
        return QStringLiteral("heads");
    }
    return {};
}

QString nameOf(Scaling scaling) {
    switch (scaling) {
    case Scaling::Linear:
        return QStringLiteral("linear");
    case Scaling::SquareRoot:
        return QStringLiteral("sqrt");
    case Scaling::Logarithmic:
        return QStringLiteral("log");
    }
    return {};
}

QString nameOf(BlockNumber number) {
    return number == BlockNumber::Mean ? QStringLiteral("mean") : QStringLiteral("largest");
}

ColourScale ColourScale::of(const core::Tensor &tensor, core::Index sequence, core::Index head,
                            ColourMap map, Range range, const core::Mask *mask) {
    ColourScale scale;
    scale.m_map = map;
    const bool diverging = isDiverging(map);
    const bool perHead = tensor.shape().rank() == 4;
    if (range == Range::Fixed && diverging)
        range = Range::AllHeads;
    if (range == Range::AllHeads && !perHead)
        range = Range::PerHead;
    scale.m_range = range;
    scale.m_perHead = perHead;
    if (range == Range::Fixed || tensor.isNull())
        return scale;
    scale.m_ends = {};
    const core::Index first = range == Range::AllHeads ? 0 : head;
    const core::Index last = range == Range::AllHeads ? tensor.shape()[1] - 1 : head;
    for (core::Index h = first; h <= last; ++h) {
        const core::MatrixView one = tensor.view(sequence, h);
        for (core::Index row = 0; row < one.rows; ++row) {
            ValueRange ends;
            widen(ends, one.row(row), diverging, mask, row);
            scale.m_ends = {std::min(scale.m_ends.low, ends.low),
                            std::max(scale.m_ends.high, ends.high)};
            if (range == Range::PerRow)
                scale.m_rows.push_back(ends);
        }
    }
    return scale;
}

ColourScale ColourScale::between(ColourMap map, double low, double high) {
    ColourScale scale;
    scale.m_map = map;
    scale.m_ends = {low, high};
    return scale;
}

ColourScale ColourScale::ofHeads(ColourMap map, double largest) {
    const double end = largest > 0 ? largest : 1;
    ColourScale scale = between(map, isDiverging(map) ? -end : 0, end);
    scale.m_range = Range::AllHeads;
    return scale;
}

ValueRange ColourScale::endsOf(core::Index row) const {
    const bool ofRow = row >= 0 && row < static_cast<core::Index>(m_rows.size());
    return ofRow ? m_rows[static_cast<std::size_t>(row)] : m_ends;
}

double ColourScale::positionOfShare(double share) const {
    if (m_scaling == Scaling::Linear)
        return share;
    const auto spread = [this](double part) {
        return m_scaling == Scaling::SquareRoot
                   ? std::sqrt(part)
                   : std::max(0.0, 1 + std::log10(std::max(part, 1e-300)) / kDecades);
    };
    if (!isDiverging(m_map))
        return spread(share);
    const double ofHalf = 2 * share - 1; // from −1 to 1
    return (1 + std::copysign(spread(std::abs(ofHalf)), ofHalf)) / 2;
}

double ColourScale::position(core::Index row, double value) const {
    if (std::isnan(value))
        return value;
    if (std::isinf(value))
        return value < 0 ? 0 : 1;
    const ValueRange ends = endsOf(row);
    if (ends.high <= ends.low) // all values are zero
        return isDiverging(m_map) ? 0.5 : 0;
    return positionOfShare(std::clamp((value - ends.low) / (ends.high - ends.low), 0.0, 1.0));
}

QRgb ColourScale::colourAt(double t) const {
    return m_isOnDark ? tonedDown(m_map, t) : colourOf(m_map, t);
}

QString ColourScale::lowText() const {
    const bool isLog = m_scaling == Scaling::Logarithmic && !isDiverging(m_map);
    const double part = std::pow(10, -kDecades);
    if (m_range == Range::PerRow)
        return isDiverging(m_map) ? tr("−row max")
               : isLog            ? tr("≤ row max × %1").arg(endText(part))
                                  : QStringLiteral("0");
    return isLog && m_ends.high > 0 ? QStringLiteral("≤ ") + endText(m_ends.high * part)
                                    : endText(m_ends.low);
}

QString ColourScale::highText() const {
    return m_range == Range::PerRow ? tr("row max") : endText(m_ends.high);
}

QString ColourScale::rangeText() const {
    const auto range = [this] {
        switch (m_range) {
        case Range::Fixed:
            return tr("fixed range");
        case Range::PerRow:
            return tr("per row");
        case Range::PerHead:
            return m_perHead ? tr("this head") : tr("this matrix");
        case Range::AllHeads:
            return tr("all heads");
        }
        return QString();
    };
    QStringList parts{m_scaling == Scaling::SquareRoot    ? tr("square root")
                      : m_scaling == Scaling::Logarithmic ? tr("logarithmic")
                                                          : QString(),
                      range()};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace headlight::ui
