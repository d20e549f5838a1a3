// The complete formula as a strip. Each piece has its role colour, and the pieces of the current
// stage are tinted and underlined. The strip wraps to several lines if necessary.
#pragma once

#include "core/explain/whole_formula.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <vector>

namespace headlight::ui {

struct FormulaStripGeometry {
    QRectF place;               ///< label of the formula's layer or block; null if there is none
    std::vector<QRectF> pieces; ///< one per piece of the line
    double height = 0;

    /// Returns one rectangle per line of the strip for a range of adjacent pieces.
    std::vector<QRectF> rectsOf(const core::PieceRange &range) const;
    int lineCount() const;
};

class FormulaStrip {
  public:
    FormulaStrip() = default;
    /// `place` is a label such as "layer 2", or empty.
    FormulaStrip(core::WholeFormula formula, const QString &place, const FigureStyle &style);

    FormulaStripGeometry geometry(double width) const;
    /// `lit` are the parts of the current stage. `pointedAt` are the parts under the mouse or with
    /// the focus.
    void paint(QPainter &painter, const FormulaStripGeometry &places,
               const std::vector<core::FormulaPart> &lit,
               const std::vector<core::FormulaPart> &pointedAt) const;

    const core::WholeFormula &formula() const { return m_formula; }
    /// Returns the pieces as plain text: "Q · Kᵀ / √dₖ".
    QString text(const core::PieceRange &range) const;
    /// Returns the complete formula with its notes as text.
    QString description() const;
    QFont font() const;

  private:
    bool isOfMissing(std::size_t piece) const;
    double placeWidth() const;

    core::WholeFormula m_formula;
    QString m_place;
    FigureStyle m_style;
    std::vector<Spans> m_spans; // one per piece
};

} // namespace headlight::ui
