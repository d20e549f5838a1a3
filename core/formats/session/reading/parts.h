// The readers of the parts of a session file. Each notes what is wrong in its field's Reading and
// returns what it could read.
#pragma once

#include "core/formats/fields/fields.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/data/state_fields.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

inline constexpr Index kMaximumSequences = 4096;
/// Tokens of a whole batch, padding included.
inline constexpr Index kMaximumBatchTokens = Index(1) << 20;
inline constexpr std::size_t kMaximumMaskLayers = 64;
/// Tokens, mask cells and so on that all the steps of a lesson are laid over.
inline constexpr Index kMaximumStepWork = Index(1) << 26;

/// A matrix [rows, columns] in any of its spellings; null after a problem. Sizes are compared
/// before anything is allocated.
Parameter readMatrix(const Field &field, Index rows, Index columns);

/// The same, or {"heads": [one matrix a head]}: laid side by side (query, key, value), or one below
/// the other (output).
Parameter readHeads(const Field &field, Index rows, Index columns, const Config &config,
                    HeadBlocks blocks);

/// `scale` of random numbers: such that none of them is infinite.
std::optional<float> readRandomScale(const Field &field);

/// The file's seed, or another one made of it and the reading's: matrices with different seeds stay
/// different.
std::uint64_t mixedSeed(const Reading &reading, std::uint64_t seed);

/// A number up to 2⁵³, or the digits of a larger one as a text.
std::optional<std::uint64_t> readSeed(const Field &field);

/// A list of `size` numbers; empty after a problem.
std::optional<std::vector<float>> readVector(const Field &field, Index size);

/// A list of `size` numbers, or what a matrix [1, size] may be but rows.
Parameter readRow(const Field &field, Index size);

/// All of a parameter, in the shape that the model asks for; null after a problem. `words` are
/// those that its stack knows; 0: it has no vocabulary.
Parameter readParameter(const Field &field, const ParameterId &id, const Config &config,
                        Index words);

/// `model`: its config is all zero where its sizes are no use, and then its matrices are not looked
/// at.
Model readModel(const Field &field);
/// False where the sizes are no use; `config` is as it was then.
bool readConfig(const Field &field, Config &config);
/// Every stack's layers and parameters, for a model that has its config.
void readWeights(const Field &field, Index words, Index sourceWords, Model &model);

/// What the field says laid over what there is; after a problem, that stays.
void readOver(const Field &field, Positions &positions);
void readOver(const Field &field, SinusoidOrder &order);
void readOver(const Field &field, Scale &scale);
void readOver(const Field &field, Softcap &cap);
void readOver(const Field &field, std::vector<float> &slopes);
void readOver(const Field &field, std::vector<Index> &windows);
void readOver(const Field &field, bool &flag);
void readOver(const Field &field, float &positive);
void readOver(const Field &field, Norm &norm);
void readOver(const Field &field, QueryKeyNorm &norm);
void readOver(const Field &field, FeedForward &feedForward);
void readOver(const Field &field, RotaryConfig &rotary);
void readOver(const Field &field, RelativeConfig &relative);
void readOver(const Field &field, OutputLayer &head);
/// `mask_value` and `mask_after_softmax` of an object, laid over `masking`.
std::optional<MaskOptions> readMasking(const Field &parent, MaskOptions masking);
/// Two spellings of one word are a problem.
std::map<std::string, std::vector<float>> readWords(const Field &words, Index width,
                                                    bool ignoreCase);

/// One of a batch's `sequences`, without its vectors and types; none after a problem.
std::optional<TokenizedText> readSequence(const Field &field);

struct BatchPart {
    BatchPointer batch; ///< null after a problem
    Index minimumLength = 0;
};
/// Of the stack's tokens: none has the id that goes without saying (Batch::withNeededIds()). Of a
/// model without its sizes their own embeddings are not read. `length` counts where the field does
/// not say its own.
BatchPart readBatch(const Field &field, const Model &model, Stack stack, Index length = 0);

/// Every token that the stack looks up is one of its words, and its types have their rows.
/// `field` is what the batch was read from: an object, or a text.
void checkTokens(const Field &field, const Batch &batch, const Model &model, Stack stack);

struct AttentionMasks {
    std::optional<MaskLayers> self, encoder, cross; ///< where they are said
};
/// `masks`, `encoder_masks` and `cross_masks` of an object. Either batch may be null: then cells
/// are not compared with its size.
AttentionMasks readMasks(const Field &parent, const Model &model, const Batch *batch,
                         const Batch *source);

/// Both for a field whose problems are warnings: where one looks never makes a session unreadable.
/// What cannot be read is left out.
SelectionPatch readSelection(const Field &field);
/// `softmax` of a selection; none where it is no object.
std::optional<SoftmaxLook> readSoftmaxLook(const Field &field);
/// Leaves out of `shown`, which is laid over `below`, what does not exist in this session. For a
/// session without a problem.
void fitSelection(const Field &field, SelectionPatch &shown, const SelectionPatch &below,
                  const Session &session);

/// The attention that a selection means in a model: what it does not say is the main stack's first
/// layer and its own sequence, or the other one where it has no such attention.
AttentionId attentionIdOf(const SelectionPatch &selection, const Model &model);

/// Whether the file gave this attention anything, be it wrong: what was said about that is not said
/// again.
bool isGiven(const Model &model, AttentionId attention);

/// The sequences of the site's rows and columns; null where there are none.
const Batch *queriesOf(const Input &input, AttentionId attention);
const Batch *keysOf(const Input &input, AttentionId attention);

/// Heads and scores in their order, each once; whether they exist is for checkInterventions().
Interventions readInterventions(const Field &field, const Model &model);
void checkInterventions(const Field &field, const Session &session);

/// `set`: what is laid over `below`, whose batch may be null and whose sizes may be 0 after a
/// problem.
StatePatch readState(const Field &field, const Session &below);

inline constexpr std::size_t kLongestTaskId = 64;
/// `training`: of this model, with which moments and curves are compared where it has no problem.
/// Null after a problem. `before`: a run of the same document; of a person's own text it is said
/// once.
TrainingRunPointer readTraining(const Field &field, const Model &model,
                                const TrainingRunPointer &before = nullptr);
/// `recipe` of a run; whether the program knows its task is for whoever trains it.
Recipe readRecipe(const Field &field);
/// How the model reads texts, where its task says so; null: as any other.
TextReaderPointer readerOfTask(const Field &training, const Model &model);

/// checkTokens() for the sequences that `set` gave the state.
void checkSequences(const Field &field, const StatePatch &set, const Session &state);

/// `now`: laid over the session, or over its lesson's step. Of a session with a problem, what can
/// be read without it.
/// Its seed has been read before everything else.
SavedState readNow(const Field &field, std::optional<std::uint64_t> seed, const Session &session);

/// What fits() says about a state that `set` made: at its own field, where it has that.
void sayWithin(const Field &set, const Error &error);

Lesson readLesson(const Field &field, const Session &base);

/// withText() and withSourceText(), in place: the text as the field's sequences.
Outcome readText(Session &session, const SequencesField &field, std::string_view text);

/// What a step is laid over: the session without its steps, which are many, and without `now`.
Session withoutLesson(const Session &session);

} // namespace headlight::core
