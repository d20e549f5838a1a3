// The engine's tests as one program with a selectable fault. With --faults it prints the faults'
// names. Otherwise it runs like any test program, and prints "no consequence" if the fault had no
// effect.
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
