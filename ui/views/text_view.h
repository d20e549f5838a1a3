// The "Text" tab: the text tinted by the selected token's attention. A click selects a token.
#pragma once

#include "ui/figures/tinted_text/tinted_text_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class TextView : public FigureView {
    Q_OBJECT
  public:
    explicit TextView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    TintedTextGeometry geometry() const;
    const TintedTextFigure *text() const {
        return static_cast<const TintedTextFigure *>(currentFigure());
    }
    ShownHeatmap shownHeatmap() override;
    using FigureView::zoomBy;
    /// Zooms around the word nearest to the point, because zooming moves the line breaks. Further
    /// steps at the same point keep this word, even if scrolling could not bring it to the point.
    void zoomBy(double factor, QPointF point) override;

  protected:
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    bool wantsNeighbours() override { return true; }
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    QRectF colourBarRect() const override;
    std::vector<QRectF> sought() const override;
    bool handleKey(QKeyEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

  private:
    bool hasText() const { return text() && text()->content().nothing.isEmpty(); }
    void setHovered(std::optional<TintedTextFigure::Word> word);
    core::Selection atQuery(core::Index query) const;
    QString textOf(TintedTextFigure::Word word) const;
    void moveTo(core::Index query);

    /// The word that the last step of zoom fixed.
    struct Fixed {
        TintedTextFigure::Word word;
        QPointF share;      // point in the word, as shares of its width and height
        QPointF place;      // where this point must stay, in coordinates of geometry()
        QPointF point, pan; // mouse position, pan and zoom after the last step
        double zoom = 1;
    };
    std::optional<Fixed> m_fixed;
    // sought() compares the selected tokens with those before, so that it finds the changed one.
    using Tokens = std::pair<std::optional<core::Index>, std::optional<core::Index>>;
    mutable Tokens m_tokens;         // query and key
    mutable bool m_keyIsNew = false; // true if the last change was one of the key alone
    std::optional<TintedTextFigure::Word> m_hovered;
};

} // namespace headlight::ui
