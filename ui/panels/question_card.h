// A lesson's question, over the picture that would answer it.
#pragma once

#include "ui/document/document.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace headlight::ui {

class WrappedButton;

/// Shown while the document asks a question: it covers all of a widget, or where the question shows
/// something of the picture, its lower part. A click answers, or a key from 1 on while the card has
/// the focus, which it takes from everything that nobody types into.
class QuestionCard : public QFrame {
    Q_OBJECT
  public:
    QuestionCard(Document &document, QWidget &covered);

    /// Of its text; 0: as the window's.
    void setTextSize(double pixels);
    /// Where keys mean something else: a click answers, and who calls takesKey().
    void leaveFocusAlone();
    /// One of the present question's answers, from 0; any other is none.
    void choose(std::size_t answer);
    /// A key from 1 on; false: it means no answer.
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
    void placeOverCovered();
    void placeLater();

    Document &m_document;
    QWidget &m_covered;
    std::optional<core::Index> m_step; // whose question the widgets are of; none: of no one
    QScrollArea *m_scroll;             // where it is higher than what it covers
    QWidget *m_content;
    QLabel *m_text;
    QVBoxLayout *m_answers;
    QPushButton *m_tell;
    QList<WrappedButton *> m_buttons;
    double m_pixels = 0;
    Qt::FocusPolicy m_focus = Qt::StrongFocus; // of its buttons
};

} // namespace headlight::ui
