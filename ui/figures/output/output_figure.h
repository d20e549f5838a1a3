// The output layer's prediction: the text, the predicted position, and the most probable words as
// bars. It may be compared with another run: side A, or the run before an edit.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/output/output_bars.h"
#include "ui/figures/output/output_text.h"

namespace headlight::ui {

struct OutputGeometry {
    QRectF area, title, subtitle;
    QRectF textCard, barsCard;
    OutputTextGeometry text;
    QRectF note; ///< legend of the marks in the text, below the text; null for none
    QRectF key;  ///< legend of the two runs, above the bars; null if there is only one
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
    QSizeF minSight() const override { return {m_style.scaled(160), m_style.scaled(160)}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    OutputGeometry geometry(const QRectF &area) const {
        // Cached, because measuring every word takes longer than painting the few visible ones.
        if (m_placed.area != area)
            m_placed = placed(area);
        return m_placed;
    }
    const OutputContent &content() const { return m_content; }
    /// See OutputContent::completeWords().
    void completeWords(const std::vector<core::RestOfWord> &rests);
    /// Returns the bar of a row. Rows are numbered as in OutputBarsGeometry::rowAt().
    const OutputContent::Bar &bar(const OutputGeometry &places, std::size_t row) const;
    /// Returns "“mat”: probability 23.4 %, logit 5.1234, rank 1 of 50257".
    QString words(const OutputContent::Bar &bar) const;
    /// Describes a token, including who wrote it and what a click on it does. Empty if there is no
    /// such token.
    QString words(core::Index chip) const;

  private:
    OutputFigure(OutputContent content, std::optional<core::Index> selected, FigureStyle style)
        : m_content(std::move(content)), m_selected(selected), m_style(std::move(style)) {}
    OutputGeometry placed(const QRectF &area) const;
    bool hasWritten() const;
    QString noteText() const;

    OutputContent m_content;
    std::optional<core::Index> m_selected; ///< index in the vocabulary
    FigureStyle m_style;
    mutable OutputGeometry m_placed; ///< layout for the last area
};

} // namespace headlight::ui
