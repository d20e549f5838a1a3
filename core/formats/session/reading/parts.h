// Readers of the parts of a session file. Each reports problems in its field's Reading and returns
// what it was able to read.
#pragma once

#include "core/formats/fields/fields.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/data/state_fields.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

inline constexpr Index kMaxSequences = 4096;
/// Maximum number of tokens of a batch, including padding.
inline constexpr Index kMaxBatchTokens = Index(1) << 20;
inline constexpr std::size_t kMaxMaskLayers = 64;
/// Limit on the work of applying all lesson steps: the sum of tokens, mask cells and so on.
inline constexpr Index kMaxStepWork = Index(1) << 26;

/// Reads a matrix [rows, columns] in any form; null after a problem. Checks sizes before
/// allocating.
Parameter readMatrix(const Field &field, Index rows, Index columns);

/// Like readMatrix(), but also reads {"heads": [one matrix per head]}. Concatenates the heads by
/// columns (query, key, value) or rows (output).
Parameter readHeads(const Field &field, Index rows, Index columns, const Config &config,
                    HeadBlocks blocks);

/// Reads the `scale` of random numbers. A limit ensures that none of them becomes infinite.
std::optional<float> readRandomScale(const Field &field);

/// Returns a seed from the file, mixed with `reading.seed` if that is set. Different seeds stay
/// different.
std::uint64_t mixedSeed(const Reading &reading, std::uint64_t seed);

/// Reads an integer up to 2⁵³, or a larger one from a string of digits.
std::optional<std::uint64_t> readSeed(const Field &field);

/// Reads a list of `size` numbers; empty after a problem.
std::optional<std::vector<float>> readVector(const Field &field, Index size);

/// Reads a list of `size` numbers, or a matrix [1, size] in any form except rows.
Parameter readRow(const Field &field, Index size);

/// Reads a whole parameter in the shape that the model requires; null after a problem. `words`: the
/// size of its stack's vocabulary, 0 without one.
Parameter readParameter(const Field &field, const ParameterId &id, const Config &config,
                        Index words);

/// Reads `model`. If its sizes are invalid, all sizes in its config are 0 and its matrices are
/// skipped.
Model readModel(const Field &field);
/// Reads the layers and parameters of every stack. The model must already have its config.
void readWeights(const Field &field, Index words, Index sourceWords, Model &model);

/// Reads a switch of an object into `config`. Returns false if it is missing, or after a problem.
bool readSwitch(const Field &parent, std::string_view name, Config &config);
/// Reads the vectors of words. Reports a word that occurs twice, even in different spellings if
/// `ignoreCase`.
std::map<std::string, std::vector<float>> readWords(const Field &words, Index width,
                                                    bool ignoreCase);

/// Reads one of a batch's `sequences`, except its vectors and types; nullopt after a problem.
std::optional<TokenizedText> readSequence(const Field &field);

struct BatchPart {
    BatchPointer batch; ///< null after a problem
    Index minimumLength = 0;
};
/// Reads a batch for the stack. Its tokens keep only ids that are needed (Batch::withNeededIds()).
/// Skips the batch's own embeddings if the model's sizes are invalid. `length` is the default for
/// the field `length`.
BatchPart readBatch(const Field &field, const Model &model, Stack stack, Index length = 0);

/// Checks that the vocabulary has every token that the stack looks up, and that all token types
/// exist. `field`: the batch, or the text that it comes from.
void checkTokens(const Field &field, const Batch &batch, const Model &model, Stack stack);

struct AttentionMasks {
    std::optional<MaskLayers> self, encoder, cross; ///< set if the field is present
};
/// Reads `masks`, `encoder_masks` and `cross_masks` of an object. Cells are checked against the
/// batch's size, unless it is null.
AttentionMasks readMasks(const Field &parent, const Model &model, const Batch *batch,
                         const Batch *source);

/// Reads a selection. Skips invalid fields. `field` must be Field::advice(), so that problems are
/// only warnings and never make a session unreadable.
SelectionPatch readSelection(const Field &field);
/// Removes from `shown`, which will be applied to `below`, everything that the session does not
/// have. The session must have no problems.
void fitSelection(const Field &field, SelectionPatch &shown, const SelectionPatch &below,
                  const Session &session);

/// Returns the selected attention module. Defaults: the main stack, its first layer, and
/// self-attention; cross-attention if the layer has nothing else.
AttentionId attentionIdOf(const SelectionPatch &selection, const Model &model);

/// True if the model has this attention module.
bool isGiven(const Model &model, AttentionId attention);

/// Return the batch of the attention module's queries or keys; null if there is none.
const Batch *queriesOf(const Input &input, AttentionId attention);
const Batch *keysOf(const Input &input, AttentionId attention);

/// Reads interventions in heads and scores, sorted and without duplicates. checkInterventions()
/// checks that their targets exist.
Interventions readInterventions(const Field &field, const Model &model);
void checkInterventions(const Field &field, const Session &session);

/// Reads `set`, a patch of `below`. If there were problems, `below` may have a null batch and sizes
/// of 0.
StatePatch readState(const Field &field, const Session &below);

/// Reads `training` of this model; null after a problem. Checks Adam moments and curves only if the
/// model has no problems. `before` is another run in the document, which may contain the user's own
/// text for both.
TrainingRunPointer readTraining(const Field &field, const Model &model,
                                const TrainingRunPointer &before = nullptr);
/// Returns the text reader of the task in `training`; null if there is none.
TextReaderPointer readerOfTask(const Field &training, const Model &model);

/// Like checkTokens(), for the sequences that `set` replaces.
void checkSequences(const Field &field, const StatePatch &set, const Session &state);

/// Reads `now`, a patch of the session or its lesson step. If the session has problems, reads only
/// fields that do not depend on it. `seed` is the field `seed` of `now`, which is read before
/// anything else.
SavedState readNow(const Field &field, std::optional<std::uint64_t> seed, const Session &session);

/// Reports an error of Computable::of() for a state with the changes `set`, at a field of `set` if
/// possible.
void reportWithin(const Field &set, const Error &error);

/// Tokenizes the text and replaces the field's sequences, like withText() and withSourceText().
Outcome readText(Session &session, const SequencesField &field, std::string_view text);

/// Returns the base of lesson steps: the session without `now`, and without the lesson, which may
/// take long to copy.
Session withoutLesson(const Session &session);

} // namespace headlight::core
