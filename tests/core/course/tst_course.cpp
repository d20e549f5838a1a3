// Courses in folders and in files: their lessons, the order, and that both forms agree.
#include "core/cancelled.h"
#include "core/formats/course/course.h"
#include "core/formats/session/data/session.h"
#include "core_test.h"
#include "tests/core/scratch.h"

namespace {

namespace fs = std::filesystem;

const std::string kScratch = HEADLIGHT_TEST_SCRATCH;

/// Returns a lesson with one step.
std::string lesson(const std::string &title, const std::string &more = "") {
    return R"({"headlight": 2, "title": ")" + title +
           R"(", "batch": {"sequences": [{"text": "money bank"}]}, "model": {"width": 2, "heads": 1,)"
           R"( "head_size": 2, "layers": [{"self_attention": {"query": {"identity": 1},)"
           R"( "key": {"identity": 1}, "value": {"identity": 1}}}]}, "lesson": {"summary":)"
           R"( "About )" +
           title + R"(.")" + more + R"(, "steps": [{"title": "One", "text": ["So."]}]}})";
}

std::string emptyFolder(const std::string &name) {
    const std::string folder = kScratch + "/" + name;
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

/// Writes three lessons, and files that are not lessons.
std::string threeLessons(const std::string &name = "three") {
    const std::string folder = emptyFolder(name);
    put(folder + "/b.headlight", lesson("Scores", R"(, "minutes": 12, "needs": ["a"])"));
    put(folder + "/a.headlight", lesson("Vectors"));
    put(folder + "/c.headlight", lesson("Weights"));
    put(folder + "/notes.txt", "none");
    put(folder + "/.hidden.headlight", "none");
    fs::create_directories(folder + "/more");
    put(folder + "/more/d.headlight", lesson("Elsewhere"));
    return folder;
}

Course sound(const Result<CoursePointer> &read) {
    REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text()));
    return **read;
}

std::vector<std::string> idsOf(const Course &course) {
    std::vector<std::string> ids;
    for (const CourseLesson &each : course.lessons)
        ids.push_back(each.id);
    return ids;
}

using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("a folder's lessons in the order of their names") {
    const Course course = sound(readCourseFolder(threeLessons()));
    CHECK(course.title == "three");
    CHECK(idsOf(course) == Ids{"a", "b", "c"});
    const CourseLesson *scores = course.find("b");
    REQUIRE(scores);
    CHECK(scores->title == "Scores");
    CHECK(scores->summary == "About Scores.");
    CHECK(scores->minutes == 12);
    CHECK(scores->needs == Ids{"a"});
    CHECK(scores->steps == 1);
    CHECK(readSession(scores->document).ok());
    CHECK_FALSE(course.find("d"));
    CHECK(sound(readCourseFolder(kScratch + "/three/")).title == "three");
}

TEST_CASE("course.json sets the title and the order, and can leave out lessons") {
    const std::string folder = threeLessons();
    put(folder + "/course.json", R"({"title": "Attention", "lessons": ["c.headlight", "a"]})");
    Course course = sound(readCourseFolder(folder));
    CHECK(course.title == "Attention");
    CHECK(idsOf(course) == Ids{"c", "a"});
    put(folder + "/course.json", R"({"title": "Attention"})");
    CHECK(idsOf(sound(readCourseFolder(folder))) == Ids{"a", "b", "c"});
}

TEST_CASE("errors in course.json") {
    const std::string folder = threeLessons();
    const auto said = [&](const std::string &json) {
        put(folder + "/course.json", json);
        const auto read = readCourseFolder(folder);
        REQUIRE_FALSE(read.ok());
        CHECK(read.error().where.find("course.json") != std::string::npos);
        return read.error().text();
    };
    CHECK(said("{").find("line") != std::string::npos);
    CHECK(said("[]").find("object") != std::string::npos);
    CHECK(said(R"({"title": 3})").find("title") != std::string::npos);
    CHECK(said(R"({"lessons": []})").find("list") != std::string::npos);
    CHECK(said(R"({"lessons": ["a", "x"]})").find("lessons[1]") != std::string::npos);
    CHECK(said(R"({"lessons": ["a", "a"]})").find("twice") != std::string::npos);
    CHECK(said(R"({"lessons": ["../three/a.headlight"]})").find("no lesson") != std::string::npos);
}

TEST_CASE("a course file has the contents of its folder, and the same bytes every time") {
    const std::string folder = threeLessons();
    put(folder + "/course.json", R"({"title": "Attention", "lessons": ["c", "a", "b"]})");
    const Course course = sound(readCourseFolder(folder));
    const auto file = courseFile(course);
    REQUIRE(file);
    CHECK(*file == *courseFile(course));
    CHECK(file->find("identity") == std::string::npos); // the entry is compressed
    const std::string path = kScratch + "/attention.headlight-course";
    put(path, *file);
    const Course read = sound(readCourseFile(path));
    CHECK(read.title == course.title);
    CHECK(idsOf(read) == idsOf(course));
    for (std::size_t i = 0; i < read.lessons.size(); ++i)
        CHECK(read.lessons[i].document == course.lessons[i].document);
    CHECK(*courseFile(read) == *file);
    // Without course.json, the title is the file name.
    fs::remove(folder + "/course.json");
    put(path, *courseFile(sound(readCourseFolder(folder))));
    CHECK(sound(readCourseFile(path)).title == "attention");
}

TEST_CASE("a session that is not a lesson has no steps") {
    const std::string folder = emptyFolder("model");
    std::string session = lesson("Model");
    session = session.substr(0, session.find(R"(, "lesson")")) + "}";
    put(folder + "/model.headlight", session);
    const Course course = sound(readCourseFolder(folder));
    CHECK(course.lessons[0].steps == 0);
    CHECK(course.lessons[0].title == "Model");
}

TEST_CASE("a course contains its models") {
    for (const std::string &elsewhere :
         {std::string(R"({"headlight": 2, "pretrained": {"folder": "gpt2", "hash": ""}})"),
          std::string(R"({"headlight": 2, "capture": {"file": "a.npz"}})")}) {
        const std::string folder = emptyFolder("elsewhere");
        put(folder + "/a.headlight", elsewhere);
        const Course course =
            sound(readCourseFolder(folder)); // a lesson in a folder may use a model next to it
        const auto file = courseFile(course);
        REQUIRE_FALSE(file);
        CHECK(file.error().where.find("a.headlight") != std::string::npos);
    }
}

TEST_CASE("folders that are not courses") {
    const std::string folder = emptyFolder("none");
    CHECK_FALSE(looksLikeCourse(folder));
    CHECK(readCourseFolder(folder).error().what == "it contains no lesson");
    CHECK_FALSE(readCourseFolder(folder + "/missing").ok());
    put(folder + "/a.headlight", "[");
    CHECK(looksLikeCourse(folder));
    const auto broken = readCourseFolder(folder);
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().where.find("a.headlight") != std::string::npos);
    put(folder + "/config.json", "{}"); // a model folder of another program
    CHECK_FALSE(looksLikeCourse(folder));
}

TEST_CASE("too many lessons") {
    const std::string folder = emptyFolder("many");
    for (std::size_t i = 0; i <= kMaxLessons; ++i)
        put(folder + "/" + std::to_string(i) + ".headlight", "{}");
    const auto read = readCourseFolder(folder);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().text().find("200") != std::string::npos);
}

TEST_CASE("reading can be stopped") {
    const std::string folder = threeLessons();
    const std::string path = kScratch + "/stopped.headlight-course";
    put(path, *courseFile(sound(readCourseFolder(folder))));
    std::stop_source stop;
    stop.request_stop();
    CHECK(isCancelled(readCourseFolder(folder, stop.get_token()).error()));
    CHECK(isCancelled(readCourseFile(path, stop.get_token()).error()));
}
