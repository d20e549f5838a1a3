// Glossary entries from the text to the input vectors of attention.
#include "ui/text/glossary/entries.h"

namespace headlight::ui {

using enum core::Stage;

std::vector<GlossaryEntry> entriesOfTheInput() {
    return {
        {"token",
         GlossaryText::tr("token"),
         {},
         GlossaryText::tr("A piece of the text that the model treats as one unit: a word, a part "
                          "of a word, or a symbol."),
         {}},
        {"vocabulary",
         GlossaryText::tr("vocabulary"),
         {},
         GlossaryText::tr("All tokens that a model can read or write. Each has a number, and a row "
                          "of the embedding matrix."),
         {}},
        {"vector",
         GlossaryText::tr("vector"),
         {},
         GlossaryText::tr(
             "A list of numbers. Two vectors with the same number of dimensions can be added, "
             "compared by their angle, and multiplied to give one number, the dot product."),
         {}},
        {"matrix",
         GlossaryText::tr("matrix"),
         {},
         GlossaryText::tr("A table of numbers. Here, a row usually belongs to a token, and a "
                          "column is a dimension or another token."),
         {}},
        {"dimension",
         GlossaryText::tr("dimension"),
         {},
         GlossaryText::tr("One of the numbers of a vector. Dimension 3 of a query is its fourth "
                          "number, because the program counts from 0."),
         {}},
        {"embedding",
         GlossaryText::tr("embedding"),
         {"E"},
         GlossaryText::tr("The vector that represents a token when it enters the model. It is the "
                          "same at every position."),
         {Embeddings}},
        {"static vector",
         GlossaryText::tr("static vector"),
         {},
         GlossaryText::tr("A word's vector that is the same in every text: one vector for all "
                          "senses of the word, near their average. Embeddings are static, and so "
                          "are the vectors of word2vec."),
         {},
         {GlossaryText::tr("static"), GlossaryText::tr("static embedding")}},
        {"contextual vector",
         GlossaryText::tr("contextual vector"),
         {},
         GlossaryText::tr("A word's vector after it has read the words around it, different in "
                          "every sentence. It is also called enriched or dynamic."),
         {},
         {GlossaryText::tr("contextual"), GlossaryText::tr("enriched"), GlossaryText::tr("dynamic"),
          GlossaryText::tr("contextual embedding")}},
        {"word2vec",
         GlossaryText::tr("word2vec"),
         {},
         GlossaryText::tr(
             "A way to learn one vector for each word from the words near it in large amounts of "
             "text (Mikolov and others, 2013). The vectors do not depend on the sentence."),
         {},
         {}},
        {"one-hot",
         GlossaryText::tr("one-hot vector"),
         {},
         GlossaryText::tr(
             "One number for each word of the vocabulary: 1 at the word's own index, 0 elsewhere. "
             "No two words are similar. Multiplied by the embedding matrix, it gives the word's "
             "embedding."),
         {}},
        {"bag of words",
         GlossaryText::tr("bag of words"),
         {},
         GlossaryText::tr("How often each word occurs in a text: one vector for the whole text, "
                          "the sum of its one-hot vectors. The order is lost."),
         {}},
        {"TF-IDF",
         GlossaryText::tr("TF-IDF"),
         {},
         GlossaryText::tr(
             "A bag of words in which words that fewer texts contain count more: count · idf. "
             "Here, idf = ln((1 + n) / (1 + df)) + 1, where df of n texts contain the word."),
         {}},
        {"position",
         GlossaryText::tr("position"),
         {"P"},
         GlossaryText::tr("The index of a token in its sequence. Attention alone does not depend "
                          "on it, so a vector of the position may be added to the embedding, or "
                          "queries and keys may be rotated by it."),
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
         GlossaryText::tr("Several sequences that go through the model together. They do not see "
                          "each other; B is their number."),
         {}},
        {"length",
         GlossaryText::tr("sequence length"),
         {"T"},
         GlossaryText::tr("The number of tokens in a sequence, T. In a batch, the shorter ones are "
                          "filled up with padding."),
         {}},
        {"width",
         GlossaryText::tr("width"),
         {"C"},
         GlossaryText::tr("The number of dimensions of a token's vector between the layers: C."),
         {}},
        {"input",
         GlossaryText::tr("input of the layer"),
         {"X", "X·W_E", "W_E"},
         GlossaryText::tr("The vectors that a layer reads, one row for each token. If the "
                          "embeddings are pixels, or their width differs from that of the layers, "
                          "W_E maps them to the layers' width."),
         {Positioned, LayerInput, EmbeddingProjected}},
        {"convolution",
         GlossaryText::tr("convolution"),
         {"J₁", "J₂", "X₁", "X₂", "J", "σ(J·W_E)", "W_F"},
         GlossaryText::tr(
             "The same linear map at every position of a sequence. It reads three neighbours side "
             "by side. An audio token covers two frames. The first convolution computes both "
             "frames, and the second computes one vector for each token."),
         {FirstNeighbours, FirstFrame, SecondNeighbours, SecondFrame, FrameNeighbours}},
        {"norm",
         GlossaryText::tr("layer norm"),
         {"N", "O′", "F′", "μ", "ε", "γ", "β", "rms"},
         GlossaryText::tr(
             "Each vector is shifted and scaled so that its numbers have mean 0 and standard "
             "deviation 1, then multiplied by γ and shifted by β, which are learned. RMS norm only "
             "scales; batch norm computes mean and standard deviation over all tokens."),
         {Norm, FeedForwardNorm, OutputNorm, FeedForwardOutputNorm, FinalNorm}},
    };
}

} // namespace headlight::ui
