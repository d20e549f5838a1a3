// The engine's tests as one program with a fault in it. With --faults it writes their names; else
// it runs as any test program does, and writes "no consequence" where the fault met nothing.
#define DOCTEST_CONFIG_IMPLEMENT
#include "faults.h"

#include <cstdio>
#include <doctest/doctest.h>
#include <string_view>

int main(int count, char **arguments) {
    using namespace headlight::core::test;
    if (count > 1 && std::string_view(arguments[1]) == "--faults") {
        for (const Fault &fault : allFaults())
            std::puts(fault.name.c_str());
        return 0;
    }
    doctest::Context tests(count, arguments);
    tests.addFilter("source-file", HEADLIGHT_TESTS);
    const int result = tests.run();
    if (chosenFault() && !faultWasApplied)
        std::puts("no consequence");
    return result;
}
