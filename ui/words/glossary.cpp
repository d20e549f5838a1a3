#include "ui/words/glossary.h"

#include "ui/words/symbol_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace headlight::ui {

namespace {

struct GlossaryWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Glossary)
};

using enum core::Stage;

std::vector<GlossaryEntry> entriesOfTheInput() {
    return {
        {"token",
         GlossaryWords::tr("token"),
         {},
         GlossaryWords::tr(
             "A piece of the text that the model treats as one: a word, a part of a word, or a "
             "sign."),
         {}},
        {"vocabulary",
         GlossaryWords::tr("vocabulary"),
         {},
         GlossaryWords::tr(
             "All tokens that a model knows. Each has a number, and a row of the embedding "
             "matrix."),
         {}},
        {"vector",
         GlossaryWords::tr("vector"),
         {},
         GlossaryWords::tr(
             "A list of numbers. Two vectors of the same length can be added, compared by their "
             "angle, and multiplied to one number, the dot product."),
         {}},
        {"matrix",
         GlossaryWords::tr("matrix"),
         {},
         GlossaryWords::tr(
             "A table of numbers. Here a row mostly belongs to a token, and a column is a "
             "dimension or another token."),
         {}},
        {"dimension",
         GlossaryWords::tr("dimension"),
         {},
         GlossaryWords::tr(
             "One of the places of a vector. Dimension 3 of a query is the fourth of its "
             "numbers, since the program counts from 0."),
         {}},
        {"embedding",
         GlossaryWords::tr("embedding"),
         {"E"},
         GlossaryWords::tr(
             "The vector that stands for a token when it enters the model. It is the same "
             "wherever the token stands."),
         {Embeddings}},
        {"position",
         GlossaryWords::tr("position"),
         {"P"},
         GlossaryWords::tr(
             "Where a token stands in its sequence. Attention alone does not know it, so a "
             "vector of the position may be added to the embedding, or queries and keys may be "
             "turned by it."),
         {EmbeddingSum}},
        {"type",
         GlossaryWords::tr("type of token"),
         {},
         GlossaryWords::tr(
             "Which of two joined texts a token belongs to. Some models add a vector of the "
             "type, T, to the embedding."),
         {}},
        {"batch",
         GlossaryWords::tr("batch"),
         {"B"},
         GlossaryWords::tr(
             "Several sequences that go through the model together. They do not see each other; "
             "B is how many there are."),
         {}},
        {"length",
         GlossaryWords::tr("sequence length"),
         {"T"},
         GlossaryWords::tr(
             "How many tokens a sequence has, T. In a batch the shorter ones are filled up with "
             "padding."),
         {}},
        {"width",
         GlossaryWords::tr("width"),
         {"C"},
         GlossaryWords::tr("How many numbers the vector of a token has between the layers: C."),
         {}},
        {"input",
         GlossaryWords::tr("input of the layer"),
         {"X", "X·W_E", "W_E"},
         GlossaryWords::tr(
             "The vectors that a layer reads, one row for each token. Where embeddings are "
             "narrower than the layers, W_E brings them to the layers' width."),
         {Positioned, LayerInput, EmbeddingProjected}},
        {"norm",
         GlossaryWords::tr("layer norm"),
         {"N", "O′", "F′", "μ", "ε", "γ", "β", "rms"},
         GlossaryWords::tr(
             "Each vector is shifted and scaled so that its numbers have mean 0 and deviation 1, "
             "then multiplied by γ and moved by β, which are learned. RMS norm only scales; "
             "batch norm takes mean and deviation over all tokens."),
         {Norm, FeedForwardNorm, OutputNorm, FeedForwardOutputNorm, FinalNorm}},
    };
}

std::vector<GlossaryEntry> entriesOfAttention() {
    return {
        {"attention",
         GlossaryWords::tr("attention"),
         {},
         GlossaryWords::tr(
             "The part of a layer in which tokens read from each other: each takes a weighted "
             "mean of what the others offer."),
         {}},
        {"parameter",
         GlossaryWords::tr("learned matrix"),
         {"W"},
         GlossaryWords::tr(
             "A table of numbers that training has found. A row of X times W gives a new vector; "
             "it is the same matrix for every token."),
         {}},
        {"bias",
         GlossaryWords::tr("bias"),
         {"b"},
         GlossaryWords::tr(
             "Learned numbers that are added to every row after it was multiplied by a matrix."),
         {}},
        {"query",
         GlossaryWords::tr("query"),
         {"Q", "Q′", "q", "W_Q"},
         GlossaryWords::tr(
             "What a token looks for: its vector times W_Q. It is compared with the key of every "
             "token."),
         {Query, ProjectedQuery}},
        {"key",
         GlossaryWords::tr("key"),
         {"K", "K′", "k", "W_K"},
         GlossaryWords::tr(
             "What a token can be found by: its vector times W_K. It is compared with the query "
             "of every token."),
         {Key, ProjectedKey}},
        {"value",
         GlossaryWords::tr("value"),
         {"V", "v", "W_V"},
         GlossaryWords::tr("What a token gives to those that attend to it: its vector times W_V."),
         {Value}},
        {"rotation",
         GlossaryWords::tr("rotation"),
         {"Q°", "K°", "R"},
         GlossaryWords::tr(
             "Rotary positions turn pairs of dimensions of a query or a key by an angle that "
             "grows with the position. Scores then depend on the distance of two tokens. Q° and "
             "K° are before the turn."),
         {UnrotatedQuery, UnrotatedKey}},
        {"dot product",
         GlossaryWords::tr("dot product"),
         {},
         GlossaryWords::tr(
             "Two vectors multiplied dimension by dimension and added up: one number, large "
             "where they point the same way and are long."),
         {}},
        {"transposed",
         GlossaryWords::tr("transposed"),
         {"ᵀ"},
         GlossaryWords::tr(
             "A matrix with rows and columns exchanged. QKᵀ multiplies each row of Q with each "
             "row of K."),
         {}},
        {"score",
         GlossaryWords::tr("score"),
         {"QKᵀ"},
         GlossaryWords::tr(
             "The dot product of one token's query with another's key. It has no upper or lower "
             "end, and may be negative."),
         {Scores}},
        {"scaling",
         GlossaryWords::tr("scaling"),
         {"S"},
         GlossaryWords::tr(
             "Scores are divided by √d_k, so that their differences do not grow with the head "
             "size. Otherwise softmax would give nearly all weight to one key, and learn little."),
         {ScaledScores}},
        {"head size",
         GlossaryWords::tr("head size"),
         {"d_k", "d"},
         GlossaryWords::tr("How many numbers a query or a key of one head has: d_k."),
         {}},
        {"cap",
         GlossaryWords::tr("cap"),
         {"S′", "L°"},
         GlossaryWords::tr(
             "Some models keep scores or logits c between −c and c by c · tanh(score ÷ c)."),
         {CappedScores, UncappedLogits}},
        {"position bias",
         GlossaryWords::tr("position bias"),
         {"m"},
         GlossaryWords::tr(
             "A number for the distance of two tokens that is added to their score. ALiBi takes "
             "m times the distance; others learn a number for each range of distances."),
         {PositionBias, BiasedScores}},
        {"mask",
         GlossaryWords::tr("mask"),
         {"M"},
         GlossaryWords::tr(
             "It says which keys a query may not see. M is −∞ where a key is hidden and 0 "
             "elsewhere; softmax makes 0 of −∞."),
         {MaskedScores}},
        {"look-ahead",
         GlossaryWords::tr("look-ahead mask"),
         {},
         GlossaryWords::tr(
             "Also called causal: each token sees itself and those before it, so that a model "
             "that writes cannot read what it is to guess."),
         {}},
        {"padding",
         GlossaryWords::tr("padding"),
         {},
         GlossaryWords::tr(
             "Tokens without meaning, [PAD], that fill up the shorter sequences of a batch. The "
             "padding mask hides them as keys."),
         {}},
        {"softmax",
         GlossaryWords::tr("softmax"),
         {"softmax", "A′"},
         GlossaryWords::tr(
             "It makes weights of a row of scores: e to the power of each, divided by their sum. "
             "All are above 0 and add up to 1, and only differences of scores count."),
         {UnmaskedWeights}},
        {"temperature",
         GlossaryWords::tr("temperature"),
         {"τ"},
         GlossaryWords::tr(
             "Scores are divided by it before softmax: below 1 the largest weight grows, above 1 "
             "the weights become more equal."),
         {}},
        {"weight",
         GlossaryWords::tr("attention weight"),
         {"A", "a"},
         GlossaryWords::tr(
             "How much a query takes from each value. The weights of one row add up to 1; that a "
             "weight is large does not say that the token is important to the answer."),
         {Weights}},
        {"context",
         GlossaryWords::tr("context"),
         {"Z", "z"},
         GlossaryWords::tr(
             "The mean of the values, each with its attention weight: what a token has read in "
             "one head."),
         {Context}},
        {"induction",
         GlossaryWords::tr("induction"),
         {},
         GlossaryWords::tr(
             "Looking for what came after this token the last time. Measured of a head as its mean "
             "weight from token i to token i − L + 1, over the second copy of a repeated sequence "
             "of L tokens; where nothing is repeated there is none."),
         {}},
        {"head",
         GlossaryWords::tr("head"),
         {"h"},
         GlossaryWords::tr(
             "One complete attention with queries, keys and values of its own. The heads of a "
             "layer work side by side and do not see each other."),
         {}},
        {"concat",
         GlossaryWords::tr("concat"),
         {"Concat"},
         GlossaryWords::tr(
             "The contexts of all heads side by side: the columns of head 0, then those of head "
             "1, and so on."),
         {Concatenated}},
        {"output matrix",
         GlossaryWords::tr("output matrix"),
         {"W_O", "Z·W_O"},
         GlossaryWords::tr(
             "W_O mixes what the heads have found into one vector for each token. Its rows "
             "belong to the columns of Concat, so each head adds a part of its own."),
         {HeadOutputs}},
        {"output",
         GlossaryWords::tr("output"),
         {"O"},
         GlossaryWords::tr(
             "What attention gives: Concat times W_O. It is added to the residual stream."),
         {Output}},
    };
}

std::vector<GlossaryEntry> entriesOfTheRest() {
    return {
        {"residual",
         GlossaryWords::tr("residual stream"),
         {"X + O", "R + F", "Y"},
         GlossaryWords::tr(
             "The vector that each token carries through the layers. A layer reads it and adds "
             "what attention and the feed-forward network make of it: X + O, then R + F."),
         {ResidualSum, Residual, FeedForwardResidualSum, LayerOutput}},
        {"feed-forward",
         GlossaryWords::tr("feed-forward network"),
         {"H", "F", "W_1", "W_2", "W₁", "W₂"},
         GlossaryWords::tr(
             "Two learned matrices with an activation between them. It works on each token "
             "alone, after attention has brought in what the others offer."),
         {Hidden, FeedForwardOutput}},
        {"activation",
         GlossaryWords::tr("activation"),
         {"σ", "σ(H)", "σ(G) ⊙ H"},
         GlossaryWords::tr(
             "A curve that each number of the hidden layer goes through, such as ReLU, which "
             "makes 0 of whatever is negative. Without it the two matrices would be no more than "
             "one. In a norm σ is the deviation."),
         {Activated}},
        {"gate",
         GlossaryWords::tr("gate"),
         {"G", "W_g", "⊙"},
         GlossaryWords::tr(
             "A second hidden layer that multiplies the first, number by number (⊙), and so "
             "opens or closes it."),
         {Gate}},
        {"layer",
         GlossaryWords::tr("layer"),
         {},
         GlossaryWords::tr(
             "Attention and, mostly, a feed-forward network after it. A model has several, one "
             "after the other; heads stand side by side within one."),
         {}},
        {"encoder",
         GlossaryWords::tr("encoder and decoder"),
         {},
         GlossaryWords::tr(
             "An encoder reads a text in both directions. A decoder writes: it sees its own "
             "earlier tokens and, by cross-attention, what the encoder made of the other text."),
         {}},
        {"cross-attention",
         GlossaryWords::tr("cross-attention"),
         {},
         GlossaryWords::tr(
             "Attention whose queries come from one sequence and whose keys and values come from "
             "another."),
         {}},
        {"logits",
         GlossaryWords::tr("logits"),
         {"L", "Eᵀ", "U", "W_U", "W_t", "W_c", "W_p"},
         GlossaryWords::tr(
             "A number for each word of the vocabulary, or for each class, before softmax: the "
             "vector of a token, U, times a matrix that is learned or is the embeddings' own."),
         {HeadInput, Logits, Pooled, ClassLogits}},
        {"probability",
         GlossaryWords::tr("probability"),
         {"p"},
         GlossaryWords::tr(
             "Softmax of the logits: how likely the model takes each word to be. They add up to "
             "1 over the vocabulary."),
         {Probabilities}},
        {"sampling",
         GlossaryWords::tr("sampling"),
         {},
         GlossaryWords::tr(
             "How a model that writes chooses the next token. Greedy: always the most probable "
             "one. "
             "Else it is drawn: the logits are divided by a temperature before softmax, so that "
             "below 1 likely tokens become likelier, and with top-k only the k most probable ones "
             "may be drawn. The same seed draws the same tokens again."),
         {}},
        {"training",
         GlossaryWords::tr("training"),
         {},
         GlossaryWords::tr(
             "Changing the weights from examples. Each step reads a batch of them, asks how much "
             "each weight adds to the loss, and moves all weights a little the other way."),
         {}},
        {"loss",
         GlossaryWords::tr("loss"),
         {},
         GlossaryWords::tr(
             "How wrong the model is: the mean of −ln p, where p is the probability that it gives "
             "to what should come out. 0 is certainty; to hold n answers for equally likely costs "
             "ln n."),
         {}},
        {"accuracy",
         GlossaryWords::tr("accuracy"),
         {},
         GlossaryWords::tr("The share of the examples in which every answer is the right one."),
         {}},
        {"held out",
         GlossaryWords::tr("held out"),
         {},
         GlossaryWords::tr(
             "Examples that training never sees. What is right on them was not learned by heart."),
         {}},
        {"intervention",
         GlossaryWords::tr("intervention"),
         {},
         GlossaryWords::tr(
             "A number or a head that a person has set by hand. What comes after it is computed "
             "with it, and it is marked in every view."),
         {}},
        {"cosine",
         GlossaryWords::tr("cosine"),
         {"cos"},
         GlossaryWords::tr(
             "How much two vectors point the same way, whatever their lengths: 1 the same, 0 at "
             "a right angle, −1 opposite."),
         {}},
        {"PCA",
         GlossaryWords::tr("principal components"),
         {},
         GlossaryWords::tr(
             "The two directions in which a set of vectors differs most, as axes of a plane. "
             "Distances that lie in other directions are not seen, and dot products are not kept."),
         {}},
    };
}

/// In the language that the program began with.
const std::vector<GlossaryEntry> &everyEntry() {
    static const std::vector<GlossaryEntry> all = glossary();
    return all;
}

QString singular(const QString &term) {
    return term.endsWith('s') && term.size() > 3 ? term.chopped(1) : term;
}

} // namespace

std::vector<GlossaryEntry> glossary() {
    std::vector<GlossaryEntry> all = entriesOfTheInput();
    for (auto &&more : {entriesOfAttention(), entriesOfTheRest()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

GlossaryEntry entryOf(core::Stage stage) {
    const std::vector<GlossaryEntry> &all = everyEntry();
    const auto found = std::ranges::find_if(all, [stage](const GlossaryEntry &entry) {
        return std::ranges::find(entry.stages, stage) != entry.stages.end();
    });
    return found == all.end() ? GlossaryEntry() : *found; // a test says that there is one
}

std::optional<GlossaryEntry> entryOfSymbol(const QString &symbol) {
    // Without what says of which token or head it is, and whether it is turned round.
    QString letter = symbol;
    letter.remove(QStringLiteral("ᵀ"));
    letter.remove(QStringLiteral("²"));
    for (const QString &name : {symbol, letter, letter.section('_', 0, 0)})
        for (const GlossaryEntry &entry : everyEntry())
            for (const QString &known : entry.symbols)
                if (!name.isEmpty() && (known == name || plainSymbols(known) == name))
                    return entry;
    return std::nullopt;
}

std::optional<GlossaryEntry> entryOfTerm(const QString &term) {
    const auto same = [](const QString &a, const QString &b) {
        return singular(a).compare(singular(b), Qt::CaseInsensitive) == 0;
    };
    for (const GlossaryEntry &entry : everyEntry())
        if (same(entry.id, term) || same(entry.term, term))
            return entry;
    return std::nullopt;
}

QStringList symbolsIn(const QString &piece) {
    static const QRegularExpression between(QStringLiteral("[\\s+·⊙()/÷√=−]+"));
    return piece.split(between, Qt::SkipEmptyParts);
}

} // namespace headlight::ui
