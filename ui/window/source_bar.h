// The tool bar: source, text, and the mask. Other settings are next to the matrices that they
// change.
#pragma once

#include "ui/document/document.h"

#include <QToolBar>

#include <optional>

class QAction;
class QLineEdit;

namespace headlight::ui {

class ElidedComboBox;
class MechanismActions;

class SourceBar : public QToolBar {
    Q_OBJECT
  public:
    SourceBar(Document &document, MechanismActions &mechanism, QWidget *parent = nullptr);

    /// Adds a button at the end. If space is scarce the button moves before the switches, so that
    /// it stays visible. The menus have the switches, too.
    void addMainButton(QWidget *button);
    void focusText();
    /// Shows the example of Being born instead of the text, which then cannot be edited. An empty
    /// example shows the text again.
    void showExample(const QString &example);
    /// Shows the open source again after another source could not be opened.
    void showSource();

  signals:
    void sourceChosen(const QString &source);
    /// An edit failed; the document is unchanged.
    void failed(const headlight::core::Error &error);
    void succeeded();
    /// Emitted with true if the typed text is invalid, so the views still show the previous text.
    /// Emitted with false once this no longer applies.
    void textRefused(bool isRefused);

  protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    void listLessons();
    void documentChanged(const ChangeEvent &event);
    void showState();
    /// Shows the text unless the user is typing it. Changes from elsewhere are always shown.
    void showTextUnlessTyping();
    void showText();
    void showTextIn(QLineEdit *edit, InputSide side);
    /// Returns the text of the selected sequence; empty if there is no such sequence.
    std::optional<QString> textOf(InputSide side) const;
    void typeText(const QString &text, InputSide side);
    bool apply(core::Result<Change> change, int gesture = Document::kNoGesture);
    void addSwitch(QAction *action);
    void shareWidth();
    int minWidthOfOthers() const;
    void placeMainButtons(bool isCramped);
    void showWhatCanBeChanged();

    Document &m_document;
    int m_typing; // undo gesture of uninterrupted typing
    ElidedComboBox *m_source;
    OpenCoursePointer m_course; // course of the listed lessons; null for the built-in lessons
    int m_listed = 0;           // number of listed lessons
    bool m_isTyping = false;    // true while the document receives the typed text
    QLineEdit *m_text;
    QLineEdit *m_sourceText;                       // text of the second sequence
    QString m_example;                             // example that replaces the text
    std::optional<QString> m_known, m_knownSource; // texts that the fields showed last
    QAction *m_sourceTextAction;
    QAction *m_maskLabel = nullptr;
    QList<QAction *> m_mainButtons;  // from left to right
    std::optional<bool> m_isCramped; // empty: the buttons must be placed again
};

} // namespace headlight::ui
