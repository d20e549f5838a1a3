#include "core/training/run/targets.h"

#include "core/training/run/held_out_examples.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Returns the ids without padding; nullopt if a token is not in the vocabulary.
std::optional<std::vector<Index>> idsOf(const Sequence &sequence, const Vocabulary *words) {
    std::vector<Index> ids;
    for (Index t = 0; t < sequence.length; ++t) {
        const auto id = words ? words->idOf(sequence[t]) : std::nullopt;
        if (!id)
            return std::nullopt;
        ids.push_back(*id);
    }
    return ids;
}

const Example *exampleOf(const std::vector<Example> &examples, const Trace &trace, Index sequence) {
    const Model &model = trace.model();
    const auto ids = idsOf(trace.batch()[sequence], model.vocabularyOf(model.mainStack()));
    const BatchPointer &source = trace.input().source;
    const auto read = source ? idsOf((*source)[sequence], model.vocabularyOf(model.sourceStack()))
                             : std::vector<Index>();
    const auto found = std::ranges::find_if(examples, [&](const Example &example) {
        return ids && read && example.tokens == *ids && example.source == *read;
    });
    return found == examples.end() ? nullptr : &*found;
}

} // namespace

std::vector<Target> taskTargetsOf(const Trace &trace, const Task *task) {
    const std::vector<Example> examples = task ? heldOutOf(*task) : std::vector<Example>();
    const std::vector<Target> nextTokens = nextTokenTargetsOf(trace);
    std::vector<Target> asked;
    for (Index sequence = 0; sequence < trace.batch().count(); ++sequence) {
        if (const Example *example = exampleOf(examples, trace, sequence)) {
            for (std::size_t row = 0; row < example->answers.size(); ++row)
                if (example->answers[row] != kLeftOut)
                    asked.push_back({sequence, static_cast<Index>(row), example->answers[row]});
            continue;
        }
        std::ranges::copy_if(nextTokens, std::back_inserter(asked),
                             [&](const Target &one) { return one.sequence == sequence; });
    }
    return asked;
}

} // namespace headlight::core
