// Runs a job on a worker thread and delivers its result on the owner's thread. A new job replaces
// the previous one.
#pragma once

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace headlight::ui {

class LatestJob {
  public:
    LatestJob();
    /// Cancels the job and waits until `compute` has reacted to its stop token.
    ~LatestJob();
    LatestJob(const LatestJob &) = delete;
    LatestJob &operator=(const LatestJob &) = delete;

    /// Calls compute(std::stop_token) on a worker thread and then deliver(result) on this object's
    /// thread, unless another start() or cancel() comes first. Does not block. Jobs run one after
    /// another, so `compute` may use data that is not thread-safe. `deliver` may start another job
    /// or delete this object.
    template <class Compute, class Deliver>
    void start(Compute compute, Deliver deliver) {
        run([compute = std::move(compute),
             deliver = std::move(deliver)](const std::stop_token &stop) mutable -> Delivery {
            using Answer = decltype(compute(stop));
            auto answer = std::make_shared<Answer>(compute(stop)); // may be large: never copied
            return
                [answer, deliver = std::move(deliver)]() mutable { deliver(std::move(*answer)); };
        });
    }
    /// Cancels the job without calling its `deliver`.
    void cancel();
    /// True until the job is delivered or cancelled.
    bool isBusy() const { return m_isBusy; }

  private:
    using Delivery = std::function<void()>;
    void run(std::function<Delivery(const std::stop_token &)> work);

    QObject m_receiver; // receives the posted deliveries and discards them when it is destroyed
    std::stop_source m_stop;
    bool m_isBusy = false;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
