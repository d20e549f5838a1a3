#include "core/transformer/model/embeddings.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace headlight::core;
using Vector = std::vector<float>;

namespace {

Embeddings made(bool ignoreCase = false, std::uint64_t seed = 5, float deviation = 1) {
    return Embeddings({.width = 3,
                       .words = {{"bank", {1, 2, 3}}, {"été", {4, 5, 6}}},
                       .seed = seed,
                       .deviation = deviation,
                       .ignoreCase = ignoreCase});
}

} // namespace

TEST_CASE("a given word has its vector, any other one from the seed") {
    const Embeddings embeddings = made();
    CHECK(embeddings.isGiven("bank"));
    CHECK(embeddings.vectorOf("bank") == Vector{1, 2, 3});
    CHECK_FALSE(embeddings.isGiven("river"));
    CHECK(embeddings.vectorOf("river").size() == 3);
}

TEST_CASE("the same word always has the same vector") {
    CHECK(made().vectorOf("river") == made().vectorOf("river"));
    CHECK(made().vectorOf("river") != made().vectorOf("money"));
    CHECK(made(false, 5).vectorOf("river") != made(false, 6).vectorOf("river"));
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
