// A model, and what it reads: all that a computation starts from.
#pragma once

#include "core/operations/mask_layers.h"
#include "core/transformer/model/batch.h"
#include "core/transformer/model/embeddings.h"
#include "core/transformer/model/interventions.h"
#include "core/transformer/model/parameters.h"
#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"
#include "core/transformer/names/attention_id.h"

namespace headlight::core {

class Plan;

/// Config, learned numbers and the words' vectors: what makes attention out of a text.
///
/// One stack of layers, whose masks make it an encoder or a decoder; or an encoder's and a
/// decoder's. Layers with cross-attention read a second sequence: the encoder's output or, without
/// an encoder, the embeddings of that sequence as they are.
struct Model {
    Config config{};
    ModelParameters parameters{};
    EmbeddingsPointer embeddings{};       ///< of words, where weights.main.embeddings is none
    VocabularyPointer vocabulary{};       ///< of weights.main.embeddings and of the logits
    VocabularyPointer sourceVocabulary{}; ///< of what the encoder reads; none: `vocabulary`
    /// Of a capture: the stages that it holds. How they were made nobody knows: there are no
    /// parameters, layers are empty, and the config has the sizes that the stages show.
    std::shared_ptr<const Plan> captured{};
    TextReaderPointer reader{}; ///< of texts; none: they are split into words
    /// What it says at a token answers what its task asks there, and is not the token after it. A
    /// matter of what it learned: its session knows the task.
    bool answersInPlace = false;
    bool operator==(const Model &) const = default; // parameters by identity

    /// What it says at a token is the one after it.
    bool saysNext() const {
        return config.outputLayer.kind == OutputLayerKind::Language && !answersInPlace;
    }

    bool isCaptured() const { return captured != nullptr; }
    bool hasEncoder() const { return parameters.hasEncoder(); }
    /// Any layer looks at a second sequence.
    bool hasCrossAttention() const;
    /// Only, or Decoder.
    Stack mainStack() const { return hasEncoder() ? Stack::Decoder : Stack::Main; }
    /// Encoder, or Source; where there is a second sequence.
    Stack sourceStack() const { return hasEncoder() ? Stack::Encoder : Stack::SourceEmbeddings; }
    bool hasStack(Stack stack) const;

    /// The weights of a stack (Source: those of the main one, for its embeddings).
    const StackParameters &stack(Stack stack) const;
    /// How many layers it runs through; those that share weights count each time.
    Index layerCount(Stack stack) const;
    Index layerCount() const { return layerCount(mainStack()); }
    /// Which of the weights' layers the stack's layer uses.
    Index weightsLayer(Stack stack, Index layer) const;
    const LayerParameters &layer(Stack stack, Index layer) const {
        return this->stack(stack).layers[static_cast<std::size_t>(weightsLayer(stack, layer))];
    }
    /// The config, of an encoder with its own sizes.
    Config configOf(Stack stack) const {
        return stack == Stack::Encoder ? config.ofEncoder() : config;
    }
    /// H; of a capture that of the layer with the most.
    Index headsOf(Stack stack) const {
        return stack == Stack::Encoder && config.encoder.heads > 0 ? config.encoder.heads
                                                                   : config.heads;
    }
    /// H of one attention: the layers of a capture may differ in it.
    Index headsOf(AttentionId attention) const;
    const AttentionParameters &attentionParameters(AttentionId attention) const;
    /// Whether the stack, its layer and this attention of it exist.
    bool hasAttention(AttentionId attention) const;
    /// Every attention, in the order of the computation.
    std::vector<AttentionId> attentions() const;
    /// [V, E] that the stack's embeddings are looked up in; null: words' own vectors.
    const Parameter &embeddingMatrix(Stack stack) const;
    const Vocabulary *vocabularyOf(Stack stack) const;
};

/// The tokens of a text that a stack of the model reads. Errors: as splitIntoWords(), or its
/// reader's.
Result<TokenizedText> tokenized(const Model &model, Stack stack, std::string_view text,
                                std::stop_token stop = {});

/// What the model reads, what it may see of it, and what is done to the mechanism meanwhile.
struct Input {
    BatchPointer batch; ///< the sequences that attend; of an encoder-decoder the decoder's
    MaskLayers masks{}; ///< of their self-attention
    Interventions interventions{};
    BatchPointer source{};     ///< the second sequences, as many; null: there are none
    MaskLayers encoderMasks{}; ///< of the encoder's self-attention
    MaskLayers crossMasks{};   ///< of the cross-attention
    bool operator==(const Input &) const = default; // the batches by identity

    /// The sequences whose tokens are the rows of a stack.
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

/// All that hides keys there: beneath the input's layers the window that the model has itself.
MaskLayers maskLayersOf(const Config &config, const Input &input, AttentionId attention);

} // namespace headlight::core
