// Asks what a new session reads, and how wide its attention is.
#pragma once

#include "ui/document/new_session.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace headlight::ui {

class NewSessionDialog : public QDialog {
    Q_OBJECT
  public:
    explicit NewSessionDialog(QWidget *parent = nullptr);

    /// After it was accepted.
    const OpenedSource &session() const { return *m_session; }

  private:
    NewSession wanted() const;
    void check();

    QLineEdit *m_text;
    QSpinBox *m_width;
    QSpinBox *m_heads;
    QSpinBox *m_seed;
    QLabel *m_problem;
    QPushButton *m_create;
    std::optional<OpenedSource> m_session; // what it asks for now; none where that cannot be
};

} // namespace headlight::ui
