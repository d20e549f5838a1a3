// The tool bar: what is read and how. Source, text, sequence, place, layer,
// head, mask, scaling, positions.
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

    /// The switches, for the window's menu: no mask, causal, padding, scaling, positions.
    QList<QAction *> maskActions() const { return {m_noMask, m_causal, m_padding, m_otherMasks}; }
    /// Painting the mask by mouse, on or off.
    QAction *maskEditingAction() const { return m_editMask; }
    QList<QAction *> mechanismActions() const { return {m_scaling, m_positions}; }
    /// At the end; where there is too little room before the switches, which the menus have as
    /// well, so that it stays in sight.
    void addMainButton(QWidget *button);
    void focusText();
    /// To the next place where the model attends, or the one before it; at the last it stays.
    void movePlace(core::Index by);
    /// The source that is open, where another one had been chosen in vain.
    void showSource();

  signals:
    void sourceChosen(const QString &source);
    /// Something could not be done; the document is as it was.
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
    /// What is being typed stays as it is, unless something else changed the text meanwhile.
    void showTextUnlessTyping();
    void showText();
    void showTextIn(QLineEdit *edit, InputSide side);
    /// Of the selected sequence; none: there is no such sequence.
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
    int leastWidthOfOthers() const;
    void placeMainButton(bool isCramped);
    /// Of the attention that is selected.
    const core::MaskLayers &shownMasks() const;
    void showOtherMasks(const core::MaskLayers &layers);
    void showWhatCanBeChanged();

    Document &m_document;
    int m_typing; // typing that is not interrupted is one undo step
    ElidedComboBox *m_source;
    OpenCoursePointer m_course; // whose lessons are listed; null: the built-in ones
    int m_listed = 0;           // so many lessons
    bool m_isTyping = false;    // the document takes what is typed
    QLineEdit *m_text;
    QLineEdit *m_sourceText;                       // of the second sequence
    std::optional<QString> m_known, m_knownSource; // the texts that the fields followed last
    QAction *m_sourceTextAction, *m_sequenceAction, *m_placeAction, *m_layerAction, *m_headAction;
    QList<std::pair<QAction *, QWidget *>> m_labels; // beside the control they name
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
