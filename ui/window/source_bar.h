// The tool bar: what is read and how. Source, text, sequence, head, mask, scaling, positions.
#pragma once

#include "ui/document/document.h"

#include <QToolBar>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;

namespace headlight::ui {

class SourceBar : public QToolBar {
    Q_OBJECT
  public:
    explicit SourceBar(Document &document, QWidget *parent = nullptr);

    /// The switches, for the window's menu: no mask, causal, padding, scaling, positions.
    QList<QAction *> maskActions() const { return {m_noMask, m_causal, m_padding, m_otherMasks}; }
    /// Painting the mask by mouse, on or off.
    QAction *maskEditingAction() const { return m_editMask; }
    QList<QAction *> mechanismActions() const { return {m_scaling, m_positions}; }
    void focusText();
    /// The source that is open, where another one had been chosen in vain.
    void showSource();

  signals:
    void sourceChosen(const QString &source);
    /// Something could not be done; the document is as it was.
    void failed(const headlight::core::Error &error);
    void succeeded();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void showState();
    void showText();
    void toggleMaskLayer(const core::MaskLayer &layer, bool on);
    void tell(const core::Outcome &outcome);
    QAction *addSwitch(const QString &text, const QString &toolTip, const QKeySequence &key);
    void addLabel(const QString &text, QWidget *named);
    void showLabels();
    void showOtherMasks(const core::MaskLayers &layers);

    Document &m_document;
    QComboBox *m_source;
    QLineEdit *m_text;
    QAction *m_sequenceAction;
    QList<std::pair<QAction *, QWidget *>> m_labels; // beside the control they name
    QComboBox *m_sequence;
    QComboBox *m_head;
    QAction *m_noMask, *m_causal, *m_padding, *m_otherMasks, *m_editMask, *m_scaling, *m_positions;
};

} // namespace headlight::ui
