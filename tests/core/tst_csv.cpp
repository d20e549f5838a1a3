#include "core/format_number.h"
#include "core/formats/csv.h"

#include <doctest/doctest.h>
#include <limits>

using namespace headlight::core;

TEST_CASE("a table as RFC 4180 wants it") {
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
