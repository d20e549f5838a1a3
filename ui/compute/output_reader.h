// Computes the logits of one row without blocking the window. A trace of a long text computes them
// only on request.
#pragma once

#include "core/analysis/output_row_id.h"
#include "core/result.h"
#include "ui/compute/latest_job.h"

#include <optional>
#include <vector>

namespace headlight::ui {

class OutputReader : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Returns the row, or null if it is not available. Emits made() when it becomes ready, unless
    /// it could not be computed.
    core::OutputRowPointer rowOf(const core::TracePointer &trace, core::OutputRowId place);
    /// Returns the error of the last attempt. Null if it succeeded or is still running.
    const core::Error *failure(const core::TracePointer &trace, core::OutputRowId place) const;
    /// Allows failed rows to be computed again on the next request.
    void forgetFailures();
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    void made();
    void failed(const headlight::core::Error &error);

  private:
    /// A requested row. Does not keep its trace alive.
    struct Asked {
        std::weak_ptr<const core::Trace> trace;
        core::OutputRowId place;
        core::OutputRowPointer row;
        bool isBeingMade = false;
        std::optional<core::Error> failure{};
    };
    Asked *find(const core::TracePointer &trace, core::OutputRowId place);
    const Asked *find(const core::TracePointer &trace, core::OutputRowId place) const;
    /// Starts the first requested row that is not computed yet, unless another one is being
    /// computed.
    void makeNext();
    void take(const std::weak_ptr<const core::Trace> &trace, core::OutputRowId place,
              const core::Result<core::OutputRowPointer> &row);

    std::vector<Asked> m_asked; // the last few requests, newest last
    LatestJob m_job;
};

} // namespace headlight::ui
