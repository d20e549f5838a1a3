// Card of a lesson on the start page with picture, title and summary, as a button.
#pragma once

#include "ui/figures/base/style.h"

#include <QAbstractButton>
#include <QImage>

namespace headlight::ui {

class LessonCard : public QAbstractButton {
    Q_OBJECT
  public:
    LessonCard(const QString &title, const QString &summary, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    void setPicture(const QImage &picture);
    /// Returns the size of the picture, logical pixels.
    QSize pictureSize() const;
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

  private:
    QRect textRect(const QString &text, bool bold, int top) const;

    QString m_summary;
    QImage m_picture;
    FigureStyle m_style;
};

} // namespace headlight::ui
