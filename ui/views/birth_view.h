// The "Being born" tab. Records a training run of the session's recipe in the background and
// replays it: the heads that form, the model's answers and the loss.
#pragma once

#include "core/selection/view_states.h"
#include "ui/figures/birth/birth_figure.h"
#include "ui/views/figure_view.h"

class QScrollArea;

namespace headlight::ui {

class BirthPanel;
class BirthReplay;

class BirthView : public FigureView {
    Q_OBJECT
  public:
    explicit BirthView(Document &document, QWidget *parent = nullptr);

    BirthReplay &replay() { return *m_replay; }
    /// Returns the shown figure. Null until there is a trace.
    const BirthFigure *birth() const { return static_cast<const BirthFigure *>(currentFigure()); }
    /// Returns the layout in pixels of the view. Requires a figure.
    BirthGeometry geometry() const { return birth()->geometry(figureArea()); }
    /// Records the run of the session's recipe. False if its task cannot be watched.
    bool record();
    /// Returns the actions for the window's menu: play or pause, first step, last step, another
    /// example, silence a head.
    QList<QAction *> birthActions() const { return m_actions; }
    bool differsInFile() const override { return true; }
    QStringList replayKeys() const override;
    /// Makes the controls fit a presentation.
    void makeCompact();
    /// Shows the same run, snapshot, example, answer and silenced head as another view, without
    /// training it again, and continues its replay.
    void take(const BirthView &other);
    /// Returns the words of the example; empty before a run is recorded.
    QString exampleText() const { return m_moments.exampleText(); }
    /// Sets whether another view presents the run. If so, this view does not start the replay.
    void setIsPresented(bool isPresented);

  signals:
    /// The user wants to watch this task.
    void taskWanted(const QString &task);
    /// The user wants to save the trained model.
    void saveWanted();
    void exampleChanged();

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF) const override { return {}; }
    void paintFigure(QPainter &painter) override;
    void placeControls() override;
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    bool handleKey(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    bool event(QEvent *event) override;

  private:
    const core::WatchableTask *watchable() const;
    void documentChanged(const ChangeEvent &event);
    void makeActions();
    void showTask();
    void recorded();
    void giveRun();
    void start();
    core::BirthState state() const;
    void restore(core::BirthState state);
    void remember();
    void replayChanged();
    void setExample(std::size_t example);
    void showSilenced();
    QStringList silenceTexts() const;
    void askQuestion();
    /// Returns the head that formed in the last layer, which the question is about; null if none
    /// has formed.
    const core::FormedHead *lastHead() const;
    /// Returns the head that is silenced in the panel; null if none is.
    const core::FormedHead *silencedHead() const;
    void layOut();
    int controlsWidth() const;
    bool dragTo(QPointF point);

    BirthReplay *m_replay;
    BirthPanel *m_panel;
    QScrollArea *m_scroll; ///< scrolls the panel in a short window
    QList<QAction *> m_actions;
    core::Recipe m_recipe{}; // recipe of the recorded run
    mutable MomentCache m_moments;
    std::size_t m_example = 0;
    std::size_t m_questionExample = 0; // example in the question's pictures
    std::size_t m_shownSnapshot = 0;
    bool m_restores = true;         // the next run is shown at the position saved in the document
    bool m_startsWhenShown = false; // the run was recorded while another tab was shown
    bool m_isPresented = false;
    bool m_isDragging = false;
    bool m_isCompact = false;
    int m_textPixels = 0; // text size of the controls, px
};

} // namespace headlight::ui
