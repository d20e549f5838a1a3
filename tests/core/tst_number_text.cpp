// Numbers as text: as Headlight writes them, and as users type them.
#include "core/explain/line.h"
#include "core/format_number.h"
#include "core/parse_number.h"
#include "core/random.h"
#include "core_test.h"

#include <charconv>

TEST_CASE("rounded omits zeros at the end and never writes minus zero") {
    CHECK(rounded(0.5, 2) == "0.5");
    CHECK(rounded(0.0, 2) == "0");
    CHECK(rounded(-0.0, 2) == "0");
    CHECK(rounded(-0.001, 2) == "0");
    CHECK(rounded(-0.25, 2) == "−0.25");
    CHECK(rounded(0.999, 2) == "1");
    CHECK(rounded(100, 0) == "100");
    CHECK(rounded(1200, 3) == "1200");
    CHECK(rounded(-3, 1) == "−3");
}

TEST_CASE("fixed keeps its decimals") {
    CHECK(fixed(0.5, 2) == "0.50");
    CHECK(fixed(-0.001, 2) == "0.00");
    CHECK(fixed(-1.5, 1) == "−1.5");
    CHECK(fixed(2, 0) == "2");
}

TEST_CASE("shown distinguishes an exact zero from a rounded one, and rounds ties to even") {
    CHECK(shown(0.0, 2) == "0");
    CHECK(shown(-0.0, 2) == "0");
    CHECK(shown(0.001, 2) == "0.00");
    CHECK(shown(-0.001, 2) == "0.00");
    CHECK(shown(0.125, 2) == "0.12");
    CHECK(shown(0.375, 2) == "0.38");
    CHECK(shown(-2.5, 0) == "−2");
    CHECK(shown(1, 2) == "1.00");
}

TEST_CASE("scientific") {
    CHECK(scientific(0.000041, 1) == "4.1e−05");
    CHECK(scientific(-54321, 0) == "−5e+04");
    CHECK(scientific(96000, 0) == "1e+05");
    CHECK(scientific(-std::numeric_limits<double>::infinity(), 1) == "−∞");
    CHECK(scientific(std::numeric_limits<double>::max(), 1000).size() == 1 + 1 + 40 + 5);
}

TEST_CASE("infinities, NaN, and the widest numbers") {
    CHECK(rounded(std::numeric_limits<double>::infinity(), 2) == "∞");
    CHECK(fixed(-std::numeric_limits<double>::infinity(), 2) == "−∞");
    CHECK(fixed(std::numeric_limits<double>::max(), 1000).size() == 309 + 1 + 40);
    CHECK(rounded(1.25, -3) == "1");
}

TEST_CASE("NaN is written as a dash, in every notation") {
    for (const double nan :
         {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN()}) {
        for (const int decimals : {0, 2, 4})
            for (const auto write : {rounded, fixed, shown, scientific})
                CHECK(write(nan, decimals) == kNoNumber);
        CHECK(decimalText(nan, 2) == kNoNumber);
        CHECK(termText(nan) == kNoNumber);
        CHECK(resultText(nan) == kNoNumber);
        CHECK(digitsText(nan) == kNoNumber);
        CHECK(fullText(static_cast<float>(nan)) == kNoNumber);
    }
}

TEST_CASE("exact reads back as the same float, bit for bit") {
    CHECK(exactDouble(0.1) == "0.1");
    CHECK(exactDouble(-1.0 / 3) == "-0.3333333333333333");
    CHECK(exact(0.1f) == "0.1");
    CHECK(exact(-0.0f) == "-0");
    Random random(7);
    for (int i = 0; i < 20000; ++i) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next() >> 32));
        if (value != value)
            continue;
        const std::string text = exact(value);
        float back = 0;
        const auto result = std::from_chars(text.data(), text.data() + text.size(), back);
        REQUIRE(result.ptr == text.data() + text.size());
        REQUIRE(std::bit_cast<std::uint32_t>(back) == std::bit_cast<std::uint32_t>(value));
    }
}

TEST_CASE("significant digits") {
    CHECK(significant(0.41234567890123, 12) == "0.412345678901");
    CHECK(significant(-1.0 / 3, 12) == "−0.333333333333");
    CHECK(significant(0.5, 12) == "0.5");
    CHECK(significant(-1.25e-8, 3) == "−1.25e−08");
    CHECK(significant(0, 12) == "0");
    CHECK(significant(-0.0, 12) == "0");
    CHECK(significant(-std::numeric_limits<double>::infinity(), 12) == "−∞");
}

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

TEST_CASE("what is not a finite number of 32 bits is refused") {
    for (const char *text : {"", " ", "inf", "-inf", "nan", "1e39", "-1e400", "1,000.5", "1.2.3",
                             "--1", "+-1", "1e", "0x10", "five", "1 2", ",", "e5"}) {
        INFO(std::string(text));
        CHECK_FALSE(parseNumber(text).ok());
    }
}
