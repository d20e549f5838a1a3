// The "New run" dialog: a task, and a model to train on it.
#pragma once

#include "ui/document/training_session.h"

#include <QDialog>

#include <optional>

class QLabel;
class QPushButton;
class QScrollArea;

namespace headlight::ui {

class NewRunFields;

class NewRunDialog : public QDialog {
    Q_OBJECT
  public:
    explicit NewRunDialog(QWidget *parent = nullptr);

    /// Sets the recipe of a run that the user wants to change and restart.
    void setRecipe(const core::Recipe &recipe, std::optional<core::Ablation> against = {});
    /// Returns the new session. Requires that the dialog was accepted.
    const OpenedSource &session() const { return *m_session; }
    core::TaskPointer task() const;
    /// Returns the text file that the task reads; empty if the task generates its examples.
    QString textFile() const;

  protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void check();

    NewRunFields *m_fields;
    QScrollArea *m_area;
    QLabel *m_summary;
    QPushButton *m_create = nullptr;
    std::optional<OpenedSource> m_session;
};

} // namespace headlight::ui
