// Numbers as people type and paste them.
#include "core/parse_number.h"

#include <doctest/doctest.h>

using namespace headlight::core;
using Table = std::vector<std::vector<float>>;

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

TEST_CASE("a block of numbers, whoever wrote it") {
    const Table table{{1.5f, -2}, {3, 4e-3f}};
    for (const char *text : {"1.5\t-2\n3\t4e-3\n", "1,5\t-2\r\n3\t0,004\r\n", "1,5;-2\n3;0,004",
                             "1.5,-2\n3,0.004\n\n", "1.5, -2\n3, 0.004", "1.5 -2\n 3   0.004 "}) {
        INFO(std::string(text));
        const Result<Table> read = parseTable(text);
        REQUIRE(read.ok());
        CHECK(*read == table);
    }
    CHECK(*parseTable("0,5\n0,25") == Table{{0.5f}, {0.25f}}); // a column of a German spreadsheet
    CHECK(*parseTable("1,0,0") == Table{{1, 0, 0}});
}

TEST_CASE("a block that is none says where") {
    CHECK_FALSE(parseTable("").ok());
    CHECK_FALSE(parseTable(" \n").ok());
    CHECK(parseTable("1\t2\n3\tx").error().where == "line 2, column 2");
    CHECK(parseTable("1\t2\n3").error().where == "line 2");
    CHECK_FALSE(parseTable("1\t\t2").ok());
}
