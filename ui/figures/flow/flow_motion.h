// What moves when the computation goes a step further: the numbers that the selected one, or its
// row, or the whole matrix is made of, from where they stand in the picture to where it stands.
// They are the trace's own, in their cells' colours; where they arrive nothing is seen until they
// are gone, and the picture beneath is the still one.
#pragma once

#include "ui/figures/flow/flow_figure.h"

namespace headlight::ui {

class FlowMotion {
  public:
    FlowMotion() = default;
    /// Into what is selected in the figure, as it stands in the geometry. Empty where nothing that
    /// it is made of is in sight.
    FlowMotion(const core::Trace &trace, const FlowFigure &figure, const FlowGeometry &geometry,
               const FigureStyle &style);

    bool isEmpty() const { return m_pieces.empty(); }
    /// At a time from 0 to 1, over the still picture.
    void paint(QPainter &painter, double time) const;
    /// All that is ever painted.
    QRectF area() const;

    /// A number on its way; or, where there are too many of them, the outline of a matrix.
    struct Piece {
        QRectF from, meeting, to; ///< no meeting: straight on
        QString text;             ///< empty: an outline
        QColor fill, outline;
    };
    const std::vector<Piece> &pieces() const { return m_pieces; }
    /// What is not seen before they arrive: the number, the row or the matrix; and the numbers of
    /// the arithmetic where that is opened.
    const std::vector<QRectF> &covered() const { return m_covered; }
    static QRectF placeOf(const Piece &piece, double time);

  private:
    class Maker;
    std::vector<Piece> m_pieces;
    std::vector<QRectF> m_covered;
    FigureStyle m_style;
};

} // namespace headlight::ui
