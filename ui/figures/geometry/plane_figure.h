// Vectors in the plane: arrows or points with their names, over a grid with numbered axes.
#pragma once

#include "core/transformer/names/stage.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/style.h"
#include "ui/figures/geometry/plane_geometry.h"

#include <QCoreApplication>

namespace headlight::ui {

/// What a vector is, told apart by shape as well as by colour.
enum class PlaneMark { Dot, Ring, Triangle, Square, Diamond, None };

/// ● what enters the layer, ○ what it gives, ▲ query, ■ key, ● value, ◆ context.
PlaneMark markOf(core::Stage stage);

struct PlaneVector {
    core::PlanePoint at;
    core::PlanePoint from{}; ///< where its arrow begins
    /// Where its tip is drawn, of a vector that is shown as a direction: `share` as far away.
    std::optional<core::PlanePoint> drawn{};
    double share = 1;
    bool isFramed = true; ///< what is in sight is chosen so that it is
    bool arrow = false;
    PlaneMark mark = PlaneMark::Dot;
    QString name;
    QColor colour;
    bool faint = false;
    bool selected = false;
    double thickness = 1.6; ///< of the arrow, px
    int rank = 1;           ///< names of a lower rank find their places first

    core::PlanePoint tip() const { return drawn.value_or(at); }
};

/// A line that is no vector: a projection, the way a word goes.
struct PlaneLine {
    core::PlanePoint from, to;
    QColor colour;
    double thickness = 1.2;
    bool dashed = false;
    bool head = false; ///< an arrow's head at its end
};

struct PlaneContent {
    QString title;
    QColor titleColour; ///< invalid: the text's
    QString subtitle;
    QString note; ///< of one vector, in its colour: how long it is
    QColor noteColour;
    QString xName, yName; ///< empty: none
    std::vector<PlaneVector> vectors;
    std::vector<PlaneLine> lines; ///< beneath the vectors
    bool showsOrigin = true;
    QString nothing; ///< why there is nothing to be seen; then the rest does not count
};

class PlaneFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::PlaneFigure)
  public:
    PlaneFigure(PlaneContent content, FigureStyle style);

    QSizeF naturalSize() const override { return {m_style.scaled(440), m_style.scaled(440)}; }
    QSizeF minimumSize() const override { return {m_style.scaled(180), m_style.scaled(200)}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    const PlaneContent &content() const { return m_content; }
    /// `sight`: the part that is looked at; none: all of it.
    PlaneGeometry geometry(const QRectF &area, std::optional<PlaneViewport> sight = {}) const;
    /// What stands over and under the plot of a card that is so wide.
    double besidesPlot(double width) const;
    /// So large, at least, that all names of a few vectors have room.
    QSizeF leastPlot(double width) const;
    /// None of its names is left out for want of room; of many names some may be.
    bool showsAllNames(const PlaneGeometry &geometry) const;
    /// The numbers at the vertical axis, and their distance to the plot.
    double leftOfPlot() const;
    /// What geometry() places, for hit tests: item i is vector i.
    const std::vector<PlaneItem> &items() const { return m_items; }
    /// Within a card of another figure: without background.
    void paintContent(QPainter &painter, const PlaneGeometry &geometry) const;

  private:
    PlaneRequest request(const QRectF &area) const;
    void paintGrid(QPainter &painter, const PlaneGeometry &geometry) const;
    void paintVectors(QPainter &painter, const PlaneGeometry &geometry) const;
    void paintNames(QPainter &painter, const PlaneGeometry &geometry) const;

    PlaneContent m_content;
    FigureStyle m_style;
    std::vector<PlaneItem> m_items;
    std::vector<QString> m_names; ///< as they are painted
};

} // namespace headlight::ui
