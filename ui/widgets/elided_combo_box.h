// A combo box that elides text that does not fit and shows the whole text in a tooltip.
#pragma once

#include <QComboBox>

namespace headlight::ui {

class ElidedComboBox : public QComboBox {
  public:
    using QComboBox::QComboBox;

    /// Returns a width that includes the margin to the right of the text.
    QSize sizeHint() const override;
    /// Returns the width in px at which the current text fits.
    int widthOfText() const;

  protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace headlight::ui
