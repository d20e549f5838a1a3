// The "Words" tab: two sentences as numbers. A click on a word selects its token.
#pragma once

#include "ui/figures/words/words_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class SentenceBar;

class WordsView : public FigureView {
    Q_OBJECT
  public:
    explicit WordsView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    WordsGeometry geometry() const;
    const WordsFigure *words() const { return static_cast<const WordsFigure *>(currentFigure()); }

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    core::Selection selectionOf(const HitTestResult &place) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    bool handleKey(QKeyEvent *event) override;
    std::vector<QRectF> sought() const override;
    QSizeF figureSize() const override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

  private:
    void showBar();
    /// Returns the encoding that the lesson's step is about.
    core::ShownEncoding spokenOf() const;
    core::Selection atToken(core::Index sequence, core::Index token) const;
    /// Moves the selection through the tokens of both sentences.
    void moveToken(core::Index by);

    SentenceBar *m_bar;
};

} // namespace headlight::ui
