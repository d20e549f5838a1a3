// A widget that shows a figure of the document: it makes the figure anew when the document changed,
// paints it, and says what is under the mouse. What a click or a key means is for the views made
// from it.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/figure.h"
#include "ui/figures/figure_options.h"
#include "ui/figures/heatmap_geometry.h"
#include "ui/figures/style.h"
#include "ui/views/shown_heatmap.h"

#include <QWidget>

#include <memory>

namespace headlight::ui {

class FigureView : public QWidget {
    Q_OBJECT
  public:
    explicit FigureView(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    const FigureStyle &figureStyle() const { return m_style; }
    /// The figure of the present trace; null until there is a trace.
    const Figure *figure();
    /// The view's name in lessons and on the command line: "flow".
    virtual QString viewName() const = 0;
    /// What of the present figure is a table to a screen reader.
    virtual ShownHeatmap shownHeatmap() { return {}; }
    /// A cell of the shown heatmap in words; empty where there is none.
    QString wordsOf(Cell cell);
    /// Selects a cell of the shown heatmap, as a click on it does.
    void selectCell(Cell cell);
    /// The view's figure in another style, for a file.
    std::unique_ptr<Figure> figureIn(const FigureStyle &style);
    Document &document() const { return m_document; }
    QSize minimumSizeHint() const override { return {320, 240}; }

  signals:
    /// What is under the mouse, in words; empty: nothing.
    void hovered(const QString &words);

  protected:
    virtual std::unique_ptr<Figure> makeFigure() const = 0;
    /// The cell of the selection's stage that is under the point.
    virtual std::optional<Cell> cellAt(QPointF point) const = 0;
    /// What else a click there selects; the selection as it is where nothing.
    virtual core::Selection selectionAt(QPointF point) const = 0;

    const Figure *currentFigure() const { return m_figure.get(); }
    QRectF figureArea() const { return rect(); }

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void moveSelection(core::Index rows, core::Index columns);
    QString wordsAt(QPointF point) const;

    Document &m_document;
    FigureStyle m_style;
    std::unique_ptr<Figure> m_figure;
    bool m_outdated = true; // made again at the next paint, so that a hidden view costs nothing
};

} // namespace headlight::ui
