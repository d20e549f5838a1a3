// Numbers as users type them.
#include "core/parse_number.h"

#include <doctest/doctest.h>

using namespace headlight::core;

TEST_CASE("numbers with a point, a comma, an exponent, a typographic minus") {
    for (const auto &[text, number] : {std::pair<const char *, float>{"0.5", 0.5f},
                                       {"0,5", 0.5f},
                                       {" -.5 ", -0.5f},
                                       {"\u22120,25", -0.25f},
                                       {"+1e-3", 0.001f},
                                       {"1e\u22123", 0.001f},
                                       {"1E5", 1e5f},
                                       {"3.4e38", 3.4e38f},
                                       {"1e-400", 0.0f},
                                       {"7.", 7.0f}}) {
        INFO(std::string(text));
        const Result<float> read = parseNumber(text);
        REQUIRE(read.ok());
        CHECK(*read == number);
    }
}

TEST_CASE("what is no finite number of 32 bits is refused") {
    for (const char *text : {"", " ", "inf", "-inf", "nan", "1e39", "-1e400", "1,000.5", "1.2.3",
                             "--1", "+-1", "1e", "0x10", "five", "1 2", ",", "e5"}) {
        INFO(std::string(text));
        CHECK_FALSE(parseNumber(text).ok());
    }
}
