// Messages stored as data, and the name closest to a mistyped one.
#include "core/closest_name.h"
#include "core/in_quotes.h"
#include "core/message.h"
#include "core/result.h"
#include "core_test.h"

using headlight::core::closestName;

TEST_CASE("a message is a sentence and its arguments") {
    const Message message{"%1 of %2 tokens, %3", 3, std::string("two"), inQuotes("a b")};
    CHECK(message.code() == "%1 of %2 tokens, %3");
    CHECK(message.arguments().size() == 3);
    CHECK(message.text() == "3 of two tokens, \"a b\"");
    CHECK(message == "3 of two tokens, \"a b\"");
    CHECK_FALSE(message == "3 of two tokens");
    CHECK(Message().empty());
    CHECK(Message().text().empty());
}

TEST_CASE("arguments of a message are not expanded again") {
    CHECK(Message("%1 and %2", std::string("%2"), std::string("%1")) == "%2 and %1");
    CHECK(Message("100 % of %1, %9 and %", 4) == "100 % of 4, %9 and %");
    const Message verbatim = Message::verbatim("%1 is a name");
    CHECK(verbatim.isVerbatim());
    CHECK(verbatim == "%1 is a name");
    CHECK(Message("the name %1", verbatim) == "the name %1 is a name");
}

TEST_CASE("a literal within a message is a sentence, a text is not") {
    const Message inner{"no room for %1 bytes", 7};
    const Message outer{"it cannot be written: %1 (%2, %3)", inner, "check the disk",
                        std::string("check the disk")};
    CHECK(outer == "it cannot be written: no room for 7 bytes (check the disk, check the disk)");
    CHECK(outer.arguments()[0] == inner);
    CHECK_FALSE(outer.arguments()[1].isVerbatim());
    CHECK(outer.arguments()[2].isVerbatim());
}

TEST_CASE("an error names the place, the problem and what to do") {
    CHECK(Error{{"%1 is out of range", 9}, "--head", {"give 0 to %1", 3}}.text() ==
          "--head: 9 is out of range; give 0 to 3");
    CHECK(Error{"it is empty", "", ""}.text() == "it is empty");
}

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
    CHECK(closestName("", kLessons) == "cat"); // the shortest name
    const std::vector<std::string> empty{""};
    CHECK(closestName("bank", empty).empty());
}

TEST_CASE("a word of any length costs little") {
    CHECK(closestName(std::string(100'000'000, 'x'), kLessons) == "bank");
    CHECK(closestName("b\xff\xfe"
                      "nk",
                      kLessons) == "bank");
}
