// Malicious course files: each is refused with a message, and nothing is written.
#include "core/formats/course/course.h"
#include "core/formats/zip/zip_writer.h"
#include "core_test.h"
#include "tests/core/captures/npz_file.h"
#include "tests/core/scratch.h"

using namespace headlight::test;

namespace {

const std::string kPath = std::string(HEADLIGHT_TEST_SCRATCH) + "/a.headlight-course";

std::string refused(const std::string &bytes) {
    put(kPath, bytes);
    const auto read = readCourseFile(kPath);
    if (read.ok())
        return "no error";
    CHECK(read.error().where.find(kPath) == 0);
    CHECK_FALSE(read.error().what.empty());
    return read.error().text();
}

bool mentions(const std::string &text, const std::string &word) {
    return text.find(word) != std::string::npos;
}

std::string changed(std::string bytes, const std::string &from, const std::string &to,
                    std::size_t which = 0) {
    std::size_t at = bytes.find(from);
    for (; which > 0; --which)
        at = bytes.find(from, at + 1);
    REQUIRE(at != std::string::npos);
    return bytes.replace(at, to.size(), to);
}

const std::vector<NpzMember> kTwo{{"a.headlight", R"({"title": "A"})", true},
                                  {"b.headlight", R"({"title": "B"})", false}};

} // namespace

TEST_CASE("a valid course, stored or deflated") {
    put(kPath, npzBytes(kTwo));
    const auto read = valueOf(readCourseFile(kPath));
    CHECK(read->lessons.size() == 2);
    CHECK(read->lessons[1].title == "B");
}

TEST_CASE("files that are not zip, or are truncated") {
    CHECK(mentions(refused(""), "bytes long"));
    CHECK(mentions(refused(std::string(100, 'x')), "not a zip"));
    CHECK(mentions(refused("{\"headlight\": 1}                 "), "not a zip"));
    const std::string whole = npzBytes(kTwo);
    for (std::size_t size = 0; size < whole.size(); ++size)
        CHECK(refused(whole.substr(0, size)) != "no error");
    CHECK(mentions(refused(npzBytes({})), "no lesson"));
}

TEST_CASE("names that are not lessons in one folder") {
    for (const char *name :
         {"../a.headlight", "/etc/a.headlight", "x/a.headlight", "x\\a.headlight", "C:a.headlight",
          ".a.headlight", ".headlight", "a.txt", "a.headlight/", "course.json/a.headlight",
          "__MACOSX/._a.headlight", "a\n.headlight", "x/course.json", ""}) {
        CAPTURE(name);
        CHECK(mentions(refused(npzBytes({{name, "{}", true}})),
                       "not a lesson in the same folder as the others"));
    }
    CHECK(mentions(refused(npzBytes({{std::string("a\0.headlight", 12), "{}"}})),
                   "not a lesson in the same folder"));
    CHECK(mentions(refused(npzBytes({{std::string(300, 'a') + ".headlight", "{}"}})),
                   "not a lesson in the same folder"));
}

TEST_CASE("duplicate names, and overlapping entries") {
    CHECK(mentions(refused(npzBytes({kTwo[0], kTwo[0]})), "duplicate entry"));
    // The second directory entry points at the first entry's bytes.
    std::string overlapping = npzBytes({{"a.headlight", "{}"}, {"b.headlight", "{}"}});
    const std::size_t second = overlapping.rfind("PK\1\2");
    overlapping.replace(second + 42, 4, std::string(4, '\0'));
    CHECK(mentions(refused(overlapping), "overlap"));
}

TEST_CASE("encrypted entries, and unknown compression methods") {
    const std::string whole = npzBytes({{"a.headlight", "{}"}});
    const std::size_t entry = whole.find("PK\1\2");
    std::string encrypted = whole;
    encrypted[entry + 8] = 1;
    CHECK(mentions(refused(encrypted), "encrypted"));
    std::string lzma = whole;
    lzma[entry + 10] = 14;
    CHECK(mentions(refused(lzma), "method 14"));
}

TEST_CASE("too many entries, and entries that claim too much") {
    std::vector<NpzMember> many;
    for (int i = 0; i < 202; ++i)
        many.push_back({std::to_string(i) + ".headlight", "{}"});
    CHECK(mentions(refused(npzBytes(many)), "202"));
    // 8 MB of blanks that compress a thousandfold.
    const std::string bomb(std::size_t(8) << 20, ' ');
    CHECK(mentions(refused(npzBytes({{"a.headlight", bomb + "{}", true}})), "claim to expand to"));
    // The directory claims a size over the limit of a course.
    std::string claims = npzBytes(kTwo);
    claims.replace(claims.find("PK\1\2") + 24, 4, littleBytes(0x30000000, 4));
    CHECK(mentions(refused(claims), "MB"));
}

TEST_CASE("bytes that do not match the directory") {
    std::string whole = npzBytes({{"a.headlight", R"({"title": "A"})"}});
    CHECK(mentions(refused(changed(whole, "title", "titel")), "checksum"));
    std::string shorter = npzBytes({{"a.headlight", R"({"title": "A"})", true}});
    shorter.replace(shorter.find("PK\1\2") + 24, 4, littleBytes(3, 4));
    CHECK(refused(shorter) != "no error");
}

TEST_CASE("entries that are not valid lessons") {
    CHECK(mentions(refused(npzBytes({{"a.headlight", "not a JSON", true}})), "a.headlight"));
    CHECK(mentions(refused(npzBytes({{"a.headlight", "{}"}, {"course.json", "[", true}})),
                   "course.json"));
    CHECK(mentions(
        refused(npzBytes({{"a.headlight", R"({"pretrained": {"folder": "/etc"}})", true}})),
        "which a course cannot contain"));
    CHECK(mentions(refused(npzBytes({{"a.headlight", R"({"capture": {"file": "x.npz"}})"}})),
                   "which a course cannot contain"));
}

TEST_CASE("a folder is not a course file") {
    std::filesystem::remove_all(kPath);
    std::filesystem::create_directories(kPath);
    CHECK_FALSE(readCourseFile(kPath).ok());
    std::filesystem::remove_all(kPath);
}

TEST_CASE("randomly changed bytes are refused or read") {
    const std::string whole = npzBytes(kTwo);
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string bytes = whole;
        for (int edits = 0; edits < 1 + i % 4; ++edits)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        put(kPath, bytes);
        const auto read = readCourseFile(kPath);
        if (!read)
            CHECK_FALSE(read.error().what.empty());
    }
}
