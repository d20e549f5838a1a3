// Sessions that show a capture: writing, reading, and the error for a changed capture file.
#include "core/checks/session_check.h"
#include "core/formats/capture/captured_session.h"
#include "core/formats/safetensors/writer.h"
#include "core/formats/session/writing/writer.h"
#include "core_test.h"
#include "tests/core/scratch.h"

namespace {

const std::filesystem::path kSessionsFolder =
    std::filesystem::path(HEADLIGHT_TEST_SCRATCH) / "tst_captured_sessions";
const std::string kCapture = (kSessionsFolder / "data" / "weights.safetensors").string();
const std::string kSession = (kSessionsFolder / "work" / "look.headlight").string();

void writeCapture(float first) {
    std::filesystem::create_directories(kSessionsFolder / "data");
    std::filesystem::create_directories(kSessionsFolder / "work");
    put(kCapture, *safetensorsBytes({{"attentions.0", Tensor({1, 2, 2}, {first, 1 - first, 0, 1})}},
                                    {{"tokens", R"(["a","b"])"}}));
}

void writeLook() {
    const auto session = valueOf(sessionOfCapture(kCapture));
    Session named = session;
    named.json = withCaptureFrom(named, (kSessionsFolder / "work").string());
    SavedState now;
    now.show.query = 1;
    now.show.view = "heads";
    put(kSession, writeSession(named, now));
}

Result<Session> readLook() {
    Result<Session> session = readSessionFile(kSession);
    if (session)
        if (Outcome read = readCaptureOf(*session, kSession); !read)
            return read.error();
    return session;
}

} // namespace

TEST_CASE("a session stores its capture's path relative to itself, and can be read again") {
    writeCapture(.5F);
    writeLook();
    CHECK(contentOf(kSession).find(R"("../data/weights.safetensors")") != std::string::npos);
    const auto session = readLook();
    REQUIRE_MESSAGE(session.ok(), (session.ok() ? "" : session.error().text()));
    CHECK(session->warnings.empty());
    REQUIRE(session->capture);
    CHECK(session->capture->path == kCapture);
    CHECK(session->model.isCaptured());
    CHECK(session->capture->trace->matrix(Stage::AttentionWeights, 0, 0, 0)(0, 0) == .5F);
    REQUIRE(session->now);
    CHECK(session->now->show.query == Index(1));
    CHECK(session->now->show.view == "heads");
    // Saving the same session again gives the same bytes.
    Session again = *session;
    again.json = withCaptureFrom(again, (kSessionsFolder / "work").string());
    CHECK(writeSession(again, *session->now) == contentOf(kSession));
    CHECK(checkSessionFile(kSession).empty());
}

TEST_CASE("session and capture can be moved together, and an absolute path works from anywhere") {
    writeCapture(.5F);
    writeLook();
    const std::filesystem::path other = freshFolder("tst_captured_sessions_moved");
    std::filesystem::copy(kSessionsFolder, other, std::filesystem::copy_options::recursive);
    const std::string moved = (other / "work" / "look.headlight").string();
    auto session = valueOf(readSessionFile(moved));
    REQUIRE(readCaptureOf(session, moved).ok());
    CHECK(session.capture->path == (other / "data" / "weights.safetensors").string());
    Session whole = session;
    whole.json = withCaptureFrom(whole, "");
    CHECK(whole.json.find(session.capture->path) != std::string::npos);
}

TEST_CASE("a missing capture is an error, a changed one a warning") {
    writeCapture(.5F);
    writeLook();
    writeCapture(.25F);
    auto session = readLook();
    REQUIRE(session.ok());
    REQUIRE(session->warnings.size() == 1);
    CHECK(session->warnings[0].text().find("has changed since the session was saved") !=
          std::string::npos);
    CHECK(session->capture->trace->matrix(Stage::AttentionWeights, 0, 0, 0)(0, 0) == .25F);
    std::filesystem::remove(kCapture);
    session = readLook();
    REQUIRE_FALSE(session.ok());
    CHECK(session.error().text().find("is missing: " + kCapture) != std::string::npos);
    CHECK(session.error().where == kSession + ": capture.file");
    REQUIRE(checkSessionFile(kSession).size() == 1);
}

TEST_CASE("documents that cannot show a capture") {
    const auto errorOf = [](const std::string &capture, const std::string &more = "") {
        const auto session = readSession(R"({"headlight": 2, "capture": )" + capture + more + "}");
        return session.ok() ? std::string("no error") : session.error().text();
    };
    CHECK(errorOf(R"({"file": "a.npz"})") == "no error");
    CHECK(errorOf(R"({"file": "a.npz"})", R"(, "model": {})")
              .find("a session that shows a capture") != std::string::npos);
    CHECK(errorOf(R"({"file": "a.npz"})", R"(, "now": {"set": {"temperature": 2}})")
              .find("cannot be changed") != std::string::npos);
    for (const char *capture : {"{}", "1", "null", R"({"file": ""})", R"({"file": 1})"})
        CHECK(errorOf(capture) != "no error");
}

TEST_CASE("a fingerprint covers the size and all pieces of a large file") {
    std::filesystem::create_directories(kSessionsFolder);
    const std::string path = (kSessionsFolder / "large").string();
    put(path, "");
    CHECK(*fingerprintOf(path) == "0-00000000");
    put(path, "123456789");
    CHECK(*fingerprintOf(path) == "9-cbf43926"); // the check value of CRC-32
    put(path, "x");
    std::filesystem::resize_file(path, 40 << 20);
    const std::string before = *fingerprintOf(path);
    const auto changedAt = [&](std::streamoff at) {
        put(path, "x");
        std::filesystem::resize_file(path, 40 << 20);
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(at);
        file << "y";
        file.close();
        return *fingerprintOf(path) != before;
    };
    CHECK(changedAt(0));
    CHECK(changedAt((40 << 20) - 1));
    std::filesystem::remove(path);
}
