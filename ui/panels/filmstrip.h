// Bar below the views. It shows a frame for each stage of a layer, in the order of computation, and
// buttons that step through the stages. The layers are above the frames or, in a short window, to
// their left.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/granularity.h"
#include "ui/figures/base/style.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/panels/step_player.h"
#include "ui/panels/step_positions.h"

#include <QToolBar>

class QAction;
class QButtonGroup;
class QBoxLayout;
class QComboBox;
class QHBoxLayout;
class QTimer;
class QToolButton;
class QVBoxLayout;

namespace headlight::ui {

class ChipStrip;
class FilmFrame;
class MechanismActions;

class Filmstrip : public QToolBar {
    Q_OBJECT
  public:
    explicit Filmstrip(Document &document, QWidget *parent = nullptr);
    ~Filmstrip() override;

    void setStyle(const FigureStyle &style);
    /// In a short window, the layers are on one line with the frames, to leave height for the
    /// views.
    void setWindowHeight(int height);
    /// Sets the actions that frames offer as the settings of their stage.
    void setMechanism(MechanismActions &mechanism) { m_mechanism = &mechanism; }
    /// First, back, play, next, last. The window adds these actions to its menu.
    QList<QAction *> stepActions() const;

    /// Returns the granularity. It is saved, like the speed. A lesson step overrides it until the
    /// user chooses another one.
    Granularity granularity() const { return m_granularity; }
    void setGranularity(Granularity granularity);
    /// Sets the granularity without saving it.
    void showGranularity(Granularity granularity);
    PlaySpeed speed() const { return m_player->speed(); }
    void setSpeed(PlaySpeed speed) { m_player->setSpeed(speed); }
    bool isPlaying() const;

    /// A stage of the displayed layer, with its texts.
    struct StageName {
        core::StageId at{core::Stage::AttentionWeights, {}};
        QString symbol; ///< symbol of the operation that leads to the stage
        QString title;
    };
    /// Returns the stages in the order of computation.
    std::vector<StageName> stageNames() const;
    qsizetype currentIndex() const;
    /// Returns the name of the displayed layer; empty if it is the only one.
    QString layerName() const;

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
    /// next() has selected another step.
    void wentOn();
    /// The glossary id of the stage whose frame is under the mouse. Empty if there is none.
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
    /// True if a trace exists or the first one is being computed.
    bool hasStages() const { return m_document.trace() || m_planAhead; }
    /// Return the model, or its parts, of the current trace or of the first trace while it is
    /// computed.
    const core::Model &model() const;
    ModelParts modelParts() const;
    /// Reads the model's layers and finds the displayed one.
    void readLayers();
    void rebuildLayers();
    void rebuildFrames();
    /// Highlights the current stage and the current layer.
    void showCurrent();
    void showEnds(bool hasBack, bool hasNext);
    void fitFrames();
    void placeLayers();
    void showCurrentFrame();
    /// Goes to the same stage in another layer. If that layer does not have the stage, goes to its
    /// first stage.
    void goToLayer(std::size_t index);
    void goToStage(qsizetype index);
    void showIcons();
    void paintFrames();
    void showMarks();

    Document &m_document;
    FigureStyle m_style;
    /// A layer of a stack, or a part outside the layers: the embeddings, the output.
    struct Layer {
        core::Stack stack = core::Stack::Main;
        std::vector<ModelPart> parts;
        bool operator==(const Layer &) const = default;
    };
    static std::vector<Layer> layersOf(const ModelParts &parts);
    QString titleOf(const Layer &layer) const;

    core::PlanPointer m_planAhead; ///< plan of the first trace, until that trace is computed
    std::vector<Layer> m_layers;
    std::size_t m_layer = 0;                               ///< layer whose stages have frames
    std::vector<std::vector<core::StageId>> m_layerStages; ///< stages of each layer
    std::vector<core::StageId> m_all;                      ///< stages of all layers
    std::vector<core::StageId> m_stages;                   ///< stages of the displayed layer
    QAction *m_first, *m_back, *m_play, *m_next, *m_last;
    QList<QToolButton *> m_buttons; ///< back, play, next
    QWidget *m_film;                ///< the rows of layers, and the frames
    QBoxLayout *m_rows;             ///< stacked or side by side
    QWidget *m_layerRows;
    QVBoxLayout *m_layerLayout;
    QWidget *m_frames;
    ChipStrip *m_strip;
    QHBoxLayout *m_frameLayout;
    QButtonGroup *m_group;
    std::vector<ChipStrip *> m_layerStrips; ///< one for each stack
    QButtonGroup *m_layerGroup;
    MechanismActions *m_mechanism = nullptr;
    HeatmapCache m_kept;
    QTimer *m_painter; ///< delays painting, so that many changes paint once
    StepPlayer *m_player;
    bool m_goesBack = false;
    bool m_lessonLook = false; // true if a lesson's steps set the granularity
    QComboBox *m_granularityBox;
    Granularity m_granularity = Granularity::Stage;
    int m_windowHeight = QWIDGETSIZE_MAX;
};

} // namespace headlight::ui
