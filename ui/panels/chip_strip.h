// The stepper's chips in a row: where they have no room, a button at either end says so and goes
// on to those that are out of sight.
#pragma once

#include <QScrollArea>

class QToolButton;

namespace headlight::ui {

class ChipStrip : public QScrollArea {
    Q_OBJECT
  public:
    explicit ChipStrip(QWidget *chips, QWidget *parent = nullptr);
    ~ChipStrip() override;
    /// The whole chip comes into sight, beside the buttons at the ends.
    void show(const QWidget &chip);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    QToolButton *makeButton(const QString &text, const QString &name, int way);
    void placeButtons();
    int buttonWidth() const;

    QToolButton *m_back, *m_on;
};

} // namespace headlight::ui
