// Asks for the kind of a new session's model, its parts, and what it reads.
#pragma once

#include "ui/document/new_session.h"

#include <QDialog>

#include <map>

class QLabel;
class QPushButton;
class QScrollArea;

namespace headlight::ui {

class NewSessionFields;

class NewSessionDialog : public QDialog {
    Q_OBJECT
  public:
    explicit NewSessionDialog(QWidget *parent = nullptr);

    /// After it was accepted.
    const OpenedSource &session() const { return *m_session; }

    void accept() override;

  protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

  private:
    QWidget *makeExample();
    void openExample();
    void choose(NewKind kind);
    void check();
    void grow();

    NewSessionFields *m_fields;
    QScrollArea *m_area;
    QLabel *m_summary;
    QPushButton *m_create;
    std::map<NewKind, NewSession> m_chosen; // so far, so that another kind can be looked at
    std::optional<OpenedSource> m_session;  // what it asks for now; none where that cannot be
};

} // namespace headlight::ui
