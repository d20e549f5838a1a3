#include "core/training/run/task_measurement.h"

#include "core/cancelled.h"
#include "core/training/pass/training_pass.h"
#include "core/training/run/held_out_examples.h"
#include "core/training/tasks/batch_of.h"
#include "core/training/tasks/draw.h"

#include <algorithm>
#include <map>

namespace headlight::core {

namespace {

constexpr Index kMeasuredTogether = 64;
constexpr Index kCountedTogether = 500;

/// Makes the accuracy count only the answers of one rule. Leaves out examples without any.
std::vector<Example> ofRule(std::vector<Example> examples, Index rule) {
    for (Example &example : examples)
        for (Index &each : example.rules)
            each = each == rule ? each : kLeftOut;
    std::erase_if(examples, [](const Example &example) {
        return std::ranges::count(example.rules, kLeftOut) == std::ssize(example.rules);
    });
    return examples;
}

Index countedIn(const std::vector<Example> &examples) {
    Index count = 0;
    for (const Example &example : examples)
        for (std::size_t i = 0; i < example.answers.size(); ++i)
            count += countsAt(example, i) ? 1 : 0;
    return count;
}

/// Predicts the most frequent next token of each token.
class BigramModel {
  public:
    explicit BigramModel(const Task &task, const std::stop_token &stop) {
        const std::size_t words = task.info().words.size();
        std::vector<Index> counts(words * words, 0);
        for (Index first = 0; first < kBigramExamples && !stop.stop_requested();
             first += kCountedTogether)
            for (const Example &example :
                 examplesOf(task, Split::Train, 1, static_cast<std::uint64_t>(first),
                            std::min(kCountedTogether, kBigramExamples - first)))
                for (std::size_t i = 0; i < example.answers.size(); ++i)
                    if (example.answers[i] != kLeftOut)
                        ++counts[static_cast<std::size_t>(example.tokens[i]) * words +
                                 static_cast<std::size_t>(example.answers[i])];
        for (std::size_t word = 0; word < words; ++word) {
            const auto row = counts.begin() + static_cast<std::ptrdiff_t>(word * words);
            m_next.push_back(std::max_element(row, row + static_cast<std::ptrdiff_t>(words)) - row);
        }
    }

    double accuracyOn(const std::vector<Example> &examples, AccuracyUnit unit) const {
        Index rightAnswers = 0, rightExamples = 0;
        for (const Example &example : examples) {
            bool allRight = true;
            for (std::size_t i = 0; i < example.answers.size(); ++i) {
                if (!countsAt(example, i))
                    continue;
                const bool isRight =
                    m_next[static_cast<std::size_t>(example.tokens[i])] == example.answers[i];
                rightAnswers += isRight ? 1 : 0;
                allRight = allRight && isRight;
            }
            rightExamples += allRight ? 1 : 0;
        }
        return unit == AccuracyUnit::Answers
                   ? static_cast<double>(rightAnswers) / static_cast<double>(countedIn(examples))
                   : static_cast<double>(rightExamples) / static_cast<double>(examples.size());
    }

  private:
    std::vector<Index> m_next;
};

/// Measures the held-out examples with changed parameters.
class Measuring {
  public:
    Measuring(const Task &task, const Recipe &recipe, TrainingPass pass, AlignedNumbers weights)
        : m_task(task), m_recipe(recipe), m_pass(std::move(pass)), m_weights(std::move(weights)) {}

    std::optional<HeldOut> operator()(std::vector<Example> examples, const std::stop_token &stop) {
        return HeldOutExamples(m_task, m_recipe.architecture, std::move(examples))
            .measure(m_pass, m_weights.data(), stop);
    }

    /// Measures with the output of a head set to zero, by zeroing its rows of the output matrix.
    std::optional<HeldOut> silenced(const MeasuredHead &head, Index headSize,
                                    const std::vector<Example> &examples,
                                    const std::stop_token &stop) {
        const FlatParameter *output =
            m_pass.parameters().find({head.attention.layer, ParameterKind::Output});
        std::vector<float> kept;
        const auto forEachNumber = [&](auto &&change) {
            for (Index row = head.head * headSize; row < (head.head + 1) * headSize; ++row)
                for (Index column = 0; column < output->columns.count(); ++column)
                    change(m_weights.data()[output->place(row, column)]);
        };
        forEachNumber([&kept](float &number) { kept.push_back(std::exchange(number, 0.0f)); });
        const auto measured = (*this)(examples, stop);
        forEachNumber([next = kept.begin()](float &number) mutable { number = *next++; });
        return measured;
    }

  private:
    const Task &m_task;
    const Recipe &m_recipe;
    TrainingPass m_pass;
    AlignedNumbers m_weights;
};

/// Draws distinct tokens other than special tokens, and repeats them once.
Example repeatedTokens(const TaskInfo &task, Random &random) {
    std::vector<Index> choices;
    for (Index id = 0; id < std::ssize(task.words); ++id)
        if (!task.words[static_cast<std::size_t>(id)].starts_with('['))
            choices.push_back(id);
    const Index length = std::min({kRepeatedTokens, task.length / 2, std::ssize(choices)});
    Example example;
    while (std::ssize(example.tokens) < length) {
        const Index id = oneOf(random, choices);
        if (std::ranges::count(example.tokens, id) == 0)
            example.tokens.push_back(id);
    }
    example.tokens.reserve(2 * example.tokens.size());
    example.tokens.insert(example.tokens.end(), example.tokens.begin(), example.tokens.end());
    return example;
}

/// Returns the mean measures of all heads on random repeated tokens.
Result<std::vector<MeasuredHead>> measuredHeads(const Task &task, const Model &model,
                                                const Input &masks, const std::stop_token &stop) {
    std::vector<MeasuredHead> heads;
    for (const AttentionId attention : model.attentions())
        for (Index head = 0; head < model.headsOf(attention); ++head)
            heads.push_back({attention, head, 0, 0});
    Random random(0);
    for (Index text = 0; text < kRepeatedTexts; ++text) {
        const Result<TracePointer> trace =
            traceOf(repeatedTokens(task.info(), random), model, masks, stop);
        if (!trace)
            return trace.error();
        const Sequence &read = (*(*trace)->input().batch)[0];
        std::size_t at = 0;
        for (const AttentionId attention : model.attentions())
            for (const HeadMeasures &measures :
                 headMeasures((*trace)->stage(Stage::AttentionWeights, attention),
                              {0, read.length, earlierPlaces(read), &(*trace)->mask(0, attention),
                               attention.block})) {
                MeasuredHead &head = heads[at++];
                *head.previousToken += measures.previousToken.value_or(0) / kRepeatedTexts;
                *head.induction += measures.induction.value_or(0) / kRepeatedTexts;
            }
    }
    return heads;
}

Result<Measuring> measuringOf(const Task &task, const Model &model, const Recipe &recipe,
                              const Input &masks) {
    const TaskInfo &info = task.info();
    Result<TrainingPass> pass =
        TrainingPass::create(model, masks, {kMeasuredTogether, info.length, info.sourceLength});
    if (!pass)
        return pass.error();
    AlignedNumbers weights(pass->parameters().size());
    if (Outcome read = pass->parameters().read(model.parameters, weights.data()); !read)
        return read.error();
    return Measuring(task, recipe, *std::move(pass), std::move(weights));
}

} // namespace

Result<TaskMeasurement> measureTask(const Task &task, const Model &model, const Recipe &recipe,
                                    Index examples, const std::stop_token &stop) {
    const TaskInfo &info = task.info();
    const Input masks = masksOf(info, recipe.architecture);
    Result<Measuring> measuring = measuringOf(task, model, recipe, masks);
    if (!measuring)
        return measuring.error();
    const std::vector<Example> all = heldOutOf(task, examples);
    const auto heldOut = (*measuring)(all, stop);
    if (!heldOut)
        return cancelled();
    TaskMeasurement measurement{examples, countedIn(all), *heldOut};
    const bool isNext = info.asks == TargetPositions::NextToken && !info.answersInPlace;
    std::optional<BigramModel> bigram;
    if (isNext) {
        bigram.emplace(task, stop);
        measurement.bigram = bigram->accuracyOn(all, info.counts);
    }
    for (Index rule = 0; rule < std::ssize(info.rules); ++rule) {
        const std::vector<Example> some = ofRule(all, rule);
        const auto measured = (*measuring)(some, stop);
        if (!measured)
            return cancelled();
        RuleAccuracy accuracy{info.rules[static_cast<std::size_t>(rule)], countedIn(some),
                              measured->accuracy};
        if (bigram)
            accuracy.bigram = bigram->accuracyOn(some, info.counts);
        measurement.rules.push_back(accuracy);
    }
    if (!isNext)
        return measurement;
    auto heads = measuredHeads(task, model, masks, stop);
    if (!heads)
        return heads.error();
    measurement.heads = *std::move(heads);
    for (MeasuredHead &head : measurement.heads) {
        const auto silenced = measuring->silenced(head, model.config.headSize, all, stop);
        if (!silenced)
            return cancelled();
        head.silencedLoss = silenced->loss;
        head.silencedAccuracy = silenced->accuracy;
    }
    return measurement;
}

} // namespace headlight::core
