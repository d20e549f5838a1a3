// The "Training" tab: plots of a training run. A click on a head's curve selects the head; a click
// elsewhere in a plot shows the nearest checkpoint. The bar at the bottom controls training.
#pragma once

#include "ui/figures/training/training_figure.h"
#include "ui/views/figure_view.h"

class QAction;

namespace headlight::ui {

class TrainingController;
class TrainingBar;

class TrainingView : public FigureView {
    Q_OBJECT
  public:
    explicit TrainingView(Document &document, QWidget *parent = nullptr);

    /// Returns the current layout. Requires a figure.
    TrainingGeometry geometry() const;
    const TrainingFigure *training() const {
        return static_cast<const TrainingFigure *>(currentFigure());
    }
    TrainingController &controller() { return *m_controller; }
    /// Actions for the window's menu: new run, train, one batch, ….
    QList<QAction *> trainingActions() const;

  signals:
    void newRunRequested();
    void textFileRequested();
    /// A value became NaN or infinite. The last valid state stays visible.
    void diverged(const headlight::core::Error &error);

  protected:
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    QSizeF figureSize() const override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void showBar();

    TrainingController *m_controller;
    TrainingBar *m_bar;
};

} // namespace headlight::ui
