// The only threading code: runs the engine on a worker. The newest request wins; values cross the
// threads, objects do not.
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

/// Where a trace will be looked at: of a long input, the layer whose stages are made as well; of a
/// very long one, the head.
struct DetailRequest {
    core::StageId at{core::Stage::Embeddings, {}};
    core::Index sequence = 0;
    core::Index head = 0;

    static DetailRequest of(const core::Selection &selection) {
        return {{selection.stage, selection.attention()}, selection.sequence, selection.head};
    }
    bool operator==(const DetailRequest &) const = default;
};

/// The trace with what is looked at there ready, and the attention weights of that layer, or head,
/// which many views show whatever is selected. What `earlier` has of it is taken over where it
/// comes out the same. Errors: as core::forward().
core::Result<core::TracePointer> preparedFor(const DetailRequest &look, core::TracePointer trace,
                                             const std::stop_token &stop = {},
                                             const core::TracePointer &earlier = nullptr);

struct TraceRequest {
    quint64 revision = 0; ///< of the document; comes back with the result
    core::Model model;
    core::Input input;
    core::TracePointer previous; ///< what may be taken over; may be null
    DetailRequest look{};
    /// The trace itself, where it is there already and only that layer is wanted; else null.
    core::TracePointer trace{};
};

class TraceRunner : public QObject {
    Q_OBJECT
  public:
    explicit TraceRunner(QObject *parent = nullptr);
    ~TraceRunner() override;

    /// Stops what is running, forgets what was waiting, and runs this. Returns at once.
    void request(TraceRequest request);
    /// Stops what is running and forgets what was waiting; neither reports anything any more.
    void cancel();
    /// How far the newest request has come.
    core::Progress::Layers progress() const;
    /// Something is still computed, even if nobody waits for it any more. What is reported is on
    /// its way before this is false.
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
        quint64 number = 0; ///< of one revision there may be several requests, for several layers
        TraceRequest request;
        std::shared_ptr<core::Progress> progress;
    };
    std::optional<Numbered> m_next; // guarded by m_mutex
    std::stop_source m_running;     // guarded by m_mutex: stops the computation, not the thread
    bool m_isRunning = false;       // guarded by m_mutex
    std::shared_ptr<const core::Progress> m_progress; // this object's thread only: of m_newest
    quint64 m_newest = 0;  // this object's thread only: the request that may report
    std::jthread m_thread; // last: it starts when everything else is there
};

} // namespace headlight::ui
