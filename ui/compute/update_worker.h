// Computes on a worker thread how the next training step changes one parameter. A new request
// replaces the pending one.
#pragma once

#include "core/training/run/trainer.h"

#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace headlight::ui {

class UpdateWorker : public QObject {
    Q_OBJECT
  public:
    explicit UpdateWorker(QObject *parent = nullptr);
    ~UpdateWorker() override;

    /// Emits made() or failed() unless another request or cancel() comes first.
    void make(core::TrainingState state, core::TaskPointer task, const core::ParameterId &id,
              core::Index row, core::Index column);
    void cancel();

  signals:
    void made(const headlight::core::WeightUpdate &update);
    void failed(const headlight::core::Error &error);

  private:
    void take(int request, const core::Result<core::WeightUpdate> &update);

    int m_request = 0; // the newest request
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
