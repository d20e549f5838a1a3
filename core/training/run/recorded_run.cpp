#include "core/training/run/recorded_run.h"

#include "core/cancelled.h"
#include "core/training/run/held_out_examples.h"
#include "core/training/run/trainer.h"
#include "core/training/tasks/batch_of.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace headlight::core {

namespace {

/// Maximum number of snapshots of a run. More of them would look alike in a one-minute replay.
constexpr Index kMaxSnapshots = 240;
/// Maximum memory of all snapshots, in bytes. Runs of larger models have fewer snapshots.
constexpr Index kSnapshotMemory = Index(64) << 20;
constexpr Index kFewestSnapshots = 40;
/// Number of examples whose attention weights are measured at each snapshot.
constexpr Index kMeasuredExamples = 12;
constexpr Index kGuessedExamples = 1000;
/// The smallest final measure at which a head counts as serving a purpose.
constexpr double kServes = 0.2;

/// Returns the number of steps between two snapshots.
Index strideOf(const Recipe &recipe, const Model &model) {
    const Index bytes = std::max(parameterCount(model) * Index(sizeof(float)), Index(1));
    const Index most = std::clamp(kSnapshotMemory / bytes, kFewestSnapshots, kMaxSnapshots);
    return std::max((recipe.steps + most - 1) / most, Index(1));
}

double guessLossOf(const Task &task, std::uint64_t seed) {
    std::map<Index, double> counts;
    double all = 0;
    for (const Example &example : examplesOf(task, Split::Train, seed, 0, kGuessedExamples))
        for (const Index answer : example.answers)
            if (answer != kLeftOut) {
                ++counts[answer];
                ++all;
            }
    double loss = 0;
    for (const auto &[answer, count] : counts)
        loss -= count / all * std::log(count / all);
    return loss;
}

/// Returns held-out examples that are short enough to be read at a glance. The longest ones come
/// first, because a pattern of a few cells shows little.
std::vector<Example> readableExamplesOf(const Task &task) {
    constexpr std::size_t kReadableTokens = 9;
    constexpr std::size_t kMaxShown = 24;
    std::vector<Example> all = heldOutOf(task);
    std::size_t shortest = all.front().tokens.size();
    for (const Example &example : all)
        shortest = std::min(shortest, example.tokens.size());
    const std::size_t most = std::max(kReadableTokens, shortest + 1);
    std::erase_if(all, [most](const Example &one) { return one.tokens.size() > most; });
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const Example &one) { return one.tokens.size(); });
    all.resize(std::min(all.size(), kMaxShown));
    return all;
}

/// Computes one trace per example.
Result<std::vector<TracePointer>> tracesOf(const Model &model, const Input &masks,
                                           std::span<const Example> examples,
                                           const std::stop_token &stop) {
    std::vector<TracePointer> traces;
    for (const Example &example : examples) {
        const Result<TracePointer> trace = traceOf(example, model, masks, stop);
        if (!trace)
            return trace.error();
        traces.push_back(*trace);
    }
    return traces;
}

std::vector<double> measuresIn(const std::vector<TracePointer> &traces, AttentionId attention,
                               const Task &task, KeyTarget target,
                               std::span<const Example> examples) {
    std::vector<double> sums(static_cast<std::size_t>(traces.front()->model().headsOf(attention)),
                             0.0);
    double queries = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const Tensor weights = traces[i]->stage(Stage::AttentionWeights, attention);
        const auto keys = targetKeysOf(target, task, examples[i]);
        for (std::size_t query = 0; query < keys.size(); ++query) {
            queries += keys[query].empty() ? 0 : 1;
            for (std::size_t head = 0; head < sums.size(); ++head)
                for (const Index key : keys[query])
                    sums[head] += static_cast<double>(
                        weights.view(0, static_cast<Index>(head))(static_cast<Index>(query), key));
        }
    }
    for (double &sum : sums)
        sum /= std::max(queries, 1.0);
    return sums;
}

class Recorder {
  public:
    Recorder(Trainer trainer, const WatchableTask &watched)
        : m_trainer(std::move(trainer)),
          m_watched(watched),
          m_masks(masksOf(m_trainer.task().info(), m_trainer.recipe().architecture)),
          m_examples(heldOutOf(m_trainer.task(), kMeasuredExamples)) {}

    Outcome run(const std::stop_token &stop, const std::function<void(Index)> &progress) {
        const Index stride = strideOf(m_trainer.recipe(), m_trainer.model());
        for (;;) {
            if (m_trainer.step() % stride == 0 || m_trainer.isDone())
                if (Outcome taken = take(stop); !taken)
                    return taken;
            if (m_trainer.isDone())
                return Done{};
            if (Outcome made = m_trainer.advance(stop); !made)
                return made;
            if (progress)
                progress(m_trainer.step());
        }
    }

    Result<RecordedRunPointer> recorded(TaskPointer task) {
        auto recorded = std::make_shared<RecordedRun>();
        recorded->guessLoss = guessLossOf(*task, m_trainer.recipe().seed);
        recorded->task = std::move(task);
        recorded->end = m_trainer.state();
        recorded->snapshots = std::move(m_snapshots);
        std::vector<std::vector<double>> curves{{}};
        std::vector<Index> steps;
        for (const RunSnapshot &snapshot : recorded->snapshots) {
            steps.push_back(snapshot.step);
            curves.front().push_back(snapshot.heldOut.loss);
        }
        for (std::size_t i = 0; i < m_purposes.size(); ++i) {
            const std::optional<FormedHead> head = formed(i);
            if (!head)
                continue;
            recorded->heads.push_back(*head);
            curves.push_back(head->measures);
        }
        recorded->pace = paceOf(steps, curves);
        if (Outcome sorted = sortExamples(*recorded); !sorted)
            return sorted.error();
        return RecordedRunPointer(std::move(recorded));
    }

  private:
    Outcome take(const std::stop_token &stop) {
        const Result<HeldOut> heldOut = m_trainer.measure(stop);
        if (!heldOut)
            return heldOut.error();
        const Model model = m_trainer.model();
        const auto traces = tracesOf(model, m_masks, m_examples, stop);
        if (!traces)
            return traces.error();
        if (m_snapshots.empty())
            for (const HeadPurpose &purpose : m_watched.purposes)
                if (purpose.layer < model.layerCount()) // the user may choose fewer layers
                    m_purposes.push_back(&purpose);
        m_measures.resize(m_purposes.size());
        for (std::size_t i = 0; i < m_purposes.size(); ++i)
            m_measures[i].push_back(measuresIn(*traces, {m_purposes[i]->layer}, m_trainer.task(),
                                               m_purposes[i]->keys, m_examples));
        m_snapshots.push_back({m_trainer.step(), model.parameters, *heldOut});
        return Done{};
    }

    /// Sorts the examples so that the clearest ones come first. In an unclear example, the measure
    /// of at least one formed head is far below the head's mean.
    Outcome sortExamples(RecordedRun &run) const {
        std::vector<std::pair<double, Example>> all;
        for (Example &example : readableExamplesOf(*run.task)) {
            const std::span<const Example> one(&example, 1);
            const auto traces = tracesOf(run.end.model, m_masks, one, {});
            if (!traces)
                return traces.error();
            double least = 1e9;
            for (const FormedHead &head : run.heads)
                least = std::min(least,
                                 measuresIn(*traces, head.attention, *run.task, head.purpose.keys,
                                            one)[static_cast<std::size_t>(head.head)] /
                                     head.measures.back());
            all.emplace_back(least, std::move(example));
        }
        std::ranges::stable_sort(all, std::ranges::greater(), &std::pair<double, Example>::first);
        for (auto &[clear, example] : all)
            run.examples.push_back(std::move(example));
        return Done{};
    }

    /// Returns the head with the highest final measure, or nullopt if no head serves the purpose.
    std::optional<FormedHead> formed(std::size_t purpose) const {
        const auto &all = m_measures[purpose];
        const auto best = std::ranges::max_element(all.back()) - all.back().begin();
        FormedHead head{*m_purposes[purpose], {m_purposes[purpose]->layer}, best};
        for (const std::vector<double> &heads : all)
            head.measures.push_back(heads[static_cast<std::size_t>(best)]);
        const std::optional<std::size_t> half = halfReached(head.measures);
        if (!half || head.measures.back() < kServes)
            return std::nullopt;
        head.formed = *half;
        for (Index other = 0; other < std::ssize(all.back()); ++other)
            if (all.back()[static_cast<std::size_t>(other)] >= head.measures.back() / 2)
                head.alike.push_back(other);
        return head;
    }

    Trainer m_trainer;
    const WatchableTask &m_watched;
    Input m_masks;
    std::vector<Example> m_examples;
    std::vector<const HeadPurpose *> m_purposes;
    std::vector<std::vector<std::vector<double>>> m_measures; // by purpose, snapshot and head
    std::vector<RunSnapshot> m_snapshots;
};

} // namespace

std::vector<HeadIntervention> FormedHead::silenced() const {
    std::vector<HeadIntervention> all;
    for (const Index each : alike)
        all.push_back({attention.layer, each, HeadState::Zero, attention.block, attention.stack});
    return all;
}

Model RecordedRun::modelAt(std::size_t snapshot) const {
    Model model = end.model;
    model.parameters = snapshots[snapshot].weights;
    return model;
}

std::size_t RecordedRun::snapshotAtShare(double share) const {
    const auto later = std::ranges::upper_bound(pace, share);
    return later == pace.begin() ? 0 : static_cast<std::size_t>(later - pace.begin() - 1);
}

std::size_t RecordedRun::snapshotAtStep(double step) const {
    const auto nearest = std::ranges::min_element(snapshots, {}, [step](const RunSnapshot &one) {
        return std::abs(static_cast<double>(one.step) - step);
    });
    return static_cast<std::size_t>(nearest - snapshots.begin());
}

std::vector<std::size_t> RecordedRun::spread(std::size_t until, std::size_t count) const {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? pace[until] * double(i) / double(count - 1) : pace[until];
        const std::size_t next = i + 1 == count ? until : snapshotAtShare(share);
        if (chosen.empty() || next > chosen.back())
            chosen.push_back(next);
    }
    return chosen;
}

std::optional<std::size_t> halfReached(std::span<const double> measures) {
    std::size_t from = measures.size();
    while (from > 0 && measures[from - 1] >= measures.back() / 2)
        --from;
    return from == 0 || from == measures.size() ? std::nullopt : std::optional(from);
}

std::vector<double> paceOf(std::span<const Index> steps,
                           const std::vector<std::vector<double>> &curves) {
    constexpr double kShareOfSteps = 0.25;
    const std::size_t intervals = steps.size() - 1;
    const auto normalized = [intervals](std::vector<double> changes) {
        const double all = std::accumulate(changes.begin(), changes.end(), 0.0);
        for (double &change : changes)
            change = all > 0 ? change / all : 1 / static_cast<double>(intervals);
        return changes;
    };
    std::vector<double> even(intervals), each(intervals, 0.0);
    for (std::size_t i = 0; i < intervals; ++i)
        even[i] = static_cast<double>(steps[i + 1] - steps[i]);
    even = normalized(std::move(even));
    for (const std::vector<double> &curve : curves) {
        const double way = curve.back() < curve.front() ? -1 : 1;
        std::vector<double> changes;
        double best = way * curve.front();
        for (std::size_t i = 0; i < intervals; ++i) {
            const double next = std::clamp(way * curve[i + 1], best, way * curve.back());
            changes.push_back(next - best);
            best = next;
        }
        changes = normalized(std::move(changes));
        for (std::size_t i = 0; i < intervals; ++i)
            each[i] += changes[i] / static_cast<double>(curves.size());
    }
    std::vector<double> pace{0};
    for (std::size_t i = 0; i < intervals; ++i)
        pace.push_back(pace.back() + kShareOfSteps * even[i] + (1 - kShareOfSteps) * each[i]);
    const double all = pace.back();
    for (double &share : pace)
        share = all > 0 ? std::min(share / all, 1.0) : 0;
    return pace;
}

Result<std::vector<double>> targetMeasures(const Model &model, const Input &masks,
                                           AttentionId attention, const Task &task,
                                           KeyTarget target, std::span<const Example> examples) {
    const auto traces = tracesOf(model, masks, examples, {});
    if (!traces)
        return traces.error();
    return measuresIn(*traces, attention, task, target, examples);
}

Result<RecordedRunPointer> recordRun(const Recipe &recipe, TaskPointer task,
                                     const std::stop_token &stop,
                                     const std::function<void(Index)> &progress) {
    const WatchableTask *watched = task ? findWatchableTask(task->info().id) : nullptr;
    if (!watched)
        return Error{{"the heads of the task %1 cannot be watched", recipe.task},
                     "recipe.task",
                     "choose repeat, it, which-bank or another task of the list"};
    Result<Trainer> trainer = Trainer::create(recipe, task);
    if (!trainer)
        return trainer.error();
    Recorder recorder(*std::move(trainer), *watched);
    if (Outcome run = recorder.run(stop, progress); !run)
        return run.error();
    return recorder.recorded(std::move(task));
}

} // namespace headlight::core
