// A spin box whose numbers are written as everywhere in the program, whatever the locale, and read
// as people type them: 0.5 or 0,5. Dragged sideways it changes as in the tables: Shift fine, Ctrl
// coarse, Esc as before.
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
    void dragCancelled(); ///< whoever listens takes back what valueChanged() said

  private:
    struct Drag {
        double start, moved, lastX, step;
    };
    bool dragged(QEvent *event);
    void dragTo(double x, Qt::KeyboardModifiers modifiers);

    std::optional<double> m_pressed; ///< where the mouse went down, until it moves
    std::optional<Drag> m_drag;
};

} // namespace headlight::ui
