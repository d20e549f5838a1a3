// docs/pretrained.md has all rows of the tables of families and of GGUF's architectures.
#include "pretrained/model_tables.h"

#include "core_test.h"
#include "scratch.h"

TEST_CASE("every family and every architecture lists what is supported") {
    for (const Family *family : families()) {
        CAPTURE(family->name);
        CHECK_FALSE(family->notes.empty());
        CHECK_FALSE(family->paper.empty());
        CHECK(family->notes.find_first_of("|\n") == family->notes.npos); // fits in a table cell
        CHECK(family->paper.find_first_of("|\n") == family->paper.npos);
    }
    for (const GgufArchitecture *architecture : ggufArchitectures()) {
        CAPTURE(architecture->name);
        CHECK(findFamily(architecture->modelType) != nullptr);
        CHECK_FALSE(architecture->notes.empty());
        CHECK(architecture->notes.find_first_of("|\n") == architecture->notes.npos);
    }
}

TEST_CASE("the published page has these tables") {
    const std::string page = contentOf(std::filesystem::path(HEADLIGHT_DOCS) / "pretrained.md");
    INFO("after a change of a family: cmake --build build/dev --target write_model_docs");
    CHECK_FALSE(page.empty());
    CHECK(page == withModelTables(page));
    // A page without markers for the tables is not accepted.
    CHECK(withModelTables("# Pretrained models\n").empty());
}
