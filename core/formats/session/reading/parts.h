// Readers of the parts of a session file. Each reports problems in its field's Reading and returns
// what it could read.
#pragma once

#include "core/formats/fields/fields.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/data/state_fields.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

inline constexpr Index kMaxSequences = 4096;
/// Tokens of a whole batch, including padding.
inline constexpr Index kMaxBatchTokens = Index(1) << 20;
inline constexpr std::size_t kMaxMaskLayers = 64;
/// Limit of the work of applying all lesson steps, in tokens, mask cells and so on.
inline constexpr Index kMaxStepWork = Index(1) << 26;

/// Reads a matrix [rows, columns] in any form; null after a problem. Checks sizes before
/// allocating.
Parameter readMatrix(const Field &field, Index rows, Index columns);

/// Like readMatrix(), but also reads {"heads": [one matrix per head]}. Concatenates the heads by
/// columns (query, key, value) or rows (output).
Parameter readHeads(const Field &field, Index rows, Index columns, const Config &config,
                    HeadBlocks blocks);

/// Reads `scale` of random numbers, limited so that none becomes infinite.
std::optional<float> readRandomScale(const Field &field);

/// Returns the file's seed, mixed with the reading's seed if set. Different seeds stay different.
std::uint64_t mixedSeed(const Reading &reading, std::uint64_t seed);

/// Reads an integer up to 2⁵³, or a larger one as a string of digits.
std::optional<std::uint64_t> readSeed(const Field &field);

/// Reads a list of `size` numbers; empty after a problem.
std::optional<std::vector<float>> readVector(const Field &field, Index size);

/// Reads a list of `size` numbers, or any form of a matrix [1, size] except rows.
Parameter readRow(const Field &field, Index size);

/// Reads a whole parameter in the shape that the model requires; null after a problem. `words` is
/// the size of its stack's vocabulary, 0 without one.
Parameter readParameter(const Field &field, const ParameterId &id, const Config &config,
                        Index words);

/// Reads `model`. If its sizes are invalid, its config is all zero and its matrices are skipped.
Model readModel(const Field &field);
/// Returns false and leaves `config` unchanged if the sizes are invalid.
bool readConfig(const Field &field, Config &config);
/// Reads the layers and parameters of every stack; the model must have its config.
void readWeights(const Field &field, Index words, Index sourceWords, Model &model);

/// Reads a switch of an object over that of `config`, as the table of Config says. Returns false if
/// it is missing, or after a problem.
bool readSwitch(const Field &parent, std::string_view name, Config &config);
/// Reports two spellings of one word as a problem.
std::map<std::string, std::vector<float>> readWords(const Field &words, Index width,
                                                    bool ignoreCase);

/// Reads one of a batch's `sequences`, without vectors and types; nullopt after a problem.
std::optional<TokenizedText> readSequence(const Field &field);

struct BatchPart {
    BatchPointer batch; ///< null after a problem
    Index minimumLength = 0;
};
/// Reads a batch for the stack. Its tokens keep only the ids that they need
/// (Batch::withNeededIds()). Skips their own embeddings if the model has no valid sizes. `length`
/// is the default of the field's length.
BatchPart readBatch(const Field &field, const Model &model, Stack stack, Index length = 0);

/// Checks that the vocabulary has every token that the stack looks up, and that all token types
/// exist. `field` is the source of the batch: an object or a text.
void checkTokens(const Field &field, const Batch &batch, const Model &model, Stack stack);

struct AttentionMasks {
    std::optional<MaskLayers> self, encoder, cross; ///< set if present
};
/// Reads `masks`, `encoder_masks` and `cross_masks` of an object. If a batch is null, cells are not
/// checked against its size.
AttentionMasks readMasks(const Field &parent, const Model &model, const Batch *batch,
                         const Batch *source);

/// For a field whose problems are warnings (Field::advice()): a bad selection never makes a session
/// unreadable. Skips what it cannot read.
SelectionPatch readSelection(const Field &field);
/// Removes from `shown`, which is applied to `below`, whatever the session does not have. The
/// session must have no problems.
void fitSelection(const Field &field, SelectionPatch &shown, const SelectionPatch &below,
                  const Session &session);

/// Returns the selected attention module. Defaults: the main stack, its first layer, and
/// self-attention; cross-attention if the layer has nothing else.
AttentionId attentionIdOf(const SelectionPatch &selection, const Model &model);

/// True if the model has parameters of this attention module.
bool isGiven(const Model &model, AttentionId attention);

/// Return the sequences of its rows and columns; null if missing.
const Batch *queriesOf(const Input &input, AttentionId attention);
const Batch *keysOf(const Input &input, AttentionId attention);

/// Reads heads and scores in order, without duplicates. checkInterventions() checks that they
/// exist.
Interventions readInterventions(const Field &field, const Model &model);
void checkInterventions(const Field &field, const Session &session);

/// Reads `set`, a patch for `below`. After a problem, the batch of `below` may be null and its
/// sizes may be 0.
StatePatch readState(const Field &field, const Session &below);

/// Reads `training` of this model; null after a problem. Checks Adam moments and curves only if the
/// model has no problem. `before` is another run of the document; the user's own text is stored
/// only in one of them.
TrainingRunPointer readTraining(const Field &field, const Model &model,
                                const TrainingRunPointer &before = nullptr);
/// Returns the text reader of the model's task; null for the default.
TextReaderPointer readerOfTask(const Field &training, const Model &model);

/// Like checkTokens(), for the sequences that `set` overrides.
void checkSequences(const Field &field, const StatePatch &set, const Session &state);

/// Reads `now`, a patch for the session or its lesson step. If the session has problems, reads what
/// does not depend on it. Its seed is read first of all.
SavedState readNow(const Field &field, std::optional<std::uint64_t> seed, const Session &session);

/// Reports an error of Computable::of() for a state created by `set`, at a field of `set` if
/// possible.
void sayWithin(const Field &set, const Error &error);

Lesson readLesson(const Field &field, const Session &base);

/// In-place version of withText() and withSourceText(): tokenizes the text for the field.
Outcome readText(Session &session, const SequencesField &field, std::string_view text);

/// Returns the base of lesson steps: the session without `now` and without the lesson, which may be
/// large.
Session withoutLesson(const Session &session);

} // namespace headlight::core
