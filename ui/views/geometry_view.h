// The tab "Geometry": vectors in the plane, of which one can take hold. Each plane is looked at on
// its own: zooming and moving change what of it is in sight.
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

    /// As it is painted now; only with a figure.
    GeometryLayout geometry() const;
    const GeometryFigure *planes() const {
        return static_cast<const GeometryFigure *>(currentFigure());
    }

    /// The largest of its planes'.
    double zoom() const override;
    void zoomBy(double factor) override;
    /// The plane under the point.
    void zoomBy(double factor, QPointF point) override;
    void fit() override;

    bool isPlaying() const;
    /// Each word goes to where attention takes it, from where it is or, once there, from the start.
    void play();
    void pause();
    /// 0 … 1.
    void setGravity(double gravity);
    /// Its spaces, axes, together and gravity, for the window's menu.
    QList<QAction *> planeActions() const;
    bool isDragging() const { return m_drag.has_value(); }

  signals:
    /// It plays, and is not in sight.
    void wanted();
    void playingChanged(bool playing);
    /// Why something could not be done.
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
    /// A vector of a plane.
    struct Hit {
        std::size_t plane = 0;
        std::size_t vector = 0;
    };
    /// From the press on: everything is counted from where it began, so that it can go back.
    struct Drag {
        Hit hit;
        edits::VectorId id;
        QPointF from;              ///< of the mouse, in the figure
        std::vector<float> vector; ///< as it was
        DocumentState state;       ///< that the trace belongs to
        core::TracePointer trace;
        PlaneViewports sights; ///< before the drag
        double share = 1;      ///< of the vector's length that is drawn
        QString whyNot;        ///< it cannot be moved
        int gesture = 0;
        bool moved = false;
        std::optional<QPointF> wanted; ///< where it is to be, not yet asked for
    };

    /// What the planes' directions were made from: as long as it is the same, so are they.
    struct MadeFrom {
        core::TracePointer trace;
        core::Selection place; ///< sequence, layer and head; the query where the axes are its own
        PlaneOptions options;  ///< but for gravity
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
    /// By hundredths of the plane's width.
    void nudge(double right, double up, bool goesOn);
    void showCursor(QPointF point);
    void traceChanged(const ChangeEvent &event);

    GeometryBar *m_bar;
    QVariantAnimation *m_play;
    PlaneViewports m_sights; // by the plane's place in the figure
    PinnedPlanes m_held;     // while a vector is dragged
    mutable PinnedPlanes m_made;
    mutable MadeFrom m_madeFrom;
    std::optional<Drag> m_drag;
    int m_nudges = 0; // the gesture of a key that is held
};

} // namespace headlight::ui
