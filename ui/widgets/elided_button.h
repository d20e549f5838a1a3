// A button that shows an ellipsis where its text does not fit, so that it never widens its panel.
#pragma once

#include <QPushButton>

namespace headlight::ui {

class ElidedButton : public QPushButton {
  public:
    explicit ElidedButton(const QString &text = {}, QWidget *parent = nullptr);

    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace headlight::ui
