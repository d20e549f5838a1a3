// The "Model" tab. Shows the heads of all layers as thumbnails and in a list sorted by a measure.
// Also shows large pictures of the selected and pinned heads, and the effect of silencing one head
// or each head.
#pragma once

#include "ui/compute/model_changes.h"
#include "ui/compute/model_glances.h"
#include "ui/compute/silenced_head.h"
#include "ui/compute/silenced_heads.h"
#include "ui/compute/similar_heads.h"
#include "ui/figures/model/model_figure.h"
#include "ui/views/figure_view.h"

class QTimer;

namespace headlight::ui {

class ModelBar;
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
    void togglePin(const core::HeadId &head);
    const std::vector<core::HeadId> &pinned() const { return m_pinned; }
    /// Actions for the window's menu: pin the head, unpin all, and silence every head.
    QList<QAction *> headActions() const;
    /// True while thumbnails or the effects of silencing are computed.
    bool isComputing() const {
        return m_glances.isBusy() || m_similar.isBusy() || m_silenced.isBusy() ||
               m_silencedAll.isBusy() || m_changes.isBusy();
    }
    /// Starts to silence each head once, with the bar's choices, and shows the effects.
    void silenceAll();
    /// Shows the effects of silencing in place of the thumbnails, or the thumbnails.
    void showEffects(bool shown);
    bool showsEffects() const { return m_showsEffects; }
    bool isComplete() override;
    QString shownBeyondOptions() const override;
    std::optional<ChosenEffects> shownEffects() const override;
    QString shownMeasure() const override;
    /// Shows the measure of the list as coloured cells in place of the thumbnails.
    void showMeasure(bool shown);
    std::vector<core::HeadId> pinnedHeads() const override { return m_pinned; }

  signals:
    /// The user wants the selected head's close-up.
    void closeUpRequested();
    /// The user requests an entry of the glossary.
    void termRequested(const QString &id);
    /// An action of the menu was triggered while the view is not visible.
    void wanted();

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    void paintEvent(QPaintEvent *event) override;
    void paintFigure(QPainter &painter) override;
    void placeControls() override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> labelledGeometries() const override;
    core::Selection labelledSelection(std::size_t card) const override;
    bool handleKey(QKeyEvent *event) override;
    QSizeF figureSize() const override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool event(QEvent *event) override;

  private:
    void makeActions();
    void documentChanged(const ChangeEvent &event);
    /// Requests the missing thumbnails, and the effect of silencing the selected head.
    void want();
    /// Returns the heads that are ready while the first pass runs; null after it.
    std::shared_ptr<const core::TraceGlances> unfinished() const;
    /// Shows the layers that the first pass has finished.
    void followFirstPass();
    ShownRun run() const;
    core::HeadId chosen() const {
        return {document().selection().attention(), document().selection().head};
    }
    void choose(const core::HeadId &head);
    void showList();
    void showSilencing();
    /// Returns the sides whose difference is shown; none if no difference is shown or A is not
    /// ready.
    std::optional<ModelChanges::Sides> comparedSides() const;
    /// Returns the measures or changes that are shown in place of the thumbnails; none while
    /// thumbnails are shown.
    std::optional<HeadNumbers> numbers(const core::TraceGlances *glances) const;
    /// Compares all heads with the chosen one.
    void compareWithChosen();
    /// Returns why no head can be silenced; empty if some can.
    QString cannotSilenceAny() const;
    /// Returns why the chosen head cannot be silenced; empty if it can.
    QString cannotSilence() const;
    void makeBar();
    /// Restores the user's choices that the session has saved.
    void restoreChoices();
    /// Stores the choices in the document, so that they are saved.
    void keepChoices();
    void setShowsMeasure(bool shown);
    /// Shows the state of silencing every head.
    void showBar();
    void followChanges(const ChangeEvent &event);
    SilencedHeads::Wanted wantedEffects() const;
    /// Returns the effects for the bar's choices, or why there are none.
    HeadEffects effects() const;
    void copyEffects() const;
    /// Returns the chosen module, then all modules whose thumbnails are visible.
    std::vector<core::AttentionId> modulesInSight() const;
    const ModelFigure::Tile *tileAt(QPointF point) const;
    std::optional<std::size_t> cardAt(QPointF point) const;
    /// Returns the head's name and measures: in one line for the status bar, or one measure per
    /// line if `isLong`.
    QString wordsOfHead(const ModelFigure::Tile &tile, bool isLong = false) const;
    int controlsWidth() const;
    void layOut();

    ModelGlances m_glances;
    ModelChanges m_changes;
    SimilarHeads m_similar;
    std::optional<core::HeadId> m_similarTo; ///< head to which the list compares the others
    SilencedHead m_silenced;
    SilencedHeads m_silencedAll;
    std::vector<core::HeadId> m_pinned;
    std::shared_ptr<std::map<core::HeadId, std::shared_ptr<PaintingCache>>> m_keptTiles;
    ModelPanel *m_panel;
    ModelBar *m_bar;
    QTimer *m_ticks;     ///< polls the progress
    QTimer *m_firstPass; ///< polls the layers that the first pass has finished
    std::shared_ptr<const core::TraceGlances> m_shownUnfinished;
    bool m_showsEffects = false;
    bool m_showsMeasure = false;
    bool m_isDropped = false; ///< effects were dropped because the text or the model changed
    QList<QAction *> m_actions;
    int m_textPixels = 0; // text size of the controls, px
    bool m_isWanting = false;
};

} // namespace headlight::ui
