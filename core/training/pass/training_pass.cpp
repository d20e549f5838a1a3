#include "core/training/pass/training_pass.h"

#include "core/tensor/in_parallel.h"
#include "core/training/pass/example.h"

#include <algorithm>
#include <functional>
#include <new>

namespace headlight::core {

namespace {

/// With more shards, adding up their gradients would take more time than additional threads save.
constexpr Index kMaxBatchShards = 4;

/// Maximum size of a chunk's values and gradients, so that they stay in a core's own cache.
constexpr Index kChunkNumbers = (Index(512) << 10) / Index(sizeof(float));

/// Size of the pieces in which gradients are added up.
constexpr Index kPiece = 1 << 15;

} // namespace

TrainingPass::TrainingPass(Program program, const PassSizes &sizes, bool classes)
    : m_program(std::move(program)),
      m_sizes(sizes),
      m_classes(classes),
      m_transposed(m_program.parameters.transposedSize()) {
    const Index shards = std::clamp(sizes.batch, Index(1), kMaxBatchShards);
    const Index share = (sizes.batch + shards - 1) / shards;
    const Index one = 2 * m_program.sizeOfSequence + m_program.extrasOfSequence;
    m_chunk = std::clamp(kChunkNumbers / std::max(one, Index(1)), Index(1), share);
    // Reduces the chunk so that all chunks have about the same size.
    m_chunk = (share + (share + m_chunk - 1) / m_chunk - 1) / ((share + m_chunk - 1) / m_chunk);
    for (Index shard = 0; shard < shards; ++shard)
        m_shards.push_back({0, 0, {}, AlignedNumbers(m_program.parameters.size())});
    m_lanes.resize(static_cast<std::size_t>(std::min(maxThreads(), shards)));
    for (TrainingWorkspace &lane : m_lanes)
        lane.makeRoom(m_chunk, m_program.sizeOfSequence, m_program.extrasOfSequence,
                      std::max(m_program.attentionScratch, m_chunk * m_program.largestBuffer));
}

Result<TrainingPass> TrainingPass::create(const Model &model, const Input &masks,
                                          const PassSizes &sizes) try {
    Result<Program> program = compileForTraining(model, masks, sizes.tokens, sizes.sourceTokens);
    if (!program)
        return program.error();
    return TrainingPass(std::move(*program), sizes,
                        model.config.outputLayer.kind == OutputLayerKind::Classifier);
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to train it", "recipe",
                 "use a smaller model or batch"};
}

std::optional<PassResult> TrainingPass::run(const TrainingBatch &batch, const float *weights,
                                            float *gradient, const std::stop_token &stop) {
    m_program.parameters.transpose(weights, m_transposed.data(), stop);
    const Index count = static_cast<Index>(batch.tokens.lengths.size());
    const Index shards = static_cast<Index>(m_shards.size());
    for (Index i = 0; i < shards; ++i) {
        Shard &shard = m_shards[static_cast<std::size_t>(i)];
        shard.first = count * i / shards;
        shard.count = count * (i + 1) / shards - shard.first;
        shard.outcomes = {};
    }
    const auto work = [&](Index i, Index lane) {
        runShard(m_shards[static_cast<std::size_t>(i)], m_lanes[static_cast<std::size_t>(lane)],
                 batch, weights, gradient != nullptr, stop);
    };
    inParallel(shards, std::cref(work)); // std::cref avoids copying `work`
    if (gradient)
        sumUp(gradient, stop);
    if (stop.stop_requested()) // if stopped, the results are incomplete
        return std::nullopt;
    Outcomes all;
    for (const Shard &shard : m_shards) {
        all.loss += shard.outcomes.loss;
        all.rightOnes += shard.outcomes.rightOnes;
        all.rightAnswers += shard.outcomes.rightAnswers;
    }
    const auto asked = static_cast<double>(std::max(batch.asked, Index(1)));
    return PassResult{all.loss / asked,
                      static_cast<double>(all.rightOnes) /
                          static_cast<double>(std::max(count, Index(1))),
                      static_cast<double>(all.rightAnswers) /
                          static_cast<double>(std::max(batch.countedTargets(), Index(1)))};
}

void TrainingPass::runShard(Shard &shard, TrainingWorkspace &lane, const TrainingBatch &batch,
                            const float *weights, bool differentiates,
                            const std::stop_token &stop) const {
    lane.batch = &batch;
    lane.parameters = weights;
    lane.transposed = m_transposed.data();
    lane.parameterGradients = shard.gradient.data();
    lane.outcomes = {};
    if (differentiates && !stop.stop_requested())
        shard.gradient.clear();
    for (Index first = 0; first < shard.count && !stop.stop_requested(); first += m_chunk) {
        lane.first = shard.first + first;
        lane.sequences = std::min(m_chunk, shard.count - first);
        runChunk(lane, differentiates, stop);
    }
    shard.outcomes = lane.outcomes;
}

/// Checks `stop` after each node, because all nodes of a chunk take a tenth of a second in the
/// widest models.
void TrainingPass::runChunk(TrainingWorkspace &lane, bool differentiates,
                            const std::stop_token &stop) const {
    const std::vector<NodePointer> &nodes = m_program.nodes;
    for (auto node = nodes.begin(); node != nodes.end() && !stop.stop_requested(); ++node)
        (*node)->forward(lane);
    if (stop.stop_requested())
        return; // the logits are incomplete
    answer(lane);
    if (differentiates)
        for (auto node = nodes.rbegin(); node != nodes.rend() && !stop.stop_requested(); ++node)
            (*node)->backward(lane);
}

void TrainingPass::answer(TrainingWorkspace &lane) const {
    const TrainingKernels &kernels = fastestKernels().training;
    const Buffer &logits = m_program.logits;
    const Index stride = logits.columns.stride();
    const float share = 1 / static_cast<float>(std::max(lane.batch->asked, Index(1)));
    const Index *answer = lane.batch->answers.data() + lane.first * logits.rows;
    const float *from = lane.value(logits);
    float *to = lane.gradient(logits);
    for (Index i = 0; i < lane.sequences; ++i) {
        bool allRight = true;
        for (Index row = 0; row < logits.rows; ++row, ++answer, from += stride, to += stride) {
            if (*answer == kLeftOut) {
                std::fill_n(to, stride, 0.0f);
                continue;
            }
            std::copy_n(from, stride, to);
            const TargetRow result = kernels.answer(to, logits.columns.width, *answer, share);
            lane.outcomes.loss += result.loss;
            const std::vector<bool> &counts = lane.batch->counts;
            if (!counts.empty() &&
                !counts[static_cast<std::size_t>(answer - lane.batch->answers.data())])
                continue;
            lane.outcomes.rightAnswers += result.isRight ? 1 : 0;
            allRight = allRight && result.isRight;
        }
        lane.outcomes.rightOnes += allRight ? 1 : 0;
    }
}

void TrainingPass::sumUp(float *gradient, const std::stop_token &stop) const {
    const Index count = m_program.parameters.size();
    const auto add = [&](Index piece, Index) {
        if (stop.stop_requested())
            return;
        const Index begin = piece * kPiece, length = std::min(kPiece, count - begin);
        for (std::size_t shard = 0; shard < m_shards.size(); ++shard)
            fastestKernels().training.add(m_shards[shard].gradient.data() + begin, nullptr, length,
                                          gradient + begin,
                                          shard == 0 ? Accumulate::Replace : Accumulate::Add);
    };
    inParallel((count + kPiece - 1) / kPiece, std::cref(add));
}

} // namespace headlight::core
