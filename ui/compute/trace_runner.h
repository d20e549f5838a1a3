// Runs the engine on a worker thread. The newest request replaces earlier ones. The threads
// exchange requests and results by value.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/run/forward.h"

#include <QObject>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace headlight::ui {

/// The part of a trace that the views show. The trace of a long input holds the details of this
/// layer only. The trace of a very long input holds only this head and, for stages over words, only
/// this row.
struct DetailRequest {
    core::StageId at{core::Stage::Embeddings, {}};
    core::Index sequence = 0;
    core::Index head = 0;
    std::optional<core::Index> row{}; ///< row of a stage over words; unset: the last one

    static DetailRequest of(const core::Selection &selection) {
        return {{selection.stage, selection.attention()},
                selection.sequence,
                selection.head,
                core::infoOf(selection.stage).overWords() ? selection.query : std::nullopt};
    }
    bool operator==(const DetailRequest &) const = default;
};

/// Returns the row that must be ready. Unset unless the requested stage is computed one row at a
/// time.
std::optional<core::Index> requestedRow(const core::Trace &trace, const DetailRequest &look);

/// Returns the trace with the requested stage ready, and the attention weights of its layer or
/// head, which many views always show. Reuses unchanged results of `earlier`. Errors: like
/// core::forward().
core::Result<core::TracePointer> preparedFor(const DetailRequest &look, core::TracePointer trace,
                                             const std::stop_token &stop = {},
                                             const core::TracePointer &earlier = nullptr);

struct TraceRequest {
    quint64 revision = 0;                       ///< document's revision; returned with the result
    std::optional<core::Computable> computable; ///< unset if there is a trace
    core::TracePointer previous;                ///< source of reusable results; may be null
    DetailRequest look{};
    /// An existing trace that lacks only the details for `look`, or null.
    core::TracePointer trace{};
    /// Receives the attention weights during the pass; may be null.
    std::shared_ptr<core::WeightsObserver> observer{};
};

class TraceRunner : public QObject {
    Q_OBJECT
  public:
    explicit TraceRunner(QObject *parent = nullptr);
    ~TraceRunner() override;

    /// Stops the running request, drops the waiting one, and starts this one. Does not block.
    void request(TraceRequest request);
    /// Stops the running request and drops the waiting one. Neither emits a signal afterwards.
    void cancel();
    /// Returns the progress of the newest request.
    core::Progress::Layers progress() const;
    /// True while anything is being computed, even if its result will be dropped. The result's
    /// signal is queued before this returns false.
    bool isBusy() const;

  signals:
    // Emitted on this object's thread, for the newest request only.
    void finished(quint64 revision, core::TracePointer trace);
    void failed(quint64 revision, core::Error error);

  private:
    void work(std::stop_token quit);
    static core::Result<core::TracePointer>
    run(const TraceRequest &request, const std::stop_token &stop, core::Progress &progress);
    void report(quint64 number, quint64 revision, core::Result<core::TracePointer> result);

    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    struct Numbered {
        quint64 number = 0; ///< one revision may have several requests, for different layers
        TraceRequest request;
        std::shared_ptr<core::Progress> progress;
    };
    std::optional<Numbered> m_next; // guarded by m_mutex
    std::stop_source m_running;     // guarded by m_mutex: stops the computation, not the thread
    bool m_isRunning = false;       // guarded by m_mutex
    std::shared_ptr<const core::Progress> m_progress; // this object's thread only
    quint64 m_newest = 0;  // this object's thread only: the request that may report
    std::jthread m_thread; // last member, because the thread uses all others
};

} // namespace headlight::ui
