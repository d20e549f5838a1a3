// What a thread works with: some sequences of a batch, and room for all that is made of them.
#pragma once

#include "core/training/pass/aligned_numbers.h"
#include "core/training/pass/row_layout.h"
#include "core/transformer/names/attention_id.h"

#include <span>
#include <vector>

namespace headlight::core {

/// What a batch says to one stack: ids, row after row, filled up with 0, and how many of each row
/// are tokens.
struct TokenRows {
    std::vector<Index> ids;     ///< [B, T]
    std::vector<Index> lengths; ///< [B]
};

/// A batch as training reads it.
struct TrainingBatch {
    TokenRows tokens;
    TokenRows source;           ///< empty where there is no second sequence
    std::vector<Index> answers; ///< [B, T], or of classes [B]; kLeftOut: not asked
    Index asked = 0;            ///< how many are
};

/// What came out of some sequences.
struct Outcomes {
    double loss = 0;     ///< sum over the answers
    Index rightOnes = 0; ///< sequences in which all answers are right
    Index rightAnswers = 0;
};

struct TrainingWorkspace {
    // What is worked on:
    const TrainingBatch *batch = nullptr;
    Index first = 0;     ///< the first sequence
    Index sequences = 0; ///< how many
    const float *parameters = nullptr;
    const float *transposed = nullptr;
    float *parameterGradients = nullptr;
    Outcomes outcomes{};

    // Room, for the largest number of sequences:
    AlignedNumbers values;
    AlignedNumbers gradients;
    AlignedNumbers extras;  ///< what nodes keep besides for each sequence: weights, means
    AlignedNumbers scratch; ///< of one node at a time

    float *value(const Buffer &buffer) { return values.data() + buffer.offset * m_most; }
    float *extra(Index offset) { return extras.data() + offset * m_most; }
    float *gradient(const Buffer &buffer) { return gradients.data() + buffer.offset * m_most; }
    Index rows(const Buffer &buffer) const { return sequences * buffer.rows; }

    /// Of the sequence that is the i-th here.
    Index length(const TokenRows &of, Index i) const {
        return of.lengths[static_cast<std::size_t>(first + i)];
    }
    const Index *ids(const TokenRows &of, Index tokens) const {
        return of.ids.data() + first * tokens;
    }

    /// Throws std::bad_alloc.
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
