// Glossary entries after attention: the rest of a layer, the output, and training.
#include "ui/words/glossary/entries.h"

namespace headlight::ui {

using enum core::Stage;

std::vector<GlossaryEntry> entriesOfTheRest() {
    return {
        {"residual",
         GlossaryText::tr("residual stream"),
         {"X + O", "R + F", "Y"},
         GlossaryText::tr(
             "The vector that each token carries through the layers. A layer reads it and adds "
             "what attention and the feed-forward network make of it: X + O, then R + F."),
         {ResidualSum, Residual, FeedForwardResidualSum, LayerOutput}},
        {"feed-forward",
         GlossaryText::tr("feed-forward network"),
         {"H", "F", "W_1", "W_2", "W₁", "W₂"},
         GlossaryText::tr(
             "Two learned matrices with an activation between them. It works on each token "
             "alone, after attention has brought in what the others offer."),
         {Hidden, FeedForwardOutput}},
        {"activation",
         GlossaryText::tr("activation"),
         {"σ", "σ(H)", "σ(G) ⊙ H"},
         GlossaryText::tr(
             "A curve that each number of the hidden layer goes through, such as ReLU, which "
             "makes 0 of whatever is negative. Without it the two matrices would be no more than "
             "one. In a norm σ is the deviation."),
         {Activated}},
        {"gate",
         GlossaryText::tr("gate"),
         {"G", "W_g", "⊙"},
         GlossaryText::tr(
             "A second hidden layer that multiplies the first, number by number (⊙), and so "
             "opens or closes it."),
         {Gate}},
        {"layer",
         GlossaryText::tr("layer"),
         {},
         GlossaryText::tr(
             "Attention and, mostly, a feed-forward network after it. A model has several, one "
             "after the other; heads stand side by side within one."),
         {}},
        {"encoder",
         GlossaryText::tr("encoder and decoder"),
         {},
         GlossaryText::tr(
             "An encoder reads a text in both directions. A decoder writes: it sees its own "
             "earlier tokens and, by cross-attention, what the encoder made of the other text."),
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
         {"L", "Eᵀ", "U", "W_U", "W_t", "W_c", "W_p"},
         GlossaryText::tr(
             "A number for each word of the vocabulary, or for each class, before softmax: the "
             "vector of a token, U, times a matrix that is learned or is the embeddings' own."),
         {OutputLayerInput, Logits, Pooled, ClassLogits}},
        {"probability",
         GlossaryText::tr("probability"),
         {"p"},
         GlossaryText::tr(
             "Softmax of the logits: how likely the model takes each word to be. They add up to "
             "1 over the vocabulary."),
         {Probabilities}},
        {"sampling",
         GlossaryText::tr("sampling"),
         {},
         GlossaryText::tr(
             "How a model that writes chooses the next token. Greedy: always the most probable "
             "one. "
             "Else it is drawn: the logits are divided by a temperature before softmax, so that "
             "below 1 likely tokens become likelier, and with top-k only the k most probable ones "
             "may be drawn. The same seed draws the same tokens again."),
         {}},
        {"training",
         GlossaryText::tr("training"),
         {},
         GlossaryText::tr(
             "Changing the weights from examples. Each step reads a batch of them, asks how much "
             "each weight adds to the loss, and moves all weights a little the other way."),
         {}},
        {"loss",
         GlossaryText::tr("loss"),
         {},
         GlossaryText::tr(
             "How wrong the model is: the mean of −ln p, where p is the probability that it gives "
             "to what should come out. 0 is certainty; to hold n answers for equally likely costs "
             "ln n."),
         {}},
        {"accuracy",
         GlossaryText::tr("accuracy"),
         {},
         GlossaryText::tr("The share of the examples in which every answer is the right one; of a "
                          "text of your own the share of single answers, for nobody tells a whole "
                          "page."),
         {}},
        {"target",
         GlossaryText::tr("shifted targets"),
         {},
         GlossaryText::tr(
             "What a model is asked while it learns to write: at each token the next one, all of "
             "them at once. So the targets are the same text, shifted by one."),
         {},
         {GlossaryText::tr("shifted target"), GlossaryText::tr("target"),
          GlossaryText::tr("targets")}},
        {"held out",
         GlossaryText::tr("held out"),
         {},
         GlossaryText::tr(
             "Examples that training never sees. What is right on them was not learned by heart."),
         {}},
        {"intervention",
         GlossaryText::tr("intervention"),
         {},
         GlossaryText::tr(
             "A number or a head that a person has set by hand. What comes after it is computed "
             "with it, and it is marked in every view."),
         {}},
        {"cosine",
         GlossaryText::tr("cosine"),
         {"cos"},
         GlossaryText::tr(
             "How much two vectors point the same way, whatever their lengths: 1 the same, 0 at "
             "a right angle, −1 opposite."),
         {}},
        {"PCA",
         GlossaryText::tr("principal components"),
         {},
         GlossaryText::tr(
             "The two directions in which a set of vectors differs most, as axes of a plane. "
             "Distances that lie in other directions are not seen, and dot products are not kept."),
         {}},
    };
}

} // namespace headlight::ui
