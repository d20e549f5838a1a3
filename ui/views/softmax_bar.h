// Options at the bottom of the softmax view: row or samples, custom logits, factor and temperature,
// and the number of components to sample.
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
    /// Lays out the controls in as many lines as they need, within `most` px. If they do not fit,
    /// hides controls that the menu or the keys also offer. Returns the height.
    int heightFor(int width, int most);
    /// Updates the bar from the document.
    void showState();
    /// Moves the keyboard focus to the field of the selected bar.
    void typeNumber();

  protected:
    bool event(QEvent *event) override;

  private:
    QAction *addAction(const QString &text, const QString &brief, const char *name,
                       const QString &says, bool isCheckable);
    QToolButton *addButton(QAction *action, const char *name);
    /// Adds the field with a label. Returns the widget that contains both.
    QWidget *addField(const QString &name, QWidget *field);
    void makeParts();
    void makeOwn();
    void makeNumbers();
    void makeSpread();
    void showOwn(bool own);
    void setTemperature(double temperature);
    QString lockedNumber();

    SoftmaxView &m_view;
    QList<QAction *> m_actions;
    QList<QWidget *> m_controls; ///< in layout order
    QList<QWidget *> m_ofRow, m_ofOwn, m_ofSpread;
    QList<QWidget *> m_unwanted; ///< controls that have no effect at present
    QAction *m_row = nullptr, *m_spread = nullptr;
    QAction *m_own = nullptr;
    QList<QAction *> m_times; ///< × 1, × 10, × 100
    QAction *m_more = nullptr, *m_less = nullptr;
    QList<QAction *> m_sizes; ///< presets of the vector size
    QDoubleSpinBox *m_number = nullptr, *m_temperature = nullptr;
    QSpinBox *m_headSize = nullptr;
    std::vector<float> m_lastOwn; ///< custom logits, restored when the user switches back
};

} // namespace headlight::ui
