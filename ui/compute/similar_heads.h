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

    /// Starts, or continues if the request is the same. Drops the results of another head or pass.
    /// Does not block.
    void want(const core::TracePointer &trace, core::Index sequence, const core::HeadId &chosen);
    /// Stops and keeps the layers that are done.
    void rest();
    /// Stops and drops everything.
    void forget();
    /// Returns the results for this trace, or null if none were requested. They never change
    /// afterwards.
    std::shared_ptr<const Found> of(const core::Trace &trace, core::Index sequence) const;
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// Emitted when one more layer is done or an error occurred.
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

    core::TracePointer m_trace; // lacks the stages computed on demand
    core::Index m_sequence = 0;
    std::vector<core::AttentionId> m_left; // attention modules to compute, the last one first
    std::shared_ptr<const Reference> m_reference; // null until it is read
    std::shared_ptr<const Found> m_found;
    LatestJob m_job;
};

} // namespace headlight::ui
