// Animation of one step of the computation. The operands of the selected number, row or matrix move
// from their positions in the figure to the result. They keep their values and the colours of their
// cells. They hide the result until they have faded out. The figure below does not change.
#pragma once

#include "ui/figures/close_up/close_up_figure.h"

namespace headlight::ui {

class CloseUpMotion {
  public:
    CloseUpMotion() = default;
    /// Animates the operands of the figure's selection in the given layout, whose area is `bounds`.
    /// Empty if no operand is visible.
    CloseUpMotion(const CloseUpFigure &figure, const CloseUpFigure::Places &places,
                  const QRectF &bounds, const FigureStyle &style);

    bool isEmpty() const { return m_pieces.empty(); }
    /// Paints the animation at `time`, 0 … 1, over the still figure.
    void paint(QPainter &painter, double time) const;
    /// Returns the area that contains every frame of the animation.
    QRectF area() const;

    /// A moving number, or the outline of a matrix if there are too many numbers.
    struct Piece {
        QRectF from, meeting, to; ///< if `meeting` is empty, the piece moves straight to `to`
        QString text;             ///< empty for an outline
        QColor fill, outline;
    };
    const std::vector<Piece> &pieces() const { return m_pieces; }
    /// Returns the areas to cover until the numbers arrive: the number, row or matrix, and the
    /// numbers of an expanded arithmetic.
    const std::vector<QRectF> &covered() const { return m_covered; }
    static QRectF placeOf(const Piece &piece, double time);

  private:
    class Maker;
    std::vector<Piece> m_pieces;
    std::vector<QRectF> m_covered;
    FigureStyle m_style;
};

} // namespace headlight::ui
