// Pictures of the lessons, painted by the figures themselves from computed lessons, in a thread.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/figures/base/style.h"

#include <QImage>
#include <QStringList>

namespace headlight::ui {

/// Paints the attention weights of one step, without titles and scales. Returns a null image if the
/// lesson cannot be read or computed.
QImage lessonPicture(const QString &id, QSizeF size, double pixelRatio, const FigureStyle &style,
                     std::stop_token stop = {});

class LessonPictures : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Returns immediately; painted() follows for each lesson. Cancels an earlier request.
    void paint(QSizeF size, double pixelRatio, const FigureStyle &style);

  signals:
    void painted(const QString &id, const QImage &picture);

  private:
    void paintFrom(const QStringList &ids, QSizeF size, double pixelRatio,
                   const FigureStyle &style);

    LatestJob m_job;
};

} // namespace headlight::ui
