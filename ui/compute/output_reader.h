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

    /// Returns the row. Null until made() is emitted, or if the row cannot be computed.
    core::OutputRowPointer rowOf(const core::TracePointer &trace, core::OutputRowId place);
    /// Returns the error of the last attempt. Null if that succeeded or is still running.
    const core::Error *failure(const core::TracePointer &trace, core::OutputRowId place) const;
    /// Allows another attempt at failed rows on the next request.
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
    /// Starts computing the oldest pending request, unless one is being computed.
    void makeNext();
    void take(const std::weak_ptr<const core::Trace> &trace, core::OutputRowId place,
              const core::Result<core::OutputRowPointer> &row);

    std::vector<Asked> m_asked; // the last few requests, newest last
    LatestJob m_job;
};

} // namespace headlight::ui
