// The tab "Training": how the model learns. A click on a head's curve selects the head, another one
// shows the moment of that step; the bar at the bottom trains.
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

    /// As it is painted now; only with a figure.
    TrainingGeometry geometry() const;
    const TrainingFigure *training() const {
        return static_cast<const TrainingFigure *>(currentFigure());
    }
    TrainingController &controller() { return *m_controller; }
    /// New run, train, one batch, … for the window's menu.
    QList<QAction *> trainingActions() const;

  signals:
    void newRunRequested();
    void textFileRequested();
    /// A number became none; what was shown last is still shown.
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
