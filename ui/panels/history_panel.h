// The dock that lists every step of the undo list in words: a click goes there.
#pragma once

#include <QWidget>

class QUndoStack;
class QUndoView;

namespace headlight::ui {

class HistoryPanel : public QWidget {
    Q_OBJECT
  public:
    explicit HistoryPanel(QUndoStack &stack, QWidget *parent = nullptr);

    /// What the dock has instead of a title bar: it is dragged by it, and closed.
    QWidget *makeTitleBar();

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void markSaved();

    QUndoView *m_list;
};

} // namespace headlight::ui
