// The "Close-up" tab: one stage as large as possible, with its operands around it and the selected
// number's arithmetic below.
#pragma once

#include "core/explain/line.h"
#include "ui/figures/close_up/close_up_figure.h"
#include "ui/views/cell_edit.h"
#include "ui/views/figure_view.h"
#include "ui/views/matrix_chips.h"
#include "ui/views/motion/step_motion.h"
#include "ui/views/sheet_buttons.h"

#include <memory>

class QScrollBar;
class QTimer;

namespace headlight::ui {

class CloseUpView : public FigureView {
    Q_OBJECT
  public:
    explicit CloseUpView(Document &document, QWidget *parent = nullptr);
    /// Shows buttons for the matrix's settings beside its title.
    void setMechanism(MechanismActions &mechanism);
    /// Returns the figure as shown; null if there is none. Its text size may differ from that of
    /// the view's style.
    const CloseUpFigure *closeUp() const;
    /// Returns the current layout. Requires a figure.
    CloseUpFigure::Places places() const;
    ShownHeatmap shownHeatmap() override;
    /// Expands the selected number's arithmetic, or shows only its line.
    void setOpened(bool opened);
    /// Opens or closes the arithmetic. If a lesson's step has opened it with its largest terms
    /// only, shows all terms instead of closing it.
    void toggleOpened();
    bool isOpened() const { return document().selection().opened; }
    bool showsArithmetic() const override { return closeUp() && closeUp()->isOpened(); }
    /// Returns the button beside the line that opens and closes the arithmetic, in figure pixels.
    QRectF openerRect() const;
    /// Animates the operands of the selected number, row or matrix to where they are combined.
    void showStep() override;
    StepMotion &motion() { return *m_motion; }

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    bool event(QEvent *event) override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> labelledGeometries() const override;
    std::vector<HeatmapGeometry> allGeometries() const override;
    bool handleKey(QKeyEvent *event) override;
    bool scrollAt(QPointF point, QPointF by) override;
    QRectF colourBarRect() const override;
    void placeControls() override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

  private:
    CloseUpViewport viewport() const;
    /// Describes a cell of an operand.
    QString operandText(const CloseUpFigure::Hit &hit) const;
    /// Returns the selection that a click on a matrix's cell makes.
    core::Selection selectionAt(const CloseUpFigure::Hit &hit) const;
    /// A number that can be changed, and its rectangle.
    struct EditedPlace {
        EditedCell cell;
        QRectF rect;
    };
    std::optional<EditedPlace> editedAt(QPointF point) const;
    bool isInStrip(QPointF point) const;
    /// Returns the origin of the number under the point, if the point is on the line of numbers.
    std::optional<core::NumberOrigin> originAt(QPointF point) const;
    void goTo(const core::NumberOrigin &origin);
    /// Opens a menu of the origins of the line's numbers.
    void showOrigins();
    void followLesson(const ChangeEvent &event);

    /// Cache of the figure in the text size that fits, because one mouse move needs it several
    /// times.
    struct Fitted {
        const Figure *figure = nullptr;
        QSizeF area;
        std::unique_ptr<const CloseUpFigure> scaled; ///< null: the figure itself
    };
    /// Cache of the last layout.
    struct Placed {
        const CloseUpFigure *figure = nullptr;
        QRectF area;
        CloseUpViewport viewport;
        CloseUpFigure::Places places;
    };
    void forgetLayout() const;
    void placeSheetButtons();
    /// True if the opened arithmetic leaves out terms that toggleOpened() would show.
    bool opensMore() const;
    /// Returns the layout of an opened arithmetic whose terms scroll.
    std::optional<ArithmeticLayout> scrolledTable() const;
    /// Scrolls the terms of the opened arithmetic. Returns false if all are visible.
    bool scrollTable(double by);
    void placeTableBar();
    mutable std::optional<Fitted> m_fitted;
    mutable std::optional<Placed> m_placed;
    MatrixChips *m_chips = nullptr;
    CellEdit *m_edit;
    SheetButtons *m_sheets;
    QScrollBar *m_tableBar;
    std::optional<double> m_tableScroll; // px; none: the layout chooses
    /// True if the user can scroll to all terms. False if a lesson's step opens the arithmetic with
    /// only the largest terms and the sum of the rest.
    bool m_opensAll = true;
    std::unique_ptr<StepMotion> m_motion;
    const Figure *m_moving = nullptr; // figure for which the animation was made
    bool m_wantsStep = false;         // a lesson step is waiting for its selection to be computed
    core::Index m_lessonStep = 0;
    std::optional<QPoint> m_pressed;             // where the line of numbers was pressed
    QTimer *m_stripClick;                        // a double click opens the arithmetic instead
    std::optional<core::NumberOrigin> m_clicked; // the number that was clicked
};

} // namespace headlight::ui
