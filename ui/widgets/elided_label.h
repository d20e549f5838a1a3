// One line of text that ends in an ellipsis where there is no room, and says the whole in its tool
// tip.
#pragma once

#include <QLabel>

namespace headlight::ui {

class ElidedLabel : public QLabel {
  public:
    using QLabel::QLabel;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

  private:
    QString shownText() const;
};

} // namespace headlight::ui
