// A training pass: from a batch and the current parameters to the loss and its gradients. Memory is
// allocated once, never during a pass.
//
// A batch is split into shards, and each shard into chunks that fit in the cache. The split depends
// only on the batch size, so sums are bit-identical for any number of threads.
#pragma once

#include "core/training/pass/program.h"

#include <stop_token>

namespace headlight::core {

struct PassSizes {
    Index batch = 1;        ///< maximum batch size B
    Index tokens = 1;       ///< length T of the main stack's sequences
    Index sourceTokens = 0; ///< length S of the encoder's sequences
};

struct PassResult {
    double loss = 0;         ///< mean over the targets
    double accuracy = 0;     ///< share of sequences whose counted answers are all correct
    double answersRight = 0; ///< share of counted answers that are correct
};

class TrainingPass {
  public:
    /// Compiles a model and allocates memory. Errors: as compileForTraining(); not enough memory.
    static Result<TrainingPass> create(const Model &model, const Input &masks,
                                       const PassSizes &sizes);

    const FlatParameters &parameters() const { return m_program.parameters; }
    const PassSizes &sizes() const { return m_sizes; }

    /// Computes the loss and accuracy of the batch with these parameters, and the gradient of the
    /// loss unless `gradient` is null. Both buffers must have the size of parameters(). Checks
    /// `stop` between nodes and returns nullopt if stopped.
    std::optional<PassResult> run(const TrainingBatch &batch, const float *weights, float *gradient,
                                  const std::stop_token &stop = {});

  private:
    TrainingPass(Program program, const PassSizes &sizes, bool classes);
    struct Shard {
        Index first = 0, count = 0;
        Outcomes outcomes{};
        AlignedNumbers gradient;
    };

    void runShard(Shard &shard, TrainingWorkspace &lane, const TrainingBatch &batch,
                  const float *weights, bool differentiates, const std::stop_token &stop) const;
    void runChunk(TrainingWorkspace &lane, bool differentiates, const std::stop_token &stop) const;
    void answer(TrainingWorkspace &lane) const;
    void sumUp(float *gradient, const std::stop_token &stop) const;

    Program m_program;
    PassSizes m_sizes;
    bool m_classes;
    Index m_chunk = 1; ///< maximum number of sequences in a chunk
    std::vector<Shard> m_shards;
    std::vector<TrainingWorkspace> m_lanes;
    AlignedNumbers m_transposed;
};

} // namespace headlight::core
