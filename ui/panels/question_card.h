// The card with a lesson's question.
#pragma once

#include "ui/document/document.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace headlight::ui {

class WrappedButton;

/// Shown while the lesson step has an open question. If the question hides the picture, the card
/// covers the whole widget. Otherwise it is in the column next to the widget or, without a column,
/// covers the widget's lower part. A click or a number key answers. Takes the focus unless the user
/// is typing.
class QuestionCard : public QFrame {
    Q_OBJECT
  public:
    QuestionCard(Document &document, QWidget &covered);

    /// Sets the column for questions that show a part of the picture. The card uses the column
    /// while the column is visible.
    void standIn(QWidget &column);
    /// Sets the text size; 0: derived from the window's font.
    void setTextSize(double pixels);
    /// Never takes the focus, for windows where keys have other meanings. The user clicks, or the
    /// caller uses takesKey().
    void leaveFocusAlone();
    /// Chooses the answer with this index. Ignores an index that does not exist.
    void choose(std::size_t answer);
    /// Answers by a number key: 1 is the first answer. Returns false if no answer has this key.
    bool takesKey(int key);

  protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void showQuestion();
    void makeAnswers(const core::Question &question);
    void showText();
    double textPixels() const;
    void place();
    /// Moves the card over the column or the covered widget.
    void moveTo(QWidget &covered);
    bool isBeside() const;
    void placeLater();

    Document &m_document;
    QWidget &m_covered;
    QWidget *m_column = nullptr;
    std::optional<core::Index> m_step; // step whose question is shown; empty: none
    QScrollArea *m_scroll;             // scrolls a question that is taller than the covered widget
    QVBoxLayout *m_around;             // has the margins of the content
    QWidget *m_content;
    QLabel *m_text;
    QVBoxLayout *m_answers;
    QPushButton *m_tell;
    QList<WrappedButton *> m_buttons;
    double m_pixels = 0;
    Qt::FocusPolicy m_focus = Qt::StrongFocus; // focus policy of the card's buttons
};

} // namespace headlight::ui
