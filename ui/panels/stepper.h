// The bar beneath the views: one chip for each stage of a part of the model in the order of the
// computation, the buttons that go through all parts, and how far one step goes.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/granularity.h"
#include "ui/figures/base/style.h"
#include "ui/figures/flow/flow_parts.h"
#include "ui/panels/step_player.h"
#include "ui/panels/step_positions.h"

#include <QToolBar>

class QAction;
class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace headlight::ui {

class ChipStrip;

class Stepper : public QToolBar {
    Q_OBJECT
  public:
    explicit Stepper(Document &document, QWidget *parent = nullptr);
    ~Stepper() override;

    void setStyle(const FigureStyle &style);
    /// First, back, play, next, last; the window puts them into its menu.
    QList<QAction *> stepActions() const;

    /// Remembered, like the speed; in a lesson it is the step's, until the person chooses.
    Granularity granularity() const { return m_granularity; }
    void setGranularity(Granularity granularity);
    /// For this run only.
    void showGranularity(Granularity granularity);
    PlaySpeed speed() const { return m_player->speed(); }
    void setSpeed(PlaySpeed speed) { m_player->setSpeed(speed); }
    bool isPlaying() const;

  public slots:
    /// On the way back First is the loss, and Next goes to what the numbers were made from.
    void setGoesBack(bool goesBack);
    void first();
    void back();
    void next();
    void last();
    void setPlaying(bool playing);
    void togglePlaying() { setPlaying(!isPlaying()); } // nothing where it is disabled

  signals:
    void granularityChanged(headlight::ui::Granularity granularity);
    /// A step further, and it is selected.
    void wentOn();
    /// What the glossary calls the stage whose chip the mouse is over; empty: none.
    void termHovered(const QString &id);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void makeChoices();
    void restoreGranularity();
    void nameActions();
    void playStep();
    /// The steps of the present trace; none without one.
    std::optional<StepPositions> steps() const;
    void select(const std::optional<core::Selection> &selection);
    void documentChanged(const ChangeEvent &event);
    /// Which parts there are, and which of them is shown.
    void readParts();
    void rebuildChips();
    void rebuildPartBox();
    /// Its first stage or its last.
    void goToPart(qsizetype index, bool atEnd = false);
    void addPartButton(qsizetype index, const QString &text, const QString &name);
    void showIcons();
    void showCurrent();
    void showEnds(bool hasBack, bool hasNext);
    void fitChips();
    void showCurrentChip();
    void goToStage(qsizetype index);
    qsizetype currentIndex() const;

    Document &m_document;
    FigureStyle m_style;
    std::vector<FlowPart> m_parts;
    qsizetype m_part = 0;                ///< of m_parts: the one whose chips are shown
    std::vector<core::StageId> m_all;    ///< of all parts
    std::vector<core::StageId> m_stages; ///< of the shown one
    QAction *m_first, *m_back, *m_play, *m_next, *m_last;
    QWidget *m_chips;
    ChipStrip *m_strip;
    QHBoxLayout *m_chipLayout;
    QButtonGroup *m_group;
    StepPlayer *m_player;
    QComboBox *m_partBox;
    QAction *m_partAction; // shows the box, or not
    bool m_goesBack = false;
    bool m_lessonLook = false; // a lesson's steps decide the granularity
    QComboBox *m_granularityBox;
    Granularity m_granularity = Granularity::Stage;
};

} // namespace headlight::ui
