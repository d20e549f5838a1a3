// A button that wraps its text to as many lines as it needs.
#pragma once

#include <QPushButton>

namespace headlight::ui {

class WrappedButton : public QPushButton {
    Q_OBJECT

  public:
    explicit WrappedButton(const QString &text = {}, QWidget *parent = nullptr);

    /// Sets a shorter text for when the full one takes more than three lines.
    void setBriefText(const QString &text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// Returns the lines of the text at the current width.
    QStringList lines() const { return linesIn(width()); }

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    QStringList linesIn(int width) const;
    QStringList linesOf(const QString &text, int width) const;
    /// Returns the space around the text, px.
    QSize frame() const;

    QString m_brief;
};

} // namespace headlight::ui
