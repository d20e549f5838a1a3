// Present button with a painted screen icon, because fonts lack the symbol.
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
