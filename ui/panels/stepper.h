// Bar below the views: one chip for each stage of a part of the model in the order of computation,
// buttons that step through all parts, and the step size.
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
    /// First, back, play, next, last. The window adds them to its menu.
    QList<QAction *> stepActions() const;

    /// Saved, like the speed. A lesson's step overrides it until the user chooses.
    Granularity granularity() const { return m_granularity; }
    void setGranularity(Granularity granularity);
    /// Sets the granularity without saving it.
    void showGranularity(Granularity granularity);
    PlaySpeed speed() const { return m_player->speed(); }
    void setSpeed(PlaySpeed speed) { m_player->setSpeed(speed); }
    bool isPlaying() const;

  public slots:
    /// In gradient mode, First is the loss and Next moves toward the embeddings.
    void setGoesBack(bool goesBack);
    void first();
    void back();
    void next();
    void last();
    void setPlaying(bool playing);
    void togglePlaying() { setPlaying(!isPlaying()); } // no effect if the action is disabled

  signals:
    void granularityChanged(headlight::ui::Granularity granularity);
    /// A step forward was made and is selected.
    void wentOn();
    /// The glossary id of the stage whose chip is under the mouse; empty: none.
    void termHovered(const QString &id);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void makeChoices();
    void restoreGranularity();
    void nameActions();
    void playStep();
    /// Returns the steps of the current trace; empty without a trace.
    std::optional<StepPositions> steps() const;
    void select(const std::optional<core::Selection> &selection);
    void documentChanged(const ChangeEvent &event);
    /// Reads the model's parts and which one is shown.
    void readParts();
    void rebuildChips();
    void rebuildPartBox();
    /// Goes to the first or last stage of a part.
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
    qsizetype m_part = 0;                ///< index in m_parts: the part whose chips are shown
    std::vector<core::StageId> m_all;    ///< stages of all parts
    std::vector<core::StageId> m_stages; ///< stages of the shown part
    QAction *m_first, *m_back, *m_play, *m_next, *m_last;
    QWidget *m_chips;
    ChipStrip *m_strip;
    QHBoxLayout *m_chipLayout;
    QButtonGroup *m_group;
    StepPlayer *m_player;
    QComboBox *m_partBox;
    QAction *m_partAction; // shows or hides the box
    bool m_goesBack = false;
    bool m_lessonLook = false; // true if a lesson's steps set the granularity
    QComboBox *m_granularityBox;
    Granularity m_granularity = Granularity::Stage;
};

} // namespace headlight::ui
