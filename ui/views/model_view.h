// The "Model" tab: the heads of all layers as thumbnails, a list of them sorted by a measure,
// chosen and pinned heads large, and what silencing the chosen one does.
#pragma once

#include "ui/compute/model_glances.h"
#include "ui/compute/silenced_head.h"
#include "ui/figures/model/model_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class ModelPanel;

class ModelView : public FigureView {
    Q_OBJECT
  public:
    explicit ModelView(Document &document, QWidget *parent = nullptr);

    /// Returns the shown figure. Null until there is a trace.
    const ModelFigure *model() const { return static_cast<const ModelFigure *>(currentFigure()); }
    /// Returns the current layout. Requires a figure.
    ModelGeometry geometry() const { return model()->geometry(figureArea()); }
    ShownHeatmap shownHeatmap() override;
    /// Pins the head, so that it stays large, or unpins it.
    void togglePin(const core::HeadPlace &head);
    const std::vector<core::HeadPlace> &pinned() const { return m_pinned; }
    /// Pin the head, unpin all, open the close-up: for the window's menu.
    QList<QAction *> headActions() const { return m_actions; }
    /// True while thumbnails or the effect of silencing are computed.
    bool isComputing() const { return m_glances.isBusy() || m_silenced.isBusy(); }

  signals:
    /// The user wants the selected head's close-up.
    void closeUpRequested();

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    void placeControls() override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> labelledGeometries() const override;
    bool handleKey(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool event(QEvent *event) override;

  private:
    void makeActions();
    void documentChanged(const ChangeEvent &event);
    /// Requests what the shown run still lacks.
    void want();
    ShownRun run() const;
    core::HeadPlace chosen() const {
        return {document().selection().attention(), document().selection().head};
    }
    void choose(const core::HeadPlace &head);
    void showList();
    void showSilencing();
    /// Returns why the chosen head cannot be silenced; empty if it can.
    QString cannotSilence() const;
    const ModelFigure::Tile *tileAt(QPointF point) const;
    std::optional<std::size_t> cardAt(QPointF point) const;
    /// Returns its name and measures: in one line for the status bar, or one measure a line.
    QString wordsOfHead(const ModelFigure::Tile &tile, bool isLong = false) const;
    int controlsWidth() const;
    void layOut();

    ModelGlances m_glances;
    SilencedHead m_silenced;
    std::vector<core::HeadPlace> m_pinned;
    std::shared_ptr<std::map<core::HeadPlace, std::shared_ptr<PaintingCache>>> m_keptTiles;
    ModelPanel *m_panel;
    QList<QAction *> m_actions;
    int m_textPixels = 0; // of the controls
    bool m_isWanting = false;
};

} // namespace headlight::ui
