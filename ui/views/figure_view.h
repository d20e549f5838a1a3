// Widget that shows a figure of the document. It rebuilds the figure when the document changes,
// paints, zooms and moves it, and describes what is under the mouse. Derived views define what a
// click does.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/style.h"
#include "ui/figures/heatmap/compared_heatmap.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/table/view_choices.h"
#include "ui/figures/table/views.h"
#include "ui/views/mask_brush.h"

#include <QWidget>

#include <memory>

class QMenu;
class QScrollBar;
class QTimer;

namespace headlight::ui {

class ColourBarButton;
class TokenFinder;

/// The selection that a click at a point makes, and the cell of its stage, if any.
struct HitTestResult {
    core::Selection selection;
    std::optional<Cell> cell;
    bool isCombined = false; ///< the cell combines several heads or words, so it cannot be edited
    /// Row in the column of the sink's weights, beside the cells of the selection's matrix.
    std::optional<core::Index> sinkRow = std::nullopt;
};

/// The heatmap that a view shows large, which screen readers read as a table.
struct ShownHeatmap {
    const HeatmapContent *content = nullptr; ///< null: the view shows none; owned by the figure
    HeatmapGeometry places;                  ///< in widget coordinates
    core::Stage stage = core::Stage::AttentionWeights;
};

class FigureView : public QWidget {
    Q_OBJECT
  public:
    FigureView(core::View view, Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Returns the style with the colour maps chosen for this view.
    const FigureStyle &figureStyle() const { return m_style; }
    /// Returns the figure of the current trace; null until there is a trace.
    const Figure *figure();
    /// Returns the view's row in the table of views.
    const ViewInfo &info() const { return m_info; }
    /// Returns the view's id in lessons and on the command line.
    QString viewName() const { return idOf(m_info); }
    /// Returns the part of the figure that screen readers see as a table.
    virtual ShownHeatmap shownHeatmap() { return {}; }
    /// Returns the stage that the figure's caption names.
    core::Stage captionedStage() const;
    /// Describes a cell of the shown heatmap; empty if there is none.
    QString wordsOf(Cell cell) { return wordsOfShown(cell); }
    /// Selects a cell of the shown heatmap, like a click.
    virtual void selectCell(Cell cell);
    /// Describes the sink's weight in a row of the shown heatmap. The weight is beside the cells.
    QString wordsOfSink(core::Index row);
    /// Selects a row of the shown heatmap without a column, like a click on the sink's weight.
    void selectSinkRow(core::Index row);
    /// Returns the view's figure in another style, for a file.
    std::unique_ptr<Figure> figureIn(const FigureStyle &style);
    /// Explains that the figure shows numbers from before the last change, because a pass is slow
    /// or has failed; empty if it does not.
    QString olderNumbersText() const;
    /// Names the selected layer and head if computing them takes longer than a moment; otherwise
    /// empty.
    QString preparationText() const;
    /// True if the figure for a file differs from the figure on screen, so the view's size does not
    /// suit the file.
    virtual bool differsInFile() const { return false; }
    /// Returns the input of a figure in another style, for a file. Requires a trace.
    FigureInput inputIn(const FigureStyle &style);
    /// False while a worker computes parts that figureIn() would lack.
    virtual bool isComplete() { return true; }
    /// Names settings of the view that have no command-line option; empty if there are none.
    virtual QString shownBeyondOptions() const { return {}; }
    /// Returns the effects of silencing that the view shows, if a command can compute them.
    virtual std::optional<ChosenEffects> shownEffects() const { return {}; }
    /// Returns the measure that the view shows in place of thumbnails, as on the command line;
    /// empty if it shows none.
    virtual QString shownMeasure() const { return {}; }
    /// Returns the heads that the user has pinned, so that they stay large.
    virtual std::vector<core::HeadId> pinnedHeads() const { return {}; }
    Document &document() const { return m_document; }
    QSize minimumSizeHint() const override { return {320, 200}; }

    /// Turns mask editing on: dragging over cells hides or shows them, Enter and Space toggle the
    /// selected cell.
    void setMaskEditing(bool on);
    /// Creates the menu for the point: the cell's mask and score, the head's switch. May be empty.
    std::unique_ptr<QMenu> editMenu(QPointF point);

    // Options of the view, saved under its name.
    const FigureOptions &options() const { return m_options; }
    /// Returns the options including the comparison.
    FigureOptions optionsOfFigure() const;
    /// Applies the choices that the view supports, without saving them.
    void choose(const ViewChoices &choices);
    /// Applies a lesson step's options without saving them. Sets or resets every option that
    /// could hide the subject of the step. Keeps colours, range and the order of heads.
    void showLook(const core::ViewOptions &look);
    /// Sets the options that the view has. Saves the options of optionChoices().
    void setOptions(FigureOptions options);
    template <class Value>
    void setOption(Value FigureOptions::*option, Value value) {
        FigureOptions options = m_options;
        options.*option = value;
        setOptions(std::move(options));
    }
    /// Sets the colours of attention weights or of signed values, depending on the map's kind.
    void setColours(ColourMap map);
    /// True if a click on the figure's colour bar opens the menu of range and colours.
    bool hasColourBar() const;
    /// Opens the menu of range and colours.
    void openLookMenu();
    /// Opens the bar that finds tokens of the text.
    void findTokens();
    /// Sets the granularity, in a view that shows the progress of the computation.
    void setGranularity(Granularity granularity);
    /// Shows gradients from the loss backward, once a worker has computed them. Affects only views
    /// that support this. The setting is not saved.
    virtual void setShowGradients(bool) {}
    virtual bool wantsGradients() const { return false; }
    /// If the figure does not fit, shows only the surroundings of the current stage. Affects only
    /// views that support this.
    void setCloseUp(bool on);
    /// True if the selected number's arithmetic is open, in a view that can open it.
    virtual bool showsArithmetic() const { return false; }
    /// Names the keys of a view that replays a run, for the footer of present mode. Empty for
    /// other views, whose keys step through the lesson or the computation.
    virtual QStringList replayKeys() const { return {}; }
    /// Returns true if the view has used the key.
    bool takeKey(QKeyEvent *event) { return handleKey(event); }
    /// Called after a step forward to the current selection.
    virtual void showStep() {}

    /// Returns the zoom: 1 if the figure fills the view, at most kMaxZoom.
    virtual double zoom() const { return m_zoom; }
    static constexpr double kMaxZoom = 16;
    virtual void zoomBy(double factor) { zoomBy(factor, rect().center()); }
    /// Zooms with the point fixed.
    virtual void zoomBy(double factor, QPointF point);
    virtual void fit();
    /// Returns the factor, at most 1, by which the figure is scaled down in a view too small for
    /// scrolling.
    double shrink() const { return m_figure ? shrinkOf(m_figure->minSight(), figureSize()) : 1; }
    /// Converts a rectangle of the figure to widget pixels.
    QRectF onScreen(const QRectF &rect) const {
        return {rect.topLeft() * shrink(), rect.size() * shrink()};
    }
    /// Returns how far a figure larger than the view is scrolled to the right and down, px.
    QPointF pan() const { return m_pan; }
    void setPan(QPointF pan);
    /// True if every row and column of the large matrices has a label and nothing scrolls without
    /// zoom. Requires a figure.
    virtual bool hasAllLabels() const;
    /// Returns the cell of any matrix under the point, in widget pixels.
    std::optional<QRectF> cellRectAt(QPointF point) const;

  signals:
    /// The user clicked the line of the selected number, but none of its numbers.
    void inspectorRequested();
    /// The user wants to edit this number of a parameter.
    void parameterRequested(const headlight::core::ParameterId &id, headlight::core::Index row,
                            headlight::core::Index column);
    /// The colour bar's menu button was shown or hidden.
    void colourBarChanged();
    /// Describes what is under the mouse; empty: nothing.
    void hovered(const QString &words);
    /// The glossary id of the point under the mouse; empty: none.
    void termHovered(const QString &id);
    /// A worker has computed a part of the figure; see isComplete().
    void partComputed();
    void zoomChanged();
    void optionsChanged();
    /// Space was pressed without a drag.
    void playRequested();
    /// Esc was pressed while the mask was edited.
    void maskEditingLeft();
    /// The user wants to override the selected score.
    void scoreEditRequested();
    void failed(const headlight::core::Error &error);

  protected:
    virtual std::unique_ptr<Figure> makeFigure(const FigureInput &input) const;
    virtual HitTestResult placeAt(QPointF point) const = 0;
    virtual QString wordsOf(const HitTestResult &place) const;
    /// Describes a cell of the shown heatmap.
    virtual QString wordsOfShown(Cell cell);
    /// Returns the selection that a click on `place` makes.
    virtual core::Selection selectionOf(const HitTestResult &place) const;
    virtual void paintFigure(QPainter &painter) = 0;
    /// True if the view shows one layer's attention and has computed all of it. The neighbouring
    /// layers are then prepared while the view is visible.
    virtual bool wantsNeighbours() { return false; }
    /// Returns the selection, with its stage replaced by the one that the view shows large.
    core::Selection shownSelection() const;
    /// Return the selected row and column of the large matrix.
    virtual std::optional<core::Index> shownRow() const;
    virtual std::optional<core::Index> shownColumn() const;
    /// False if cells of the large matrix combine several heads or words, so keys do not edit them.
    virtual bool editsShownCells() const { return true; }
    virtual void moveSelection(core::Index rows, core::Index columns);
    /// Returns the large matrix as painted; empty without a figure.
    virtual std::optional<HeatmapGeometry> largeGeometry() const = 0;
    /// Returns all matrices whose labels show their full text under the mouse.
    virtual std::vector<HeatmapGeometry> labelledGeometries() const;
    /// Returns the selection whose matrix is at this index of labelledGeometries().
    virtual core::Selection labelledSelection(std::size_t) const { return shownSelection(); }
    /// Returns the full texts of the labels of the matrix at this index of labelledGeometries().
    virtual StageNames labelledNames(std::size_t index) const;
    /// Returns all matrices whose cells react to the mouse, including small ones.
    virtual std::vector<HeatmapGeometry> allGeometries() const { return labelledGeometries(); }
    /// Scrolls something other than the figure at the point, by px. Returns true if it did.
    virtual bool scrollAt(QPointF, QPointF) { return false; }
    /// Handles keys of this view. Returns true if the key was handled.
    virtual bool handleKey(QKeyEvent *) { return false; }
    /// Returns the figure's size in the view, px. A view may reserve a bar at its bottom.
    virtual QSizeF figureSize() const { return QSizeF(size()); }
    /// Adds actions of this view to the context menu of a point.
    virtual void addActionsTo(QMenu &, QPointF) {}
    /// Describes what is at a point of the view.
    virtual QString wordsAt(QPointF point) const;
    /// Returns the glossary id of the title, symbol or term at a point.
    virtual QString termAt(QPointF point) const;
    /// True while a drag moves the whole figure.
    bool isMovingFigure() const { return m_dragged.has_value(); }
    bool isSpaceDown() const { return m_spaceDown; }
    bool isMaskEditing() const { return m_editsMask; }

    /// Returns the rectangle of the colour bar and its range in the figure; empty if there is none.
    virtual QRectF colourBarRect() const;
    /// Moves the controls over the figure to their positions. Called after the figure is painted.
    virtual void placeControls();
    /// Returns how finely to paint the cells of large matrices. While the wheel turns, cells are
    /// coarse, so that each step is fast. When the wheel rests, the view is painted again.
    CellDetail detailForPaint();

    const Figure *currentFigure() const { return m_figure.get(); }
    /// Returns the size that the figure needs, at least the size of the visible area.
    QSizeF wholeSize() const;
    /// Returns the rectangle of the whole figure. It exceeds the view if the figure is zoomed or
    /// does not fit.
    QRectF figureArea() const { return {-m_pan, wholeSize() * m_zoom}; }
    /// Returns by how many px the scrolled content exceeds its visible area.
    virtual QSizeF beyond() const { return wholeSize() * m_zoom - sight().size(); }
    /// Returns the visible area of the scrolled content.
    virtual QRectF scrolledSight() const { return sight(); }
    /// Returns the rectangles that must be visible after a selection, the most important last.
    virtual std::vector<QRectF> sought() const;
    /// Returns the visible area. The functions above use its pixels. They are widget pixels unless
    /// the figure is shrunk.
    QRectF sight() const { return {QPointF(), figureSize() / shrink()}; }
    QPointF inFigure(QPointF point) const { return point / shrink(); }
    /// Returns the first visible cell of a matrix that is too large to be shown completely.
    const std::optional<Cell> &windowOrigin() const { return m_origin; }
    /// Shows the part of a large matrix that begins at this cell; empty: the part around the
    /// selection.
    void showWindow(const std::optional<Cell> &origin);
    void remake();
    /// Shows the gradients of the current trace; null: its values.
    void showGradients(core::BackwardPassPointer backwardPass);

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void hideEvent(QHideEvent *event) override;
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
    void describe();
    void paintOutOfDate(QPainter &painter) const;
    QString noticeText() const;
    void paintNotice(QPainter &painter) const;
    std::optional<HitTestResult> maskPlaceAt(QPointF point) const;
    /// Starts painting the mask. Returns false if the press does not paint.
    bool startPainting(const QMouseEvent &event);
    void paintTo(const QMouseEvent &event);
    bool handleMaskKey(const QKeyEvent &event);
    void addCellActions(QMenu &menu, const HitTestResult &place);
    void tell(const core::Outcome &outcome);
    void tell(const core::Result<Change> &change);
    void documentChanged(const ChangeEvent &event);
    /// Moves to the first or last cell of the row (Home and End) or of the matrix (with Ctrl).
    void moveToEnd(core::Index way, bool ofMatrix);
    QString labelAt(QPointF point) const;
    /// Reads the options saved under the view's name.
    void restoreOptions();
    /// Restores the options that a lesson's step may set.
    void restoreLook();
    FigureStyle withMaps(FigureStyle style) const;
    void applyMaps();
    /// Returns the input of the figure on screen.
    FigureInput input();
    void save(const QString &key, const QString &value) const;
    /// Scrolls with Shift and the arrow keys. Returns true if the key was handled.
    bool scrollWithKey(const QKeyEvent &event);
    void makeScrollBars();
    void showScrollBars();
    /// Scrolls the selection into the visible area.
    void seek();
    QString saved(const char *key) const;
    /// Moves the visible part of a large matrix just far enough to show the selection.
    void followSelection();
    bool scrollWindow(QPointF point, QPointF by);

    const ViewInfo &m_info;
    Document &m_document;
    FigureStyle m_style;
    FigureOptions m_options;
    std::optional<ColourMap> m_weightsMap, m_signedMap;
    HeatmapCache m_kept;
    std::unique_ptr<Figure> m_figure;
    QString m_description;     // the figure's description
    bool m_lessonLook = false; // true if a lesson's steps set the options
    bool m_closeUp = false;
    bool m_outdated = true; // rebuilt at the next paint, so that a hidden view costs no time
    double m_zoom = 1;
    QPointF m_pan;
    QScrollBar *m_across, *m_down;
    ColourBarButton *m_colourBar = nullptr;    // null in a view without a range
    TokenFinder *m_finder = nullptr;           // created when first opened
    mutable std::pair<QSizeF, QSizeF> m_whole; // cache: visible size, needed size
    std::optional<Cell> m_origin;
    bool m_mustFollow = true;
    enum class Seek { Nothing, Cell, Everything };
    Seek m_seeks = Seek::Everything;
    QPointF m_scrolled;               // scrolled px that are less than one cell
    std::optional<QPointF> m_dragged; // last point of a drag that moves the figure
    QTimer *m_wheelRest;              // runs while the wheel turns
    bool m_isCoarse = false;          // true if the last paint was coarse
    bool m_editsMask = false;
    std::optional<MaskBrush> m_brush; // set while a gesture paints
    bool m_spaceDown = false;
    bool m_spaceUsed = false; // Space was used for a drag, so its release does not play
};

} // namespace headlight::ui
