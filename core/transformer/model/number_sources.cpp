#include "core/transformer/model/number_sources.h"

#include "core/tensor/joined_storage.h"
#include "core/transformer/model/parameter_id.h"

#include <algorithm>

namespace headlight::core {

namespace {

void addSource(std::vector<NumberSourcePointer> &sources, const Parameter &parameter) {
    // The experts of one parameter can be in several files.
    for (const NumberSourcePointer &file : filesOf(parameter ? parameter->source() : nullptr))
        if (std::ranges::find(sources, file) == sources.end())
            sources.push_back(file);
}

} // namespace

std::vector<NumberSourcePointer> numberSources(const ModelParameters &weights) {
    std::vector<NumberSourcePointer> sources;
    for (const ParameterId &id : allParameters(weights))
        addSource(sources, parameterOf(weights, id));
    return sources;
}

Outcome checkSources(const Model &model, const Input &input) {
    std::vector<NumberSourcePointer> sources = numberSources(model.parameters);
    for (const BatchPointer &batch : {input.batch, input.source})
        if (batch)
            for (const Sequence &sequence : batch->sequences())
                addSource(sources, sequence.embeddings);
    for (const NumberSourcePointer &source : sources)
        if (Outcome checked = source->check(); !checked)
            return checked;
    return Done{};
}

} // namespace headlight::core
