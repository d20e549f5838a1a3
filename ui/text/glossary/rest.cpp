// Glossary entries after attention: the rest of a layer, the output, and training.
#include "ui/text/glossary/entries.h"

namespace headlight::ui {

using enum core::Stage;

std::vector<GlossaryEntry> entriesOfTheRest() {
    return {
        {"residual",
         GlossaryText::tr("residual stream"),
         {"X + O", "R + F", "R′", "Y"},
         GlossaryText::tr(
             "The vector that each token carries through the layers. A layer reads it and adds the "
             "outputs of attention and the feed-forward network: X + O, then R + F."),
         {ResidualSum, Residual, FeedForwardResidualSum, LayerOutput}},
        {"feed-forward",
         GlossaryText::tr("feed-forward network"),
         {"H", "F", "W_1", "W_2", "W₁", "W₂"},
         GlossaryText::tr("Two weight matrices with an activation between them. It works on each "
                          "token alone, after attention has read from the others."),
         {Hidden, FeedForwardOutput}},
        {"activation",
         GlossaryText::tr("activation"),
         {"σ", "σ(H)", "σ(G) ⊙ H"},
         GlossaryText::tr("A function that is applied to each number of the hidden layer, such as "
                          "ReLU, which sets negative numbers to 0. Without it, the two matrices "
                          "would be equivalent to one. In a norm, σ is the standard deviation."),
         {Activated}},
        {"gate",
         GlossaryText::tr("gate"),
         {"G", "W_g", "⊙"},
         GlossaryText::tr("A second hidden layer that multiplies the first, number by number (⊙), "
                          "and so lets each number through or blocks it."),
         {Gate}},
        {"experts",
         GlossaryText::tr("mixture of experts"),
         {"r", "w", "Nᵉ", "D", "W_r"},
         GlossaryText::tr("A layer with many feed-forward networks, the experts. A router, the "
                          "matrix W_r, gives each expert a probability for each token. Only the "
                          "most probable ones process it, and their outputs, D, are multiplied "
                          "by their weights, w, and added. In Llama 4, the weights multiply the "
                          "inputs of the experts, Nᵉ, instead."),
         {RouterLogits, RouterProbabilities, RouterScores, ExpertWeights, ExpertInputs,
          ExpertOutputs, RoutedOutput}},
        {"shared expert",
         GlossaryText::tr("shared expert"),
         {"Gˢ", "Hˢ", "Fˢ", "Fᵉ"},
         GlossaryText::tr("A feed-forward network that processes every token, in addition to the "
                          "experts. Its output is added to that of the chosen experts."),
         {SharedGate, SharedHidden, SharedActivated, SharedOutput}},
        {"layer",
         GlossaryText::tr("layer"),
         {},
         GlossaryText::tr(
             "Attention, usually followed by a feed-forward network. A model has several layers, "
             "one after the other; the heads are side by side within one."),
         {}},
        {"encoder",
         GlossaryText::tr("encoder and decoder"),
         {},
         GlossaryText::tr("An encoder reads a text in both directions. A decoder writes: it sees "
                          "its own earlier tokens and, through cross-attention, the encoder's "
                          "output for the other text."),
         {}},
        {"cross-attention",
         GlossaryText::tr("cross-attention"),
         {},
         GlossaryText::tr(
             "Attention whose queries come from one sequence and whose keys and values come from "
             "another."),
         {},
         {GlossaryText::tr("encoder-decoder attention")}},
        {"logits",
         GlossaryText::tr("logits"),
         {"L", "Eᵀ", "U", "W_U", "W_t", "W_c", "W_p", "W_d", "Uᵈ", "Lᶜ", "Lᵈ"},
         GlossaryText::tr(
             "A number for each word of the vocabulary, or for each class, before softmax: the "
             "vector of a token, U, times a learned matrix or the embedding matrix."),
         {OutputLayerInput, Logits, Pooled, DistillationPooled, ClsLogits, DistillationLogits,
          ClassLogits}},
        {"shared space",
         GlossaryText::tr("shared space"),
         {"Uˢ", "W_s"},
         GlossaryText::tr(
             "The vectors that two models, one of texts and one of pictures, map their input to. A "
             "text and a picture that belong together have similar directions there."),
         {Projected}},
        {"probability",
         GlossaryText::tr("probability"),
         {"p"},
         GlossaryText::tr("Softmax of the logits: how likely each word is according to the model. "
                          "The probabilities add up to 1 over the vocabulary."),
         {Probabilities}},
        {"sampling",
         GlossaryText::tr("sampling"),
         {},
         GlossaryText::tr(
             "How a model that generates text chooses the next token. Greedy: always the most "
             "probable one. Otherwise it is sampled: the logits are divided by a temperature "
             "before softmax, so that below 1 likely tokens become likelier; with top-k, only the "
             "k most probable ones are candidates. The same seed gives the same tokens."),
         {}},
        {"training",
         GlossaryText::tr("training"),
         {},
         GlossaryText::tr("Changing the parameters with the help of examples. Each step reads a "
                          "batch, computes how the loss changes with each parameter, and moves "
                          "every parameter a little in the direction that lowers the loss."),
         {}},
        {"loss",
         GlossaryText::tr("loss"),
         {},
         GlossaryText::tr(
             "How wrong the model is: the mean of −ln p, where p is the probability that it gives "
             "to the target. 0 means certainty; n equally likely answers give ln n."),
         {}},
        {"accuracy",
         GlossaryText::tr("accuracy"),
         {},
         GlossaryText::tr("The share of examples with all answers right; for a text of your own, "
                          "the share of single answers, because no model predicts a whole page."),
         {}},
        {"target",
         GlossaryText::tr("shifted targets"),
         {},
         GlossaryText::tr(
             "The targets of a model that learns to generate text: at each token the next one, for "
             "all tokens at once. So the targets are the same text, shifted by one."),
         {},
         {GlossaryText::tr("shifted target"), GlossaryText::tr("target"),
          GlossaryText::tr("targets")}},
        {"held out",
         GlossaryText::tr("held out"),
         {},
         GlossaryText::tr(
             "Examples that training never sees. Correct answers to them were not memorised."),
         {}},
        {"intervention",
         GlossaryText::tr("intervention"),
         {},
         GlossaryText::tr("A number or a head that the user has overridden. Everything after it is "
                          "computed with it, and it is marked in every view."),
         {}},
        {"cosine",
         GlossaryText::tr("cosine"),
         {"cos"},
         GlossaryText::tr(
             "How similar the directions of two vectors are, regardless of their lengths: 1 for "
             "the same, 0 for a right angle, −1 for opposite directions."),
         {}},
        {"PCA",
         GlossaryText::tr("principal components"),
         {},
         GlossaryText::tr(
             "The two directions in which a set of vectors varies most, as axes of a plane. "
             "Distances in other directions are invisible, and dot products are not preserved."),
         {}},
    };
}

} // namespace headlight::ui
