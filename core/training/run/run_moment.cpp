#include "core/training/run/run_moment.h"

#include "core/analysis/output_row_id.h"
#include "core/random.h"
#include "core/training/run/held_out_examples.h"
#include "core/training/tasks/batch_of.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

/// The differenceOf() two patterns above which they look different.
constexpr double kLooksDifferent = 0.1;

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
    struct Pattern {
        PatternChoice choice;
        SharedMatrix weights;
    };
    std::vector<Pattern> patterns;
    for (const std::size_t snapshot : {run.snapshots.size() - 1, std::size_t(0)}) {
        const Result<RunMoment> moment = momentOf(run, snapshot, example);
        if (!moment)
            return moment.error();
        const Model &model = moment->trace->model();
        for (const AttentionId attention : model.attentions())
            for (Index head = 0; head < model.headsOf(attention); ++head)
                patterns.push_back(
                    {{attention, head, snapshot},
                     moment->trace->matrix(Stage::AttentionWeights, attention, 0, head)});
    }
    const auto right = std::ranges::find_if(patterns, [&formed](const Pattern &each) {
        return each.choice.attention == formed.attention && each.choice.head == formed.head;
    });
    right->choice.isRight = true;
    std::vector<Pattern> chosen{*right};
    // Prefer the other heads at the end to those at the start, whose pictures are easy to
    // recognise.
    for (const std::size_t snapshot : {run.snapshots.size() - 1, std::size_t(0)})
        for (const Pattern &each : patterns)
            if (each.choice.snapshot == snapshot && chosen.size() < 3 &&
                std::ranges::all_of(chosen, [&each](const Pattern &other) {
                    return differenceOf(each.weights, other.weights) > kLooksDifferent;
                }))
                chosen.push_back(each);
    std::vector<PatternChoice> choices;
    for (const Pattern &each : chosen)
        choices.push_back(each.choice);
    const auto first = static_cast<std::size_t>(
        Random(seedFor(run.end.recipe.seed, run.task->info().id)).next() % choices.size());
    std::ranges::rotate(choices, choices.begin() + static_cast<std::ptrdiff_t>(first));
    return choices;
}

} // namespace headlight::core
