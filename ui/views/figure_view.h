// A widget that shows a figure of the document: it makes the figure anew when the document changed,
// paints it, zooms and moves it, and says what is under the mouse. What a click means is for the
// views made from it.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/figure.h"
#include "ui/figures/figure_options.h"
#include "ui/figures/heatmap/heatmap_geometry.h"
#include "ui/figures/style.h"
#include "ui/figures/view_choices.h"
#include "ui/views/mask_brush.h"
#include "ui/views/shown_heatmap.h"

#include <QWidget>

#include <memory>

class QMenu;

namespace headlight::ui {

/// What is under a point: where a click goes to, and which cell of that stage it is, if any.
struct FigurePlace {
    core::Selection selection;
    std::optional<Cell> cell;
};

class FigureView : public QWidget {
    Q_OBJECT
  public:
    explicit FigureView(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// With the colour maps chosen for this view.
    const FigureStyle &figureStyle() const { return m_style; }
    /// The figure of the present trace; null until there is a trace.
    const Figure *figure();
    /// The view's name in lessons and on the command line: "flow".
    virtual QString viewName() const = 0;
    /// What of the present figure is a table to a screen reader.
    virtual ShownHeatmap shownHeatmap() { return {}; }
    /// To a screen reader; else its description says what it shows.
    virtual bool isTable() const { return true; }
    /// Whose name stands in a caption.
    virtual core::Stage captionedStage() { return shownHeatmap().stage; }
    /// A cell of the shown heatmap in words; empty where there is none.
    QString wordsOf(Cell cell);
    /// Selects a cell of the shown heatmap, as a click on it does.
    void selectCell(Cell cell);
    /// The view's figure in another style, for a file.
    std::unique_ptr<Figure> figureIn(const FigureStyle &style);
    Document &document() const { return m_document; }
    QSize minimumSizeHint() const override { return {320, 240}; }

    /// Whether cells of the figure are what a mask hides.
    virtual bool hasMask() const { return false; }
    /// On: dragging over cells hides them or shows them, Enter and Space do so at the selected one.
    void setMaskEditing(bool on);
    /// What can be done at the point: the cell's mask and score, the head's switch. May be empty.
    std::unique_ptr<QMenu> editMenu(QPointF point);

    // What can be chosen for a view; remembered under its name.
    const FigureOptions &options() const { return m_options; }
    /// With what the document is compared with.
    FigureOptions optionsOfFigure() const;
    /// Without remembering it: what of the choices the view has.
    void choose(const ViewChoices &choices);
    void setRange(Range range);
    /// Of the map's own kind: for weights, or for signed values.
    void setColours(ColourMap map);
    virtual bool hasRange() const { return true; }
    virtual bool hasContextual() const { return false; }
    void setContextual(core::Stage stage);
    virtual bool hasHeadOrder() const { return false; }
    void setHeadOrder(core::HeadOrder order);
    /// Whether it shows how far the computation has come.
    virtual bool hasGranularity() const { return false; }
    void setGranularity(Granularity granularity);
    /// Whether it shows the learned matrices; they can be folded away.
    virtual bool hasLearned() const { return false; }
    void setLearned(bool shown);
    /// Whether its numbers are colours.
    virtual bool hasColours() const { return true; }
    virtual bool hasPlanes() const { return false; }
    void setPlanes(const PlaneOptions &planes);

    /// 1: the figure fills the view; up to kMaximumZoom.
    virtual double zoom() const { return m_zoom; }
    static constexpr double kMaximumZoom = 16;
    virtual void zoomBy(double factor) { zoomBy(factor, rect().center()); }
    /// The point stays where it is.
    virtual void zoomBy(double factor, QPointF point);
    virtual void fit();
    /// A figure that would not fit is painted at its minimum size and shrunk: by this factor.
    double shrink() const { return m_figure ? shrinkOf(*m_figure, figureSize()) : 1; }
    /// A rectangle of the figure, in the view's own pixels.
    QRectF onScreen(const QRectF &rect) const {
        return {rect.topLeft() * shrink(), rect.size() * shrink()};
    }
    /// How far the zoomed figure has gone to the left and up, px.
    QPointF pan() const { return m_pan; }

  signals:
    /// What is under the mouse, in words; empty: nothing.
    void hovered(const QString &words);
    void zoomChanged();
    void optionsChanged();
    /// Space, without a drag.
    void playRequested();
    /// Esc, while the mask is edited.
    void maskEditingLeft();
    /// The selected score is to be set by hand.
    void scoreEditRequested();
    void failed(const headlight::core::Error &error);

  protected:
    virtual std::unique_ptr<Figure> makeFigure() const = 0;
    virtual FigurePlace placeAt(QPointF point) const = 0;
    virtual QString wordsOf(const FigurePlace &place) const;
    /// What a click there selects.
    virtual core::Selection selectionOf(const FigurePlace &place) const;
    virtual void paintFigure(QPainter &painter) = 0;
    /// The selection with the stage that the view shows large for it.
    virtual core::Selection shownSelection() const = 0;
    /// The large matrix as it is painted now; none without a figure.
    virtual std::optional<HeatmapGeometry> largeGeometry() const = 0;
    /// All matrices whose labels say their whole word under the mouse.
    virtual std::vector<HeatmapGeometry> labelledGeometries() const;
    /// Something at the point other than the figure scrolls by so many px: whether it did.
    virtual bool scrollAt(QPointF, QPointF) { return false; }
    /// Keys of the view itself: whether it was one.
    virtual bool handleKey(QKeyEvent *) { return false; }
    /// What the figure has of the view, px: a view may keep a bar for itself at its bottom.
    virtual QSizeF figureSize() const { return QSizeF(size()); }
    /// What is at a point of the view, in words.
    virtual QString wordsAt(QPointF point) const;
    /// A drag moves the figure, none of its parts.
    bool isMovingFigure() const { return m_dragged.has_value(); }
    bool isSpaceDown() const { return m_spaceDown; }

    const Figure *currentFigure() const { return m_figure.get(); }
    /// Where the whole figure lies: larger than the view where it is zoomed.
    QRectF figureArea() const { return {-m_pan, sight().size() * m_zoom}; }
    /// What of it is in sight. Points and places of the functions above are in its pixels, which
    /// are the view's own unless the figure is shrunk.
    QRectF sight() const { return {QPointF(), figureSize() / shrink()}; }
    QPointF inFigure(QPointF point) const { return point / shrink(); }
    /// The first cell of a matrix too large to be shown whole.
    const std::optional<Cell> &windowOrigin() const { return m_origin; }
    /// Reads what was chosen for the view of this name.
    void restoreOptions();
    void remake();

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

  private:
    std::optional<FigurePlace> maskPlaceAt(QPointF point) const;
    /// Whether it was a press that paints.
    bool startPainting(const QMouseEvent &event);
    void paintTo(const QMouseEvent &event);
    bool handleMaskKey(const QKeyEvent &event);
    void addCellActions(QMenu &menu, const FigurePlace &place);
    void tell(const core::Outcome &outcome);
    void tell(const core::Result<Change> &change);
    void documentChanged(const ChangeEvent &event);
    void moveSelection(core::Index rows, core::Index columns);
    QString labelAt(QPointF point) const;
    void applyMaps();
    void save(const QString &key, const QString &value) const;
    void setPan(QPointF pan);
    /// A window onto a large matrix moves no further than the selection asks for.
    void followSelection();
    bool scrollWindow(QPointF point, QPointF by);

    Document &m_document;
    FigureStyle m_style;
    FigureOptions m_options;
    std::optional<ColourMap> m_weightsMap, m_signedMap;
    std::unique_ptr<Figure> m_figure;
    bool m_outdated = true; // made again at the next paint, so that a hidden view costs nothing
    double m_zoom = 1;
    QPointF m_pan;
    std::optional<Cell> m_origin;
    bool m_mustFollow = true;
    QPointF m_scrolled;               // less than a cell of a window, px
    std::optional<QPointF> m_dragged; // the last point of a drag that moves the figure
    bool m_editsMask = false;
    std::optional<MaskBrush> m_brush; // while a gesture paints
    bool m_spaceDown = false;
    bool m_spaceUsed = false; // for a drag: its release does not play
};

} // namespace headlight::ui
