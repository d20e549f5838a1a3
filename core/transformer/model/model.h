// A model and its input: everything that the computation depends on.
#pragma once

#include "core/operations/mask_layers.h"
#include "core/operations/pooling.h"
#include "core/transformer/model/batch.h"
#include "core/transformer/model/embeddings.h"
#include "core/transformer/model/interventions.h"
#include "core/transformer/model/parameters.h"
#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"
#include "core/transformer/names/attention_id.h"

#include <optional>

namespace headlight::core {

class Plan;

/// Config, parameters and embeddings of a transformer.
///
/// A model has either one stack of layers, or both an encoder and a decoder. A single stack is an
/// encoder or a decoder depending on its masks. Layers with cross-attention read a second sequence:
/// the output of the encoder or, without an encoder, the embeddings of that sequence.
struct Model {
    Config config{};
    ModelParameters parameters{};
    EmbeddingsPointer embeddings{}; ///< word vectors, used if parameters.main.embeddings is null
    VocabularyPointer vocabulary{}; ///< for parameters.main.embeddings and the logits
    VocabularyPointer sourceVocabulary{}; ///< for the input of the encoder; null: `vocabulary`
    /// The stages of a capture; null otherwise. How they were computed is unknown, so the model has
    /// no parameters and no layers. Its config has the sizes of the stages.
    std::shared_ptr<const Plan> captured{};
    TextReaderPointer reader{}; ///< tokenizes texts; null: splits texts into words
    /// True if the output at a token is the answer to a task, not the next token. This depends on
    /// the task of the training run, which the session contains.
    bool answersInPlace = false;
    /// For models of sentence-transformers: the pooling that turns the rows of the last layer into
    /// the vector of a text.
    std::optional<Pooling> sentencePooling{};
    bool operator==(const Model &) const = default; // compares parameters by identity

    /// True if the model predicts the next token.
    bool saysNext() const {
        return config.outputLayer.kind == OutputLayerKind::Language && !answersInPlace;
    }

    /// True if the output layer predicts words or classes.
    bool predicts() const {
        return config.outputLayer.kind != OutputLayerKind::None &&
               config.outputLayer.kind != OutputLayerKind::Projection;
    }

    bool isCaptured() const { return captured != nullptr; }
    bool hasEncoder() const { return parameters.hasEncoder(); }
    /// True if any layer has cross-attention.
    bool hasCrossAttention() const;
    Stack mainStack() const { return hasEncoder() ? Stack::Decoder : Stack::Main; }
    /// Returns Encoder or SourceEmbeddings. The model must read a second sequence.
    Stack sourceStack() const { return hasEncoder() ? Stack::Encoder : Stack::SourceEmbeddings; }
    bool hasStack(Stack stack) const;

    /// Returns the parameters of a stack. For SourceEmbeddings, returns the parameters of the main
    /// stack, which include its embeddings.
    const StackParameters &stack(Stack stack) const;
    /// Returns the number of layers. Layers that share parameters are counted separately.
    Index layerCount(Stack stack) const;
    Index layerCount() const { return layerCount(mainStack()); }
    /// Returns the parameter layer that a layer of the stack uses.
    Index weightsLayer(Stack stack, Index layer) const;
    const LayerParameters &layer(Stack stack, Index layer) const {
        return this->stack(stack).layers[static_cast<std::size_t>(weightsLayer(stack, layer))];
    }
    /// Returns the config of a stack. The config of the encoder has the encoder's sizes.
    Config configOf(Stack stack) const {
        return stack == Stack::Encoder ? config.ofEncoder() : config;
    }
    /// Returns H; for a capture, the maximum over its layers.
    Index headsOf(Stack stack) const {
        return stack == Stack::Encoder && config.encoder.heads > 0 ? config.encoder.heads
                                                                   : config.heads;
    }
    /// Returns H of one attention module. In a capture, H may differ between layers.
    Index headsOf(AttentionId attention) const;
    const AttentionParameters &attentionParameters(AttentionId attention) const;
    /// True if the stack, the layer and the attention module exist.
    bool hasAttention(AttentionId attention) const;
    /// True if a learned score that belongs to no key takes part in the softmax of every row.
    bool hasSinks(AttentionId attention) const;
    /// Returns all attention modules in computation order.
    std::vector<AttentionId> attentions() const;
    /// Returns the stack's embedding matrix [V, E]; null if the model uses word vectors.
    const Parameter &embeddingMatrix(Stack stack) const;
    const Vocabulary *vocabularyOf(Stack stack) const;
};

/// Tokenizes a text for a stack of the model. Errors: those of splitIntoWords() or of the model's
/// reader.
Result<TokenizedText> tokenized(const Model &model, Stack stack, std::string_view text,
                                std::stop_token stop = {});

/// The input of a model: sequences, masks and interventions.
struct Input {
    BatchPointer batch; ///< the sequences; in an encoder-decoder, the decoder's sequences
    MaskLayers masks{}; ///< masks of the self-attention in the main stack or decoder
    Interventions interventions{};
    BatchPointer source{};     ///< second sequences, one per sequence in `batch`; may be null
    MaskLayers encoderMasks{}; ///< masks of the encoder's self-attention
    MaskLayers crossMasks{};   ///< masks of the cross-attention
    bool operator==(const Input &) const = default; // compares batches by identity

    /// Returns the batch whose tokens are the rows of a stack.
    const Batch &of(Stack stack) const {
        return stack == Stack::Encoder || stack == Stack::SourceEmbeddings ? *source : *batch;
    }
    const Batch &queries(AttentionId attention) const { return of(attention.stack); }
    const Batch &keys(AttentionId attention) const {
        return attention.block == Block::CrossAttention ? *source : of(attention.stack);
    }
    const MaskLayers &masksOf(AttentionId attention) const {
        if (attention.block == Block::CrossAttention)
            return crossMasks;
        return attention.stack == Stack::Encoder ? encoderMasks : masks;
    }
};

/// Returns all mask layers of an attention module: the window of the model first, then the layers
/// of the input.
MaskLayers maskLayersOf(const Config &config, const Input &input, AttentionId attention);

} // namespace headlight::core
