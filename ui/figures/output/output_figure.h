// What the output layer says: the text, the token that is asked for, and the words that the model
// holds for most probable there, as bars. Beside them another run: side A, or what was before an
// edit.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/output/output_bars.h"
#include "ui/figures/output/output_text.h"

namespace headlight::ui {

struct OutputGeometry {
    QRectF area, title, subtitle;
    QRectF textCard, barsCard;
    OutputTextGeometry text;
    QRectF note; ///< beneath the text: what its marks mean; null: there are none
    QRectF key;  ///< above the bars: which is which of two runs; null: there is one run
    OutputBarsGeometry bars;
};

class OutputFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::OutputFigure)
  public:
    static OutputFigure fromTrace(const core::TracePointer &trace, const core::Selection &selection,
                                  const FigureStyle &style, const FigureOptions &options = {},
                                  const std::optional<GivenOutput> &given = std::nullopt);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF leastSight() const override { return {m_style.scaled(160), m_style.scaled(160)}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    OutputGeometry geometry(const QRectF &area) const {
        if (m_placed.area != area) // measuring every word takes longer than painting the few
            m_placed = placed(area);
        return m_placed;
    }
    const OutputContent &content() const { return m_content; }
    /// The bar of a row as OutputBarsGeometry::rowAt() counts them.
    const OutputContent::Bar &bar(const OutputGeometry &places, std::size_t row) const;
    /// "“mat”: 23.4123 %, logit 5.1234; 1st of 50257 words".
    QString words(const OutputContent::Bar &bar) const;
    /// What a click on a token does, and who wrote it; empty: there is no such token.
    QString words(core::Index chip) const;

  private:
    OutputFigure(OutputContent content, std::optional<core::Index> selected, FigureStyle style)
        : m_content(std::move(content)), m_selected(selected), m_style(std::move(style)) {}
    OutputGeometry placed(const QRectF &area) const;
    bool hasWritten() const;
    QString noteText() const;

    OutputContent m_content;
    std::optional<core::Index> m_selected; ///< a word of the vocabulary
    FigureStyle m_style;
    mutable OutputGeometry m_placed; ///< for the area that was asked for last
};

} // namespace headlight::ui
