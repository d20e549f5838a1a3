// A combo box that shows an ellipsis where its text does not fit, and the whole text in its tool
// tip.
#pragma once

#include <QComboBox>

namespace headlight::ui {

class ElidedComboBox : public QComboBox {
  public:
    using QComboBox::QComboBox;

    /// With room for the air that the text keeps to its right.
    QSize sizeHint() const override;
    /// px at which the text that it shows now is whole.
    int widthOfText() const;

  protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace headlight::ui
