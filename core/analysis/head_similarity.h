// Compares the attention weights of heads with the weights of a chosen head.
#pragma once

#include "core/analysis/heads_of_trace.h"

#include <memory>

namespace headlight::core {

/// A head to which others are compared. Holds its attention weights, [T, S].
class ChosenHead {
  public:
    /// Reads the head's weights. `trace` must outlive the result. Errors: no such attention weights
    /// or head; those of Trace::madeMatrix(); "cancelled".
    static Result<ChosenHead> of(const Trace &trace, const HeadId &id, Index sequence,
                                 const std::stop_token &stop = {});

    /// Returns 1 minus the Jensen–Shannon divergence (base 2) of two rows, averaged over the rows
    /// that count in both heads. The similarity is 1 for equal heads, and 0 if they never attend to
    /// the same token. No value without such a row, or if the heads have different queries or keys.
    /// This divergence was used to compare the heads of BERT in Clark et al. 2019, "What Does BERT
    /// Look At?".
    std::optional<double> similarity(const MatrixView &weights, AttentionId attention) const;
    /// Returns 1 minus the divergence of one row, which may lack hidden keys at its end. `total` is
    /// the countedTotal() of the row. No value if the row does not count in both heads.
    std::optional<double> similarityOfRow(std::span<const float> weights, Index row,
                                          const std::optional<double> &total) const;
    /// True if the heads of this module have the same queries and keys.
    bool isComparable(AttentionId attention) const;

    /// `weights`: the weights of head `id`. Otherwise like of().
    ChosenHead(const Trace &trace, const HeadId &id, Index sequence, SharedMatrix weights);

  private:
    const Trace *m_trace;
    HeadId m_id;
    Index m_sequence;
    SharedMatrix m_weights;
    std::vector<std::optional<double>> m_totals; ///< Σ |w| of each row that counts
};

/// Compares each head of an attention module with the chosen one. Errors: those of forEachHead().
Result<std::vector<std::optional<double>>> similaritiesAt(const Trace &trace, AttentionId attention,
                                                          Index sequence, const ChosenHead &chosen,
                                                          const std::stop_token &stop = {});

} // namespace headlight::core
