// Vectors in the plane: up to three spaces in separate plots, and the relation between the selected
// query and key.
#pragma once

#include "ui/figures/base/figure_options.h"
#include "ui/figures/geometry/space_plane.h"

#include <array>

namespace headlight::ui {

/// The visible part of each plane, in the figure's order. Unset for the complete plane.
using PlaneViewports = std::array<std::optional<PlaneViewport>, 3>;
/// Pinned properties of the planes, indexed by core::VectorSpace.
using PinnedPlanes = std::array<std::shared_ptr<const PinnedPlane>, 3>;

struct GeometryLayout {
    QRectF area;
    QRectF title;
    std::vector<QRectF> cards;
    std::vector<PlaneGeometry> planes; ///< one per card
    std::vector<QRectF> words;         ///< lines of text below the cards

    /// Returns the plane whose plot contains the point.
    std::optional<std::size_t> planeAt(QPointF point) const;
};

class GeometryFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::GeometryFigure)
  public:
    static GeometryFigure fromTrace(const core::TracePointer &now, const core::Selection &selected,
                                    const FigureStyle &style, const FigureOptions &options = {},
                                    const PinnedPlanes &held = {});

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    /// Returns a size at which every plane has space for its names and no line of text is left out.
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {m_style.scaled(240), 120}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    GeometryLayout geometry(const QRectF &area, const PlaneViewports &sights = {}) const;
    void paintIn(QPainter &painter, const QRectF &area, const PlaneViewports &sights) const;

    /// Returns why there is nothing to show. Empty if at least one plane has content.
    QString nothing() const;
    /// Returns the selection at the stage Value, as the planes require.
    static core::Selection valuesAt(core::Selection selection);
    /// Returns the stage named in the caption.
    static core::Stage captionedStage(ShownSpaces spaces);

    std::size_t count() const { return m_planes.size(); }
    const SpacePlane &plane(std::size_t index) const { return m_planes[index]; }
    const PlaneFigure &figure(std::size_t index) const { return m_figures[index]; }
    /// Returns "x of bank: (1.000, 1.000), length 1.414"; empty if the vector does not exist.
    QString words(std::size_t plane, std::size_t vector) const;

  private:
    GeometryFigure(core::TracePointer trace, const core::Selection &selection,
                   std::vector<SpacePlane> planes, QString title, QStringList words,
                   FigureStyle style);

    double wordsHeight(double width) const;
    bool showsAllNames(const QSizeF &size) const;

    core::TracePointer m_trace;  ///< trace of the shown side
    core::Selection m_selection; ///< selection in m_trace
    std::vector<SpacePlane> m_planes;
    std::vector<PlaneFigure> m_figures;
    QString m_title;
    QStringList m_words;
    FigureStyle m_style;
};

} // namespace headlight::ui
