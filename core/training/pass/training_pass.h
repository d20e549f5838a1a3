// A training pass: from a batch and the weights of now to the loss and the gradient of every
// weight. Its memory is made once; it allocates nothing while it runs.
//
// A batch is divided into shards, each into chunks that stay in the cache, by its size alone: so
// the sums, and with them every bit, are the same however many threads there are.
#pragma once

#include "core/training/pass/program.h"

#include <stop_token>

namespace headlight::core {

struct PassSizes {
    Index batch = 1;        ///< B, at most: fewer may be run
    Index tokens = 1;       ///< T
    Index sourceTokens = 0; ///< S
};

struct PassResult {
    double loss = 0;         ///< mean over the answers
    double accuracy = 0;     ///< share of the sequences in which all answers are right
    double answersRight = 0; ///< share of the single answers
};

class TrainingPass {
  public:
    /// Errors: as compileForTraining(); not enough memory.
    static Result<TrainingPass> create(const Model &model, const Input &masks,
                                       const PassSizes &sizes);

    const FlatParameters &parameters() const { return m_program.parameters; }
    const PassSizes &sizes() const { return m_sizes; }
    /// One row of logits a sequence.
    bool asksOnce() const { return m_program.logits.rows == 1 && m_classes; }

    /// Loss and accuracy of the batch with these weights, and the gradient of the loss: [all flat
    /// parameters]; null: it is not asked for. None: stopped;
    /// `stop` is looked at between two nodes.
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
    Index m_chunk = 1; ///< sequences that are worked on together
    std::vector<Shard> m_shards;
    std::vector<TrainingWorkspace> m_lanes;
    AlignedNumbers m_transposed;
};

} // namespace headlight::core
