// Goes the way back of a trace beside the window; the newest request counts.
#pragma once

#include "core/explain/back/way_back.h"
#include "core/training/tasks/task.h"

#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace headlight::ui {

class WayBackMaker : public QObject {
    Q_OBJECT
  public:
    explicit WayBackMaker(QObject *parent = nullptr);
    ~WayBackMaker() override;

    /// Of what the text asks: see core::questionsOf(). made() or failed() follows, unless another
    /// one is asked for, or cancel().
    void make(const core::TracePointer &trace, core::TaskPointer task);
    void cancel();
    bool isBusy() const { return m_isBusy; }

  signals:
    void made(const headlight::core::WayBackPointer &wayBack);
    void failed(const headlight::core::Error &error);

  private:
    void take(int request, const core::Result<core::WayBackPointer> &wayBack);

    int m_request = 0; // the newest
    bool m_isBusy = false;
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
