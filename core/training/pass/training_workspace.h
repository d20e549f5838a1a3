// The memory of one thread of a training pass: the values of some sequences of a batch.
#pragma once

#include "core/training/pass/aligned_numbers.h"
#include "core/training/pass/row_layout.h"
#include "core/transformer/names/attention_id.h"

#include <span>
#include <vector>

namespace headlight::core {

/// The token ids of one stack, padded with 0, and the number of tokens in each row.
struct TokenRows {
    std::vector<Index> ids;     ///< [B, T]
    std::vector<Index> lengths; ///< [B]
};

struct TrainingBatch {
    TokenRows tokens;
    TokenRows source;           ///< empty if there is no second sequence
    std::vector<Index> answers; ///< targets [B, T], or [B] for classes; kLeftOut: none
    Index asked = 0;            ///< number of targets
    /// [B, T], true for targets that count towards the accuracy. Empty: all count.
    std::vector<bool> counts;
    Index counted = 0; ///< number of targets that count; only set if `counts` is not empty

    /// Returns the number of targets that count towards the accuracy.
    Index countedTargets() const { return counts.empty() ? asked : counted; }
};

/// Results summed over some of the batch's sequences.
struct Outcomes {
    double loss = 0;        ///< sum over all targets
    Index rightOnes = 0;    ///< number of sequences whose counted answers are all correct
    Index rightAnswers = 0; ///< number of counted answers that are correct
};

struct TrainingWorkspace {
    // The sequences being processed
    const TrainingBatch *batch = nullptr;
    Index first = 0;     ///< index of the first sequence in the batch
    Index sequences = 0; ///< number of sequences
    const float *parameters = nullptr;
    const float *transposed = nullptr;
    float *parameterGradients = nullptr;
    Outcomes outcomes{};

    // Buffers for the maximum number of sequences
    AlignedNumbers values;
    AlignedNumbers gradients;
    AlignedNumbers extras;  ///< nodes' other values per sequence: attention weights, means
    AlignedNumbers scratch; ///< used by one node at a time

    float *value(const Buffer &buffer) { return values.data() + buffer.offset * m_most; }
    float *extra(Index offset) { return extras.data() + offset * m_most; }
    float *gradient(const Buffer &buffer) { return gradients.data() + buffer.offset * m_most; }
    Index rows(const Buffer &buffer) const { return sequences * buffer.rows; }

    /// Returns the length of the i-th sequence being processed.
    Index length(const TokenRows &of, Index i) const {
        return of.lengths[static_cast<std::size_t>(first + i)];
    }
    const Index *ids(const TokenRows &of, Index tokens) const {
        return of.ids.data() + first * tokens;
    }

    /// Allocates the buffers. Throws std::bad_alloc.
    void makeRoom(Index most, Index sizeOfSequence, Index extrasOfSequence, Index scratchSize) {
        m_most = most;
        values = AlignedNumbers(most * sizeOfSequence);
        gradients = AlignedNumbers(most * sizeOfSequence);
        extras = AlignedNumbers(most * extrasOfSequence);
        scratch = AlignedNumbers(scratchSize);
    }

  private:
    Index m_most = 0;
};

} // namespace headlight::core
