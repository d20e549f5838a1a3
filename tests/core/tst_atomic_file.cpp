#include "core/formats/files/atomic_file.h"
#include "core_test.h"
#include "scratch.h"

#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

namespace {

mode_t modeOf(const fs::path &path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

std::string errorOf(const Outcome &outcome) {
    return outcome.ok() ? "no error" : outcome.error().text();
}

} // namespace

TEST_CASE("a new file has its content and the permissions that the umask leaves") {
    const fs::path folder = freshFolder("new");
    const mode_t before = ::umask(027);
    CHECK(errorOf(writeFile((folder / "file").string(), "hello")) == "no error");
    ::umask(before);
    CHECK(contentOf(folder / "file") == "hello");
    CHECK(modeOf(folder / "file") == 0640);
    CHECK(listing(folder) == Names{"file"});
}

TEST_CASE("an existing file keeps its permissions") {
    const fs::path folder = freshFolder("existing");
    put(folder / "file", "a much longer old content");
    REQUIRE(::chmod((folder / "file").c_str(), 0604) == 0);
    CHECK(errorOf(writeFile((folder / "file").string(), "new")) == "no error");
    CHECK(contentOf(folder / "file") == "new");
    CHECK(modeOf(folder / "file") == 0604);
}

TEST_CASE("a relative name, and an empty file") {
    const fs::path folder = freshFolder("relative");
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    CHECK(errorOf(writeFile("file", "")) == "no error");
    fs::current_path(before);
    CHECK(listing(folder) == Names{"file"});
    CHECK(contentOf(folder / "file").empty());
}

TEST_CASE("without a commit, the old file stays") {
    const fs::path folder = freshFolder("abandoned");
    put(folder / "file", "old");
    for (const auto temporary : {AtomicFile::Temporary::Nameless, AtomicFile::Temporary::Named}) {
        {
            auto file = AtomicFile::open((folder / "file").string(), temporary);
            REQUIRE(file.ok());
            REQUIRE(file->write("new").ok());
            if (temporary == AtomicFile::Temporary::Named)
                CHECK(listing(folder).size() == 2);
        }
        CHECK(listing(folder) == Names{"file"});
        CHECK(contentOf(folder / "file") == "old");
    }
}

TEST_CASE("a named temporary file works like one without a name") {
    const fs::path folder = freshFolder("named");
    const std::string path = (folder / "file").string();
    put(path, "old");
    REQUIRE(::chmod(path.c_str(), 0640) == 0);
    auto file = AtomicFile::open(path, AtomicFile::Temporary::Named);
    REQUIRE(file.ok());
    REQUIRE(file->write("new").ok());
    CHECK(contentOf(path) == "old");
    CHECK(errorOf(file->commit()) == "no error");
    CHECK(contentOf(path) == "new");
    CHECK(modeOf(path) == 0640);
    CHECK(listing(folder) == Names{"file"});
}

TEST_CASE("if the file system supports it, a killed program leaves nothing behind") {
    const fs::path folder = freshFolder("killed");
    const std::string path = (folder / "file").string();
    put(path, "old");
    if (const FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600));
        !file.isOpen()) {
        MESSAGE("skipped: this file system has no files without a name");
        return;
    }
    auto file = AtomicFile::open(path);
    REQUIRE(file.ok());
    REQUIRE(file->write("new").ok());
    CHECK(listing(folder) == Names{"file"});
    CHECK(errorOf(file->commit()) == "no error");
    CHECK(contentOf(path) == "new");
}

TEST_CASE("files of killed programs are removed with the next file, and no others") {
    const fs::path folder = freshFolder("left");
    const pid_t gone = ::fork();
    if (gone == 0)
        ::_exit(0);
    REQUIRE(::waitpid(gone, nullptr, 0) == gone);
    const auto temporary = [](auto process, const char *rest = "-1.tmp") {
        return ".headlight-" + std::to_string(process) + rest;
    };
    const std::string stale = temporary(gone);
    const std::string fresh = temporary(gone, "-2.tmp");
    Names others{temporary(::getpid()),      temporary(gone, "-x.tmp"), temporary(gone, ".tmp"),
                 temporary(gone, "-3.tmp~"), ".headlight-.tmp",         ".headlight-0-1.tmp",
                 ".headlight--1-1.tmp",      ".headlight-a-1.tmp",      ".headlight.tmp"};
    for (const std::string &name : others)
        put(folder / name, "x");
    put(folder / stale, "x");
    const timespec anHourAgo[2] = {{::time(nullptr) - 3600, 0}, {::time(nullptr) - 3600, 0}};
    for (const std::string &name : listing(folder))
        REQUIRE(::utimensat(AT_FDCWD, (folder / name).c_str(), anHourAgo, 0) == 0);
    put(folder / fresh, "x");
    CHECK(errorOf(writeFile((folder / "file").string(), "new")) == "no error");
    others.push_back(fresh);
    others.push_back("file");
    std::sort(others.begin(), others.end());
    CHECK(listing(folder) == others);
}

TEST_CASE("several writes, one file") {
    const fs::path folder = freshFolder("several");
    auto file = AtomicFile::open((folder / "file").string());
    REQUIRE(file.ok());
    for (const char *part : {"a", "", "bc"})
        REQUIRE(file->write(part).ok());
    CHECK_FALSE(fs::exists(folder / "file"));
    REQUIRE(file->commit().ok());
    CHECK(contentOf(folder / "file") == "abc");
    CHECK(listing(folder) == Names{"file"});
}

TEST_CASE("a symbolic link stays one and its target is replaced") {
    const fs::path folder = freshFolder("link");
    fs::create_directory(folder / "elsewhere");
    fs::create_symlink("second", folder / "first");
    fs::create_symlink("elsewhere/target", folder / "second");
    for (const char *content : {"one", "two"}) { // the target exists only the second time
        CHECK(errorOf(writeFile((folder / "first").string(), content)) == "no error");
        CHECK(fs::is_symlink(folder / "first"));
        CHECK(fs::is_symlink(folder / "second"));
        CHECK(contentOf(folder / "elsewhere" / "target") == content);
    }
    CHECK(listing(folder / "elsewhere") == Names{"target"});
    fs::create_symlink("circle", folder / "circle");
    CHECK(errorOf(writeFile((folder / "circle").string(), "x")) ==
          (folder / "circle").string() +
              ": it cannot be written: Too many symbolic links; check the links on the path");
}

TEST_CASE("a pipe is written directly") {
    const fs::path folder = freshFolder("pipe");
    const std::string pipe = (folder / "pipe").string();
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::string got;
    std::thread reader([&] { got = contentOf(pipe); });
    const std::string much(200000, 'x');
    CHECK(errorOf(writeFile(pipe, much)) == "no error");
    reader.join();
    CHECK(got == much);
    CHECK(listing(folder) == Names{"pipe"});
}

TEST_CASE("a closed pipe is an error, and does not end the program") {
    const fs::path folder = freshFolder("closed");
    const std::string pipe = (folder / "pipe").string();
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    auto file = valueOf(AtomicFile::open(pipe));
    ::close(reader);
    CHECK(errorOf(file.write("x")).find("The other end of the pipe was closed") !=
          std::string::npos);
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("devices") {
    CHECK(errorOf(writeFile("/dev/null", "gone")) == "no error");
    CHECK(errorOf(writeFile("/dev/full", "x")) ==
          "/dev/full: it cannot be written: No space left on device; free some space or choose "
          "another location");
}

TEST_CASE("a full disk leaves the old file as it was") {
    const fs::path folder = freshFolder("full");
    if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") != 0) {
        MESSAGE("skipped: mounting a small disk needs root");
        return;
    }
    put(folder / "file", "old");
    const std::string error =
        errorOf(writeFile((folder / "file").string(), std::string(200000, 'x')));
    std::string committed;
    if (auto file = AtomicFile::open((folder / "file").string()); file.ok()) {
        const bool written = file->write(std::string(200000, 'x')).ok();
        committed = written ? "written" : errorOf(file->commit());
    }
    const std::string content = contentOf(folder / "file");
    const Names names = listing(folder);
    REQUIRE(::umount(folder.c_str()) == 0);
    CHECK(error.find("No space left on device") != std::string::npos);
    CHECK(committed == error);
    CHECK(content == "old");
    CHECK(names == Names{"file"});
}

TEST_CASE("a failed write gives the reason") {
    const fs::path folder = freshFolder("refused");
    const auto errorFor = [](const fs::path &path) {
        return errorOf(writeFile(path.string(), "x"));
    };
    CHECK(errorFor(folder / "none" / "file").find("No such file or folder") != std::string::npos);
    CHECK(errorFor(folder).find("It is a folder") != std::string::npos);
    CHECK(errorFor(folder / "none" / "").find("It is a folder") != std::string::npos);
    CHECK(errorFor("").find("No such file or folder") != std::string::npos);
    CHECK(errorFor(folder / std::string(300, 'n')).find("The name is too long") !=
          std::string::npos);
    put(folder / "file", "old");
    CHECK(errorFor(folder / "file" / "below").find("not a folder") != std::string::npos);
    CHECK(errorFor("/proc/headlight").find("/proc/headlight: it cannot be written") == 0);
    CHECK(listing(folder) == Names{"file"});
    if (::geteuid() == 0) {
        MESSAGE("skipped: root may write into read-only files and folders");
        return;
    }
    REQUIRE(::chmod((folder / "file").c_str(), 0444) == 0);
    CHECK(errorFor(folder / "file").find("Permission denied") != std::string::npos);
    CHECK(contentOf(folder / "file") == "old");
    REQUIRE(::chmod(folder.c_str(), 0555) == 0);
    CHECK(errorFor(folder / "other").find("Permission denied") != std::string::npos);
    REQUIRE(::chmod(folder.c_str(), 0755) == 0);
}
