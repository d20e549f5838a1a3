// The tab "Flow": the whole computation as matrices joined by arrows, the current stage large, the
// selected row's arithmetic beneath.
#pragma once

#include "ui/compute/backward_pass_worker.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/views/figure_view.h"
#include "ui/views/motion/step_motion.h"

namespace headlight::ui {

class FlowView : public FigureView {
    Q_OBJECT
  public:
    explicit FlowView(Document &document, QWidget *parent = nullptr);
    /// As it is painted now; only with a figure.
    FlowGeometry geometry() const;
    /// How far the numbers of the strip have gone to the left, px.
    double stripScroll() const { return m_scroll; }
    ShownHeatmap shownHeatmap() override;
    /// The selected number's arithmetic in place of the diagram, or the diagram.
    void setOpened(bool opened);
    bool isOpened() const { return document().selection().opened; }
    /// What opens it and closes it, beside the strip; in the figure's pixels.
    QRectF openerRect() const;
    /// What it is made of moves there.
    void showStep() override;
    bool hasAllLabels() const override;
    void setShowGradients(bool on) override;
    bool wantsGradients() const override { return m_wantsGradients; }
    StepMotion &motion() { return *m_motion; }

  protected:
    bool event(QEvent *event) override;
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsOf(const HitTestResult &place) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> allGeometries() const override;
    bool scrollAt(QPointF point, QPointF by) override;
    QSizeF beyond() const override;
    QRectF scrolledSight() const override;
    std::vector<QRectF> sought() const override;
    bool handleKey(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

  private:
    const FlowFigure *flow() const { return static_cast<const FlowFigure *>(currentFigure()); }
    FlowViewport viewport() const;
    /// The stack whose sheets behind are there, of those that can be turned.
    std::optional<core::StageId> stackAt(QPointF point) const;
    void setStack(const std::optional<core::StageId> &stack);
    /// The glossary's entry of a symbol of the formula beneath the diagram.
    QString termInStrip(const FlowGeometry &places, QPointF point) const;
    /// What is said of a learned matrix there; empty: there is none.
    QString learnedWordsAt(const FlowGeometry &places, QPointF point) const;
    bool isInStrip(QPointF point) const;
    void paintOpener(QPainter &painter) const;
    void paintStack(QPainter &painter) const;
    void setScroll(double scroll);
    /// px that the numbers are longer than the strip.
    double mostScroll() const;

    void followLesson(const ChangeEvent &event);
    /// The way back of the present trace, once that is there.
    void makeBackwardPass();

    BackwardPassWorker m_backMaker;
    bool m_wantsGradients = false;
    std::unique_ptr<StepMotion> m_motion;
    const Figure *m_moving = nullptr; // the figure that it is over
    core::Index m_lessonStep = 0;
    bool m_wantsStep = false; // once its numbers are there
    /// The geometry that was asked for last: a move of the mouse asks for it several times.
    struct Placed {
        QRectF sight;
        FlowViewport viewport;
        FlowGeometry places;
    };
    mutable std::optional<Placed> m_placed; // of the present figure
    double m_scroll = 0;
    std::optional<core::StageId> m_stack; // that is under the mouse: a click turns it
    std::optional<double> m_stripDrag;    // the last x of a drag of the numbers
};

} // namespace headlight::ui
