#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace headlight::core {

namespace {

constexpr Index kMaxThreads = 8;

/// Waking a thread takes as long as a small product, so an idle thread polls for new work before it
/// sleeps.
constexpr std::chrono::microseconds kLookout(60);

/// Polls for at most kLookout. True if `isSo` became true.
template <class Condition>
bool lookOutFor(const Condition &isSo) {
    const auto until = std::chrono::steady_clock::now() + kLookout;
    while (!isSo()) {
        if (std::chrono::steady_clock::now() > until)
            return false;
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
    return true;
}

thread_local bool isAtWork = false;

/// Consecutive items that no thread has started.
class Items {
  public:
    void assign(std::uint32_t first, std::uint32_t end) { m_ends = packed(first, end); }
    void clear() { m_ends = 0; }
    std::optional<Index> takeFirst() { return take(1, 0); }
    std::optional<Index> takeLast() { return take(0, 1); }

  private:
    std::optional<Index> take(std::uint32_t fromStart, std::uint32_t fromEnd) {
        std::uint64_t ends = m_ends;
        while (true) {
            const auto first = static_cast<std::uint32_t>(ends >> 32);
            const auto end = static_cast<std::uint32_t>(ends);
            if (first >= end)
                return std::nullopt;
            if (m_ends.compare_exchange_weak(ends, packed(first + fromStart, end - fromEnd)))
                return fromStart ? first : end - 1;
        }
    }
    static std::uint64_t packed(std::uint32_t first, std::uint32_t end) {
        return std::uint64_t(first) << 32 | end;
    }

    std::atomic<std::uint64_t> m_ends = 0;
};

/// Each lane has a share of consecutive items, because they often read memory in order, which a
/// core prefetches. A lane without items takes the last items of other lanes.
struct Job {
    Job(const std::function<void(Index, Index)> &of, Index count) : work(of) {
        const Index all = maxThreads();
        for (Index lane = 0; lane < all; ++lane)
            shares[static_cast<std::size_t>(lane)].assign(
                static_cast<std::uint32_t>(count * lane / all),
                static_cast<std::uint32_t>(count * (lane + 1) / all));
    }
    std::optional<Index> next(Index lane) {
        if (const auto own = shares[static_cast<std::size_t>(lane)].takeFirst())
            return own;
        for (Items &share : shares)
            if (const auto item = share.takeLast())
                return item;
        return std::nullopt;
    }
    void skipAll() {
        for (Items &share : shares)
            share.clear();
    }

    const std::function<void(Index, Index)> &work;
    std::array<Items, kMaxThreads> shares;
    std::atomic<Index> helpers = 0; ///< changed only under the pool's lock, like the members below
    Index lanes = 1;                ///< number of lanes assigned so far
    std::exception_ptr error{};
};

/// The worker threads and the queue of jobs.
class Pool {
  public:
    Pool() {
        try {
            for (Index thread = 1; thread < maxThreads(); ++thread)
                m_threads.emplace_back([this](const std::stop_token &stop) { help(stop); });
        } catch (const std::system_error &) {
            // If the system cannot create more threads, the existing ones suffice.
        }
    }
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    void run(Job &job) {
        {
            const std::scoped_lock lock(m_mutex);
            m_jobs.push_back(&job);
            m_waiting = static_cast<Index>(m_jobs.size());
        }
        m_wake.notify_all();
        take(job, 0);
        std::unique_lock lock(m_mutex);
        remove(job);
        lock.unlock();
        lookOutFor([&job] { return job.helpers == 0; });
        lock.lock();
        m_done.wait(lock, [&job] { return job.helpers == 0; });
    }

    bool isEmpty() const { return m_threads.empty(); }

  private:
    void take(Job &job, Index lane) {
        isAtWork = true;
        try {
            while (const auto item = job.next(lane))
                job.work(*item, lane);
        } catch (...) {
            job.skipAll();
            const std::scoped_lock lock(m_mutex);
            if (!job.error)
                job.error = std::current_exception();
        }
        isAtWork = false;
    }

    void help(const std::stop_token &stop) {
        std::unique_lock lock(m_mutex);
        while (m_wake.wait(lock, stop, [this] { return !m_jobs.empty(); })) {
            Job &job = *m_jobs.front();
            const Index lane = job.lanes++;
            ++job.helpers;
            lock.unlock();
            take(job, lane);
            lock.lock();
            remove(job); // no items are left to start
            if (--job.helpers == 0)
                m_done.notify_all();
            lock.unlock();
            lookOutFor([&] { return m_waiting > 0 || stop.stop_requested(); });
            lock.lock();
        }
    }

    void remove(Job &job) {
        std::erase(m_jobs, &job);
        m_waiting = static_cast<Index>(m_jobs.size());
    }

    std::mutex m_mutex;
    std::condition_variable_any m_wake, m_done;
    std::vector<Job *> m_jobs;
    std::atomic<Index> m_waiting = 0;    ///< number of jobs
    std::vector<std::jthread> m_threads; ///< last member, so that the threads end first
};

} // namespace

Index maxThreads() {
    static const Index most = [] {
        const Index cores = static_cast<Index>(std::thread::hardware_concurrency());
        return std::clamp(cores <= 2 ? cores : cores - 1, Index(1), kMaxThreads);
    }();
    return most;
}

void inParallel(Index count, const std::function<void(Index, Index)> &work) {
    const auto alone = [&] {
        for (Index item = 0; item < count; ++item)
            work(item, 0);
    };
    if (count <= 1 || isAtWork)
        return alone();
    // Never destroyed, because a thread may still compute while the program exits.
    static Pool &pool = *new Pool;
    if (pool.isEmpty())
        return alone();
    assert(count <= std::numeric_limits<std::uint32_t>::max());
    Job job(work, count);
    pool.run(job);
    if (job.error)
        std::rethrow_exception(job.error);
}

} // namespace headlight::core
