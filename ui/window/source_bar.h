// The tool bar for input and mechanism: source, text, sequence, attention module, layer, head,
// mask, scaling, positions.
#pragma once

#include "ui/document/document.h"

#include <QToolBar>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;

namespace headlight::ui {

class ElidedComboBox;

class SourceBar : public QToolBar {
    Q_OBJECT
  public:
    explicit SourceBar(Document &document, QWidget *parent = nullptr);

    /// The switches for the window's menu: no mask, causal, padding, scaling, positions.
    QList<QAction *> maskActions() const { return {m_noMask, m_causal, m_padding, m_otherMasks}; }
    /// Turns mask painting by mouse on and off.
    QAction *maskEditingAction() const { return m_editMask; }
    QList<QAction *> mechanismActions() const { return {m_scaling, m_positions}; }
    /// Adds a button at the end. If space is scarce it moves before the switches, so that it stays
    /// visible; the menus have the switches as well.
    void addMainButton(QWidget *button);
    void focusText();
    /// Selects the next or previous attention block; stops at the ends.
    void movePlace(core::Index by);
    /// Shows the open source again after another one could not be opened.
    void showSource();

  signals:
    void sourceChosen(const QString &source);
    /// An edit failed; the document is unchanged.
    void failed(const headlight::core::Error &error);
    void succeeded();

  protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    void listLessons();
    void documentChanged(const ChangeEvent &event);
    void showState();
    void showPlaces();
    /// Shows the text unless the user is typing it. Changes from elsewhere are always shown.
    void showTextUnlessTyping();
    void showText();
    void showTextIn(QLineEdit *edit, InputSide side);
    /// Returns the text of the selected sequence; empty if there is no such sequence.
    std::optional<QString> textOf(InputSide side) const;
    void choosePlace(int index);
    void typeText(const QString &text, InputSide side);
    void setMasks(core::MaskLayers masks);
    void toggleMaskLayer(const core::MaskLayer &layer, bool on);
    void switchScaling(bool on);
    void switchPositions(bool on);
    void apply(core::Result<Change> change, int gesture = Document::kNoGesture);
    QAction *addSwitch(const QString &text, const QString &toolTip, const QKeySequence &key);
    void addLabel(const QString &text, QWidget *named);
    void shareWidth();
    int minWidthOfOthers() const;
    void placeMainButton(bool isCramped);
    /// Returns the mask layers of the selected attention module.
    const core::MaskLayers &shownMasks() const;
    void showOtherMasks(const core::MaskLayers &layers);
    void showWhatCanBeChanged();

    Document &m_document;
    int m_typing; // gesture: uninterrupted typing is one undo step
    ElidedComboBox *m_source;
    OpenCoursePointer m_course; // course with the listed lessons; null: the built-in ones
    int m_listed = 0;           // number of listed lessons
    bool m_isTyping = false;    // true while the document receives the typed text
    QLineEdit *m_text;
    QLineEdit *m_sourceText;                       // text of the second sequence
    std::optional<QString> m_known, m_knownSource; // the texts that the fields last showed
    QAction *m_sourceTextAction, *m_sequenceAction, *m_placeAction, *m_layerAction, *m_headAction;
    QList<std::pair<QAction *, QWidget *>> m_labels; // label and the control it names
    QAction *m_mainButton = nullptr;
    bool m_isCramped = false;
    QComboBox *m_sequence;
    QComboBox *m_place;
    QComboBox *m_layer;
    QComboBox *m_head;
    QAction *m_noMask, *m_causal, *m_padding, *m_otherMasks, *m_editMask, *m_scaling,
        *m_positions = nullptr;
};

} // namespace headlight::ui
