// A training pass: from a batch and the current parameters to the loss and its gradients. Memory is
// allocated once, never while it runs.
//
// The batch size alone determines how a batch is split into shards, and these into chunks that fit
// in the cache. So sums are bit-identical for any number of threads.
#pragma once

#include "core/training/pass/program.h"

#include <stop_token>

namespace headlight::core {

struct PassSizes {
    Index batch = 1;        ///< B, maximum batch size
    Index tokens = 1;       ///< T
    Index sourceTokens = 0; ///< S
};

struct PassResult {
    double loss = 0;         ///< mean over the targets
    double accuracy = 0;     ///< share of sequences in which all answers that count are correct
    double answersRight = 0; ///< share of correct answers, of those that count
};

class TrainingPass {
  public:
    /// Compiles a model and allocates memory. Errors: as compileForTraining(); not enough memory.
    static Result<TrainingPass> create(const Model &model, const Input &masks,
                                       const PassSizes &sizes);

    const FlatParameters &parameters() const { return m_program.parameters; }
    const PassSizes &sizes() const { return m_sizes; }

    /// Computes loss and accuracy of the batch with these parameters, and the gradient of the loss
    /// unless `gradient` is null. Both buffers have the size of parameters(). Returns nullopt if
    /// stopped; `stop` is checked between nodes.
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
    Index m_chunk = 1; ///< sequences per chunk
    std::vector<Shard> m_shards;
    std::vector<TrainingWorkspace> m_lanes;
    AlignedNumbers m_transposed;
};

} // namespace headlight::core
