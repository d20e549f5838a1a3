// Computes small previews of all heads of an attention module, for traces that hold one head at a
// time. A worker computes the previews one by one, visible heads first.
#pragma once

#include "core/analysis/head_sampler.h"
#include "ui/compute/latest_job.h"
#include "ui/compute/trace_runner.h"

#include <map>
#include <memory>
#include <vector>

namespace headlight::ui {

/// The previews of one attention module that are ready so far.
struct SampledHeads {
    std::map<core::Index, core::HeadSample> heads;
    std::shared_ptr<const core::Mask> hidden; ///< mask of all samples; null if nothing is hidden
};

class HeadSamples : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// The attention module and the sequence.
    struct Place {
        core::StageId at{core::Stage::AttentionWeights, {}};
        core::Index sequence = 0;
        bool operator==(const Place &) const = default;
    };
    /// Requests these heads, in this order. The layer must be ready. Discards the samples of any
    /// other trace or module. Does not block.
    void want(const core::Trace &trace, const Place &place, std::vector<core::Index> heads);
    /// Cancels pending requests and keeps finished samples.
    void rest();
    void forget();
    /// Returns the finished samples of that attention module. Empty if there are none.
    SampledHeads of(const core::Trace &trace, const Place &place) const;
    /// True while a worker is running.
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// Emitted after each finished head.
    void made();

  private:
    bool isOf(const core::Trace &trace, const Place &place) const {
        return m_sampler && place == m_place && m_sampler->isOf(trace);
    }
    void makeNext();
    void take(core::Index head, core::Result<core::HeadSample> sample);

    Place m_place;
    std::shared_ptr<const core::HeadSampler> m_sampler; // for m_place; may be null
    SampledHeads m_sampled;
    std::vector<core::Index> m_wanted;
    LatestJob m_job; // computes the first head of m_wanted
};

} // namespace headlight::ui
