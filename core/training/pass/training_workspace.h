// Per-thread memory of a training pass: some sequences of a batch and all their values.
#pragma once

#include "core/training/pass/aligned_numbers.h"
#include "core/training/pass/row_layout.h"
#include "core/transformer/names/attention_id.h"

#include <span>
#include <vector>

namespace headlight::core {

/// The token ids of one stack, padded with 0, and the number of tokens of each row.
struct TokenRows {
    std::vector<Index> ids;     ///< [B, T]
    std::vector<Index> lengths; ///< [B]
};

/// A batch of training examples.
struct TrainingBatch {
    TokenRows tokens;
    TokenRows source;           ///< empty if there is no second sequence
    std::vector<Index> answers; ///< targets [B, T], or [B] for classes; kLeftOut: none
    Index asked = 0;            ///< number of targets
    /// True for targets that count for the accuracy, [B, T]; empty: all do.
    std::vector<bool> counts;
    Index counted = 0; ///< number of targets that count; only if `counts` is not empty

    /// Returns the number of targets that count for the accuracy.
    Index countedTargets() const { return counts.empty() ? asked : counted; }
};

/// The results of some sequences.
struct Outcomes {
    double loss = 0;        ///< sum over the targets
    Index rightOnes = 0;    ///< sequences in which all answers that count are correct
    Index rightAnswers = 0; ///< correct answers that count
};

struct TrainingWorkspace {
    // Current work:
    const TrainingBatch *batch = nullptr;
    Index first = 0;     ///< first sequence
    Index sequences = 0; ///< number of sequences
    const float *parameters = nullptr;
    const float *transposed = nullptr;
    float *parameterGradients = nullptr;
    Outcomes outcomes{};

    // Buffers, for the maximum number of sequences:
    AlignedNumbers values;
    AlignedNumbers gradients;
    AlignedNumbers extras;  ///< other values of nodes per sequence: attention weights, means
    AlignedNumbers scratch; ///< used by one node at a time

    float *value(const Buffer &buffer) { return values.data() + buffer.offset * m_most; }
    float *extra(Index offset) { return extras.data() + offset * m_most; }
    float *gradient(const Buffer &buffer) { return gradients.data() + buffer.offset * m_most; }
    Index rows(const Buffer &buffer) const { return sequences * buffer.rows; }

    /// Returns the length of the i-th sequence of the current work.
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
