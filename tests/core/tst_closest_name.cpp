#include "core/closest_name.h"

#include <doctest/doctest.h>
#include <vector>

using headlight::core::closestName;

namespace {

const std::vector<std::string> kLessons{"bank", "sentence", "cat", "batch", "look-ahead"};

} // namespace

TEST_CASE("a mistyped word") {
    CHECK(closestName("bnak", kLessons) == "bank");
    CHECK(closestName("sentance", kLessons) == "sentence");
    CHECK(closestName("lookahead", kLessons) == "look-ahead");
    CHECK(closestName("batches", kLessons) == "batch");
    CHECK(closestName("cat", kLessons) == "cat");
}

TEST_CASE("the first of equals") {
    const std::vector<std::string> names{"ab", "ac"};
    CHECK(closestName("a", names) == "ab");
    CHECK(closestName("ad", names) == "ab");
    CHECK(closestName("ac", names) == "ac");
}

TEST_CASE("nothing to choose from, nothing typed") {
    CHECK(closestName("bank", {}).empty());
    CHECK(closestName("", kLessons) == "cat"); // the shortest
    const std::vector<std::string> empty{""};
    CHECK(closestName("bank", empty).empty());
}

TEST_CASE("a word of any length costs little") {
    CHECK(closestName(std::string(100'000'000, 'x'), kLessons) == "bank");
    CHECK(closestName("b\xff\xfe"
                      "nk",
                      kLessons) == "bank");
}
