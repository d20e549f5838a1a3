// The readers of the parts of a session file. Each notes what is wrong in its field's Reading and
// returns what it could read.
#pragma once

#include "core/formats/session.h"
#include "core/formats/session_fields.h"

namespace headlight::core {

inline constexpr Index kMaximumLayers = 256;
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
std::uint64_t mixedSeed(const Reading &reading, Index seed);

/// A list of `size` numbers; empty after a problem.
std::optional<std::vector<float>> readVector(const Field &field, Index size);

/// `model`: its config is all zero where its sizes are no use, and then its matrices are not looked
/// at.
Model readModel(const Field &field);
std::optional<Scale> readScale(const Field &field);
std::optional<Positions> readPositions(const Field &field);

struct BatchPart {
    BatchPointer batch; ///< null after a problem
    Index minimumLength = 0;
};
/// `width` of the model, for embeddings; 0 where it is not known.
BatchPart readBatch(const Field &field, Index width);

/// `batch` may be null: then cells are not compared with its size.
MaskLayers readMasks(const Field &field, const Batch *batch);

SelectionPatch readSelection(const Field &field);
/// Everything that the selection names exists in this session. Skips what cannot be known because
/// of earlier problems.
void checkSelection(const Field &field, const SelectionPatch &selection, const Session &session);

Lesson readLesson(const Field &field, const Batch *batch);

/// The patch `over` laid over `base`: what atStep() does to a session's view.
SelectionPatch merged(SelectionPatch base, const SelectionPatch &over);

} // namespace headlight::core
