#include "core/analysis/text_vectors.h"
#include "core/random.h"
#include "core/tensor/product.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace headlight::core;

namespace {

using Strings = std::vector<std::string>;

Sequence textOf(const Strings &tokens) {
    Sequence text;
    text.tokens = tokensOf(tokens);
    text.length = static_cast<Index>(tokens.size());
    return text;
}

Matrix matrixOf(const nlohmann::json &rows) {
    const auto values = rows.get<std::vector<std::vector<float>>>();
    Matrix matrix(static_cast<Index>(values.size()),
                  values.empty() ? 0 : static_cast<Index>(values[0].size()));
    for (std::size_t r = 0; r < values.size(); ++r)
        std::ranges::copy(values[r], matrix.view().row(static_cast<Index>(r)).begin());
    return matrix;
}

void checkNear(const Matrix &matrix, const nlohmann::json &expected) {
    REQUIRE(matrix.rows() == static_cast<Index>(expected.size()));
    for (Index r = 0; r < matrix.rows(); ++r)
        for (Index c = 0; c < matrix.columns(); ++c)
            CHECK(matrix(r, c) ==
                  doctest::Approx(expected[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]
                                      .get<double>())
                      .epsilon(1e-6));
}

} // namespace

TEST_CASE("one-hot vectors, counts and tf-idf are those of NumPy") {
    std::ifstream file(HEADLIGHT_TEST_DATA "/text_vectors.json");
    const auto cases = nlohmann::json::parse(file);
    REQUIRE(cases.size() == 5);
    for (const auto &expected : cases) {
        CAPTURE(expected["name"].get<std::string>());
        std::vector<Sequence> texts;
        for (const auto &tokens : expected["texts"])
            texts.push_back(textOf(tokens.get<Strings>()));
        const auto vocabulary = expected["vocabulary"].get<Strings>();
        if (!expected["given"].get<bool>())
            CHECK(vocabularyOf(texts) == vocabulary);
        for (std::size_t text = 0; text < texts.size(); ++text) {
            CHECK(oneHot(textsOf(texts[text].tokens), vocabulary) ==
                  matrixOf(expected["one_hot"][text]));
            CHECK(bagOfWords(textsOf(texts[text].tokens), vocabulary) ==
                  expected["counts"][text].get<std::vector<float>>());
        }
        const std::vector<double> idf = inverseDocumentFrequency(texts, vocabulary);
        REQUIRE(idf.size() == vocabulary.size());
        for (std::size_t word = 0; word < idf.size(); ++word)
            CHECK(idf[word] == doctest::Approx(expected["idf"][word].get<double>()).epsilon(1e-14));
        checkNear(tfIdf(texts, vocabulary, TextVectorLength::Raw), expected["raw"]);
        checkNear(tfIdf(texts, vocabulary), expected["unit"]);
    }
}

TEST_CASE("one-hot vectors times the embedding matrix are the look-up, to the last bit") {
    const Strings vocabulary{"the", "cat", "sat", "on", "mat"};
    const Strings tokens{"the", "cat", "sat", "on", "the", "mat", "today"};
    Random random(7);
    Matrix embeddings(5, 300);
    Matrix wide(5, 4000); // large enough for a large product
    for (Matrix *matrix : {&embeddings, &wide}) {
        for (Index word = 0; word < 5; ++word)
            for (float &value : matrix->view().row(word))
                value = static_cast<float>(random.normal());
        Matrix product(7, matrix->columns());
        const Matrix hot = oneHot(tokens, vocabulary);
        multiply(hot.view(), matrix->view(), product.view());
        const std::vector<Index> places{0, 1, 2, 3, 0, 4};
        for (std::size_t t = 0; t < places.size(); ++t)
            CHECK(std::ranges::equal(product.view().row(static_cast<Index>(t)),
                                     matrix->view().row(places[t])));
        for (const float value : product.view().row(6)) // a word that is not in the vocabulary
            CHECK(value == 0);
    }
}

TEST_CASE("the vocabulary of a batch is in order of first appearance and without padding") {
    const auto batch = Batch::ofWords({{"b", "a", "b"}, {"c"}, {"a", "d"}});
    REQUIRE(batch.ok());
    CHECK((*batch)->sequences()[1].tokens.size() == 3); // padded
    CHECK(vocabularyOf((*batch)->sequences()) == Strings{"b", "a", "c", "d"});
}

TEST_CASE("a vector of unit length has the Euclidean length 1, and one without words is zero") {
    const std::vector<Sequence> texts{textOf({"a", "b", "b"}), textOf({"x"}), textOf({"b"})};
    const Matrix vectors = tfIdf(texts, Strings{"a", "b"});
    double squares = 0;
    for (const float value : vectors.view().row(0))
        squares += static_cast<double>(value) * static_cast<double>(value);
    CHECK(squares == doctest::Approx(1).epsilon(1e-7));
    CHECK(vectors(1, 0) == 0);
    CHECK(vectors(1, 1) == 0);
    CHECK(vectors(2, 1) == 1);
}

TEST_CASE("a word that stands twice in the vocabulary is counted where it stands first") {
    const Strings vocabulary{"a", "b", "a"};
    CHECK(bagOfWords(Strings{"a", "a", "b"}, vocabulary) == std::vector<float>{2, 1, 0});
    CHECK(oneHot(Strings{"a"}, vocabulary) == Matrix(1, 3, {1, 0, 0}));
}

TEST_CASE("no words, no texts, no vocabulary") {
    CHECK(vocabularyOf({}).empty());
    CHECK(oneHot({}, Strings{"a"}).rows() == 0);
    CHECK(oneHot(Strings{"a"}, {}).columns() == 0);
    CHECK(bagOfWords({}, Strings{"a"}) == std::vector<float>{0});
    CHECK(tfIdf({}, Strings{"a"}).rows() == 0);
    CHECK(inverseDocumentFrequency({}, Strings{"a"}) == std::vector<double>{1});
}
