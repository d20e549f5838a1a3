// A row of chips for frames, layers or heads. If the chips do not fit, a button at each end scrolls
// to the hidden ones. Each button covers a chip that is only partly visible.
#pragma once

#include <QScrollArea>

#include <vector>

class QToolButton;

namespace headlight::ui {

class ChipStrip : public QScrollArea {
    Q_OBJECT
  public:
    explicit ChipStrip(QWidget *chips, QWidget *parent = nullptr);
    ~ChipStrip() override;
    /// Names the buttons at the ends. By default they are for stages.
    void nameButtons(const QString &back, const QString &on);
    /// Scrolls until the whole chip is visible between the end buttons.
    void show(const QWidget &chip);

  protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    QToolButton *makeButton(const QString &text, const QString &name, void (ChipStrip::*slot)());
    void goBack();
    void goOn();
    /// Returns the rectangles of the chips in the viewport, from left to right.
    std::vector<QRect> places() const;
    void placeButtons();
    int buttonWidth() const;

    QToolButton *m_back, *m_on;
};

} // namespace headlight::ui
