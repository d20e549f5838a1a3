#include "core/transformer/model/batch.h"

#include <doctest/doctest.h>

using namespace headlight::core;
using Words = std::vector<std::string>;

namespace {

BatchPointer made(std::vector<Words> tokens, Index atLeast = 0) {
    auto batch = Batch::ofWords(std::move(tokens), atLeast);
    REQUIRE(batch.ok());
    return *batch;
}

} // namespace

TEST_CASE("shorter sequences are filled up with padding") {
    const BatchPointer batch = made({{"a", "b", "c"}, {"d"}});
    CHECK(batch->count() == 2);
    CHECK(batch->length() == 3);
    CHECK(textsOf((*batch)[1].tokens) == Words{"d", "[PAD]", "[PAD]"});
    CHECK((*batch)[0].length == 3);
    CHECK((*batch)[1].length == 1);
    CHECK((*batch)[1].isPadding(1));
    CHECK_FALSE((*batch)[1].isPadding(0));
}

TEST_CASE("a batch may ask for more room") {
    CHECK(made({{"a"}}, 4)->length() == 4);
    CHECK(made({{"a", "b"}}, 1)->length() == 2);
}

TEST_CASE("padding that was written at the end counts, padding inside does not") {
    const BatchPointer batch = made({{"a", "[PAD]", "b", "[PAD]"}});
    CHECK((*batch)[0].length == 3);
}

TEST_CASE("nothing to read is an error that says where") {
    const auto none = Batch::ofWords({});
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().where == "batch");
    for (const Words &tokens : {Words{}, Words{"[PAD]", "[PAD]"}}) {
        const auto batch = Batch::ofWords({{"a"}, tokens});
        REQUIRE_FALSE(batch.ok());
        CHECK(batch.error().where == "sequence 1");
    }
}

TEST_CASE("own embeddings go into a copy") {
    const BatchPointer batch = made({{"a"}, {"b"}});
    const Parameter own = makeParameter(Matrix(1, 2, {1, 2}));
    const BatchPointer copy = batch->withEmbeddings(1, own);
    CHECK((*copy)[1].embeddings == own);
    CHECK((*batch)[1].embeddings == nullptr);
    CHECK((*copy)[0] == (*batch)[0]);
}

TEST_CASE("types and embeddings stay with the sequences that are not typed anew") {
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
