// The "Output" tab: the text and the model's predictions. A click on a token selects the position
// that predicted it. The bar at the bottom generates text.
#pragma once

#include "ui/figures/output/output_figure.h"
#include "ui/views/figure_view.h"
#include "ui/views/output_runs.h"

class QAction;

namespace headlight::ui {

class TextGeneration;
class GenerationBar;

class OutputView : public FigureView {
    Q_OBJECT
  public:
    explicit OutputView(Document &document, QWidget *parent = nullptr);

    /// Returns the current layout. Requires a figure.
    OutputGeometry geometry() const;
    const OutputFigure *output() const {
        return static_cast<const OutputFigure *>(currentFigure());
    }
    TextGeneration &writer() { return *m_writer; }
    /// Actions for the window's menu: next token, several tokens, stop.
    QList<QAction *> writingActions() const;
    /// True while a worker reads logits.
    bool isReading() const { return m_runs->isReading(); }

  signals:
    /// Text is generated, but the view is not visible.
    void wanted();

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    bool handleKey(QKeyEvent *event) override;
    QSizeF figureSize() const override;

    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void completeWords(OutputFigure &figure, const core::Selection &selection) const;
    core::OutputRowId place() const;
    core::Selection atToken(core::Index token) const;
    core::Selection atWord(core::Index word) const;
    void goToCheckpoint(core::Index by);
    void moveWord(core::Index by);
    void choose(core::Index word);
    bool showsA() const;
    void showBar();
    void placeBar();

    OutputRuns *m_runs;
    TextGeneration *m_writer;
    GenerationBar *m_bar;
};

} // namespace headlight::ui
