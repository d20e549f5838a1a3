// Small pictures' worth of all heads of an attention that is made one head at a time: a worker
// makes them one after the other, those that are in sight first.
#pragma once

#include "core/analysis/head_sampler.h"
#include "ui/compute/trace_runner.h"

#include <QThreadPool>

#include <map>
#include <memory>
#include <vector>

namespace headlight::ui {

/// The samples of one attention, as many as there are by now.
struct SampledHeads {
    std::map<core::Index, core::HeadSample> heads;
    std::shared_ptr<const core::Mask> hidden; ///< of every sample; null: nothing is
};

class HeadSamples : public QObject {
    Q_OBJECT
  public:
    explicit HeadSamples(QObject *parent = nullptr);
    ~HeadSamples() override;

    /// Which attention's.
    struct Place {
        core::StageId at{core::Stage::AttentionWeights, {}};
        core::Index sequence = 0;
        bool operator==(const Place &) const = default;
    };
    /// Those heads are missing, in the order in which they are wanted; the layer there is ready.
    /// What another trace or place had is let go of. Returns at once.
    void want(const core::Trace &trace, const Place &place, std::vector<core::Index> heads);
    /// Nothing is wanted for now; what is there stays.
    void rest();
    void forget();
    /// Of that place; empty: there are none.
    SampledHeads of(const core::Trace &trace, const Place &place) const;
    /// Something is made, or will be.
    bool isBusy() const { return m_isRunning; }

  signals:
    /// One more.
    void made();

  private:
    bool isOf(const core::Trace &trace, const Place &place) const {
        return m_sampler && place == m_place && m_sampler->isOf(trace);
    }
    void makeNext();
    void take(quint64 number, core::Index head, core::Result<core::HeadSample> sample);

    Place m_place;
    std::shared_ptr<const core::HeadSampler> m_sampler; // of the place; null: none was wanted
    SampledHeads m_sampled;
    std::vector<core::Index> m_wanted;
    bool m_isRunning = false;
    quint64 m_number = 0; // of the place; what was made of another one is not taken
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
