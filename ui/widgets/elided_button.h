// A button that elides text that does not fit, so that it never widens its panel.
#pragma once

#include <QPushButton>

namespace headlight::ui {

class ElidedButton : public QPushButton {
  public:
    explicit ElidedButton(const QString &text = {}, QWidget *parent = nullptr);

    /// Sets a shorter text for when the full one does not fit. Without it the text is elided at
    /// the end.
    void setBriefText(const QString &text);
    /// Returns the visible part of the text at the current width.
    QString shownText() const;

    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    QString m_brief;
};

} // namespace headlight::ui
