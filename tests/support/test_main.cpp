#include "tests/support/test_main.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace headlight::test {

namespace {

std::map<std::string, RegisteredTest::Run> &allTests() {
    static std::map<std::string, RegisteredTest::Run> tests;
    return tests;
}

} // namespace

RegisteredTest::RegisteredTest(const char *file, Run run) {
    allTests().emplace(std::filesystem::path(file).stem().string(), run);
}

} // namespace headlight::test

int main(int count, char **words) {
    const auto &tests = headlight::test::allTests();
    const auto found = count > 1 ? tests.find(words[1]) : tests.end();
    if (found != tests.end()) {
        words[1] = words[0]; // the remaining arguments are for Qt Test
        return found->second(count - 1, words + 1);
    }
    std::fprintf(stderr, "say which test:\n");
    for (const auto &[name, run] : tests)
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
