// Beneath a lesson's text: a step was come to with what the person had changed before. It is kept,
// and the lesson's own text and numbers are one press away.
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
    /// `reset`: takes back what was changed, with its key.
    ResetOffer(Document &document, QAction &reset, QWidget *parent = nullptr);

    /// What another one of the same document offers now.
    void take(const ResetOffer &other);
    /// The button says it; else only its tool tip.
    void showKey(const QString &key);
    /// The person goes on with what they have: it is not offered again until they change more.
    void keep();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void offer(bool on);

    Document &m_document;
    QLabel *m_words;
    QPushButton *m_reset, *m_keep;
    QBoxLayout *m_buttons; // beside each other where they fit
    bool m_isKept = false;
};

} // namespace headlight::ui
