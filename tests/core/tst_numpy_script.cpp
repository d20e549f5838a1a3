// The copied Python scripts compute what forward() computed.
#include "core/explain/numpy_script.h"
#include "core/format_number.h"
#include "core_test.h"
#include "tests/core/explained_traces.h"
#include "tests/core/scratch.h"
#include "tests/core/session/support.h"
#include "tests/core/transformer/random_transformers.h"

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
    const auto addScripts = [&](const Trace &trace, int every) { // not all, because Python is slow
        forEachCell(trace, [&](const Selection &place, float value) {
            if (seen++ % every != 0)
                return;
            all += "#### " + exact(value) + "\n" + valueOf(numpyScript(trace, place));
            ++count;
        });
    };
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces(), expertTraces()))
        addScripts(*named.trace, 11);
    for (int seed = 0; seed < 8; ++seed) {
        Random random(300 + static_cast<std::uint64_t>(seed));
        const Model model = randomTransformer(random);
        addScripts(*traceOf(model, randomTransformerInput(random, model)), 61);
    }
    for (const std::string &id : lessonIds()) {
        const TracePointer trace = headlight::core::test::traceOf(lesson(id));
        addScripts(*trace, trace->model().vocabulary ? 50021 : 61);
    }
    put(file, all);
    CHECK(count > 1000);
    const std::string command = python + " '" +
                                HEADLIGHT_TEST_DATA "/../core/run_numpy_scripts.py" + "' '" +
                                file.string() + "' " + std::to_string(count);
    CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("a script contains what the cell depends on and nothing else") {
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
