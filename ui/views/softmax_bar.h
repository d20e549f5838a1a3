// What can be chosen at the bottom of the softmax view: the row or the spread, numbers of one's
// own, what they are multiplied and divided by, and how many components are drawn.
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QDoubleSpinBox;
class QSpinBox;
class QToolButton;

namespace headlight::ui {

class SoftmaxView;

class SoftmaxBar : public QWidget {
    Q_OBJECT
  public:
    explicit SoftmaxBar(SoftmaxView &view);

    QList<QAction *> actions() const { return m_actions; }
    /// Lays its controls out, over as many lines as they need and `most` px have room for: what the
    /// menu or the keys have as well gives way. How high it is.
    int heightFor(int width, int most);
    /// The document may be another one.
    void showState();
    /// The keyboard goes to the field of the chosen bar.
    void typeNumber();

  protected:
    bool event(QEvent *event) override;

  private:
    QAction *addAction(const QString &text, const QString &brief, const char *name,
                       const QString &says, bool isCheckable);
    QToolButton *addButton(QAction *action, const char *name);
    void makeParts();
    void makeOwn();
    void makeNumbers();
    void makeSpread();
    void showOwn(bool own);
    void setTemperature(double temperature);
    QString lockedNumber();

    SoftmaxView &m_view;
    QList<QAction *> m_actions;
    QList<QWidget *> m_controls; ///< in their order
    QList<QWidget *> m_ofRow, m_ofOwn, m_ofSpread;
    QList<QWidget *> m_unwanted; ///< what is not wanted now
    QAction *m_row = nullptr, *m_spread = nullptr;
    QAction *m_own = nullptr;
    QList<QAction *> m_times; ///< × 1, × 10, × 100
    QAction *m_more = nullptr, *m_less = nullptr;
    QList<QAction *> m_sizes; ///< of vectors
    QDoubleSpinBox *m_number = nullptr, *m_temperature = nullptr;
    QSpinBox *m_headSize = nullptr;
    std::vector<float> m_lastOwn; ///< what the person had before they went back to the row
};

} // namespace headlight::ui
