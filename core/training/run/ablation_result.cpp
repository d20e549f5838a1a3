#include "core/training/run/ablation_result.h"

#include "core/transformer/model/parameter_id.h"
#include "core/transformer/model/parameters.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

std::optional<double> jaggednessOf(const History &history) {
    double jumps = 0, losses = 0;
    Index count = 0;
    const HistoryPoint *last = nullptr;
    for (const HistoryPoint &point : history) {
        if (!point.isStep)
            continue;
        if (last)
            jumps += std::abs(point.loss - last->loss);
        losses += point.loss;
        last = &point;
        ++count;
    }
    return count > 1 && losses > 0 ? std::optional(jumps / losses) : std::nullopt;
}

RunMetrics sideOf(const History &history, Index step, double guessing) {
    RunMetrics side;
    for (const HistoryPoint &point : history) {
        if (!point.heldOut || point.step > step)
            continue;
        side.heldOut = *point.heldOut;
        if (!side.stepsToHalfLoss && point.heldOut->loss <= guessing / 2)
            side.stepsToHalfLoss = point.step;
        if (!side.learned && point.heldOut->accuracy >= kLearned)
            side.learned = point.step;
    }
    side.lossVariation = jaggednessOf(history);
    return side;
}

/// The number of steps of a run, and the distance between the last two steps in its history.
struct Reach {
    Index steps = 0, apart = 1;
};
Reach reachOf(const History &history) {
    Reach reach;
    for (const HistoryPoint &point : history)
        if (point.isStep) {
            reach.apart = std::max(Index(1), point.step + 1 - reach.steps);
            reach.steps = point.step + 1;
        }
    return reach;
}

/// Returns the step at which `own` diverged; nullopt unless `own` is further behind `other` than
/// alternating runs can be.
std::optional<Index> divergedAt(const History &own, const History &other) {
    const Reach reach = reachOf(own), further = reachOf(other);
    return further.steps - reach.steps > 2 * further.apart ? std::optional(reach.steps)
                                                           : std::nullopt;
}

double guessingOf(const Model &model) {
    const OutputLayer &output = model.config.outputLayer;
    const Index answers =
        output.kind == OutputLayerKind::Classifier ? output.classes : logitsOf(model.parameters);
    return std::log(static_cast<double>(std::max(answers, Index(1))));
}

/// Returns the criterion by which `one` is clearly better; nullopt if it is not.
std::optional<Criterion> leadOf(const RunMetrics &one, const RunMetrics &other) {
    constexpr double kClearlyLess = 0.8, kClearlyMore = 0.05;
    const auto where = [](bool isSo, Criterion by) {
        return isSo ? std::optional(by) : std::nullopt;
    };
    if (one.divergence || other.divergence)
        return where(!one.divergence, Criterion::WentOn);
    if (one.learned && other.learned)
        return where(static_cast<double>(*one.learned) <
                         kClearlyLess * static_cast<double>(*other.learned),
                     Criterion::Sooner);
    if (one.learned || other.learned)
        return where(one.learned.has_value(), Criterion::Learned);
    if (std::abs(one.heldOut.accuracy - other.heldOut.accuracy) >= kClearlyMore)
        return where(one.heldOut.accuracy > other.heldOut.accuracy, Criterion::MoreRight);
    return where(one.heldOut.loss < kClearlyLess * other.heldOut.loss, Criterion::LessLoss);
}

} // namespace

std::optional<Winner> winnerOf(const AblationResult &result) {
    if (const auto by = leadOf(result.run, result.ablated))
        return Winner{false, *by};
    if (const auto by = leadOf(result.ablated, result.run))
        return Winner{true, *by};
    return std::nullopt;
}

Verdict verdictOf(const AblationResult &result, Ablation ablation) {
    const RunMetrics &ablated = result.ablated;
    if (ablation == Ablation::NoMask) {
        constexpr double kNothing = 0.02, kNonsense = 0.1;
        const bool copies = ablated.heldOut.loss < kNothing * result.guessing;
        if (copies && !ablated.heldOut.written)
            return Verdict::NoClearDifference; // generation was not measured
        return copies && *ablated.heldOut.written < kNonsense ? Verdict::AsClaimed
                                                              : Verdict::Contradicted;
    }
    if (ablation == Ablation::NoPositions && ablated.learned && !ablated.divergence)
        return Verdict::Contradicted;
    const bool ablatedShouldWin = ablation == Ablation::FourHeads;
    const std::optional<Winner> leader = winnerOf(result);
    if (!leader)
        return Verdict::NoClearDifference;
    return leader->isAblated == ablatedShouldWin ? Verdict::AsClaimed : Verdict::Contradicted;
}

std::optional<AblationResult> resultOf(const TrainingRun &run, const Model &model) {
    if (!run.ablated)
        return std::nullopt;
    const History &own = run.history, &other = run.ablated->state.history;
    AblationResult result;
    bool isMeasured = false;
    for (auto a = own.begin(), b = other.begin(); a != own.end() && b != other.end();) {
        if (a->step == b->step && a->heldOut && b->heldOut) {
            result.step = a->step;
            isMeasured = true;
        }
        const Index least = std::min(a->step, b->step);
        a += a->step == least ? 1 : 0;
        b += b->step == least ? 1 : 0;
    }
    if (!isMeasured)
        return std::nullopt;
    result.guessing = guessingOf(model);
    result.run = sideOf(own, result.step, result.guessing);
    result.ablated = sideOf(other, result.step, result.guessing);
    result.run.divergence = divergedAt(own, other);
    result.ablated.divergence = divergedAt(other, own);
    return result;
}

} // namespace headlight::core
