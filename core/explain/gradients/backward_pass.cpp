#include "core/explain/gradients/backward_pass.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

/// Returns the stage from which the loss is computed: token logits or class logits.
std::optional<Stage> answersOf(const Trace &trace) {
    for (const Stage stage : {Stage::Logits, Stage::ClassLogits})
        if (trace.has(stage))
            return stage;
    return std::nullopt;
}

Error noSuch(const char *what, std::size_t index, const char *field, Index given, Index count) {
    return {{"there is no %1 %2", what, given},
            "asked[" + std::to_string(index) + "]." + field,
            {"use 0 to %1", count - 1}};
}

} // namespace

std::vector<Target> nextTokenTargetsOf(const Trace &trace) {
    std::vector<Target> asked;
    const Model &model = trace.model();
    const Vocabulary *words = model.vocabularyOf(model.mainStack());
    if (!trace.has(Stage::Logits) || !words || !model.saysNext())
        return asked;
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (Index t = 0; t + 1 < trace.batch()[b].length; ++t)
            if (const auto id = words->idOf(trace.batch()[b][t + 1]))
                asked.push_back({b, t, *id});
    return asked;
}

Result<BackwardPassPointer> runBackward(const TracePointer &trace, std::vector<Target> asked,
                                        std::stop_token stop) {
    const std::optional<Stage> stage = answersOf(*trace);
    if (!stage)
        return Error{"the model makes no prediction, so there is no loss", "model.head",
                     "give it an output layer"};
    if (asked.empty())
        return Error{"it has no targets", "asked", "use a text of two words or more"};
    if (trace->isByRow(*stage))
        return Error{"the gradients need the logits of all tokens at the same time, which are too "
                     "large for this text",
                     std::string(stageName(*stage)), "use a shorter text"};
    const Tensor logits = trace->stage(*stage);
    if (logits.isNull())
        return Error{"its logits are missing", std::string(stageName(*stage)),
                     "use a shorter text"};
    const bool ofClasses = *stage == Stage::ClassLogits;
    const Shape &shape = logits.shape();
    const Index count = shape.last(0), rows = ofClasses ? 1 : shape[1];
    auto made = std::make_shared<BackwardPass>();
    std::vector<float> slopes(logits.values().size());
    const double share = 1 / static_cast<double>(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto &[sequence, row, answer] = asked[i];
        if (sequence < 0 || sequence >= shape[0])
            return noSuch("sequence", i, "sequence", sequence, shape[0]);
        if (row < 0 || row >= rows)
            return noSuch("row", i, "row", row, rows);
        if (answer < 0 || answer >= count)
            return noSuch("answer", i, "answer", answer, count);
        const auto begin = static_cast<std::size_t>((sequence * rows + row) * count);
        const std::span numbers(logits.values().data() + begin, static_cast<std::size_t>(count));
        const double largest = static_cast<double>(*std::ranges::max_element(numbers));
        double sum = 0;
        for (const float number : numbers)
            sum += std::exp(static_cast<double>(number) - largest);
        made->loss += share * (std::log(sum) + largest -
                               static_cast<double>(numbers[static_cast<std::size_t>(answer)]));
        for (std::size_t k = 0; k < numbers.size(); ++k)
            slopes[begin + k] += static_cast<float>(
                share * (std::exp(static_cast<double>(numbers[k]) - largest) / sum -
                         (static_cast<Index>(k) == answer ? 1 : 0)));
    }
    auto gradients =
        backward(*trace, {{stageName(*stage), Tensor(shape, std::move(slopes))}}, true, stop);
    if (!gradients)
        return gradients.error();
    made->trace = trace;
    if (const Tensor p = trace->stage(Stage::Probabilities); !p.isNull()) {
        std::vector<float> ofP(p.values().size());
        for (const auto &[sequence, row, answer] : asked) {
            const auto at = static_cast<std::size_t>((sequence * rows + row) * count + answer);
            ofP[at] -= static_cast<float>(share / static_cast<double>(p.values()[at]));
        }
        made->ofProbabilities = Tensor(p.shape(), std::move(ofP));
    }
    made->asked = std::move(asked);
    made->gradients = *gradients;
    return BackwardPassPointer(std::move(made));
}

} // namespace headlight::core
