// Computes the similarity of all heads of a trace to a chosen one, layer by layer on a worker
// thread.
#pragma once

#include "core/analysis/head_similarity.h"
#include "ui/compute/latest_job.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headlight::ui {

class SimilarHeads : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    struct Found {
        core::HeadId chosen;
        std::map<core::HeadId, std::optional<double>> values; ///< only finished layers
        std::optional<core::Error> error{};                   ///< set if a layer failed
    };

    /// Starts, or continues if the request is the same. A request for another head or another pass
    /// drops the results. Does not block.
    void want(const core::TracePointer &trace, core::Index sequence, const core::HeadId &chosen);
    /// Stops and keeps the layers that are done.
    void rest();
    /// Stops and drops everything.
    void forget();
    /// Returns the results for this trace; null if none were requested. The value never changes
    /// afterwards.
    std::shared_ptr<const Found> of(const core::Trace &trace, core::Index sequence) const;
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// One more layer is done, or there is an error.
    void made();

  private:
    /// The chosen head's weights, with the trace that they refer to.
    struct Reference {
        core::TracePointer trace;
        core::ChosenHead head;
    };
    struct Layer {
        std::shared_ptr<const Reference> reference;
        core::Result<std::vector<std::optional<double>>> similarities;
    };
    void makeNext();
    void take(Layer layer);

    core::TracePointer m_trace; // without details
    core::Index m_sequence = 0;
    std::vector<core::AttentionId> m_left; // attention modules to compute, the last one first
    std::shared_ptr<const Reference> m_reference; // null: not read yet
    std::shared_ptr<const Found> m_found;
    LatestJob m_job;
};

} // namespace headlight::ui
