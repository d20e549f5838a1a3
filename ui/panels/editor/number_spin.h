// Spin box that shows numbers in the program's format, whatever the locale, and reads 0.5 as well
// as 0,5. Dragging sideways changes the number as in the tables: Shift fine, Ctrl coarse, Esc
// cancels.
#pragma once

#include <QDoubleSpinBox>

#include <optional>

namespace headlight::ui {

class NumberSpin : public QDoubleSpinBox {
    Q_OBJECT
  public:
    explicit NumberSpin(QWidget *parent = nullptr);

    QString textFromValue(double value) const override;
    double valueFromText(const QString &text) const override;
    QValidator::State validate(QString &text, int &position) const override;
    bool eventFilter(QObject *object, QEvent *event) override;

  signals:
    void dragStarted();
    void dragEnded();
    void dragCancelled(); ///< the receiver must restore the number from before the drag

  private:
    struct Drag {
        double start, moved, lastX, step;
    };
    bool dragged(QEvent *event);
    void dragTo(double x, Qt::KeyboardModifiers modifiers);

    std::optional<double> m_pressed; ///< mouse x at the press, until a drag starts
    std::optional<Drag> m_drag;
};

} // namespace headlight::ui
