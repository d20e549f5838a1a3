// Vectors in the plane: the three spaces side by side, never over each other, and what the selected
// query and key have to do with each other.
#pragma once

#include "ui/figures/base/figure_options.h"
#include "ui/figures/geometry/space_plane.h"

#include <array>

namespace headlight::ui {

/// The parts of the planes that are looked at, by their place in the figure; none: all of it.
using PlaneViewports = std::array<std::optional<PlaneViewport>, 3>;
/// What is to stay of the planes, by core::VectorSpace.
using PinnedPlanes = std::array<std::shared_ptr<const PinnedPlane>, 3>;

struct GeometryLayout {
    QRectF area;
    QRectF title;
    std::vector<QRectF> cards;
    std::vector<PlaneGeometry> planes; ///< one a card
    std::vector<QRectF> words;         ///< lines beneath the cards

    /// The plane whose plot holds the point.
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
    /// So high that no plane is too small for its names and no line is left out.
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF leastSight() const override { return {m_style.scaled(240), 120}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    GeometryLayout geometry(const QRectF &area, const PlaneViewports &sights = {}) const;
    void paintIn(QPainter &painter, const QRectF &area, const PlaneViewports &sights) const;

    /// Why there is nothing to be seen in any of its planes; empty: there is something.
    QString nothing() const;
    /// The selected head's values, which the planes cannot be without.
    static core::Selection valuesAt(core::Selection selection);
    /// Whose name stands in a caption.
    static core::Stage captionedStage(ShownSpaces spaces);

    std::size_t count() const { return m_planes.size(); }
    const SpacePlane &plane(std::size_t index) const { return m_planes[index]; }
    const PlaneFigure &figure(std::size_t index) const { return m_figures[index]; }
    /// "x of bank: (1.000, 1.000), length 1.414"; empty where there is no such vector.
    QString words(std::size_t plane, std::size_t vector) const;

  private:
    GeometryFigure(core::TracePointer trace, const core::Selection &selection,
                   std::vector<SpacePlane> planes, QString title, QStringList words,
                   FigureStyle style);

    double wordsHeight(double width) const;
    bool showsAllNames(const QSizeF &size) const;

    core::TracePointer m_trace;  ///< of the side that is shown
    core::Selection m_selection; ///< in it
    std::vector<SpacePlane> m_planes;
    std::vector<PlaneFigure> m_figures;
    QString m_title;
    QStringList m_words;
    FigureStyle m_style;
};

} // namespace headlight::ui
