// Vectors in the plane: arrows or points with names over a grid with numbered axes.
#pragma once

#include "core/transformer/names/stage.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/style.h"
#include "ui/figures/geometry/plane_geometry.h"

#include <QCoreApplication>

namespace headlight::ui {

/// The shape of a vector's mark, which distinguishes stages independently of colour.
enum class PlaneMark { Dot, Ring, Triangle, Square, Diamond, None };

/// Returns ● for the layer input, ○ for the layer output, ▲ query, ■ key, ● value, ◆ context.
PlaneMark markOf(core::Stage stage);

struct PlaneVector {
    core::PlanePoint at;
    core::PlanePoint from{}; ///< start of the arrow
    /// The tip of an arrow that is drawn at `share` of its length. Otherwise unset.
    std::optional<core::PlanePoint> drawn{};
    double share = 1;
    bool isFramed = true; ///< the default view includes it
    bool arrow = false;
    PlaneMark mark = PlaneMark::Dot;
    QString name;
    QColor colour;
    bool faint = false;
    bool selected = false;
    double thickness = 1.6; ///< arrow width, px
    int rank = 1;           ///< names of lower rank are placed first

    core::PlanePoint tip() const { return drawn.value_or(at); }
};

/// A line that is not a vector: a projection, or the path of a word.
struct PlaneLine {
    core::PlanePoint from, to;
    QColor colour;
    double thickness = 1.2;
    bool dashed = false;
    bool head = false;     ///< arrowhead at the end
    bool isFramed = false; ///< the default view includes the end
};

struct PlaneContent {
    QString title;
    QColor titleColour; ///< the text colour is used if this one is invalid
    QString subtitle;
    QString note; ///< length of one vector, in its colour
    QColor noteColour;
    QString xName, yName; ///< empty: no name
    std::vector<PlaneVector> vectors;
    std::vector<PlaneLine> lines; ///< painted below the vectors
    bool showsOrigin = true;
    QString nothing; ///< why there is nothing to show; all other fields are ignored then
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
    /// `sight` is the visible part. If it is unset, everything is visible.
    PlaneGeometry geometry(const QRectF &area, std::optional<PlaneViewport> sight = {}) const;
    /// Returns the height of everything above and below the plot, for a card of this width.
    double besidesPlot(double width) const;
    /// Returns the size of the smallest plot in which all names of a few vectors fit.
    QSizeF minPlot(double width) const;
    /// True if all names are shown. Always true for many names, because some of them may be left
    /// out.
    bool showsAllNames(const PlaneGeometry &geometry) const;
    /// Returns the width of the vertical axis numbers, including the gap to the plot.
    double leftOfPlot() const;
    /// Returns the items placed by geometry(), for hit tests. Item i is vector i.
    const std::vector<PlaneItem> &items() const { return m_items; }
    /// Paints without a background, for use in a card of another figure.
    void paintContent(QPainter &painter, const PlaneGeometry &geometry) const;

  private:
    PlaneRequest request(const QRectF &area) const;
    void paintGrid(QPainter &painter, const PlaneGeometry &geometry) const;
    void paintVectors(QPainter &painter, const PlaneGeometry &geometry) const;
    void paintNames(QPainter &painter, const PlaneGeometry &geometry) const;

    PlaneContent m_content;
    FigureStyle m_style;
    std::vector<PlaneItem> m_items;
    std::vector<QString> m_names; ///< names as painted
};

} // namespace headlight::ui
