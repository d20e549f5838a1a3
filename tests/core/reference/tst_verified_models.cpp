// Every stage of the engine is within 2e-5 of core/reference: in random models, a model of every
// kind, all lessons and a folder of every family.
#include "core/checks/verification.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "session/support.h"
#include "tests/core/block_models.h"
#include "tests/support/long.h"
#include "transformer/changed_transformers.h"

namespace fs = std::filesystem;

namespace {

const std::string kOverflow = "the values overflow 32-bit floats";

/// Counts of the verified models, and their largest differences.
struct Tally {
    int models = 0;
    int amplified = 0;  ///< models whose rounding errors grow beyond kVerifiedWithin
    double largest = 0; ///< largest difference in all other models
    double alone = 0;   ///< largest difference of a stage computed alone, in the amplified models
    int cancelled = 0;  ///< stages whose terms cancel, so that only rounding errors remain
    std::set<std::size_t> operations{}; ///< kinds of operations in the verified models
};

/// Checks that all stages are within kVerifiedWithin, or at least each one computed alone. Skips
/// models whose numbers overflow.
void checkVerified(const Model &model, const Input &input, Tally &tally,
                   Detail detail = Detail::Everything) {
    const auto trace = forward(model, input, nullptr, {}, detail);
    if (!trace) {
        REQUIRE(trace.error().what == kOverflow);
        return;
    }
    const auto verified = verify(**trace);
    if (!verified) { // verify() computes stages that a partial trace lacks, and one overflows
        REQUIRE(verified.error().what == kOverflow);
        return;
    }
    REQUIRE_FALSE(verified->stages.empty());
    ++tally.models;
    const Plan &plan = (*trace)->plan();
    for (StepId step = 0; step < plan.size(); ++step) {
        tally.operations.insert(plan[step].operation.index());
        for (const Change &change : plan[step].changes)
            tally.operations.insert(change.operation.index());
    }
    if (verified->isWithin()) {
        tally.largest = std::max(tally.largest, verified->worst().difference);
        return;
    }
    ++tally.amplified;
    for (const StageVerification &stage : verified->stages) {
        const std::string name = stageName(stage.at.stage, stage.at.attention);
        CAPTURE(name);
        CAPTURE(stage.difference);
        CAPTURE(stage.ours);
        CAPTURE(stage.theirs);
        REQUIRE(stage.alone);
        if (*stage.alone > kVerifiedWithin && std::abs(stage.ours - stage.theirs) < 1e-7) {
            ++tally.cancelled; // values near ±1 cancel, so only their rounding errors remain
            continue;
        }
        CHECK(*stage.alone <= kVerifiedWithin); // about 5e-6 if the terms of a sum cancel
        tally.alone = std::max(tally.alone, *stage.alone);
    }
}

void report(const char *what, const Tally &tally) {
    std::printf("%s: %d models, largest difference %.1e; %d more amplify rounding, largest "
                "difference of a stage alone %.1e\n",
                what, tally.models - tally.amplified, tally.largest, tally.amplified, tally.alone);
}

} // namespace

TEST_CASE("random transformers") {
    Random random(1);
    Tally tally;
    for (int trial = 0; trial < 500; ++trial) {
        CAPTURE(trial);
        Model model = randomTransformer(random, trial % 10 == 9);
        if (oneIn(random, 2))
            turnSwitch(random, model);
        Input input = randomTransformerInput(random, model);
        if (oneIn(random, 2))
            input.interventions = randomTransformerInterventions(random, model, input);
        const Detail details[] = {Detail::Everything, Detail::Ends, Detail::Heads, Detail::Rows};
        checkVerified(model, input, tally, details[trial % 4]);
    }
    report("random transformers", tally);
    CHECK(tally.models > 400);
    CHECK(tally.amplified < 25);
    CHECK(tally.cancelled < 3);
}

TEST_CASE("random layers of attention") {
    Random random(2);
    Tally tally;
    for (int trial = 0; trial < 300; ++trial) {
        CAPTURE(trial);
        const Model model = randomModel(random);
        checkVerified(model, randomInput(random, model), tally);
    }
    report("random layers of attention", tally);
    CHECK(tally.models > 200);
    CHECK(tally.amplified < 40); // large vectors or a low temperature saturate softmax
}

TEST_CASE("a model of every kind") {
    Tally tally;
    for (const BlockCase &block : blockCases()) {
        CAPTURE(block.name);
        checkVerified(block.model, block.input, tally);
    }
    for (const BlockCase &block : expertCases()) {
        CAPTURE(block.name);
        checkVerified(block.model, block.input, tally);
    }
    report("a model of every kind", tally);
    CHECK(tally.amplified == 0);
    // Some operations only occur with interventions.
    Random random(4);
    for (int trial = 0; trial < 100; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        input.interventions = randomTransformerInterventions(random, model, input);
        checkVerified(model, input, tally);
    }
    // A new operation needs a model above, and core/reference then has to compute it.
    for (std::size_t kind = 0; kind < std::variant_size_v<Operation>; ++kind) {
        CAPTURE(kind);
        const bool isCaptured =
            kind == Operation(op::Captured{}).index(); // has no numbers to check
        CHECK((isCaptured || tally.operations.contains(kind)));
    }
}

TEST_CASE("every lesson, at every step") {
    Tally tally;
    for (const std::string &id : lessonIds()) {
        CAPTURE(id);
        const Session session = lesson(id);
        checkVerified(session.model, session.input, tally);
        for (Index step = 0; step < static_cast<Index>(session.lesson->steps.size()); ++step) {
            CAPTURE(step);
            const auto state = valueOf(atStep(session, step));
            checkVerified(state.model, state.input, tally);
        }
    }
    report("lessons", tally);
    CHECK(tally.amplified == 0);
}

TEST_CASE("the sessions of every kind") {
    Tally tally;
    for (const std::string &path : sessionFiles()) {
        CAPTURE(path);
        const Session session = headlight::core::test::read(contentOf(path));
        if (!session.capture)
            checkVerified(session.model, session.input, tally);
    }
    report("sessions", tally);
    CHECK(tally.amplified == 0);
}

TEST_CASE("a folder of every family") {
    Tally tally;
    for (const auto &entry : fs::directory_iterator(HEADLIGHT_TEST_DATA "/folders")) {
        if (!entry.is_directory())
            continue;
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const PretrainedPointer folder = opened(entry.path());
        const Model &model = folder->model;
        const auto ids = [](Index first) { return std::vector<Index>{first, 7, 9, 8, 11, 7, 5}; };
        std::optional<TokenizedText> source;
        if (model.hasEncoder())
            source = tokensOfIds(*folder, Stack::Encoder, ids(4));
        const auto input =
            folder->picture ? inputOf(*folder, drawnPicture(9, 9))
            : folder->sound
                ? inputOf(*folder, drawnSound(1234),
                          tokensOfIds(*folder, model.mainStack(), ids(6)))
                : inputOf(*folder, tokensOfIds(*folder, model.mainStack(), ids(6)), source);
        REQUIRE_MESSAGE(input.ok(), (input.ok() ? "" : input.error().text()));
        checkVerified(model, *input, tally);
    }
    report("folders", tally);
    CHECK(tally.amplified == 0);
}
