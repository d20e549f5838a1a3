// The meaning of every cell, evaluated, is the value in the trace.
#include "core/explain/evaluation.h"
#include "core/explain/sources.h"
#include "tests/core/explained_traces.h"
#include "tests/core/transformer/random_transformers.h"

#include <cmath>
#include <set>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

/// The largest finite number of a stage's matrix: what a difference is measured against.
double sizeOf(const SharedMatrix &matrix) {
    double size = 0;
    for (Index row = 0; row < matrix.rows; ++row)
        for (const float number : matrix.row(row))
            if (std::isfinite(number))
                size = std::max(size, std::abs(static_cast<double>(number)));
    return size;
}

/// Evaluates every cell of the stages, and of the unnamed steps before them.
void checkMeanings(const Trace &trace, std::set<std::size_t> &met) {
    const Plan &plan = trace.plan();
    for (StepId step = 0; step < plan.size(); ++step) {
        const Index sequences = plan[step].sequences(), heads = plan[step].heads();
        for (Index sequence = 0; sequence < sequences; ++sequence)
            for (Index head = 0; head < heads; ++head) {
                const SharedMatrix matrix = trace.matrix(step, sequence, head);
                const double size = sizeOf(matrix);
                for (Index row = 0; row < matrix.rows; ++row)
                    for (Index column = 0; column < matrix.columns; ++column) {
                        // Where a row is a sequence, it is the sequence that is read.
                        const bool isPooled = plan[step].shape.rank() == 2;
                        const Index read = isPooled ? row : sequence;
                        const Slice cell{step, head, row, column};
                        const Meaning meaning = meaningOf(trace, read, cell);
                        met.insert(meaning.by->index());
                        const double value = Evaluation(trace, read, cell).value(meaning.number);
                        const auto own = static_cast<double>(matrix(row, column));
                        const bool isEqual = std::isfinite(own)
                                                 ? std::abs(value - own) <= 2e-5 * size
                                                 : value == own;
                        INFO(stageName(plan[step].at.stage, plan[step].at.attention), " step ",
                             step, " sequence ", sequence, " head ", head, " [", row, ", ", column,
                             "]: ", value, " for ", own);
                        REQUIRE(isEqual);
                    }
            }
    }
}

} // namespace

TEST_CASE("the meaning of every number gives the number") {
    std::set<std::size_t> met;
    for (const NamedTrace &named : explainedTraces()) {
        CAPTURE(named.name);
        checkMeanings(*named.trace, met);
    }
    for (const NamedTrace &named : blockTraces()) {
        CAPTURE(named.name);
        checkMeanings(*named.trace, met);
    }
    for (Random random(31); random.next() % 24 != 0;) {
        const Model model = randomModel(random);
        checkMeanings(*traceOf(model, randomInput(random, model)), met);
    }
    for (int count = 0; count < 40; ++count) {
        Random random(100 + static_cast<std::uint64_t>(count));
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        if (count % 2 == 0)
            input.interventions = randomTransformerInterventions(random, model, input);
        CAPTURE(count);
        checkMeanings(*traceOf(model, input), met);
    }
    // A new operation needs a model here that has it. A capture's numbers are only given.
    for (std::size_t kind = 0; kind < std::variant_size_v<Operation>; ++kind) {
        CAPTURE(kind);
        CHECK(met.contains(kind) != (kind == Operation(op::Captured{}).index()));
    }
}
