// Tables of numbers: written as CSV, read as users paste them, and the meaning of their commas.
#include "core/format_number.h"
#include "core/formats/csv.h"
#include "core/formats/parse_table.h"
#include "core_test.h"

TEST_CASE("a table as RFC 4180 requires it") {
    const Matrix matrix(2, 2, {0.1f, -std::numeric_limits<float>::infinity(), 1e-9f, 1});
    const LabelledMatrix table{"query", {"a, b", "say \"hi\""}, {"x", "two\nlines"}, matrix.view()};
    CHECK(toCsv(table) == "query,x,\"two\nlines\"\r\n"
                          "\"a, b\",0.1,-inf\r\n"
                          "\"say \"\"hi\"\"\",1e-09,1\r\n");
    CHECK(toCsv(table, '\t') == "query\tx\t\"two\nlines\"\r\n"
                                "a, b\t0.1\t-inf\r\n"
                                "\"say \"\"hi\"\"\"\t1e-09\t1\r\n");
}

TEST_CASE("what was written is read back") {
    const std::vector<std::string> labels{"",  " lead", "\"",     "\r\n", "河岸",
                                          ",", "\t",    "a\"b\"", "בנק"};
    const auto count = static_cast<Index>(labels.size());
    Matrix matrix(count, count);
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < count; ++j)
            matrix(i, j) = 1.0f / static_cast<float>(1 + i * count + j);
    for (const char separator : {',', '\t', ';'}) {
        const auto lines =
            readCsv(toCsv({"", labels, labels, matrix.view()}, separator), separator);
        REQUIRE(lines.ok());
        REQUIRE(lines->size() == labels.size() + 1);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            CHECK((*lines)[0][i + 1] == labels[i]);
            CHECK((*lines)[i + 1][0] == labels[i]);
            for (std::size_t j = 0; j < labels.size(); ++j)
                CHECK((*lines)[i + 1][j + 1] ==
                      exact(matrix(static_cast<Index>(i), static_cast<Index>(j))));
        }
    }
}

TEST_CASE("other programs' line ends and empty fields") {
    using Lines = std::vector<std::vector<std::string>>;
    CHECK(*readCsv("") == Lines{});
    CHECK(*readCsv("a,b\nc,") == Lines{{"a", "b"}, {"c", ""}});
    CHECK(*readCsv(",\r\n\r\n\"\"\n") == Lines{{"", ""}, {""}, {""}});
    CHECK(!readCsv("a\n\"never closed").ok());
    CHECK(readCsv("a\n\"x\"y").error().where == "line 2");
}

namespace {

using Readings = std::vector<TableReading>;
constexpr Commas kDecimal = Commas::Decimal, kSeparators = Commas::Separators,
                 kThousands = Commas::Thousands;

} // namespace

TEST_CASE("a block of numbers from any program") {
    const NumberRows table{{1.5f, -2}, {3, 4e-3f}};
    for (const char *text :
         {"1.5\t-2\n3\t4e-3\n", "1,5\t-2\r\n3\t0,004\r\n", "1,5;-2\n3;0,004", "1.5,-2\n3,0.004\n\n",
          "1.5, -2\n3, 0.004", "1.5 -2\n 3   0.004 ", "1,5 -2\n3 0,004"}) {
        INFO(std::string(text));
        CHECK(doubtfulReadings(text).empty());
        const Result<NumberRows> read = parseTable(text);
        REQUIRE(read.ok());
        CHECK(*read == table);
    }
}

TEST_CASE("the whole block shows what its commas mean") {
    for (const auto &[text, rows] :
         {std::pair<const char *, NumberRows>{"1,5", {{1.5f}}}, // a decimal comma, as typed
          {"1,5\n", {{1.5f}}},
          {"1,234", {{1.234f}}},
          {"1,5; 2,5", {{1.5f, 2.5f}}},
          {"1,2;3,4\n5;6", {{1.2f, 3.4f}, {5, 6}}},
          {"1,5\t2,5\n3\t4", {{1.5f, 2.5f}, {3, 4}}},
          {"1,234\t5,678", {{1.234f, 5.678f}}},
          {"1.5,2.5", {{1.5f, 2.5f}}},
          {"1,2.5", {{1, 2.5f}}},
          {"1,0,0", {{1, 0, 0}}},
          {"1, 2, 3\n4, 5, 6", {{1, 2, 3}, {4, 5, 6}}},
          {"1,2,3\n4,5,6", {{1, 2, 3}, {4, 5, 6}}},
          {"1,2\n3",
           {{1.2f}, {3}}}, // if commas separated the numbers, the rows would differ in length
          {"1,2 3,4", {{1.2f, 3.4f}}},
          {"0,05\n1,5", {{0.05f}, {1.5f}}}, // 05 is not a usual way to write a number
          {"-0,5\n1,5", {{-0.5f}, {1.5f}}},
          {"\u22120,5\n1,5", {{-0.5f}, {1.5f}}},
          {"12,345.5 1,000.25", {{12345.5f, 1000.25f}}}}) {
        INFO(std::string(text));
        CHECK(doubtfulReadings(text).empty());
        const Result<NumberRows> read = parseTable(text);
        REQUIRE(read.ok());
        CHECK(*read == rows);
    }
}

TEST_CASE("the meaning of ambiguous commas is not guessed") {
    for (const auto &[text, readings] :
         {std::pair<const char *, Readings>{"1,2\n3,4", {{kDecimal, 2, 1}, {kSeparators, 2, 2}}},
          {"1,2\r\n3,4\r\n", {{kDecimal, 2, 1}, {kSeparators, 2, 2}}},
          {"0,5\n0,25", {{kDecimal, 2, 1}, {kSeparators, 2, 2}}},
          {"1,5, 2,5", {{kSeparators, 1, 4}, {kDecimal, 1, 2}}},
          {"1, 2,3", {{kSeparators, 1, 3}, {kDecimal, 1, 2}}},
          {"1,234.5", {{kSeparators, 1, 2}, {kThousands, 1, 1}}},
          {"100,200,300", {{kSeparators, 1, 3}, {kThousands, 1, 1}}},
          {"1,234\n5,678", {{kDecimal, 2, 1}, {kSeparators, 2, 2}, {kThousands, 2, 1}}}}) {
        INFO(std::string(text));
        CHECK(doubtfulReadings(text) == readings);
        const Result<NumberRows> guessed = parseTable(text);
        REQUIRE_FALSE(guessed.ok());
        CHECK(guessed.error().what == "its commas are ambiguous");
        for (const TableReading &reading : readings) {
            const Result<NumberRows> read = parseTable(text, reading.commas);
            REQUIRE(read.ok());
            CHECK(static_cast<Index>(read->size()) == reading.rows);
            CHECK(static_cast<Index>(read->front().size()) == reading.columns);
        }
    }
    CHECK(*parseTable("1,2\n3,4", kDecimal) == NumberRows{{1.2f}, {3.4f}});
    CHECK(*parseTable("1,2\n3,4", kSeparators) == NumberRows{{1, 2}, {3, 4}});
    CHECK(*parseTable("1,234.5", kThousands) == NumberRows{{1234.5f}});
    CHECK(*parseTable("1,5, 2,5", kDecimal) == NumberRows{{1.5f, 2.5f}});
}

TEST_CASE("an invalid block names the place of the error") {
    CHECK_FALSE(parseTable("").ok());
    CHECK_FALSE(parseTable(" \n").ok());
    CHECK(parseTable("1\t2\n3\tx").error().where == "line 2, column 2");
    CHECK(parseTable("1\t2\n3").error().where == "line 2");
    CHECK_FALSE(parseTable("1\t\t2").ok());
    CHECK(parseTable("1,2,\n3,4,").error().where == "line 1, column 3");
    CHECK(parseTable("1.5,2\n3,x").error().where == "line 2, column 2");
    for (const char *text : {",", ",,", "1,,2", "1,2\n\n3,4", "1,23.4 5"}) {
        INFO(std::string(text));
        CHECK_FALSE(parseTable(text).ok());
        CHECK(doubtfulReadings(text).empty());
    }
}
