// List of a lesson's steps: select, add, duplicate, remove and move. In a short dock it is one
// line.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "ui/document/edits/step_templates.h"

#include <QWidget>

#include <vector>

class QAction;
class QListWidget;
class QPushButton;

namespace headlight::ui {

class StepLine;

class StepList : public QWidget {
    Q_OBJECT
  public:
    explicit StepList(QWidget *parent = nullptr);

    /// Lists the steps and selects the current one, without emitting signals.
    void showSteps(const core::Lesson &lesson, core::Index present);
    /// Shows the list, or only the current step in one line. The focus stays with the steps.
    void setInOneLine(bool isLine);

  signals:
    void chosen(headlight::core::Index step);
    void addRequested();
    void templateRequested(headlight::ui::edits::StepTemplate made);
    void duplicateRequested();
    void removeRequested();
    void moveRequested(headlight::core::Index from, headlight::core::Index to);

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    QPushButton *makeButton(const char *name, const QString &text, const QString &words,
                            const QString &toolTip);
    /// Requests to move the current step by this number of positions, within the list.
    void moveBy(int by);
    void makeTemplates();
    void makeLineMenu();
    void fitHeight();

    struct LineEntry {
        QAction *action;
        QPushButton *button; // the list's button for the same command
    };

    QListWidget *m_list;
    QPushButton *m_add, *m_templates, *m_duplicate, *m_remove, *m_up, *m_down;
    QWidget *m_full; // the list and its buttons
    StepLine *m_line;
    std::vector<LineEntry> m_lineEntries;
};

} // namespace headlight::ui
