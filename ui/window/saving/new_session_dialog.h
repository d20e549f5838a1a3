// Dialog for a new session: kind of model, its parts, and its input. Its choices are saved for each
// kind.
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

    /// Returns the new session. Requires that the dialog was accepted.
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
    std::map<NewKind, NewSession> m_chosen; // choices for each kind, kept when the user switches
    std::optional<OpenedSource> m_session;  // from the current fields; empty if they are invalid
};

/// Returns the kind that was created last, by default attention only.
NewKind rememberedKind();
/// Returns the last choices for the kind. Missing or invalid ones have their defaults.
NewSession rememberedSession(NewKind kind);
/// Saves everything except the texts.
void rememberSession(const NewSession &made);

} // namespace headlight::ui
