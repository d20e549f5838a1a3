// Batches of tokens, and the vectors of words.
#include "core/transformer/model/batch.h"
#include "core/transformer/model/embeddings.h"
#include "core_test.h"

using Words = std::vector<std::string>;
using Vector = std::vector<float>;

namespace {

BatchPointer made(std::vector<Words> tokens, Index atLeast = 0) {
    return valueOf(Batch::ofWords(std::move(tokens), atLeast));
}

} // namespace

TEST_CASE("shorter sequences are padded") {
    const BatchPointer batch = made({{"a", "b", "c"}, {"d"}});
    CHECK(batch->count() == 2);
    CHECK(batch->length() == 3);
    CHECK(textsOf((*batch)[1].tokens) == Words{"d", "[PAD]", "[PAD]"});
    CHECK((*batch)[0].length == 3);
    CHECK((*batch)[1].length == 1);
    CHECK((*batch)[1].isPadding(1));
    CHECK_FALSE((*batch)[1].isPadding(0));
}

TEST_CASE("padding at the end of the input counts as padding, padding inside does not") {
    const BatchPointer batch = made({{"a", "[PAD]", "b", "[PAD]"}});
    CHECK((*batch)[0].length == 3);
}

TEST_CASE("an empty input is an error that names its place") {
    const auto none = Batch::ofWords({});
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().where == "batch");
    for (const Words &tokens : {Words{}, Words{"[PAD]", "[PAD]"}}) {
        const auto batch = Batch::ofWords({{"a"}, tokens});
        REQUIRE_FALSE(batch.ok());
        CHECK(batch.error().where == "sequence 1");
    }
}

TEST_CASE("types and embeddings stay with the sequences that are not retyped") {
    auto before = *Batch::ofWords({{"a", "b"}, {"c", "d"}});
    before = before->withTokenTypes(0, {1, 1})->withTokenTypes(1, {0, 2});
    before = before->withEmbeddings(1, makeParameter(Matrix(2, 1, {5, 6})));
    const auto after = withEmbeddingsOf(*Batch::ofWords({{"x", "y", "z"}, {"c", "d"}}), *before, 0);
    CHECK((*after)[0].tokenTypes.empty());
    CHECK((*after)[1].tokenTypes == std::vector<Index>{0, 2, 0});
    CHECK(*(*after)[1].embeddings->toMatrix() == Matrix(3, 1, {5, 6, 0}));
    CHECK(sameNumbers(BatchPointer(), BatchPointer()));
    CHECK_FALSE(sameNumbers(BatchPointer(), after));
    CHECK_FALSE(sameNumbers(after, BatchPointer()));
}

namespace {

Embeddings made(bool ignoreCase = false, std::uint64_t seed = 5, float deviation = 1) {
    return Embeddings({.width = 3,
                       .words = {{"bank", {1, 2, 3}}, {"été", {4, 5, 6}}},
                       .seed = seed,
                       .deviation = deviation,
                       .ignoreCase = ignoreCase});
}

} // namespace

TEST_CASE("a given word has its vector, any other one gets one from the seed") {
    const Embeddings embeddings = made();
    CHECK(embeddings.isGiven("bank"));
    CHECK(embeddings.vectorOf("bank") == Vector{1, 2, 3});
    CHECK_FALSE(embeddings.isGiven("river"));
    CHECK(embeddings.vectorOf("river").size() == 3);
}

TEST_CASE("the deviation scales, 0 makes unknown words zero") {
    Vector doubled = made().vectorOf("river");
    for (float &number : doubled)
        number *= 2;
    CHECK(made(false, 5, 2).vectorOf("river") == doubled);
    const Vector zero = made(false, 5, 0).vectorOf("river");
    CHECK(std::all_of(zero.begin(), zero.end(), [](float number) { return number == 0; }));
    CHECK(made(false, 5, 0).vectorOf("bank") == Vector{1, 2, 3});
}

TEST_CASE("case counts unless it is ignored") {
    CHECK_FALSE(made().isGiven("Bank"));
    CHECK(made(true).vectorOf("BANK") == Vector{1, 2, 3});
    CHECK(made(true).vectorOf("River") == made(true).vectorOf("rIVER"));
    CHECK(made(true).vectorOf("Straße") == made(true).vectorOf("STRASSE"));
    CHECK(made().vectorOf("River") != made().vectorOf("river"));
}

TEST_CASE("composed and decomposed spellings are one word") {
    CHECK(made().vectorOf("e\u0301te\u0301") == Vector{4, 5, 6});
    CHECK(made(true).vectorOf("E\u0301TE\u0301") == Vector{4, 5, 6});
    CHECK(made().vectorOf("na\u0308h") == made().vectorOf("näh"));
}
