// Glossary entries for attention, from queries and keys to a head's output.
#include "ui/text/glossary/entries.h"

namespace headlight::ui {

using enum core::Stage;

std::vector<GlossaryEntry> entriesOfAttention() {
    return {
        {"attention",
         GlossaryText::tr("attention"),
         {},
         GlossaryText::tr("The part of a layer in which tokens read from each other: each takes a "
                          "weighted mean of the values of the tokens that it sees."),
         {}},
        {"parameter",
         GlossaryText::tr("weight matrix"),
         {"W"},
         GlossaryText::tr("A table of numbers found by training. A row of X times W gives a new "
                          "vector; the matrix is the same for every token."),
         {}},
        {"bias",
         GlossaryText::tr("bias"),
         {"b"},
         GlossaryText::tr(
             "Learned numbers that are added to every row after the multiplication by a matrix."),
         {}},
        {"query",
         GlossaryText::tr("query"),
         {"Q", "Q′", "q", "W_Q"},
         GlossaryText::tr(
             "What a token looks for: its vector times W_Q. It is compared with the key of every "
             "token."),
         {Query, ProjectedQuery}},
        {"key",
         GlossaryText::tr("key"),
         {"K", "K′", "k", "W_K"},
         GlossaryText::tr("What a token offers to be found by others: its vector times W_K. It is "
                          "compared with the query of every token."),
         {Key, ProjectedKey}},
        {"value",
         GlossaryText::tr("value"),
         {"V", "v", "W_V"},
         GlossaryText::tr(
             "What a token passes to the tokens that attend to it: its vector times W_V."),
         {Value}},
        {"rotation",
         GlossaryText::tr("rotation"),
         {"Q°", "K°", "R"},
         GlossaryText::tr("Rotary positions rotate pairs of dimensions of a query or a key by an "
                          "angle that grows with the position. Scores then depend on the distance "
                          "between two tokens. Q° and K° are before the rotation."),
         {UnrotatedQuery, UnrotatedKey, RotatedQuery, RotatedKey}},
        {"temperature tuning",
         GlossaryText::tr("temperature tuning"),
         {"Qᵗ", "τ"},
         GlossaryText::tr("In Llama 4, layers without rotation multiply each query by a factor τ "
                          "that grows slowly with the position, so attention stays sharp in long "
                          "texts. Qᵗ is the query before tuning."),
         {UntunedQuery}},
        {"dot product",
         GlossaryText::tr("dot product"),
         {},
         GlossaryText::tr("Two vectors multiplied dimension by dimension and added up: one number, "
                          "large if they are long and point in the same direction."),
         {}},
        {"transposed",
         GlossaryText::tr("transposed"),
         {"ᵀ"},
         GlossaryText::tr(
             "A matrix with rows and columns exchanged. QKᵀ multiplies each row of Q with each "
             "row of K."),
         {}},
        {"score",
         GlossaryText::tr("score"),
         {"QKᵀ"},
         GlossaryText::tr("The dot product of one token's query with another's key. It has no "
                          "upper or lower limit and may be negative."),
         {Scores},
         {GlossaryText::tr("attention score")}},
        {"scaling",
         GlossaryText::tr("scaling"),
         {"S"},
         GlossaryText::tr("Scores are divided by √d_k, so that their differences do not grow with "
                          "the head size. Otherwise softmax would give nearly all weight to one "
                          "key and pass back hardly any gradient."),
         {ScaledScores}},
        {"head size",
         GlossaryText::tr("head size"),
         {"d_k", "d"},
         GlossaryText::tr("The number of dimensions of a query or a key of one head: d_k."),
         {}},
        {"cap",
         GlossaryText::tr("cap"),
         {"S′", "L°"},
         GlossaryText::tr(
             "Some models keep scores or logits between −c and c by c · tanh(score ÷ c)."),
         {CappedScores, UncappedLogits}},
        {"position bias",
         GlossaryText::tr("position bias"),
         {"m"},
         GlossaryText::tr(
             "A number that is added to the score of two tokens and depends on their distance. "
             "ALiBi uses −m times the distance; others learn a number for each range of "
             "distances."),
         {PositionBias, BiasedScores}},
        {"disentangled attention",
         GlossaryText::tr("disentangled attention"),
         {"Δ", "Kʳ", "Qʳ", "QKʳᵀ", "KQʳᵀ", "C→P", "P→C"},
         GlossaryText::tr(
             "Scores with two more products: a query with the key of the distance to the other "
             "token (content to position), and the other's key with the query of the distance "
             "(position to content). Each distance has a learned vector (DeBERTa)."),
         {DistanceEmbeddings, PositionKey, PositionQuery, QueryDistances, KeyDistances,
          ContentToPosition, PositionToContent}},
        {"latent attention",
         GlossaryText::tr("latent attention"),
         {"c", "c′", "l", "l′", "Kˢ", "Kˢ°", "Kᶜ"},
         GlossaryText::tr(
             "Attention whose keys and values are computed from one short vector of each token. In "
             "some models, the queries are computed from another one. A model that generates text "
             "then has to store only the short vector of each earlier token. The rotated part of a "
             "key is the same in all heads (DeepSeek)."),
         {CompressedQuery, NormedCompressedQuery, CompressedKeyValue, NormedCompressedKeyValue,
          UnrotatedSharedKey, SharedKey, OwnKey}},
        {"self-attention",
         GlossaryText::tr("self-attention"),
         {},
         GlossaryText::tr("Attention within one sequence: queries, keys and values are computed "
                          "from the same tokens. Early papers also called it intra-attention."),
         {},
         {GlossaryText::tr("intra-attention")}},
        {"alignment",
         GlossaryText::tr("alignment"),
         {},
         GlossaryText::tr(
             "Which words of one sequence correspond to which of another, as in a translation. "
             "Bahdanau and others (2015), who introduced attention, called their scores an "
             "alignment model; the weights of cross-attention can be read in this way."),
         {},
         {GlossaryText::tr("alignment score"), GlossaryText::tr("alignments")}},
        {"entropy",
         GlossaryText::tr("entropy"),
         {},
         GlossaryText::tr("How undecided a row of weights is, in bits: −Σ a · log₂ a. It is 0 if "
                          "one weight is 1, and log₂ n if all n weights are equal."),
         {}},
        {"Jacobian",
         GlossaryText::tr("Jacobian"),
         {},
         GlossaryText::tr("How much each output changes with each input. For softmax it is p · (1 "
                          "− p) for an output's own input and −p · p′ for another: if one weight "
                          "is nearly 1, all these values are nearly 0."),
         {}},
        {"mask",
         GlossaryText::tr("mask"),
         {"M"},
         GlossaryText::tr("Determines which keys a query may not see. M is −∞ where a key is "
                          "hidden and 0 elsewhere; softmax turns −∞ into 0."),
         {MaskedScores}},
        {"look-ahead",
         GlossaryText::tr("look-ahead mask"),
         {},
         GlossaryText::tr("Also called causal: each token sees itself and earlier tokens, so that "
                          "a model that generates text cannot read what it should predict."),
         {},
         {GlossaryText::tr("look-ahead"), GlossaryText::tr("causal mask"),
          GlossaryText::tr("causal")}},
        {"padding",
         GlossaryText::tr("padding"),
         {},
         GlossaryText::tr("Meaningless tokens, [PAD], that fill up the shorter sequences of a "
                          "batch. The padding mask hides them as keys."),
         {}},
        {"softmax",
         GlossaryText::tr("softmax"),
         {"softmax", "A′"},
         GlossaryText::tr(
             "Turns a row of scores into weights: e to the power of each, divided by their sum. "
             "All are above 0 and add up to 1, and only differences between scores count."),
         {UnmaskedWeights}},
        {"temperature",
         GlossaryText::tr("temperature"),
         {"τ"},
         GlossaryText::tr("A number that scores are divided by before softmax. Below 1 the largest "
                          "weight grows; above 1 the weights become more equal."),
         {}},
        {"weight",
         GlossaryText::tr("attention weight"),
         {"A", "a"},
         GlossaryText::tr(
             "How much a query takes from each value. The weights of one row add up to 1. A large "
             "weight does not mean that the token is important to the answer."),
         {AttentionWeights},
         {GlossaryText::tr("weight"), GlossaryText::tr("attention probability")}},
        {"sink",
         GlossaryText::tr("sink"),
         {"Aₛ"},
         GlossaryText::tr("A learned score of the head that belongs to no token. It takes part "
                          "in the softmax of every row, but its weight, the share that no token "
                          "gets, contributes nothing to the context."),
         {SinkWeights},
         {GlossaryText::tr("attention sink")}},
        {"context",
         GlossaryText::tr("context"),
         {"Z", "z"},
         GlossaryText::tr("The sum of the values, each times its attention weight: what a token "
                          "has read in one head."),
         {Context}},
        {"induction",
         GlossaryText::tr("induction"),
         {},
         GlossaryText::tr(
             "Looking for what came after the current token earlier in the text. It is measured as "
             "a head's weight on all tokens right after earlier occurrences of a token, averaged "
             "over the tokens that have such occurrences. In training, only tokens of the second "
             "copy of a repeated sequence count."),
         {}},
        {"head",
         GlossaryText::tr("head"),
         {"h"},
         GlossaryText::tr(
             "One complete attention computation with its own queries, keys and values. The heads "
             "of a layer work side by side and do not see each other."),
         {}},
        {"concat",
         GlossaryText::tr("concat"),
         {"Concat"},
         GlossaryText::tr(
             "The contexts of all heads side by side: the columns of head 0, then those of head "
             "1, and so on."),
         {Concatenated}},
        {"output matrix",
         GlossaryText::tr("output matrix"),
         {"W_O", "Z·W_O"},
         GlossaryText::tr("W_O combines the heads' contexts into one vector for each token. Its "
                          "rows belong to the columns of Concat, so each head adds its own part."),
         {HeadOutputs}},
        {"output",
         GlossaryText::tr("output"),
         {"O"},
         GlossaryText::tr(
             "The result of attention: Concat times W_O. It is added to the residual stream."),
         {Output}},
    };
}

} // namespace headlight::ui
