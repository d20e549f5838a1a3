// The operands of a step and the edges that they share with its result.
#include "../transformer/random_transformers.h"
#include "core/explain/meaning.h"
#include "core/explain/meeting.h"
#include "core_test.h"

using Shares = MeetingMatrix::Shares;

namespace {

std::vector<MeetingMatrix> meetingsOf(const Trace &trace, Stage stage) {
    const auto step = valueOf(trace.plan().find({stage, 0}));
    return meetingMatrices(meaningOf(trace, 0, {step, 0, {}, {}}).number);
}

} // namespace

TEST_CASE("queries lie at the left of the scores, keys above them on their side") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}));
    const auto scores = meetingsOf(*trace, Stage::Scores);
    REQUIRE(scores.size() == 2);
    CHECK(scores[0].shares == Shares::Rows);
    CHECK(scores[0].isSummed);
    CHECK_FALSE(scores[0].isTransposed);
    CHECK(scores[1].shares == Shares::Columns);
    CHECK(scores[1].isSummed);
    CHECK(scores[1].isTransposed);
}

TEST_CASE("a weight matrix and values lie above the result as they are") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}));
    for (const Stage stage : {Stage::Query, Stage::Context}) {
        const auto meetings = meetingsOf(*trace, stage);
        REQUIRE(meetings.size() >= 2);
        CHECK(meetings[0].shares == Shares::Rows);
        CHECK(meetings[1].shares == Shares::Columns);
        CHECK_FALSE(meetings[1].isTransposed);
        CHECK(meetings[1].isSummed);
    }
}

TEST_CASE("softmax reads a row, and makes its exponentials and their sum on the way") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}));
    const auto weights = meetingsOf(*trace, Stage::AttentionWeights);
    REQUIRE(weights.size() == 3);
    CHECK(weights[0].shares == Shares::Cells);
    CHECK_FALSE(weights[0].isMade());
    CHECK(weights[1].name == Quantity::Exponential);
    CHECK(weights[1].shares == Shares::Cells);
    CHECK(weights[2].name == Quantity::Sum);
    CHECK(weights[2].shares == Shares::Rows);
}

TEST_CASE("heads lie above their own columns") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}));
    const auto heads = meetingsOf(*trace, Stage::Concatenated);
    REQUIRE(heads.size() == static_cast<std::size_t>(trace->model().config.heads));
    for (std::size_t head = 0; head < heads.size(); ++head) {
        CHECK(heads[head].block == static_cast<Index>(head));
        CHECK(heads[head].shares == Shares::Columns);
    }
}

TEST_CASE("every matrix that a step reads is met, once, in every random model") {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Random random(seed);
        const Model model = randomTransformer(random);
        const TracePointer trace = traceOf(model, randomTransformerInput(random, model));
        for (StepId id = 0; id < trace->plan().size(); ++id) {
            const Step &step = trace->plan()[id];
            if (step.renames || step.reads.empty() || !step.changes.empty())
                continue;
            CAPTURE(stageName(step.at.stage, step.at.attention));
            std::vector<std::size_t> met;
            for (const MeetingMatrix &one :
                 meetingMatrices(meaningOf(*trace, 0, {id, 0, {}, {}}).number))
                if (one.part.is(Expression::Kind::Read) && one.block.value_or(0) == 0)
                    met.push_back(one.part.which);
            std::ranges::sort(met);
            std::vector<std::size_t> all(step.reads.size());
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] = i;
            CHECK(met == all);
        }
    }
}
