// A widget that shows a figure of the document: it makes the figure anew when the document changed,
// paints it, zooms and moves it, and says what is under the mouse. What a click means is for the
// views made from it.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/style.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/heatmap_geometry.h"
#include "ui/figures/table/view_choices.h"
#include "ui/figures/table/views.h"
#include "ui/views/mask_brush.h"
#include "ui/views/shown_heatmap.h"

#include <QWidget>

#include <memory>

class QMenu;
class QScrollBar;

namespace headlight::ui {

/// What is under a point: where a click goes to, and which cell of that stage it is, if any.
struct HitTestResult {
    core::Selection selection;
    std::optional<Cell> cell;
};

class FigureView : public QWidget {
    Q_OBJECT
  public:
    FigureView(core::View view, Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// With the colour maps chosen for this view.
    const FigureStyle &figureStyle() const { return m_style; }
    /// The figure of the present trace; null until there is a trace.
    const Figure *figure();
    /// What the table of views says of it.
    const ViewInfo &info() const { return m_info; }
    /// Its id in lessons and on the command line.
    QString viewName() const { return idOf(m_info); }
    /// What of the present figure is a table to a screen reader.
    virtual ShownHeatmap shownHeatmap() { return {}; }
    /// Whose name stands in a caption.
    core::Stage captionedStage() const;
    /// A cell of the shown heatmap in words; empty where there is none.
    QString wordsOf(Cell cell);
    /// Selects a cell of the shown heatmap, as a click on it does.
    void selectCell(Cell cell);
    /// The view's figure in another style, for a file.
    std::unique_ptr<Figure> figureIn(const FigureStyle &style);
    Document &document() const { return m_document; }
    QSize minimumSizeHint() const override { return {320, 240}; }

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
    /// As a lesson's step wants it: all that could hide what the step speaks of is as it says, or
    /// as it is at first. Colours, their range and the order of heads hide nothing and stay. Not
    /// remembered.
    void showLook(const core::ViewOptions &look);
    void setRange(Range range);
    /// Of the map's own kind: for weights, or for signed values.
    void setColours(ColourMap map);
    void setContextual(core::Stage stage);
    void setHeadOrder(core::HeadOrder order);
    /// Which measure of the heads is shown as curves, in a view that shows them.
    void setMeasure(core::HeadOrder measure);
    /// How far the computation has come, in a view that shows it.
    void setGranularity(Granularity granularity);
    /// The learned matrices can be folded away, in a view that shows them.
    void setLearned(bool shown);
    /// Lines between the words, in a view that can show them.
    void setLines(bool shown);
    /// Gradients, from the loss back, in a view that can show them; nothing remembers it. They come
    /// once they are made.
    virtual void setShowGradients(bool) {}
    virtual bool wantsGradients() const { return false; }
    void setPlanes(const PlaneOptions &planes);
    /// What has no room for all of it shows what the current stage is about, in a view that can.
    void setCloseUp(bool on);
    /// The computation has gone a step further, to what is selected now.
    virtual void showStep() {}

    /// 1: the figure fills the view; up to kMaximumZoom.
    virtual double zoom() const { return m_zoom; }
    static constexpr double kMaximumZoom = 16;
    virtual void zoomBy(double factor) { zoomBy(factor, rect().center()); }
    /// The point stays where it is.
    virtual void zoomBy(double factor, QPointF point);
    virtual void fit();
    /// In a view too small to scroll over the figure it is painted larger and shrunk: by this
    /// factor.
    double shrink() const { return m_figure ? shrinkOf(m_figure->leastSight(), figureSize()) : 1; }
    /// A rectangle of the figure, in the view's own pixels.
    QRectF onScreen(const QRectF &rect) const {
        return {rect.topLeft() * shrink(), rect.size() * shrink()};
    }
    /// How far a figure that is larger than the view has gone to the left and up, px.
    QPointF pan() const { return m_pan; }
    void setPan(QPointF pan);
    /// Every row and column of the large matrices has room for its label, and nothing that is not
    /// zoomed has to scroll; only with a figure.
    virtual bool hasAllLabels() const;
    /// The cell under the point, of whichever matrix, in the view's own pixels.
    std::optional<QRectF> cellRectAt(QPointF point) const;

  signals:
    /// What is under the mouse, in words; empty: nothing.
    void hovered(const QString &words);
    /// The glossary's entry of what is under the mouse; empty: there is none.
    void termHovered(const QString &id);
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
    virtual std::unique_ptr<Figure> makeFigure(const FigureInput &input) const;
    virtual HitTestResult placeAt(QPointF point) const = 0;
    virtual QString wordsOf(const HitTestResult &place) const;
    /// What a click there selects.
    virtual core::Selection selectionOf(const HitTestResult &place) const;
    virtual void paintFigure(QPainter &painter) = 0;
    core::Selection selectionInTrace() const;
    /// The selection with the stage that the view shows large for it.
    core::Selection shownSelection() const;
    /// The large matrix as it is painted now; none without a figure.
    virtual std::optional<HeatmapGeometry> largeGeometry() const = 0;
    /// All matrices whose labels say their whole word under the mouse.
    virtual std::vector<HeatmapGeometry> labelledGeometries() const;
    /// All matrices whose cells can be pointed at, the small ones too.
    virtual std::vector<HeatmapGeometry> allGeometries() const { return labelledGeometries(); }
    /// Something at the point other than the figure scrolls by so many px: whether it did.
    virtual bool scrollAt(QPointF, QPointF) { return false; }
    /// Keys of the view itself: whether it was one.
    virtual bool handleKey(QKeyEvent *) { return false; }
    /// What the figure has of the view, px: a view may keep a bar for itself at its bottom.
    virtual QSizeF figureSize() const { return QSizeF(size()); }
    /// What is at a point of the view, in words.
    virtual QString wordsAt(QPointF point) const;
    /// The id of what the glossary has of a title, a symbol or a term there.
    virtual QString termAt(QPointF point) const;
    /// A drag moves the figure, none of its parts.
    bool isMovingFigure() const { return m_dragged.has_value(); }
    bool isSpaceDown() const { return m_spaceDown; }
    bool isMaskEditing() const { return m_editsMask; }

    const Figure *currentFigure() const { return m_figure.get(); }
    /// The size that the figure needs, or that of what is in sight where that is larger.
    QSizeF wholeSize() const;
    /// Where the whole figure lies: larger than the view where it is zoomed or needs it.
    QRectF figureArea() const { return {-m_pan, wholeSize() * m_zoom}; }
    /// px by which what scrolls is larger than where it is in sight.
    virtual QSizeF beyond() const { return wholeSize() * m_zoom - sight().size(); }
    /// Where what scrolls is in sight.
    virtual QRectF scrolledSight() const { return sight(); }
    /// What has to be in sight after a selection, the most important last.
    virtual std::vector<QRectF> sought() const;
    /// What of it is in sight. Points and places of the functions above are in its pixels, which
    /// are the view's own unless the figure is shrunk.
    QRectF sight() const { return {QPointF(), figureSize() / shrink()}; }
    QPointF inFigure(QPointF point) const { return point / shrink(); }
    /// The first cell of a matrix too large to be shown whole.
    const std::optional<Cell> &windowOrigin() const { return m_origin; }
    /// A window onto the matrix of another size, from this cell on; none: around the selection.
    void showWindow(const std::optional<Cell> &origin);
    void remake();
    /// Of the present trace; null: its own numbers are shown.
    void showGradients(core::BackwardPassPointer backwardPass);

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
    void paintOutOfDate(QPainter &painter) const;
    std::optional<HitTestResult> maskPlaceAt(QPointF point) const;
    /// Whether it was a press that paints.
    bool startPainting(const QMouseEvent &event);
    void paintTo(const QMouseEvent &event);
    bool handleMaskKey(const QKeyEvent &event);
    void addCellActions(QMenu &menu, const HitTestResult &place);
    void tell(const core::Outcome &outcome);
    void tell(const core::Result<Change> &change);
    void documentChanged(const ChangeEvent &event);
    void moveSelection(core::Index rows, core::Index columns);
    /// Home and End: the first or the last cell of the row, with Ctrl of the matrix.
    void moveToEnd(core::Index way, bool ofMatrix);
    QString labelAt(QPointF point) const;
    /// Reads what was chosen for the view of this name.
    void restoreOptions();
    /// The part of it that a lesson's step decides.
    void restoreLook();
    FigureStyle withMaps(FigureStyle style) const;
    void applyMaps();
    /// What the figure on the screen is made from now.
    FigureInput input();
    void save(const QString &key, const QString &value) const;
    /// Shift with the arrows: whether it was such a key.
    bool scrollWithKey(const QKeyEvent &event);
    void makeScrollBars();
    void showScrollBars();
    /// What is selected comes into sight.
    void seek();
    QString saved(const char *key) const;
    /// A window onto a large matrix moves no further than the selection asks for.
    void followSelection();
    bool scrollWindow(QPointF point, QPointF by);

    const ViewInfo &m_info;
    Document &m_document;
    FigureStyle m_style;
    FigureOptions m_options;
    std::optional<ColourMap> m_weightsMap, m_signedMap;
    HeatmapCache m_kept;
    std::unique_ptr<Figure> m_figure;
    bool m_lessonLook = false; // a lesson's steps decide it
    bool m_closeUp = false;
    bool m_outdated = true; // made again at the next paint, so that a hidden view costs nothing
    double m_zoom = 1;
    QPointF m_pan;
    QScrollBar *m_across, *m_down;
    mutable std::pair<QSizeF, QSizeF> m_whole; // of this sight: what the figure needs
    std::optional<Cell> m_origin;
    bool m_mustFollow = true;
    enum class Seek { Nothing, Cell, Everything };
    Seek m_seeks = Seek::Everything;
    QPointF m_scrolled;               // less than a cell of a window, px
    std::optional<QPointF> m_dragged; // the last point of a drag that moves the figure
    bool m_editsMask = false;
    std::optional<MaskBrush> m_brush; // while a gesture paints
    bool m_spaceDown = false;
    bool m_spaceUsed = false; // for a drag: its release does not play
};

} // namespace headlight::ui
