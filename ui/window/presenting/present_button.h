// A screen with its four corners: the button that presents. Drawn, because fonts lack the sign.
#pragma once

#include <QToolButton>

namespace headlight::ui {

class PresentButton : public QToolButton {
  public:
    using QToolButton::QToolButton;
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace headlight::ui
