#include "ui/views/birth_replay.h"

#include "core/cancelled.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headlight::ui {

namespace {
constexpr int kReplayFrame = 33;   // ms
constexpr int kProgressFrame = 60; // ms
constexpr std::chrono::milliseconds kMaxPause(50), kPoll(10);

std::weak_ptr<RunAhead> &newestRunAhead() {
    static std::weak_ptr<RunAhead> newest;
    return newest;
}

} // namespace

std::shared_ptr<RunAhead> RunAhead::begin(const core::Recipe &recipe, core::TaskPointer task) {
    auto run = std::make_shared<RunAhead>(recipe, std::move(task));
    newestRunAhead() = run;
    return run;
}

std::shared_ptr<RunAhead> RunAhead::of(const core::Recipe &recipe) {
    std::shared_ptr<RunAhead> run = newestRunAhead().lock();
    return run && run->m_recipe == recipe ? run : nullptr;
}

RunAhead::RunAhead(const core::Recipe &recipe, core::TaskPointer task)
    : m_recipe(recipe),
      m_made(std::make_shared<std::atomic<core::Index>>(0)),
      m_run(m_promise.get_future().share()) {
    m_thread = std::jthread([this, task = std::move(task)](const std::stop_token &stop) {
        using Clock = std::chrono::steady_clock;
        Clock::time_point last = Clock::now();
        m_promise.set_value(core::recordRun(m_recipe, task, stop, [&](core::Index step) {
            m_made->store(step);
            if (!m_isAwaited) // leaves half of the time to other threads
                std::this_thread::sleep_for(
                    std::min<Clock::duration>(Clock::now() - last, kMaxPause));
            last = Clock::now();
        }));
    });
}

core::Result<core::RecordedRunPointer> RunAhead::runWhenDone(const std::stop_token &stop) {
    m_isAwaited = true;
    while (m_run.wait_for(kPoll) != std::future_status::ready)
        if (stop.stop_requested())
            return core::cancelled();
    return m_run.get();
}

bool RunAhead::isDone() const {
    return m_run.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

BirthReplay::BirthReplay(QObject *parent) : QObject(parent) {
    m_progress.setInterval(kProgressFrame);
    connect(&m_progress, &QTimer::timeout, this, &BirthReplay::changed);
    m_clock.setInterval(kReplayFrame);
    connect(&m_clock, &QTimer::timeout, this,
            [this] { moveOn(static_cast<double>(m_since.restart()) / 1000); });
}

void BirthReplay::record(const core::Recipe &recipe, core::TaskPointer task) {
    clear();
    m_steps = std::max<core::Index>(recipe.steps, 1);
    const std::shared_ptr<RunAhead> ahead = RunAhead::of(recipe);
    m_made = ahead ? ahead->made() : std::make_shared<std::atomic<core::Index>>(0);
    m_progress.start();
    m_job.start(
        [recipe, task = std::move(task), made = m_made, ahead](const std::stop_token &stop) {
            if (ahead)
                return ahead->runWhenDone(stop);
            return core::recordRun(recipe, task, stop,
                                   [&made](core::Index step) { made->store(step); });
        },
        [this](const core::Result<core::RecordedRunPointer> &run) {
            m_progress.stop();
            if (!run) {
                emit changed();
                emit failed(run.error());
                return;
            }
            m_run = *run;
            emit recorded();
            emit changed();
        });
    emit changed();
}

void BirthReplay::take(const BirthReplay &other) {
    clear();
    m_run = other.m_run;
    m_duration = other.m_duration;
    show(other.m_snapshot);
}

void BirthReplay::clear() {
    m_job.cancel();
    m_progress.stop();
    m_clock.stop();
    m_run = nullptr;
    m_snapshot = 0;
    m_share = 0;
    emit changed();
}

double BirthReplay::progress() const {
    return m_made
               ? std::min(1.0, static_cast<double>(m_made->load()) / static_cast<double>(m_steps))
               : 0;
}

void BirthReplay::show(std::size_t snapshot) {
    if (!m_run)
        return;
    m_snapshot = std::min(snapshot, m_run->snapshots.size() - 1);
    m_share = m_run->pace[m_snapshot];
    if (isAtEnd())
        m_clock.stop();
    emit changed();
}

void BirthReplay::step(int by) {
    const auto next = static_cast<std::ptrdiff_t>(m_snapshot) + by;
    show(static_cast<std::size_t>(std::max<std::ptrdiff_t>(next, 0)));
}

void BirthReplay::setDuration(int seconds) {
    m_duration = seconds;
    if (isPlaying() && seconds == 0)
        return show(m_run->snapshots.size() - 1);
    emit changed();
}

void BirthReplay::play() {
    if (!m_run)
        return;
    if (m_duration == 0)
        return show(m_run->snapshots.size() - 1);
    if (isAtEnd())
        show(0);
    m_since.start();
    m_clock.start();
    emit changed();
}

void BirthReplay::pause() {
    m_clock.stop();
    emit changed();
}

void BirthReplay::moveOn(double seconds) {
    if (!m_run || m_duration == 0)
        return;
    m_share = std::min(1.0, m_share + seconds / m_duration);
    const std::size_t next = m_run->snapshotAtShare(m_share);
    if (next == m_snapshot)
        return; // several frames may show the same snapshot
    m_snapshot = next;
    if (isAtEnd())
        m_clock.stop();
    emit changed();
}

} // namespace headlight::ui
