// A one-line label that elides text that does not fit and shows the whole text in a tooltip.
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
