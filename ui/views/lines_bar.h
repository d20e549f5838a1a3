// Options of the Lines view, at its bottom: a chip for each head in the colour of its lines, and
// the threshold.
#pragma once

#include <QList>
#include <QWidget>

#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight::ui {

class ChipStrip;
class LinesView;

class LinesBar : public QWidget {
    Q_OBJECT
  public:
    explicit LinesBar(LinesView &view);

    /// Actions: all heads, only the selected head, lower and higher threshold.
    QList<QAction *> actions() const { return m_actions; }

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void makeActions();
    void makeThreshold(QHBoxLayout &layout);
    void moveThreshold(int steps);
    void makeChips(int count);
    void showState();
    void showChips();

    LinesView &m_view;
    QList<QAction *> m_actions;
    QAction *m_all = nullptr, *m_selected = nullptr;
    QWidget *m_chips;
    ChipStrip *m_strip;
    std::vector<QToolButton *> m_heads; // one per head
    QSlider *m_threshold = nullptr;
    QLabel *m_value = nullptr;
};

} // namespace headlight::ui
