// The bar beneath the views: one chip for each stage in the order of the computation, and the
// buttons that go through them.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/style.h"

#include <QToolBar>

class QAction;
class QButtonGroup;
class QHBoxLayout;
class QTimer;
class QToolButton;

namespace headlight::ui {

class Stepper : public QToolBar {
    Q_OBJECT
  public:
    explicit Stepper(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// First, back, play, next, last; the window puts them into its menu.
    QList<QAction *> stepActions() const;

  public slots:
    void first() { goTo(0); }
    void back() { goTo(currentIndex() - 1); }
    void next() { goTo(currentIndex() + 1); }
    void last() { goTo(static_cast<qsizetype>(m_stages.size()) - 1); }
    void setPlaying(bool playing);

  private:
    void documentChanged(const ChangeEvent &event);
    void rebuildChips();
    void showIcons();
    void showCurrent();
    void goTo(qsizetype index);
    qsizetype currentIndex() const;

    Document &m_document;
    FigureStyle m_style;
    std::vector<core::Stage> m_stages;
    QAction *m_first, *m_back, *m_play, *m_next, *m_last;
    QWidget *m_chips;
    QHBoxLayout *m_chipLayout;
    QButtonGroup *m_group;
    QTimer *m_timer;
};

/// What a stage's chip says: what is done to get there ("÷√d", "softmax").
QString chipText(core::Stage stage);

} // namespace headlight::ui
