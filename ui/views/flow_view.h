// The "Flow" tab: the whole computation as matrices joined by arrows, with the current stage large
// and the selected row's arithmetic below.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/views/figure_view.h"
#include "ui/views/motion/step_motion.h"

namespace headlight::ui {

class FlowView : public FigureView {
    Q_OBJECT
  public:
    explicit FlowView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    FlowGeometry geometry() const;
    /// Returns how far the numbers of the strip are scrolled, px.
    double stripScroll() const { return m_scroll; }
    ShownHeatmap shownHeatmap() override;
    /// Shows the selected number's arithmetic instead of the diagram, or the diagram.
    void setOpened(bool opened);
    bool isOpened() const { return document().selection().opened; }
    bool showsArithmetic() const override { return flow() && flow()->opened(); }
    /// Returns the button beside the strip that opens and closes the arithmetic, in figure pixels.
    QRectF openerRect() const;
    /// Animates the inputs of the selected number moving to it.
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
    /// Returns the stack of sheets at the point that a click can turn.
    std::optional<core::StageId> stackAt(QPointF point) const;
    void setStack(const std::optional<core::StageId> &stack);
    /// Returns the glossary id of a symbol of the formula below the diagram.
    QString termInStrip(const FlowGeometry &places, QPointF point) const;
    /// Describes the parameter matrix at the point; empty if there is none.
    QString learnedTextAt(const FlowGeometry &places, QPointF point) const;
    bool isInStrip(QPointF point) const;
    void paintStack(QPainter &painter) const;
    void setScroll(double scroll);
    /// Returns by how many px the numbers are longer than the strip.
    double maxScroll() const;

    void followLesson(const ChangeEvent &event);
    /// Starts the backward pass of the current trace, if it is up to date.
    void makeBackwardPass();

    LatestJob m_backwardJob;
    bool m_wantsGradients = false;
    std::unique_ptr<StepMotion> m_motion;
    const Figure *m_moving = nullptr; // figure that the animation runs over
    core::Index m_lessonStep = 0;
    bool m_wantsStep = false; // animate the step once its numbers are computed
    /// Cache of the last layout: one mouse move needs it several times.
    struct Placed {
        QRectF sight;
        FlowViewport viewport;
        FlowGeometry places;
    };
    mutable std::optional<Placed> m_placed; // for the current figure
    double m_scroll = 0;
    std::optional<core::StageId> m_stack; // stack under the mouse, which a click turns
    std::optional<double> m_stripDrag;    // last x of a drag that scrolls the numbers
};

} // namespace headlight::ui
