#include "ui/compute/trace_runner.h"

#include "core/tensor/numbers.h"

#include <chrono>

namespace headlight::ui {

namespace {

/// The time after a computation for which its memory is kept for the next one.
constexpr std::chrono::seconds kMemoryKept{4};

} // namespace

std::optional<core::Index> requestedRow(const core::Trace &trace, const DetailRequest &look) {
    if (!trace.isByRow(look.at.stage) || look.sequence >= trace.batch().count())
        return std::nullopt;
    const core::Index last = trace.batch()[look.sequence].length - 1;
    const core::Index row = look.row.value_or(last);
    return row >= 0 && row < trace.batch().length() ? std::optional(row) : std::nullopt;
}

core::Result<core::TracePointer> preparedFor(const DetailRequest &look, core::TracePointer trace,
                                             const std::stop_token &stop,
                                             const core::TracePointer &earlier) {
    const core::StageId at = look.at;
    const core::Index sequence = look.sequence, head = look.head;
    for (const core::Stage stage : {core::Stage::AttentionWeights, at.stage}) {
        if (trace->isReady(stage, at.attention, sequence, head))
            continue;
        core::Result<core::TracePointer> prepared =
            trace->prepared(stage, at.attention, sequence, head, stop, earlier.get());
        if (!prepared)
            return prepared.error();
        trace = *prepared;
    }
    // The row is kept in the trace itself, like the output rows that other workers compute.
    if (const auto row = requestedRow(*trace, look))
        if (const auto made =
                trace->madeRows(*trace->plan().find({at.stage, {}}), sequence, 0, {*row, 1}, stop);
            !made)
            return made.error();
    return trace;
}

TraceRunner::TraceRunner(QObject *parent)
    : QObject(parent), m_thread([this](std::stop_token quit) { work(std::move(quit)); }) {}

TraceRunner::~TraceRunner() {
    cancel();
    m_thread.request_stop();
    m_thread.join();
}

void TraceRunner::request(TraceRequest request) {
    const quint64 number = ++m_newest;
    const auto progress = std::make_shared<core::Progress>();
    m_progress = progress;
    {
        const std::lock_guard lock(m_mutex);
        m_running.request_stop();
        m_next = Numbered{number, std::move(request), progress};
    }
    m_wake.notify_one();
}

void TraceRunner::cancel() {
    ++m_newest; // no request has this number
    const std::lock_guard lock(m_mutex);
    m_running.request_stop();
    m_next.reset();
}

core::Progress::Layers TraceRunner::progress() const {
    return m_progress ? m_progress->layers() : core::Progress::Layers();
}

bool TraceRunner::isBusy() const {
    const std::lock_guard lock(m_mutex);
    return m_next || m_isRunning;
}

void TraceRunner::work(std::stop_token quit) {
    while (!quit.stop_requested()) {
        std::unique_lock lock(m_mutex);
        const auto isAsked = [this] { return m_next.has_value(); };
        if (!m_wake.wait_for(lock, quit, kMemoryKept, isAsked)) {
            lock.unlock();
            core::releasePool();
            lock.lock();
            if (!m_wake.wait(lock, quit, isAsked))
                return;
        }
        const auto [number, request, progress] = std::move(*m_next);
        m_next.reset();
        m_isRunning = true;
        m_running = std::stop_source();
        const std::stop_token stop = m_running.get_token();
        lock.unlock();

        core::Result<core::TracePointer> result = run(request, stop, *progress);
        if (!stop.stop_requested())
            report(number, request.revision, std::move(result));
        lock.lock();
        m_isRunning = false;
    }
}

core::Result<core::TracePointer> TraceRunner::run(const TraceRequest &request,
                                                  const std::stop_token &stop,
                                                  core::Progress &progress) {
    core::Result<core::TracePointer> trace =
        request.trace ? core::Result(request.trace)
                      : core::forward(*request.computable, request.previous, stop, {}, &progress,
                                      request.observer.get());
    return trace ? preparedFor(request.look, *trace, stop, request.previous) : trace;
}

void TraceRunner::report(quint64 number, quint64 revision,
                         core::Result<core::TracePointer> result) {
    QMetaObject::invokeMethod(
        this,
        [this, number, revision, result = std::move(result)] {
            if (number != m_newest)
                return;
            if (result)
                emit finished(revision, *result);
            else
                emit failed(revision, result.error());
        },
        Qt::QueuedConnection);
}

} // namespace headlight::ui
