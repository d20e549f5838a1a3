// Computes the logits of one row without blocking the window. A trace of a long text computes them
// only on request.
#pragma once

#include "core/analysis/output_row_id.h"
#include "core/result.h"

#include <QObject>
#include <QThreadPool>

#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::ui {

class OutputReader : public QObject {
    Q_OBJECT
  public:
    explicit OutputReader(QObject *parent = nullptr);
    ~OutputReader() override;

    /// Returns the row, or null if it is not available. Emits made() when it becomes ready, unless
    /// it could not be computed.
    core::OutputRowPointer rowOf(const core::TracePointer &trace, core::OutputRowId place);
    /// Returns the error of the last attempt. Null if it succeeded or is still running.
    const core::Error *failure(const core::TracePointer &trace, core::OutputRowId place) const;
    /// Allows failed rows to be computed again on the next request.
    void forgetFailures();
    bool isBusy() const;

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
        std::stop_source stop{};
    };
    Asked *find(const core::TracePointer &trace, core::OutputRowId place);
    const Asked *find(const core::TracePointer &trace, core::OutputRowId place) const;
    void take(const std::weak_ptr<const core::Trace> &trace, core::OutputRowId place,
              const core::Result<core::OutputRowPointer> &row);

    std::vector<Asked> m_asked; // the last few, the newest last
    QThreadPool m_pool;         // one thread
};

} // namespace headlight::ui
