// The steps of a lesson in one line, for a short dock. It has a box that opens the list of steps,
// buttons for the previous and the next step, and a menu of commands.
#pragma once

#include <QWidget>

class QComboBox;
class QMenu;
class QPushButton;

namespace headlight::ui {

class StepLine : public QWidget {
    Q_OBJECT
  public:
    explicit StepLine(QWidget *parent = nullptr);

    /// Shows these steps without emitting signals.
    void showSteps(const QStringList &titles, int present);
    QComboBox *box() const { return m_box; }
    /// Returns the menu for the commands of a step. It is empty at first.
    QMenu *menu() const { return m_menu; }

  signals:
    void chosen(int step);

  private:
    QPushButton *makeButton(const char *name, const QString &text, const QString &words,
                            const QString &toolTip);

    QComboBox *m_box;
    QPushButton *m_before, *m_after, *m_more;
    QMenu *m_menu;
};

} // namespace headlight::ui
