// The "Similarity" tab: the cosines between all words, as embeddings and after attention.
#pragma once

#include "ui/figures/similarity/similarity_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class SimilarityView : public FigureView {
    Q_OBJECT
  public:
    explicit SimilarityView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    SimilarityGeometry geometry() const;

  protected:
    HitTestResult placeAt(QPointF point) const override;
    QString wordsOf(const HitTestResult &place) const override;
    core::Selection selectionOf(const HitTestResult &place) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> labelledGeometries() const override;
    QString termAt(QPointF point) const override;

  private:
    const SimilarityFigure *similarity() const {
        return static_cast<const SimilarityFigure *>(currentFigure());
    }
};

} // namespace headlight::ui
