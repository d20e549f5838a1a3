#include "core/formats/word_vectors.h"
#include "core_test.h"

namespace {

const std::string kVectorsFile = HEADLIGHT_TEST_SCRATCH "/vectors.txt";

Result<WordVectors> reading(const std::string &text, const std::set<std::string> &wanted,
                            bool ignoreCase = false) {
    std::ofstream(kVectorsFile, std::ios::binary | std::ios::trunc) << text;
    return readWordVectors(kVectorsFile, wanted, ignoreCase);
}

void refused(const std::string &text, const std::string &line, const std::string &what) {
    CAPTURE(text.substr(0, 80));
    const auto result = reading(text, {"bank"});
    REQUIRE_FALSE(result);
    CHECK(result.error().where == kVectorsFile + (line.empty() ? "" : ": " + line));
    CHECK_MESSAGE(result.error().what.text().find(what) != std::string::npos,
                  result.error().what.text());
}

using Floats = std::vector<float>;

} // namespace

TEST_CASE("GloVe: no first line, only the words that are needed") {
    const auto read =
        valueOf(reading("the 0.1 -0.2 3e-2\nbank 1 2 3\nriver 4 5 6\n", {"bank", "money"}));
    CHECK(read.width == 3);
    CHECK(read.words == std::map<std::string, Floats>{{"bank", {1, 2, 3}}});
    CHECK(read.missing == std::vector<std::string>{"money"});
}

TEST_CASE("word2vec: count and width in the first line, a blank at the end of each") {
    const auto read = valueOf(reading("2 2\nbank 0.5 -1 \nriver 4 5 \n", {"river"}));
    CHECK(read.words.at("river") == Floats{4, 5});
}

TEST_CASE("line ends, tabs, no newline at the end, words with blanks and beyond ASCII") {
    const auto read =
        valueOf(reading("größe\t1\t2\r\n. . 3 4\r\n\n世界 5 6", {"größe", ". .", "世界"}));
    CHECK(read.words.at("größe") == Floats{1, 2});
    CHECK(read.words.at(". .") == Floats{3, 4});
    CHECK(read.words.at("世界") == Floats{5, 6});
}

TEST_CASE("case: the spelling itself first, then any other, the first in the file") {
    const std::string file = "BANK 1 1\nbank 2 2\nBank 3 3\n";
    CHECK(reading(file, {"bank"}, true)->words.at("bank") == Floats{2, 2});
    CHECK(reading(file, {"bAnk"}, true)->words.at("bAnk") == Floats{1, 1});
    CHECK(reading(file, {"bAnk"})->missing.size() == 1);
    const auto both = reading(file, {"Bank", "bank"}, true);
    CHECK(both->words.at("Bank") == Floats{3, 3});
    CHECK(both->words.at("bank") == Floats{2, 2});
}

TEST_CASE("errors name the line") {
    refused("a 1 2\nbank 1\n", "line 2", "found 1 numbers, expected 2");
    refused("a 1 2\nb 3 4\nbank 1 x\n", "line 3", "\"x\" is not a finite number");
    refused("a 1 2\nbank 1 nan\n", "line 2", "nan");
    refused("a 1 2\nbank 1e39 1\n", "line 2", "1e39");
    refused("a 1 2\nbank 1,5 1\n", "line 2", "1,5");
    refused("9000000000 300\nbank 1 2\n", "line 1", "declares 9000000000 vectors");
    refused("99999999999999999999 3\nbank 1 2\n", "line 1", "declares 1");
    refused("2 2000000\nbank 1 2\n", "line 1", "2000000");
    refused("-3 2\nbank 1 2\n", "line 1", "declares −3");
    refused("3 2\nbank 1 2\nriver 3 4\n", "line 1", "declares 3 vectors but contains 2");
    refused("bank\n", "line 1", "0 numbers");
    refused("", "", "contains no vectors");
    refused("\n\n", "", "contains no vectors");
    refused("a 1 2\nbank", "line 2", "found 0 numbers");
    refused("\xff\xfe 1 2\n", "line 1", "UTF-8");
    refused(std::string(2'000'000, 'x'), "line 1", "longer");
    refused("a 1 2\n" + std::string(2'000'000, '7'), "line 2", "longer");
    CHECK(readWordVectors(HEADLIGHT_TEST_SCRATCH, {}, false).error().what.text().find("folder") !=
          std::string::npos);
    CHECK(readWordVectors(kVectorsFile + ".none", {}, false).error().where ==
          kVectorsFile + ".none");
}

TEST_CASE("every cut of a file is read or refused") {
    const std::string whole = "2 2\nbank 0.5 -1e-3\nriver 4 5\n";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto read = reading(whole.substr(0, length), {"bank"});
        if (read)
            CHECK(length >= whole.size() - 2); // only the end of the last line may be missing
    }
}

TEST_CASE("10 GB without content are read in blocks, with progress, and can be cancelled") {
    // One line of zero bytes. The file is sparse, so it takes no disk space.
    std::ofstream(kVectorsFile, std::ios::trunc) << "a 1 2\n";
    std::filesystem::resize_file(kVectorsFile, std::uintmax_t(10) << 30);
    CHECK(readWordVectors(kVectorsFile, {"bank"}, false).error().where ==
          kVectorsFile + ": line 2");

    std::ofstream out(kVectorsFile, std::ios::trunc);
    for (int i = 0; i < 100000; ++i)
        out << "word" + std::to_string(i) + " 1 2 3 4 5\n";
    out.close();
    int told = 0;
    double last = 0;
    const auto read = readWordVectors(kVectorsFile, {"word99999"}, false, [&](double share) {
        CHECK(share > last);
        last = share;
        ++told;
    });
    CHECK(read->words.size() == 1);
    CHECK(told > 2);
    CHECK(told <= 100);
    std::stop_source stop;
    stop.request_stop();
    CHECK(readWordVectors(kVectorsFile, {}, false, {}, stop.get_token()).error().what ==
          "cancelled");
    std::remove(kVectorsFile.c_str());
}
