// The "Softmax" tab. The user drags a bar or changes it with the arrow keys. In the model's row
// this overrides a score; custom logits are stored in the document. The bar at the bottom has the
// other options.
#pragma once

#include "ui/compute/softmax_samples.h"
#include "ui/figures/softmax/softmax_figure.h"
#include "ui/views/figure_view.h"

class QAction;

namespace headlight::ui {

class SoftmaxBar;

class SoftmaxView : public FigureView {
    Q_OBJECT
  public:
    explicit SoftmaxView(Document &document, QWidget *parent = nullptr);
    ~SoftmaxView() override;

    /// Returns the current layout. Requires a figure.
    SoftmaxGeometry geometry() const { return softmax()->geometry(figureArea()); }
    const SoftmaxFigure *softmax() const {
        return static_cast<const SoftmaxFigure *>(currentFigure());
    }
    /// Actions for the window's menu.
    QList<QAction *> softmaxActions() const;
    /// True while a worker samples dot products.
    bool isDrawing() const { return m_samples.isBusy(); }

    /// Returns the selected bar, which the keys change; null if none is selected.
    const SoftmaxContent::Bar *chosenBar();
    /// Returns why the bar cannot be changed; empty if it can.
    QString unchangeableReason(const SoftmaxContent::Bar &bar) const;
    /// Returns the number that the user sets for the selected bar. For custom logits this is before
    /// the factor.
    double chosenNumber();
    void setChosenNumber(double number, int gesture = Document::kNoGesture);
    /// Returns the visible logits of the shown row, to be used as custom logits.
    std::vector<float> shownLogits();
    /// Applies a change and reports an error with failed().
    void apply(core::Result<Change> change, int gesture = Document::kNoGesture);

  signals:
    /// An action was triggered while the view is not visible.
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
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

  private:
    /// A bar that the user drags.
    struct Drag {
        std::size_t bar = 0; ///< index in the content's bars
        DocumentState state;
        std::optional<core::SoftmaxRowFromTrace> traced; ///< row at the start of the drag
        double grip = 0; ///< distance in logits from the mouse to the bar's end at the start
        double from = 0; ///< y at the start
        bool moved = false;
        int gesture = 0;
        QString unavailableReason;
    };

    void documentChanged(const ChangeEvent &event);
    void showBar();
    void choose(std::size_t bar);
    void chooseBy(std::ptrdiff_t by);
    void nudge(double by);
    void moveRow(core::Index by);
    /// Returns the change that sets the bar's logit.
    core::Result<Change> changed(std::size_t bar, double logit,
                                 const std::optional<core::SoftmaxRowFromTrace> &traced) const;
    std::optional<core::SoftmaxRowFromTrace> softmaxRowFromTrace() const;
    void dragTo(double y);
    void sayDragged();
    void endDrag();
    void cancelDrag();

    mutable SoftmaxSamples m_samples;
    SoftmaxBar *m_bar;
    std::optional<std::size_t> m_chosenOwn = 0; // selected custom logit
    std::optional<Drag> m_drag;
    std::optional<std::pair<double, double>> m_range; // axis range, fixed while a bar is dragged
    int m_keyGesture = Document::kNoGesture;          // gesture of a held key
};

} // namespace headlight::ui
