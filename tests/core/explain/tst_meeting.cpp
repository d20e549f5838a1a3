// The operands of a step and the edges that they share with its result.
#include "core/explain/meaning.h"
#include "core/explain/meeting.h"
#include "core_test.h"
#include "tests/core/explained_traces.h"
#include "tests/core/transformer/random_transformers.h"

namespace {

/// Returns the indices of the inputs that a value of the step depends on. Another input chooses
/// which experts compute a value, but is not part of the value.
std::vector<std::size_t> inputsOf(const Step &step) {
    const auto *mix = std::get_if<op::MixExperts>(&step.operation);
    const bool isOfExperts = std::holds_alternative<op::ExpertLinear>(step.operation) ||
                             std::holds_alternative<op::KeepLargest>(step.operation) ||
                             (mix && !mix->isWeighted);
    std::vector<std::size_t> all(isOfExperts ? 1 : step.reads.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    return all;
}

/// Checks all steps, and adds the indices of their operations.
void checkEveryMatrix(const Trace &trace, std::set<std::size_t> &operations) {
    for (StepId id = 0; id < trace.plan().size(); ++id) {
        const Step &step = trace.plan()[id];
        if (step.renames || step.reads.empty() || !step.changes.empty())
            continue;
        CAPTURE(stageName(step.at.stage, step.at.attention));
        operations.insert(step.operation.index());
        std::vector<std::pair<std::size_t, std::optional<Index>>> met; // input and head
        std::set<std::size_t> inputs;
        for (const MeetingMatrix &one :
             meetingMatrices(meaningOf(trace, 0, {id, 0, {}, {}}).number))
            if (one.part.is(Expression::Kind::Read)) {
                met.emplace_back(one.part.which, one.part.head);
                inputs.insert(one.part.which);
            }
        std::ranges::sort(met);
        CHECK(std::ranges::adjacent_find(met) == met.end());
        CHECK(std::vector<std::size_t>(inputs.begin(), inputs.end()) == inputsOf(step));
        if (std::holds_alternative<op::ConcatHeads>(step.operation))
            CHECK(std::ssize(met) == trace.plan()[step.reads[0]].heads());
    }
}

} // namespace

TEST_CASE("every matrix that a step reads is an operand exactly once, in every random model") {
    std::set<std::size_t> operations;
    int models = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random, seed % 2 == 1);
        const Input input = randomTransformerInput(random, model);
        // The pass fails if numbers overflow.
        if (const auto trace = headlight::test::forward(model, input)) {
            checkEveryMatrix(**trace, operations);
            ++models;
        }
    }
    CHECK(models > 18);
    for (const auto &traces : {explainedTraces(), blockTraces(), expertTraces()})
        for (const NamedTrace &named : traces) {
            CAPTURE(named.name);
            checkEveryMatrix(*named.trace, operations);
        }
    // Every operation that reads a matrix and is not an intervention must occur.
    for (const Operation &readsNothing :
         {Operation(op::Captured{}), Operation(op::EmbeddingLookup{}),
          Operation(op::DistanceBias{}), Operation(op::DistanceVectors{}),
          Operation(op::SetCells{}), Operation(op::Replace{})})
        CHECK(operations.insert(readsNothing.index()).second);
    CHECK(operations.size() == std::variant_size_v<Operation>);
}
