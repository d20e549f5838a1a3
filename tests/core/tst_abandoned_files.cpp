#include "core/formats/files/atomic_file.h"
#include "core_test.h"
#include "scratch.h"

// This program has no other test case, because no file can be created afterwards.
TEST_CASE("a program that ends at once leaves no temporary file") {
    const std::filesystem::path folder = freshFolder("abandoned");
    CHECK(folder.parent_path().filename() ==
          "tst_abandoned_files"); // the test has a separate folder
    const std::string path = folder / "file";
    REQUIRE(writeFile(path, "whole").ok());
    using Temporary = AtomicFile::Temporary;
    auto nameless = AtomicFile::open(path, Temporary::Nameless);
    auto named = AtomicFile::open(path, Temporary::Named);
    REQUIRE((nameless.ok() && named.ok()));
    REQUIRE((nameless->write("half").ok() && named->write("half").ok()));
    CHECK(listing(folder).size() >= 2);
    AtomicFile::abandonAll();
    CHECK(listing(folder) == std::vector<std::string>{"file"});
    CHECK(contentOf(path) == "whole");
    CHECK_FALSE(nameless->commit().ok());
    CHECK_FALSE(named->commit().ok());
    CHECK_FALSE(AtomicFile::open(path).ok());
    CHECK_FALSE(AtomicFile::open(path, Temporary::Named).ok());
    CHECK(contentOf(path) == "whole");
    CHECK(listing(folder) == std::vector<std::string>{"file"});
}
