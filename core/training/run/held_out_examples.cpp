#include "core/training/run/held_out_examples.h"

#include "core/training/run/unmasked_targets.h"
#include "core/training/tasks/batch_of.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Number of examples on which heads are measured. They are enough to show what a head does, and
/// measuring them takes about as long as a few steps.
constexpr std::size_t kLookedAt = 4;
/// Number of examples that are generated token by token.
constexpr std::size_t kWritten = 32;

/// Returns the mean of each measure over the examples that have it.
HeadMeasures meanOf(const std::vector<HeadMeasures> &all) {
    HeadMeasures mean;
    for (const auto member : kHeadMeasures) {
        double sum = 0;
        Index count = 0;
        for (const HeadMeasures &one : all)
            if (one.*member) {
                sum += *(one.*member);
                ++count;
            }
        if (count > 0)
            mean.*member = sum / static_cast<double>(count);
    }
    return mean;
}

} // namespace

std::vector<Example> heldOutOf(const Task &task, Index count) {
    return examplesOf(task, Split::HeldOut, 0, 0, count);
}

HeldOutExamples::HeldOutExamples(const Task &task, const Architecture &architecture,
                                 std::vector<Example> examples)
    : m_info(task.info()), m_examples(std::move(examples)) {
    if (!seesTargets(m_info, architecture))
        return;
    for (std::size_t i = 0; i < std::min(kWritten, m_examples.size()); ++i)
        m_written.push_back(asWritten(m_examples[i]));
    leaveOutLast(m_examples);
}

/// Runs the pass over any number of examples, in batches. Means are NaN without examples or
/// answers.
std::optional<PassResult> HeldOutExamples::passOver(std::span<const Example> examples,
                                                    TrainingPass &pass, const float *weights,
                                                    const std::stop_token &stop) {
    const auto most = static_cast<std::size_t>(pass.sizes().batch);
    double loss = 0, right = 0, rightAnswers = 0;
    Index asked = 0, counted = 0;
    for (std::size_t first = 0; first < examples.size(); first += most) {
        const std::span some = examples.subspan(first, std::min(most, examples.size() - first));
        fillBatch(some, m_info, m_batch);
        const auto result = pass.run(m_batch, weights, nullptr, stop);
        if (!result)
            return std::nullopt;
        loss += result->loss * static_cast<double>(m_batch.asked);
        right += result->accuracy * static_cast<double>(some.size());
        const Index counting = m_batch.countedTargets();
        rightAnswers += result->answersRight * static_cast<double>(counting);
        asked += m_batch.asked;
        counted += counting;
    }
    // 0 / 0 is NaN, which means unknown.
    return PassResult{loss / static_cast<double>(asked),
                      right / static_cast<double>(examples.size()),
                      rightAnswers / static_cast<double>(counted)};
}

std::optional<HeldOut> HeldOutExamples::measure(TrainingPass &pass, const float *weights,
                                                const std::stop_token &stop) {
    const auto result = passOver(m_examples, pass, weights, stop);
    if (!result)
        return std::nullopt;
    HeldOut heldOut{result->loss, accuracyOf(*result, m_info)};
    if (m_written.empty())
        return heldOut;
    heldOut.written = measureWriting(pass, weights, stop);
    return heldOut.written ? std::optional(heldOut) : std::nullopt;
}

/// Greedy generation fails at the first answer that is not the most likely token. Up to that
/// answer, the generated text equals the example, so a pass over the example is enough.
std::optional<double> HeldOutExamples::measureWriting(TrainingPass &pass, const float *weights,
                                                      const std::stop_token &stop) {
    double right = 0;
    for (const std::vector<Example> &parts : m_written) {
        const auto result = passOver(parts, pass, weights, stop);
        if (!result)
            return std::nullopt;
        if (m_info.counts == AccuracyUnit::Answers)
            right += result->answersRight;
        else
            right += result->accuracy > 1 - 1e-9 ? 1 : 0; // all answers are correct
    }
    return right / static_cast<double>(m_written.size());
}

Result<std::vector<std::vector<HeadMeasures>>>
HeldOutExamples::heads(const Model &model, const Input &masks, const std::stop_token &stop) const {
    std::vector<std::vector<std::vector<HeadMeasures>>> found; // [attention][head][example]
    const std::size_t count = std::min(kLookedAt, m_examples.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Result<TracePointer> trace = traceOf(m_examples[i], model, masks, stop);
        if (!trace)
            return trace.error();
        const std::vector<AttentionId> attentions = model.attentions();
        found.resize(attentions.size());
        for (std::size_t at = 0; at < attentions.size(); ++at) {
            const Sequence &read = (*trace)->queries(attentions[at])[0];
            const auto copy = attentions[at].block == Block::SelfAttention
                                  ? repeatedSequenceIn(read)
                                  : std::nullopt;
            const auto measures =
                headMeasures((*trace)->stage(Stage::AttentionWeights, attentions[at]),
                             {0, read.length, earlierPlaces(copy),
                              &(*trace)->mask(0, attentions[at]), attentions[at].block});
            found[at].resize(measures.size());
            for (std::size_t head = 0; head < measures.size(); ++head)
                found[at][head].push_back(measures[head]);
        }
    }
    std::vector<std::vector<HeadMeasures>> means(found.size());
    for (std::size_t at = 0; at < found.size(); ++at)
        for (const std::vector<HeadMeasures> &examples : found[at])
            means[at].push_back(meanOf(examples));
    return means;
}

} // namespace headlight::core
