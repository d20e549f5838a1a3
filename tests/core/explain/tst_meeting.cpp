// The operands of a step and the edges that they share with its result.
#include "../transformer/random_transformers.h"
#include "core/explain/meaning.h"
#include "core/explain/meeting.h"
#include "core_test.h"

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
