// A picture of each lesson, painted by the figures themselves from what the lesson computes, on a
// thread of its own.
#pragma once

#include "ui/figures/base/style.h"

#include <QImage>
#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace headlight::ui {

/// The attention weights of one of its steps, without titles and scales; null where it cannot be
/// read or computed.
QImage lessonPicture(const QString &id, QSizeF size, double pixelRatio, const FigureStyle &style,
                     std::stop_token stop = {});

class LessonPictures : public QObject {
    Q_OBJECT
  public:
    explicit LessonPictures(QObject *parent = nullptr);
    ~LessonPictures() override;

    /// Returns at once; painted() follows for each lesson. What was asked for before comes no more.
    void paint(QSizeF size, double pixelRatio, const FigureStyle &style);

  signals:
    void painted(const QString &id, const QImage &picture);

  private:
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
