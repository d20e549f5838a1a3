// Pictures of the lessons, painted by the figures themselves from computed lessons, in a thread.
#pragma once

#include "ui/figures/base/style.h"

#include <QImage>
#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace headlight::ui {

/// Paints the attention weights of one step, without titles and scales. Returns a null image if the
/// lesson cannot be read or computed.
QImage lessonPicture(const QString &id, QSizeF size, double pixelRatio, const FigureStyle &style,
                     std::stop_token stop = {});

class LessonPictures : public QObject {
    Q_OBJECT
  public:
    explicit LessonPictures(QObject *parent = nullptr);
    ~LessonPictures() override;

    /// Returns immediately; painted() follows for each lesson. Cancels an earlier request.
    void paint(QSizeF size, double pixelRatio, const FigureStyle &style);

  signals:
    void painted(const QString &id, const QImage &picture);

  private:
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
