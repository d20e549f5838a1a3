// A button that shows less where its text does not fit, so that it never widens its panel.
#pragma once

#include <QPushButton>

namespace headlight::ui {

class ElidedButton : public QPushButton {
  public:
    explicit ElidedButton(const QString &text = {}, QWidget *parent = nullptr);

    /// What stands instead of a text that does not fit; without one its beginning and an ellipsis.
    void setBriefText(const QString &text);
    /// Of its text at the present width.
    QString shownText() const;

    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    QString m_brief;
};

} // namespace headlight::ui
