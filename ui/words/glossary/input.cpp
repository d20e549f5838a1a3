// Glossary entries from the text to the input vectors of attention.
#include "ui/words/glossary/entries.h"

namespace headlight::ui {

using enum core::Stage;

std::vector<GlossaryEntry> entriesOfTheInput() {
    return {
        {"token",
         GlossaryText::tr("token"),
         {},
         GlossaryText::tr(
             "A piece of the text that the model treats as one: a word, a part of a word, or a "
             "sign."),
         {}},
        {"vocabulary",
         GlossaryText::tr("vocabulary"),
         {},
         GlossaryText::tr(
             "All tokens that a model knows. Each has a number, and a row of the embedding "
             "matrix."),
         {}},
        {"vector",
         GlossaryText::tr("vector"),
         {},
         GlossaryText::tr(
             "A list of numbers. Two vectors of the same length can be added, compared by their "
             "angle, and multiplied to one number, the dot product."),
         {}},
        {"matrix",
         GlossaryText::tr("matrix"),
         {},
         GlossaryText::tr(
             "A table of numbers. Here a row mostly belongs to a token, and a column is a "
             "dimension or another token."),
         {}},
        {"dimension",
         GlossaryText::tr("dimension"),
         {},
         GlossaryText::tr(
             "One of the places of a vector. Dimension 3 of a query is the fourth of its "
             "numbers, since the program counts from 0."),
         {}},
        {"embedding",
         GlossaryText::tr("embedding"),
         {"E"},
         GlossaryText::tr(
             "The vector that stands for a token when it enters the model. It is the same "
             "wherever the token stands."),
         {Embeddings}},
        {"static vector",
         GlossaryText::tr("static vector"),
         {},
         GlossaryText::tr("A word's vector that is the same wherever the word stands: one vector "
                          "for all of its senses, near the average of them. Embeddings are "
                          "static, and so are the vectors of word2vec."),
         {},
         {GlossaryText::tr("static"), GlossaryText::tr("static embedding")}},
        {"contextual vector",
         GlossaryText::tr("contextual vector"),
         {},
         GlossaryText::tr("A word's vector after it has read the words around it: another one in "
                          "every sentence. It is also called enriched or dynamic."),
         {},
         {GlossaryText::tr("contextual"), GlossaryText::tr("enriched"), GlossaryText::tr("dynamic"),
          GlossaryText::tr("contextual embedding")}},
        {"word2vec",
         GlossaryText::tr("word2vec"),
         {},
         GlossaryText::tr(
             "A way to learn one vector for each word from the words that stand near it in much "
             "text (Mikolov and others, 2013). It looks at no sentence while it is used."),
         {},
         {}},
        {"one-hot",
         GlossaryText::tr("one-hot vector"),
         {},
         GlossaryText::tr(
             "As many numbers as there are words, all 0 but a 1 at the word's own place. No two "
             "words are alike. Times the matrix of embeddings it is the word's embedding."),
         {}},
        {"bag of words",
         GlossaryText::tr("bag of words"),
         {},
         GlossaryText::tr(
             "How often each word stands in a text: one vector for the whole text, the sum of its "
             "one-hot vectors. The order is gone."),
         {}},
        {"TF-IDF",
         GlossaryText::tr("TF-IDF"),
         {},
         GlossaryText::tr(
             "A bag of words in which a word is worth the more the fewer texts have it: count · "
             "idf, here with idf = ln((1 + n) / (1 + df)) + 1, where df of n texts have the word."),
         {}},
        {"position",
         GlossaryText::tr("position"),
         {"P"},
         GlossaryText::tr(
             "Where a token stands in its sequence. Attention alone does not know it, so a "
             "vector of the position may be added to the embedding, or queries and keys may be "
             "turned by it."),
         {EmbeddingSum}},
        {"type",
         GlossaryText::tr("type of token"),
         {},
         GlossaryText::tr(
             "Which of two joined texts a token belongs to. Some models add a vector of the "
             "type, T, to the embedding."),
         {}},
        {"batch",
         GlossaryText::tr("batch"),
         {"B"},
         GlossaryText::tr(
             "Several sequences that go through the model together. They do not see each other; "
             "B is how many there are."),
         {}},
        {"length",
         GlossaryText::tr("sequence length"),
         {"T"},
         GlossaryText::tr(
             "How many tokens a sequence has, T. In a batch the shorter ones are filled up with "
             "padding."),
         {}},
        {"width",
         GlossaryText::tr("width"),
         {"C"},
         GlossaryText::tr("How many numbers the vector of a token has between the layers: C."),
         {}},
        {"input",
         GlossaryText::tr("input of the layer"),
         {"X", "X·W_E", "W_E"},
         GlossaryText::tr(
             "The vectors that a layer reads, one row for each token. Where embeddings are "
             "narrower than the layers, W_E brings them to the layers' width."),
         {Positioned, LayerInput, EmbeddingProjected}},
        {"norm",
         GlossaryText::tr("layer norm"),
         {"N", "O′", "F′", "μ", "ε", "γ", "β", "rms"},
         GlossaryText::tr(
             "Each vector is shifted and scaled so that its numbers have mean 0 and deviation 1, "
             "then multiplied by γ and moved by β, which are learned. RMS norm only scales; "
             "batch norm takes mean and deviation over all tokens."),
         {Norm, FeedForwardNorm, OutputNorm, FeedForwardOutputNorm, FinalNorm}},
    };
}

} // namespace headlight::ui
