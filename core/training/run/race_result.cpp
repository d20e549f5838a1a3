#include "core/training/run/race_result.h"

#include "core/transformer/model/parameter_id.h"
#include "core/transformer/model/weights.h"

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

RaceSide sideOf(const History &history, Index step, double guessing) {
    RaceSide side;
    for (const HistoryPoint &point : history) {
        if (!point.heldOut || point.step > step)
            continue;
        side.heldOut = *point.heldOut;
        if (!side.halfLoss && point.heldOut->loss <= guessing / 2)
            side.halfLoss = point.step;
        if (!side.learned && point.heldOut->accuracy >= kLearned)
            side.learned = point.step;
    }
    side.jaggedness = jaggednessOf(history);
    return side;
}

/// How many steps it has made, and how far they lie apart in its history.
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

/// Behind by more than the turn that one of them may be ahead.
std::optional<Index> fallenAt(const History &own, const History &other) {
    const Reach reach = reachOf(own), further = reachOf(other);
    return further.steps - reach.steps > 2 * further.apart ? std::optional(reach.steps)
                                                           : std::nullopt;
}

double guessingOf(const Model &model) {
    const OutputLayer &output = model.config.outputLayer;
    const Index answers =
        output.kind == OutputLayerKind::Classifier ? output.classes : logitsOf(model.weights);
    return std::log(static_cast<double>(std::max(answers, Index(1))));
}

/// By what `one` is clearly better.
std::optional<Lead> leadOf(const RaceSide &one, const RaceSide &other) {
    constexpr double kClearlyLess = 0.8, kClearlyMore = 0.05;
    const auto where = [](bool isSo, Lead by) { return isSo ? std::optional(by) : std::nullopt; };
    if (one.fallen || other.fallen)
        return where(!one.fallen, Lead::WentOn);
    if (one.learned && other.learned)
        return where(static_cast<double>(*one.learned) <
                         kClearlyLess * static_cast<double>(*other.learned),
                     Lead::Sooner);
    if (one.learned || other.learned)
        return where(one.learned.has_value(), Lead::Learned);
    if (std::abs(one.heldOut.accuracy - other.heldOut.accuracy) >= kClearlyMore)
        return where(one.heldOut.accuracy > other.heldOut.accuracy, Lead::MoreRight);
    return where(one.heldOut.loss < kClearlyLess * other.heldOut.loss, Lead::LessLoss);
}

} // namespace

std::optional<Leader> leaderOf(const RaceResult &result) {
    if (const auto by = leadOf(result.run, result.rival))
        return Leader{false, *by};
    if (const auto by = leadOf(result.rival, result.run))
        return Leader{true, *by};
    return std::nullopt;
}

Verdict verdictOf(const RaceResult &result, RaceSwitch turned) {
    const RaceSide &rival = result.rival;
    if (turned == RaceSwitch::NoMask) {
        constexpr double kNothing = 0.02, kNonsense = 0.1;
        const bool copies = rival.heldOut.loss < kNothing * result.guessing;
        if (copies && !rival.heldOut.written)
            return Verdict::NoClearDifference; // what it writes was not looked at
        return copies && *rival.heldOut.written < kNonsense ? Verdict::AsClaimed
                                                            : Verdict::Contradicted;
    }
    if (turned == RaceSwitch::NoPositions && rival.learned && !rival.fallen)
        return Verdict::Contradicted;
    const bool rivalShouldLead = turned == RaceSwitch::FourHeads;
    const std::optional<Leader> leader = leaderOf(result);
    if (!leader)
        return Verdict::NoClearDifference;
    return leader->isRival == rivalShouldLead ? Verdict::AsClaimed : Verdict::Contradicted;
}

std::optional<RaceResult> resultOf(const TrainingRun &run, const Model &model) {
    if (!run.rival)
        return std::nullopt;
    const History &own = run.history, &other = run.rival->state.history;
    RaceResult result;
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
    result.rival = sideOf(other, result.step, result.guessing);
    result.run.fallen = fallenAt(own, other);
    result.rival.fallen = fallenAt(other, own);
    return result;
}

} // namespace headlight::core
