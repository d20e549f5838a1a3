// The tab "Softmax": a bar is dragged, or changed by the arrow keys. Of the model's row that is a
// score set by hand; numbers of one's own are the document's too. The bar at the bottom has the
// rest.
#pragma once

#include "ui/compute/softmax_sample_worker.h"
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

    /// As it is painted now; only with a figure.
    SoftmaxGeometry geometry() const { return softmax()->geometry(figureArea()); }
    const SoftmaxFigure *softmax() const {
        return static_cast<const SoftmaxFigure *>(currentFigure());
    }
    /// For the window's menu.
    QList<QAction *> softmaxActions() const;
    /// Dot products are drawn beside the window.
    bool isDrawing() const { return m_drawer.isBusy(); }

    /// The bar that the keys change; none: none is chosen, or it cannot be changed.
    const SoftmaxContent::Bar *chosenBar();
    /// Why it cannot be changed; empty: it can.
    QString whyNotChangeable(const SoftmaxContent::Bar &bar) const;
    /// The number of the chosen bar that a hand sets: of numbers of one's own before they are
    /// multiplied.
    double chosenNumber();
    void setChosenNumber(double number, int gesture = Document::kNoGesture);
    /// Of the row that is shown, those that are not hidden, as numbers of one's own.
    std::vector<float> shownLogits();
    /// Says it where it went wrong.
    void apply(core::Result<Change> change, int gesture = Document::kNoGesture);

  signals:
    /// It was asked for by an action, and is not in sight.
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
    /// A bar that the mouse holds.
    struct Drag {
        std::size_t bar = 0; ///< of the content's
        DocumentState state;
        std::optional<core::SoftmaxRowFromTrace> traced; ///< as it was then
        double grip = 0; ///< of the logit above where the mouse took hold
        double from = 0; ///< y
        bool moved = false;
        int gesture = 0;
        QString whyNot;
    };

    void documentChanged(const ChangeEvent &event);
    void showBar();
    void choose(std::size_t bar);
    void chooseBy(std::ptrdiff_t by);
    void nudge(double by);
    void moveRow(core::Index by);
    /// The change that gives a bar this logit.
    core::Result<Change> changed(std::size_t bar, double logit,
                                 const std::optional<core::SoftmaxRowFromTrace> &traced) const;
    std::optional<core::SoftmaxRowFromTrace> softmaxRowFromTrace() const;
    void dragTo(double y);
    void sayDragged();
    void endDrag();
    void cancelDrag();

    mutable SoftmaxSampleWorker m_drawer;
    SoftmaxBar *m_bar;
    std::optional<std::size_t> m_chosenOwn = 0; // among numbers of one's own
    std::optional<Drag> m_drag;
    std::optional<std::pair<double, double>> m_range; // of the axis, while a bar is dragged
    int m_keyGesture = Document::kNoGesture;          // of a key that is held down
};

} // namespace headlight::ui
