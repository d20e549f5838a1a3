// The readers of the parts of a session file. Each notes what is wrong in its field's Reading and
// returns what it could read.
#pragma once

#include "core/formats/session.h"
#include "core/formats/session_fields.h"

namespace headlight::core {

inline constexpr Index kMaximumSequences = 4096;
/// Tokens of a whole batch, padding included.
inline constexpr Index kMaximumBatchTokens = Index(1) << 20;
inline constexpr std::size_t kMaximumMaskLayers = 64;

/// A matrix [rows, columns] in any of its spellings; null after a problem. Sizes are compared
/// before anything is allocated.
Parameter readMatrix(const Field &field, Index rows, Index columns);

/// The same, or {"heads": [one matrix a head]}: laid side by side (query, key, value), or one below
/// the other (output).
enum class HeadLayout { SideBySide, Stacked };
Parameter readHeads(const Field &field, Index rows, Index columns, Index heads, HeadLayout layout);

/// `scale` of random numbers: such that none of them is infinite.
std::optional<float> readRandomScale(const Field &field);

/// The file's seed, or another one made of it and the reading's: matrices with different seeds stay
/// different.
std::uint64_t mixedSeed(const Reading &reading, std::uint64_t seed);

/// A number up to 2⁵³, or the digits of a larger one as a text.
std::optional<std::uint64_t> readSeed(const Field &field);

/// A list of `size` numbers; empty after a problem.
std::optional<std::vector<float>> readVector(const Field &field, Index size);

/// `model`: its config is all zero where its sizes are no use, and then its matrices are not looked
/// at.
Model readModel(const Field &field);
std::optional<Scale> readScale(const Field &field);
std::optional<Positions> readPositions(const Field &field);
/// `mask_value` and `mask_after_softmax` of an object, laid over `masking`.
std::optional<Masking> readMasking(const Field &parent, Masking masking);
/// Two spellings of one word are a problem.
std::map<std::string, std::vector<float>> readWords(const Field &words, Index width,
                                                    bool ignoreCase);
/// A list of `size` numbers as [1, size].
Parameter readBias(const Field &field, Index size);

struct BatchPart {
    BatchPointer batch; ///< null after a problem
    Index minimumLength = 0;
};
/// `width` of the model, for embeddings; 0 where it is not known. `length` counts where the field
/// does not say its own.
BatchPart readBatch(const Field &field, Index width, Index length = 0);

/// `batch` may be null: then cells are not compared with its size.
MaskLayers readMasks(const Field &field, const Batch *batch);

SelectionPatch readSelection(const Field &field);
/// Everything that the selection names exists in this session. Skips what cannot be known because
/// of earlier problems.
void checkSelection(const Field &field, const SelectionPatch &selection, const Session &session);

/// Heads and scores in their order, each once; whether they exist is for checkInterventions().
Interventions readInterventions(const Field &field);
void checkInterventions(const Field &field, const Session &session);

/// `set`: what is laid over `below`, whose batch may be null and whose sizes may be 0 after a
/// problem.
StatePatch readState(const Field &field, const Session &below);

/// `now`: laid over the session, or over its lesson's step. Only for a session without a problem.
/// Its seed has been read before everything else.
SavedState readNow(const Field &field, std::optional<std::uint64_t> seed, const Session &session);

Lesson readLesson(const Field &field, const Session &base);

/// The patch `over` laid over `base`: what atStep() does to a session's view.
SelectionPatch merged(SelectionPatch base, const SelectionPatch &over);

} // namespace headlight::core
