// Words as numbers: one-hot, bags of words, TF-IDF.
#include "core/analysis/encoded_texts.h"
#include "core/analysis/text_vectors.h"
#include "core/random.h"
#include "core/tensor/product.h"
#include "core_test.h"
#include "tests/core/block_models.h"

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

TEST_CASE("one-hot vectors, counts and tf-idf match NumPy's") {
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

TEST_CASE("one-hot vectors times the embedding matrix equal the lookup, to the last bit") {
    const Strings vocabulary{"the", "cat", "sat", "on", "mat"};
    const Strings tokens{"the", "cat", "sat", "on", "the", "mat", "today"};
    Random random(7);
    Matrix embeddings(5, 300);
    Matrix wide(5, 4000); // wide enough that multiply() works in several blocks
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

TEST_CASE("a duplicate word of the vocabulary is counted at its first position") {
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

namespace {

using Doubles = std::vector<double>;

double dot(const Doubles &a, const Doubles &b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}
double cosine(const Doubles &a, const Doubles &b) {
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

/// Returns the rows of a stage that do not belong to padding.
std::vector<Doubles> rowsOf(const Trace &trace, Stage stage, AttentionId attention,
                            Index sequence) {
    const SharedMatrix matrix = trace.matrix(stage, attention, sequence, 0);
    std::vector<Doubles> rows;
    for (Index row = 0; row < trace.batch()[sequence].length; ++row)
        rows.emplace_back(matrix.row(row).begin(), matrix.row(row).end());
    return rows;
}
Doubles mean(const std::vector<Doubles> &rows) {
    Doubles sum(rows[0].size());
    for (const Doubles &row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            sum[i] += row[i] / static_cast<double>(rows.size());
    return sum;
}

void checkVectors(const Trace &trace, const EncodedText &written) {
    const auto first = rowsOf(trace, written.stage.stage, written.stage.attention, 0);
    const auto second = rowsOf(trace, written.stage.stage, written.stage.attention, 1);
    REQUIRE(written.words);
    REQUIRE(written.texts);
    REQUIRE(written.numbers.rows() == std::ssize(first) + std::ssize(second));
    for (std::size_t i = 0; i < first.size(); ++i)
        for (std::size_t j = 0; j < second.size(); ++j)
            CHECK(static_cast<double>(
                      written.words->values(static_cast<Index>(i), static_cast<Index>(j))) ==
                  doctest::Approx(cosine(first[i], second[j])).epsilon(1e-6));
    for (Index row = 0; row < written.numbers.rows(); ++row)
        for (Index column = 0; column < written.columns; ++column) {
            const auto r = static_cast<std::size_t>(row);
            const Doubles &vector = r < first.size() ? first[r] : second[r - first.size()];
            CHECK(static_cast<double>(written.numbers(row, column)) ==
                  vector[static_cast<std::size_t>(column)]);
        }
    CHECK(written.texts->value == doctest::Approx(cosine(mean(first), mean(second))).epsilon(1e-5));
}

} // namespace

TEST_CASE("the two banks have the same counts, and differ after attention") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"money bank", "river bank"}));
    const EncodedTexts numbers = encodedTextsOf(*trace, 0, Stack::Main);
    CHECK(numbers.sequences == std::vector<Index>{0, 1});
    CHECK(numbers.vocabulary == std::vector<std::string>{"money", "bank", "river"});
    const double rare = std::log(3.0 / 2) + 1;
    REQUIRE(numbers.idf.size() == 3);
    CHECK(numbers.idf[0] == doctest::Approx(rare));
    CHECK(numbers.idf[1] == doctest::Approx(1));
    CHECK(numbers.idf[2] == doctest::Approx(rare));

    const EncodedText &oneHot = numbers.of(TextEncoding::OneHot);
    CHECK(oneHot.numbers == Matrix(4, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0}));
    CHECK(oneHot.words->values == Matrix(2, 2, {0, 0, 0, 1}));
    CHECK(!oneHot.texts);
    const EncodedText &bag = numbers.of(TextEncoding::BagOfWords);
    CHECK(bag.numbers == Matrix(2, 3, {1, 1, 0, 0, 1, 1}));
    CHECK(bag.texts->value == doctest::Approx(0.5));
    CHECK(!bag.words);
    const EncodedText &weighted = numbers.of(TextEncoding::TfIdf);
    CHECK(static_cast<double>(weighted.numbers(0, 0)) == doctest::Approx(rare));
    CHECK(weighted.numbers(0, 1) == 1);
    CHECK(weighted.numbers(0, 2) == 0);
    CHECK(weighted.texts->product == doctest::Approx(1));
    CHECK(weighted.texts->value == doctest::Approx(1 / (rare * rare + 1)));

    const EncodedText &fixed = numbers.of(TextEncoding::Embeddings);
    CHECK(fixed.stage == StageId{Stage::Embeddings, {}});
    checkVectors(*trace, fixed);
    CHECK(fixed.words->values(1, 1) == 1);
    const EncodedText &contextual = numbers.of(TextEncoding::Contextual);
    CHECK(contextual.stage.stage == Stage::LayerOutput);
    checkVectors(*trace, contextual);
    CHECK(contextual.words->values(1, 1) < 1);
}

TEST_CASE("texts of different lengths, in every kind of model") {
    int sources = 0;
    for (const BlockCase &block : blockCases()) {
        const TracePointer trace = traceOf(block.model, block.input);
        const EncodedTexts numbers = encodedTextsOf(*trace, 1, block.model.mainStack());
        CHECK(numbers.lengths == std::vector<Index>{6, 2});
        CHECK(numbers.tokens[1] == std::vector<std::string>{"a", "cat"});
        checkVectors(*trace, numbers.of(TextEncoding::Embeddings));
        checkVectors(*trace, numbers.of(TextEncoding::Contextual));
        CHECK(numbers.of(TextEncoding::Contextual).stage.attention.layer ==
              block.model.layerCount() - 1);
        if (!block.input.source)
            continue;
        // Encodes the source texts only.
        const Stack other = block.model.hasEncoder() ? Stack::Encoder : Stack::SourceEmbeddings;
        const EncodedTexts source = encodedTextsOf(*trace, 0, other);
        CHECK(source.lengths == std::vector<Index>{3, 5});
        CHECK(source.of(TextEncoding::Embeddings).words);
        const bool isRead = source.of(TextEncoding::Contextual).words.has_value();
        CHECK(isRead == block.model.hasEncoder());
        sources += isRead ? 0 : 1;
    }
    CHECK(sources > 0);
}

TEST_CASE("one text has nothing to be compared with, and two of many are used") {
    const TracePointer one = traceOf(smallModel(), inputOf({"the money bank bank"}));
    const EncodedTexts alone = encodedTextsOf(*one, 0, Stack::Main);
    CHECK(alone.sequences == std::vector<Index>{0});
    CHECK(alone.of(TextEncoding::BagOfWords).numbers == Matrix(1, 3, {1, 1, 2}));
    for (const TextEncoding way : kTextEncodings) {
        CHECK(alone.of(way).absence == EncodedText::Absence::None);
        CHECK(!alone.of(way).words);
        CHECK(!alone.of(way).texts);
    }
    using Pair = std::vector<Index>;
    CHECK(writtenPair(0, 1) == Pair{0});
    CHECK(writtenPair(0, 2) == Pair{0, 1});
    CHECK(writtenPair(1, 2) == Pair{0, 1});
    CHECK(writtenPair(2, 4) == Pair{2, 3});
    CHECK(writtenPair(3, 4) == Pair{2, 3});
    CHECK(writtenPair(4, 5) == Pair{3, 4});
}

TEST_CASE("long texts show their first words, but are compared by all of them") {
    std::string first, second;
    for (int i = 0; i < 100; ++i) {
        first += "w" + std::to_string(i) + " ";
        second += "w" + std::to_string(i / 2) + " ";
    }
    const TracePointer trace = traceOf(smallModel(), inputOf({first, second}));
    const EncodedTexts numbers = encodedTextsOf(*trace, 0, Stack::Main);
    CHECK(numbers.vocabulary.size() == 100);
    CHECK(numbers.lengths == std::vector<Index>{100, 100});
    CHECK(numbers.shownTokens(0) == kMaxWrittenTokens);
    for (const TextEncoding way : kTextEncodings)
        CHECK(numbers.of(way).numbers.columns() <= kMaxWrittenColumns);
    CHECK(numbers.of(TextEncoding::OneHot).columns == 100);
    CHECK(numbers.of(TextEncoding::OneHot).numbers.rows() == 2 * kMaxWrittenTokens);
    CHECK(numbers.of(TextEncoding::OneHot).words->values(3, 6) == 1);
    // 50 words twice and 100 words once: 100 / (√100 · √200).
    CHECK(numbers.of(TextEncoding::BagOfWords).texts->value == doctest::Approx(std::sqrt(0.5)));
    const auto embeddings = rowsOf(*trace, Stage::Embeddings, {}, 0);
    const auto others = rowsOf(*trace, Stage::Embeddings, {}, 1);
    CHECK(numbers.of(TextEncoding::Embeddings).texts->value ==
          doctest::Approx(cosine(mean(embeddings), mean(others))).epsilon(1e-5));
}

TEST_CASE("the cosine of two vectors, and of one without a direction") {
    const std::vector<float> a{3, 4}, b{4, -3}, c{-6, -8}, none{0, 0};
    CHECK(cosineOf(a, b).value == 0);
    CHECK(cosineOf(a, b).isDefined);
    CHECK(cosineOf(a, c).value == -1);
    CHECK(cosineOf(a, c).firstLength == 5);
    CHECK(cosineOf(a, c).product == -50);
    CHECK(!cosineOf(a, none).isDefined);
    CHECK(cosineOf(none, none).value == 0);
    const Matrix x(2, 2, {3, 4, 0, 0}), y(3, 2, {4, -3, 6, 8, 0, 0});
    const CrossSimilarity both = cosineSimilarity(x.view(), y.view());
    CHECK(both.values == Matrix(2, 3, {0, 1, 0, 0, 0, 0}));
    CHECK(both.rowHasNoDirection == std::vector<bool>{false, true});
    CHECK(both.columnHasNoDirection == std::vector<bool>{false, false, true});
}
