#include "ui/compute/training_runner.h"

#include "core/cancelled.h"

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr core::Index kMaxCheckpoints = 250;

TrainingCheckpoint checkpointOf(const core::AblationStudy &study) {
    core::TrainingState state = study.state();
    core::ModelParameters weights = state.model.parameters;
    return {std::make_shared<const core::TrainingRun>(core::runOf(std::move(state))),
            std::move(weights), study.divergence().has_value()};
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

void TrainingRunner::wantCheckpoint() {
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
    core::Result<core::AblationStudy> study = core::AblationStudy::create(std::move(state), task);
    if (!study)
        return report(job, true, [this, error = study.error()] { emit refused(error); });
    bool reportsDivergence = true, reportsAblatedDivergence = true;
    const auto isOver = [&](const core::Outcome &outcome) {
        if (study->ablatedDivergence() && std::exchange(reportsAblatedDivergence, false))
            report(job, false,
                   [this, error = *study->ablatedDivergence()] { emit ablatedDiverged(error); });
        const bool fell = study->divergence() && std::exchange(reportsDivergence, false);
        const bool endsByIt = fell && !outcome && !core::isCancelled(outcome.error());
        if (fell)
            report(job, endsByIt,
                   [this, error = *study->divergence(), checkpoint = checkpointOf(*study)] {
                       emit diverged(error, checkpoint);
                   });
        if (!outcome && !endsByIt)
            report(job, true,
                   [this, checkpoint = checkpointOf(*study)] { emit stopped(checkpoint); });
        return !outcome;
    };
    const core::Index every = std::max<core::Index>(1, study->recipe().steps / kMaxCheckpoints);
    for (core::Index made = 0; made < steps && !study->isDone(); ++made) {
        if (isOver(study->advance(stop)))
            return;
        ++job->made;
        const bool isWanted = job->isWanted.exchange(false);
        if (isWanted || study->step() % every == 0)
            report(job, false, [this, isWanted, checkpoint = checkpointOf(*study)] {
                if (isWanted)
                    emit reached(checkpoint);
                else
                    emit passed(checkpoint);
            });
    }
    if (isOver(study->measure(stop)))
        return;
    report(job, true, [this, checkpoint = checkpointOf(*study)] { emit stopped(checkpoint); });
}

} // namespace headlight::ui
