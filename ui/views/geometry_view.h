// The "Geometry" tab: vectors in planes, which the user can drag. Each plane zooms and scrolls on
// its own.
#pragma once

#include "ui/document/edits/vector_edits.h"
#include "ui/figures/geometry/geometry_figure.h"
#include "ui/views/figure_view.h"

class QAction;
class QVariantAnimation;

namespace headlight::ui {

class GeometryBar;

class GeometryView : public FigureView {
    Q_OBJECT
  public:
    explicit GeometryView(Document &document, QWidget *parent = nullptr);

    /// Returns the current layout. Requires a figure.
    GeometryLayout geometry() const;
    const GeometryFigure *planes() const {
        return static_cast<const GeometryFigure *>(currentFigure());
    }

    /// Returns the largest zoom of all planes.
    double zoom() const override;
    void zoomBy(double factor) override;
    /// Zooms the plane under the point.
    void zoomBy(double factor, QPointF point) override;
    void fit() override;

    bool isPlaying() const;
    /// Animates the words from their current positions to where attention moves them. If they are
    /// already there, starts again from the beginning.
    void play();
    void pause();
    /// `gravity`: 0 … 1.
    void setGravity(double gravity);
    /// Actions for the window's menu: spaces, axes, together and gravity.
    QList<QAction *> planeActions() const;
    bool isDragging() const { return m_drag.has_value(); }

  signals:
    /// The animation should play, but the view is not visible.
    void wanted();
    void playingChanged(bool playing);
    /// An action failed.
    void failed(const headlight::core::Error &error);

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    QString wordsOf(const HitTestResult &place) const override;
    core::Selection selectionOf(const HitTestResult &place) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    bool scrollAt(QPointF point, QPointF by) override;
    bool handleKey(QKeyEvent *event) override;
    QSizeF figureSize() const override;

    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

  private:
    /// Indices of a plane and of a vector in it.
    struct Hit {
        std::size_t plane = 0;
        std::size_t vector = 0;
    };
    /// State of a drag. Changes are relative to the start, so that the drag can be cancelled.
    struct Drag {
        Hit hit;
        edits::VectorId id;
        QPointF from;              ///< mouse position in the figure at the start
        std::vector<float> vector; ///< vector at the start
        DocumentState state;       ///< state from which `trace` was computed
        core::TracePointer trace;
        PlaneViewports sights;     ///< viewports before the drag
        double share = 1;          ///< drawn share of the vector's length
        QString unavailableReason; ///< why the vector cannot be moved
        int gesture = 0;
        bool moved = false;
        std::optional<QPointF> wanted; ///< requested position, not applied yet
    };

    /// Inputs of the planes' directions. The directions are reused until an input changes.
    struct MadeFrom {
        core::TracePointer trace;
        core::Selection place; ///< sequence, layer, head; the query only if the axes depend on it
        PlaneOptions options;  ///< `gravity` is ignored
        bool operator==(const MadeFrom &) const = default;
    };

    MadeFrom madeFrom() const;
    std::optional<Hit> hitAt(QPointF point) const;
    edits::VectorId idOf(const Hit &hit) const;
    void followMouse(QPointF point);
    void applyWanted();
    void endDrag();
    void cancelDrag();
    void hold();
    void letGo();
    /// Moves the selected vector by hundredths of the plane's width.
    void nudge(double right, double up, bool goesOn);
    void showCursor(QPointF point);
    void traceChanged(const ChangeEvent &event);

    GeometryBar *m_bar;
    QVariantAnimation *m_play;
    PlaneViewports m_sights; // indexed by the plane's position in the figure
    PinnedPlanes m_held;     // planes pinned while a vector is dragged
    mutable PinnedPlanes m_made;
    mutable MadeFrom m_madeFrom;
    std::optional<Drag> m_drag;
    int m_nudges = 0; // undo gesture while a key is held
};

} // namespace headlight::ui
