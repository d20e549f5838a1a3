// Arcs above the words, from the selected word to the words that it attends to. Thicker arcs mean
// larger weights.
#pragma once

#include "ui/figures/base/style.h"

#include <QRectF>
#include <QWidget>

#include <vector>

namespace headlight::ui {

struct StripArc {
    QPointF from, to; ///< the top edges of two words, or the facing edges of words in two texts
    double weight = 0;
    double rise = 0; ///< height above the words, px; 0 for an arc between two texts
};

/// Weights below this one have no arc.
inline constexpr double kMinArcWeight = 0.01;

/// Returns the width of an arc's line, px.
double arcWidth(double weight);

class StripArcs : public QWidget {
  public:
    explicit StripArcs(QWidget *parent);

    /// Sets the arcs, in parent pixels, and the areas of the words. Arcs are visible only in these
    /// areas.
    void setArcs(std::vector<StripArc> arcs, std::vector<QRectF> areas);
    void setStyle(const FigureStyle &style);
    const std::vector<StripArc> &arcs() const { return m_all; }

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    FigureStyle m_style;
    std::vector<StripArc> m_all;
    std::vector<QRectF> m_areas;
};

} // namespace headlight::ui
