// Glossary entries from the text to the input vectors of attention.
#include "ui/words/glossary/entries.h"

namespace headlight::ui {

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
        {"static vector",
         GlossaryWords::tr("static vector"),
         {},
         GlossaryWords::tr("A word's vector that is the same wherever the word stands: one vector "
                           "for all of its senses, near the average of them. Embeddings are "
                           "static, and so are the vectors of word2vec."),
         {},
         {GlossaryWords::tr("static"), GlossaryWords::tr("static embedding")}},
        {"contextual vector",
         GlossaryWords::tr("contextual vector"),
         {},
         GlossaryWords::tr("A word's vector after it has read the words around it: another one in "
                           "every sentence. It is also called enriched or dynamic."),
         {},
         {GlossaryWords::tr("contextual"), GlossaryWords::tr("enriched"),
          GlossaryWords::tr("dynamic"), GlossaryWords::tr("contextual embedding")}},
        {"word2vec",
         GlossaryWords::tr("word2vec"),
         {},
         GlossaryWords::tr(
             "A way to learn one vector for each word from the words that stand near it in much "
             "text (Mikolov and others, 2013). It looks at no sentence while it is used."),
         {},
         {}},
        {"one-hot",
         GlossaryWords::tr("one-hot vector"),
         {},
         GlossaryWords::tr(
             "As many numbers as there are words, all 0 but a 1 at the word's own place. No two "
             "words are alike. Times the matrix of embeddings it is the word's embedding."),
         {}},
        {"bag of words",
         GlossaryWords::tr("bag of words"),
         {},
         GlossaryWords::tr(
             "How often each word stands in a text: one vector for the whole text, the sum of its "
             "one-hot vectors. The order is gone."),
         {}},
        {"TF-IDF",
         GlossaryWords::tr("TF-IDF"),
         {},
         GlossaryWords::tr(
             "A bag of words in which a word is worth the more the fewer texts have it: count · "
             "idf, here with idf = ln((1 + n) / (1 + df)) + 1, where df of n texts have the word."),
         {}},
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

} // namespace headlight::ui
