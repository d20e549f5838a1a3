// Runs passes in which one head of an attention module has no output, for several heads at a time.
// The passes are the sequences of one batch, so each parameter is read and decoded once for all of
// them, and products have more rows. Only the requested rows of logits are computed.
#pragma once

#include "core/transformer/run/logit_blocks.h"
#include "core/transformer/trace/trace.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace headlight::core {

class HeadVariants {
  public:
    struct Wanted {
        AttentionId attention{};
        HeadState state = HeadState::Zero; ///< the replacement for a head's output
        Index sequence = 0;                ///< index in the batch of the trace
        /// Rows of the logits. Ignored for a classifier, which has one row for each variant.
        std::vector<Index> rows{};
    };
    /// A row of logits: the index of the variant, and the row of the sequence, which is 0 for a
    /// classifier.
    struct Row {
        std::size_t variant = 0;
        Index row = 0;
    };
    /// Receives the logits of a row starting at column `first`, valid during the call. Called by
    /// several threads at once, but with the columns of each row in order.
    using Take = std::function<void(const Row &row, Index first, std::span<const float> logits)>;

    /// False if each variant needs a separate pass. The reasons are batch norms, which make
    /// sequences depend on each other, a state other than Zero and Mean, and logits that are not a
    /// linear map of each row.
    static bool areAvailable(const Trace &trace, const Wanted &wanted);
    /// Prepares the input of all variants: everything before the output of the heads. The trace
    /// must outlive the result and have logits or class logits. areAvailable() must be true.
    /// Errors: those of forward().
    static Result<HeadVariants> of(const Trace &trace, const Wanted &wanted,
                                   std::stop_token stop = {});

    /// Returns the number of variants that run() can compute at a time with little memory, at least
    /// 1.
    Index atOnce() const;
    /// Computes a variant for each of these heads, which must be on in the trace. Passes all wanted
    /// rows of logits to `take`, some columns at a time. The logits are bit-identical to a pass
    /// without the head. Errors: those of forward().
    Outcome run(std::span<const Index> heads, const Take &take, std::stop_token stop = {}) const;

  private:
    HeadVariants(const Trace &trace, const Wanted &wanted);

    Outcome prepare(std::stop_token stop);
    std::vector<Tensor> madeEnds(std::span<const Index> heads, std::string &overflowed,
                                 const std::stop_token &stop) const;
    std::string readRows(const std::vector<Tensor> &ends, Index variants, const Take &take,
                         const std::stop_token &stop) const;
    Tensor contextsWithout(std::span<const Index> heads, const Shape &shape) const;

    const Trace *m_trace;
    Wanted m_wanted;
    StepId m_context = 0;                  ///< the step whose heads are replaced
    StepId m_output = 0;                   ///< the step with the logits or class logits
    std::optional<LogitBlocks> m_logits{}; ///< nullopt for class logits
    std::vector<char> m_dependent;         ///< for each step: true if it depends on m_context
    /// The last steps that are computed for whole sequences. After them, a row depends only on the
    /// same row of these steps, so only the wanted rows are computed.
    std::vector<StepId> m_ends;
    std::vector<StepId> m_inputs;  ///< steps that are the same in all variants and read by others
    std::vector<Tensor> m_numbers; ///< numbers of the trace, for m_inputs and m_context
};

} // namespace headlight::core
