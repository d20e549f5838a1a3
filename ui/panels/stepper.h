// The bar beneath the views: one chip for each stage in the order of the computation, the buttons
// that go through them, and how far one step goes.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/granularity.h"
#include "ui/figures/style.h"
#include "ui/panels/step_positions.h"

#include <QToolBar>

class QAction;
class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QScrollArea;
class QTimer;
class QToolButton;

namespace headlight::ui {

enum class PlaySpeed { Slow, Normal, Fast };

/// How long a step stays, ms.
int stepTime(PlaySpeed speed, Granularity granularity);

class Stepper : public QToolBar {
    Q_OBJECT
  public:
    explicit Stepper(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// First, back, play, next, last; the window puts them into its menu.
    QList<QAction *> stepActions() const;

    /// Remembered, like the speed.
    Granularity granularity() const { return m_granularity; }
    void setGranularity(Granularity granularity);
    /// For this run only.
    void showGranularity(Granularity granularity);
    PlaySpeed speed() const { return m_speed; }
    void setSpeed(PlaySpeed speed);
    bool isPlaying() const;

  public slots:
    void first();
    void back();
    void next();
    void last();
    void setPlaying(bool playing);
    void togglePlaying() { setPlaying(!isPlaying()); }

  signals:
    void granularityChanged(headlight::ui::Granularity granularity);

  protected:
    void keyPressEvent(QKeyEvent *event) override;

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void makeChoices();
    void nameActions();
    void playStep();
    /// The steps of the present trace; none without one.
    std::optional<StepPositions> steps() const;
    void select(const std::optional<core::Selection> &selection);
    void documentChanged(const ChangeEvent &event);
    void rebuildChips();
    void showIcons();
    void showCurrent();
    void fitChips();
    void showCurrentChip();
    void goToStage(qsizetype index);
    qsizetype currentIndex() const;

    Document &m_document;
    FigureStyle m_style;
    std::vector<core::Stage> m_stages;
    QAction *m_first, *m_back, *m_play, *m_next, *m_last;
    QScrollArea *m_scroll;
    QWidget *m_chips;
    QHBoxLayout *m_chipLayout;
    QButtonGroup *m_group;
    QTimer *m_timer; // runs only while playing
    QComboBox *m_granularityBox;
    QComboBox *m_speedBox;
    Granularity m_granularity = Granularity::Stage;
    PlaySpeed m_speed = PlaySpeed::Normal;
};

/// What a stage's chip says: what is done to get there ("÷√d", "softmax").
QString chipText(core::Stage stage, const core::Config &config);

} // namespace headlight::ui
