#include "ui/compute/training_runner.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr core::Index kMostPassed = 250;

TrainingMoment momentOf(const core::Trainer &trainer) {
    core::TrainingState state = trainer.state();
    core::Weights weights = state.model.weights;
    return {std::make_shared<const core::TrainingRun>(core::runOf(std::move(state))),
            std::move(weights)};
}

} // namespace

TrainingRunner::TrainingRunner(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

TrainingRunner::~TrainingRunner() {
    cancel();
    m_pool.waitForDone();
}

void TrainingRunner::start(core::TrainingState state, core::TaskPointer task, core::Index steps) {
    cancel();
    m_job = std::make_shared<Job>();
    m_isRunning = true;
    m_pool.start([this, job = m_job, state = std::move(state), task = std::move(task),
                  steps]() mutable { work(job, std::move(state), task, steps); });
}

void TrainingRunner::stop() {
    if (m_job)
        m_job->stop.request_stop();
}

void TrainingRunner::cancel() {
    stop();
    m_job.reset();
    m_isRunning = false;
}

void TrainingRunner::wantMoment() {
    if (m_job)
        m_job->isWanted = true;
}

template <typename Report>
void TrainingRunner::report(const JobPointer &job, bool isLast, Report report) {
    QMetaObject::invokeMethod(
        this,
        [this, job, isLast, report = std::move(report)] {
            if (job != m_job)
                return;
            if (isLast)
                m_isRunning = false;
            report();
        },
        Qt::QueuedConnection);
}

void TrainingRunner::work(const JobPointer &job, core::TrainingState state,
                          const core::TaskPointer &task, core::Index steps) {
    const std::stop_token stop = job->stop.get_token();
    core::Result<core::Trainer> trainer = core::Trainer::create(std::move(state), task);
    if (!trainer)
        return report(job, true, [this, error = trainer.error()] { emit refused(error); });
    const auto isOver = [&](const core::Outcome &outcome) {
        if (outcome)
            return false;
        const TrainingMoment moment = momentOf(*trainer);
        if (stop.stop_requested())
            report(job, true, [this, moment] { emit stopped(moment); });
        else
            report(job, true,
                   [this, error = outcome.error(), moment] { emit diverged(error, moment); });
        return true;
    };
    const auto measured = [&]() -> core::Outcome {
        if (!trainer->isTimeToMeasure())
            return core::Done{};
        const core::Result<core::HeldOut> heldOut = trainer->measure(stop);
        return heldOut ? core::Outcome(core::Done{}) : core::Outcome(heldOut.error());
    };
    const core::Index every = std::max<core::Index>(1, trainer->recipe().steps / kMostPassed);
    for (core::Index made = 0; made < steps && !trainer->isDone(); ++made) {
        if (isOver(measured()) || isOver(trainer->advance(stop)))
            return;
        ++job->made;
        const bool isWanted = job->isWanted.exchange(false);
        if (isWanted || trainer->step() % every == 0)
            report(job, false, [this, isWanted, moment = momentOf(*trainer)] {
                if (isWanted)
                    emit reached(moment);
                else
                    emit passed(moment);
            });
    }
    if (isOver(measured()))
        return;
    report(job, true, [this, moment = momentOf(*trainer)] { emit stopped(moment); });
}

} // namespace headlight::ui
