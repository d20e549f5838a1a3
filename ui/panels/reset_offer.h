// Offer to reset a step, below the lesson's text. Shown when the step opens with the user's earlier
// changes, which are kept. One click restores the lesson's own text and numbers.
#pragma once

#include "ui/document/document.h"

#include <QFrame>

class QAction;
class QBoxLayout;
class QLabel;
class QPushButton;

namespace headlight::ui {

class ResetOffer : public QFrame {
    Q_OBJECT
  public:
    /// `reset`: the action that resets the step, with its shortcut.
    ResetOffer(Document &document, QAction &reset, QWidget *parent = nullptr);

    /// Takes over the state of another offer for the same document.
    void take(const ResetOffer &other);
    /// Shows the key on the button. By default only the tooltip names it.
    void showKey(const QString &key);
    /// Keeps the changes: the offer stays hidden until the user changes more.
    void keep();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void offer(bool on);

    Document &m_document;
    QLabel *m_words;
    QPushButton *m_reset, *m_keep;
    QBoxLayout *m_buttons; // horizontal if the buttons fit
    bool m_isKept = false;
};

} // namespace headlight::ui
