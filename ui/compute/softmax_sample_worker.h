// Samples dot products without blocking the window. See core/analysis/softmax_spread.h.
#pragma once

#include "core/analysis/softmax_spread.h"

#include <QObject>
#include <QThreadPool>

#include <stop_token>
#include <vector>

namespace headlight::ui {

class SoftmaxSampleWorker : public QObject {
    Q_OBJECT
  public:
    explicit SoftmaxSampleWorker(QObject *parent = nullptr);
    ~SoftmaxSampleWorker() override;

    /// Returns the samples, or null if they are being drawn; made() follows. Cancels an earlier
    /// request that is still running.
    core::SoftmaxSpreadPointer spreadOf(core::Index headSize, std::uint64_t seed);
    bool isBusy() const { return m_wanted.has_value(); }

  signals:
    void made();

  private:
    struct Wanted {
        core::Index headSize = 0;
        std::uint64_t seed = 0;
        bool operator==(const Wanted &) const = default;
    };
    void take(const Wanted &of, core::SoftmaxSpreadPointer spread);

    std::vector<core::SoftmaxSpreadPointer> m_made; // the last few, the newest last
    std::optional<Wanted> m_wanted;
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
