// The settings of the attention mechanism as actions: mask layers, scaling, positions, temperature,
// and the selected head. The menus at matrices and in the filmstrip show the same actions as the
// menu bar.
#pragma once

#include "ui/document/document.h"

#include <QList>
#include <QObject>

#include <vector>

class QAction;
class QMenu;

namespace headlight::ui {

class MechanismActions : public QObject {
    Q_OBJECT
  public:
    enum class Setting { Head, Mask, Scaling, Positions, Temperature };

    explicit MechanismActions(Document &document, QObject *parent = nullptr);

    /// Returns the actions for no mask, causal, padding, and all other masks together.
    QList<QAction *> maskActions() const { return {m_noMask, m_causal, m_padding, m_otherMasks}; }
    /// Returns the action that turns mask painting by mouse on and off.
    QAction *maskEditingAction() const { return m_editMask; }
    QAction *scalingAction() const { return m_scaling; }
    QAction *positionsAction() const { return m_positions; }
    /// Returns the actions that lower the temperature, raise it, and reset it to 1.
    QList<QAction *> temperatureActions() const { return {m_colder, m_hotter, m_usual}; }

    /// Returns the settings that a stage depends on directly, in display order.
    std::vector<Setting> settingsOf(core::StageId at) const;
    /// Returns the setting that a frame of the filmstrip offers, if it has one.
    std::optional<Setting> settingOfFrame(core::StageId at) const;
    /// Returns the setting's current value: "head 0", "÷√d", "no mask".
    QString textOf(Setting setting) const;
    /// Returns "head 0", or only the number of the selected head.
    QString headText(bool isShort) const;
    /// Describes the setting and its keys.
    static QString toolTipOf(Setting setting);
    /// Returns the setting's id in the glossary.
    static QString termOf(Setting setting);
    /// Adds the choices of a setting. The menu owns the actions of heads and numbers.
    void fill(QMenu &menu, Setting setting);
    /// Selects another head, but does not go beyond the first or last one.
    void moveHead(core::Index by);

  signals:
    /// An edit failed; the document is unchanged.
    void failed(const headlight::core::Error &error);
    void succeeded();
    /// The user wants settings that only the editor offers.
    void editorRequested();

  private:
    QAction *addSwitch(const QString &text, const QString &toolTip, const QKeySequence &key);
    void documentChanged(const ChangeEvent &event);
    void showState();
    void showOtherMasks(const core::MaskLayers &layers);
    void showWhatCanBeChanged();
    /// Returns the mask layers of the selected attention module.
    const core::MaskLayers &shownMasks() const;
    void setMasks(core::MaskLayers masks);
    void toggleMaskLayer(const core::MaskLayer &layer, bool on);
    void switchScaling(bool on);
    void switchPositions(bool on);
    void setTemperature(float temperature);
    void fillHeads(QMenu &menu);
    void fillTemperature(QMenu &menu);
    void apply(core::Result<Change> change);

    Document &m_document;
    QAction *m_noMask, *m_causal, *m_padding, *m_otherMasks, *m_editMask, *m_scaling, *m_positions;
    QAction *m_colder, *m_hotter, *m_usual;
};

} // namespace headlight::ui
