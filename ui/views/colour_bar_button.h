// An invisible button over a painted colour bar, which opens the menu of its range and colours. It
// has an outline under the mouse and with the focus.
#pragma once

#include <QToolButton>

namespace headlight::ui {

class FigureView;

class ColourBarButton : public QToolButton {
    Q_OBJECT
  public:
    explicit ColourBarButton(FigureView &view);

    /// Moves the button to the bar; hides it if the rectangle is empty.
    void place(const QRectF &bar);

  signals:
    /// The button was shown or hidden.
    void visibilityChanged();

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    FigureView &m_view;
};

} // namespace headlight::ui
