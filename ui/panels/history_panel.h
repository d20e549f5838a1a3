// Dock with the undo list in words. A click on an entry goes to that state.
#pragma once

#include <QWidget>

class QUndoStack;
class QUndoView;

namespace headlight::ui {

class HistoryPanel : public QWidget {
    Q_OBJECT
  public:
    explicit HistoryPanel(QUndoStack &stack, QWidget *parent = nullptr);

    /// Creates the dock's title bar, for dragging and closing the dock.
    QWidget *makeTitleBar();

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void markSaved();

    QUndoView *m_list;
};

} // namespace headlight::ui
