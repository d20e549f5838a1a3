// The copied Python scripts compute what forward() computed.
#include "core/explain/numpy_script.h"
#include "core/format_number.h"
#include "core_test.h"
#include "tests/core/explained_traces.h"
#include "tests/core/scratch.h"

#include <cstdlib>

namespace {

/// Returns a Python that has NumPy, or an empty string.
std::string pythonWithNumpy() {
    for (const char *python : {"python3", "/usr/bin/python3"})
        if (std::system((std::string(python) + " -c 'import numpy' 2>/dev/null").c_str()) == 0)
            return python;
    return {};
}

} // namespace

TEST_CASE("the script of a cell prints the cell's value, at every stage") {
    const std::string python = pythonWithNumpy();
    if (python.empty()) {
        MESSAGE("skipped: there is no Python with NumPy (apt-get install python3-numpy)");
        return;
    }
    const auto file = freshFolder("scripts") / "all.txt";
    std::string all;
    int count = 0, seen = 0;
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces(), expertTraces()))
        forEachCell(*named.trace, [&](const Selection &place, float value) {
            const auto script = valueOf(numpyScript(*named.trace, place));
            if (seen++ % 11 != 0) // Python is slow
                return;
            all += "#### " + exact(value) + "\n" + script;
            ++count;
        });
    put(file, all);
    CHECK(count > 1000);
    const std::string command = python + " '" +
                                HEADLIGHT_TEST_DATA "/../core/run_numpy_scripts.py" + "' '" +
                                file.string() + "' " + std::to_string(count);
    CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("a script holds what the cell depends on and nothing else") {
    const TracePointer held = explainedTraces()[0].trace;
    const Trace &trace = *held;
    Selection place{.stage = Stage::Scores, .query = 1, .key = 3};
    const auto script = valueOf(numpyScript(trace, place));
    CHECK(script.find("K = ") == std::string::npos);
    CHECK(script.find("np.sqrt") == std::string::npos);
    place.stage = Stage::AttentionWeights;
    CHECK(numpyScript(trace, place)->find("np.sqrt(3)") != std::string::npos);
    place.key.reset();
    CHECK(!numpyScript(trace, place).ok());
}
