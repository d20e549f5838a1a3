#include "core/training/run/run_moment.h"

#include "core/analysis/output_row_id.h"
#include "core/random.h"
#include "core/training/run/held_out_examples.h"
#include "core/training/tasks/batch_of.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

/// Two patterns look different if their differenceOf() is above this.
constexpr double kLooksDifferent = 0.1;
/// Number of snapshots whose patterns may be offered as wrong answers, including the first and the
/// last.
constexpr std::size_t kAskedSnapshots = 16;

Result<GivenAnswer> answerAt(const Trace &trace, Index row, Index token, Index right) {
    const Result<OutputRowPointer> output = readOutput(trace, {0, row});
    if (!output)
        return output.error();
    const auto &probabilities = (*output)->probabilities;
    const auto best = std::ranges::max_element(probabilities);
    return GivenAnswer{token, best - probabilities.begin(), right, static_cast<double>(*best)};
}

Result<std::vector<GivenAnswer>> answersIn(const Trace &trace, const TaskInfo &task,
                                           const Example &example) {
    std::vector<GivenAnswer> answers;
    const Index last = std::ssize(example.tokens) - 1;
    const bool once = task.asks == TargetPositions::Class;
    for (Index token = once ? last : 0; token <= last; ++token) {
        const Result<GivenAnswer> answer =
            answerAt(trace, once ? 0 : token, token,
                     example.answers[static_cast<std::size_t>(once ? 0 : token)]);
        if (!answer)
            return answer.error();
        answers.push_back(*answer);
    }
    return answers;
}

/// Returns Σ|a − b| ÷ (2 · rows): 0 for equal patterns, at most 1 if all rows are probabilities.
double differenceOf(const SharedMatrix &a, const SharedMatrix &b) {
    double sum = 0;
    for (Index row = 0; row < a.rows; ++row)
        for (Index column = 0; column < a.columns; ++column)
            sum +=
                std::abs(static_cast<double>(a(row, column)) - static_cast<double>(b(row, column)));
    return sum / (2.0 * static_cast<double>(std::max(a.rows, Index(1))));
}

struct HeadPattern {
    PatternChoice choice;
    SharedMatrix weights;
};

double differenceOf(const HeadPattern &a, const HeadPattern &b) {
    return differenceOf(a.weights, b.weights);
}

/// Appends the patterns of all heads at a snapshot. Errors: as forward().
Outcome addPatterns(const RecordedRun &run, std::size_t snapshot, const Example &example,
                    std::vector<HeadPattern> &patterns) {
    const Result<RunMoment> moment = momentOf(run, snapshot, example);
    if (!moment)
        return moment.error();
    const Model &model = moment->trace->model();
    for (const AttentionId attention : model.attentions())
        for (Index head = 0; head < model.headsOf(attention); ++head)
            patterns.push_back(
                {{attention, head, snapshot},
                 moment->trace->matrix(Stage::AttentionWeights, attention, 0, head)});
    return Done{};
}

/// Returns the two patterns that differ most from `right` and from each other, by the smallest of
/// the three differences. Empty if that difference is too small to be seen for all pairs.
std::vector<HeadPattern> mostDifferentPair(const HeadPattern &right,
                                           const std::vector<HeadPattern> &patterns) {
    std::vector<double> fromRight;
    for (const HeadPattern &each : patterns)
        fromRight.push_back(differenceOf(each, right));
    double best = kLooksDifferent;
    std::vector<HeadPattern> pair;
    for (std::size_t i = 0; i < patterns.size(); ++i)
        for (std::size_t j = i + 1; j < patterns.size(); ++j) {
            if (std::min(fromRight[i], fromRight[j]) <= best)
                continue;
            const double least =
                std::min({fromRight[i], fromRight[j], differenceOf(patterns[i], patterns[j])});
            if (least <= best)
                continue;
            best = least;
            pair = {patterns[i], patterns[j]};
        }
    return pair;
}

/// Returns the pattern that differs most from `right`. Empty if none looks different.
std::vector<HeadPattern> mostDifferentOne(const HeadPattern &right,
                                          const std::vector<HeadPattern> &patterns) {
    const auto difference = [&right](const HeadPattern &each) { return differenceOf(each, right); };
    const auto most = std::ranges::max_element(patterns, {}, difference);
    if (most == patterns.end() || difference(*most) <= kLooksDifferent)
        return {};
    return {*most};
}

} // namespace

Result<RunMoment> momentOf(const RecordedRun &run, std::size_t snapshot, const Example &example,
                           const std::vector<HeadIntervention> &silenced) {
    const Model model = run.modelAt(snapshot);
    const TaskInfo &info = run.task->info();
    Input masks = masksOf(info, run.end.recipe.architecture);
    for (const HeadIntervention &each : silenced)
        masks.interventions.setHead(each.attention(), each.head, each.state);
    const Result<TracePointer> trace = traceOf(example, model, masks);
    if (!trace)
        return trace.error();
    Result<std::vector<GivenAnswer>> answers = answersIn(**trace, info, example);
    if (!answers)
        return answers.error();
    return RunMoment{*trace, *std::move(answers)};
}

Result<double> rightShareOf(const RecordedRun &run, std::size_t snapshot,
                            const std::vector<HeadIntervention> &silenced, Index examples) {
    double right = 0, asked = 0;
    for (const Example &example : heldOutOf(*run.task, examples)) {
        const Result<RunMoment> moment = momentOf(run, snapshot, example, silenced);
        if (!moment)
            return moment.error();
        for (const GivenAnswer &answer : moment->answers) {
            asked += answer.isAsked() ? 1 : 0;
            right += answer.isAsked() && answer.isRight() ? 1 : 0;
        }
    }
    return right / std::max(asked, 1.0);
}

Result<std::vector<PatternChoice>> patternChoices(const RecordedRun &run, std::size_t formedHead,
                                                  const Example &example) {
    const FormedHead &formed = run.heads[formedHead];
    const std::size_t last = run.snapshots.size() - 1;
    std::vector<HeadPattern> patterns;
    if (Outcome added = addPatterns(run, last, example, patterns); !added)
        return added.error();
    const auto found = std::ranges::find_if(patterns, [&formed](const HeadPattern &each) {
        return each.choice.attention == formed.attention && each.choice.head == formed.head;
    });
    HeadPattern right = *found;
    right.choice.isRight = true;
    patterns.erase(found);
    // Other heads at the end of the run are preferred. Patterns at the start are easy to rule out,
    // and those in between resemble the final ones. But a model may have only one head.
    std::vector<std::size_t> between = run.spread(last, kAskedSnapshots);
    std::erase_if(between, [last](std::size_t each) { return each == 0 || each == last; });
    const std::vector<std::vector<std::size_t>> more{{0}, between};
    std::vector<HeadPattern> chosen = mostDifferentPair(right, patterns);
    for (std::size_t i = 0; i < more.size() && chosen.empty(); ++i) {
        for (const std::size_t snapshot : more[i])
            if (Outcome added = addPatterns(run, snapshot, example, patterns); !added)
                return added.error();
        chosen = mostDifferentPair(right, patterns);
    }
    if (chosen.empty())
        chosen = mostDifferentOne(right, patterns);
    chosen.insert(chosen.begin(), right);
    std::vector<PatternChoice> choices;
    for (const HeadPattern &each : chosen)
        choices.push_back(each.choice);
    const auto first = static_cast<std::size_t>(
        Random(seedFor(run.end.recipe.seed, run.task->info().id)).next() % choices.size());
    std::ranges::rotate(choices, choices.begin() + static_cast<std::ptrdiff_t>(first));
    return choices;
}

} // namespace headlight::core
