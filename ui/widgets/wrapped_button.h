// A button whose text takes as many lines as it needs, so that none of it is left out.
#pragma once

#include <QPushButton>

namespace headlight::ui {

class WrappedButton : public QPushButton {
    Q_OBJECT

  public:
    explicit WrappedButton(const QString &text = {}, QWidget *parent = nullptr);

    /// What stands instead of a text that would take more than three lines.
    void setBriefText(const QString &text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// Of its text at the present width.
    QStringList lines() const { return linesIn(width()); }

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    QStringList linesIn(int width) const;
    QStringList linesOf(const QString &text, int width) const;
    /// What the button has around its text, px.
    QSize frame() const;

    QString m_brief;
};

} // namespace headlight::ui
