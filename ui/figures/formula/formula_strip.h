// The whole formula as a strip: each piece in the colour of what it stands for, the present stage's
// pieces on a tint and underlined. In one line, or where that has no room in a few.
#pragma once

#include "core/explain/whole_formula.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <vector>

namespace headlight::ui {

struct FormulaStripGeometry {
    QRectF place;               ///< whose formula it is; null: nothing says it
    std::vector<QRectF> pieces; ///< one a piece of the line
    double height = 0;

    /// Of pieces beside each other: a rectangle for each of the strip's lines that has some.
    std::vector<QRectF> rectsOf(const core::PieceRange &range) const;
    int lineCount() const;
};

class FormulaStrip {
  public:
    FormulaStrip() = default;
    /// `place`: "layer 2"; may be empty.
    FormulaStrip(core::WholeFormula formula, const QString &place, const FigureStyle &style);

    FormulaStripGeometry geometry(double width) const;
    /// `lit`: of the present stage. `pointedAt`: what is under the mouse or has the focus.
    void paint(QPainter &painter, const FormulaStripGeometry &places,
               const std::vector<core::FormulaPart> &lit,
               const std::vector<core::FormulaPart> &pointedAt) const;

    const core::WholeFormula &formula() const { return m_formula; }
    /// As plain text: "Q · Kᵀ / √dₖ".
    QString text(const core::PieceRange &range) const;
    /// All of it, with what is said of it.
    QString description() const;
    QFont font() const;

  private:
    bool isOfMissing(std::size_t piece) const;
    double placeWidth() const;

    core::WholeFormula m_formula;
    QString m_place;
    FigureStyle m_style;
    std::vector<Spans> m_spans; // one a piece
};

} // namespace headlight::ui
