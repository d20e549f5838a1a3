#include "core/formats/capture/capture_trace.h"

#include "core/formats/capture/stages.h"
#include "core/formats/json/reader.h"

#include <algorithm>
#include <set>

namespace headlight::core {

namespace {

/// What the names and shapes of a capture say about the model.
struct Sizes {
    std::set<Index> heads; ///< of the stages that have query heads
    std::set<Index> encoderHeads, encoderGroups;
    std::set<Index> groups; ///< of keys and values
    Index headSize = 0;
    Index valueSize = 0;
    Index width = 0;
    Index layers = 0;
    Index encoderLayers = 0;
    bool hasTwoStacks = false;
};

Sizes sizesOf(const Capture &capture) {
    Sizes sizes;
    for (const NamedTensor &stage : capture.stages) {
        const auto known = captureStage(stage.name, false);
        const auto place = findStageAnywhere(stage.name);
        if (!known || !place)
            continue;
        const bool encoder = place->site.stack == Stack::Encoder;
        Index &layers = encoder ? sizes.encoderLayers : sizes.layers;
        layers = std::max(layers, static_cast<Index>(known->layer) + 1);
        sizes.hasTwoStacks = sizes.hasTwoStacks || encoder || place->site.stack == Stack::Decoder;
        const Shape &shape = stage.tensor.shape();
        if (shape.rank() == 4 && infoOf(place->stage).ofKeys())
            (encoder ? sizes.encoderGroups : sizes.groups).insert(shape[1]);
        else if (shape.rank() == 4)
            (encoder ? sizes.encoderHeads : sizes.heads).insert(shape[1]);
        if (known->axes == "BHTd" || known->axes == "BGSd")
            sizes.headSize = shape[3];
        if (known->axes == "BHTv" || known->axes == "BGSv")
            sizes.valueSize = shape[3];
        if (known->axes == "BTC" || (known->axes == "BTE" && sizes.width == 0))
            sizes.width = shape[2];
    }
    return sizes;
}

Error different(const char *what, const std::set<Index> &counts) {
    return {{"its layers have different numbers of %1, %2 and %3", what, *counts.begin(),
             *counts.rbegin()},
            "capture",
            "capture only layers that have the same number"};
}

/// Nothing is known of masks: every query sees every key.
TraceMasks::List seeingAll(Index sequences, Index queries, Index keys) {
    auto masks = std::make_shared<std::vector<Mask>>();
    for (Index b = 0; b < sequences; ++b)
        masks->emplace_back(MaskLayers{}, b, queries, keys, keys);
    return masks;
}

/// What the tokens were split from: the metadata `prompt`, of several sequences a JSON list. Empty
/// where the file does not say it.
std::vector<std::string> promptsOf(const Capture &capture) {
    const auto prompt = capture.metadata.find("prompt");
    if (prompt == capture.metadata.end())
        return {};
    if (capture.tokens.size() == 1)
        return {prompt->second};
    const auto list = readJson(prompt->second);
    if (!list || list->kind != JsonValue::Kind::Array ||
        list->elements().size() != capture.tokens.size())
        return {};
    std::vector<std::string> prompts;
    for (const JsonValue &one : list->elements()) {
        if (one.kind != JsonValue::Kind::String)
            return {};
        prompts.push_back(one.text());
    }
    return prompts;
}

} // namespace

Result<TracePointer> traceOf(const Capture &capture) {
    Result<BatchPointer> batch = Batch::ofWords(capture.tokens, 0, promptsOf(capture));
    if (!batch)
        return batch.error();
    Input input{*batch, {}};
    if (!capture.sourceTokens.empty()) {
        Result<BatchPointer> source = Batch::ofWords(capture.sourceTokens);
        if (!source)
            return source.error();
        input.source = *source;
    }
    const Sizes sizes = sizesOf(capture);
    for (const std::set<Index> &heads : {sizes.heads, sizes.encoderHeads})
        if (heads.size() > 1)
            return different("heads", heads);
    for (const std::set<Index> &groups : {sizes.groups, sizes.encoderGroups})
        if (groups.size() > 1)
            return different("key and value heads", groups);
    Model model;
    Config &config = model.config;
    const Index groups = sizes.groups.empty() ? 0 : *sizes.groups.begin();
    const std::set<Index> &heads = sizes.heads.empty() ? sizes.encoderHeads : sizes.heads;
    config.heads = heads.empty() ? std::max<Index>(1, groups) : *heads.begin();
    if (!sizes.encoderHeads.empty() && *sizes.encoderHeads.begin() != config.heads)
        config.encoder.heads = *sizes.encoderHeads.begin();
    if (groups < config.heads)
        config.keyValueHeads = groups;
    config.headSize = sizes.headSize > 0 ? sizes.headSize : sizes.valueSize;
    if (sizes.valueSize != config.headSize)
        config.valueSize = sizes.valueSize;
    config.width = sizes.width;
    const auto resize = [](StackWeights &stack, Index layers) {
        stack.layers.resize(static_cast<std::size_t>(std::max<Index>(1, layers)));
    };
    resize(model.weights.main, sizes.layers);
    if (sizes.hasTwoStacks)
        resize(model.weights.encoder, sizes.encoderLayers);
    // Nothing is known of how the stages were made from each other.
    std::vector<Step> steps;
    std::vector<Tensor> numbers;
    std::vector<std::string> names;
    for (const NamedTensor &stage : capture.stages) {
        const auto at = findStageAnywhere(stage.name);
        if (!at)
            continue;
        Step step;
        step.at = *at;
        step.shape = stage.tensor.shape();
        steps.push_back(std::move(step));
        numbers.push_back(stage.tensor);
        names.push_back(stage.name);
    }
    auto plan = std::make_shared<const Plan>(std::move(steps));
    const Index count = (*batch)->count(), length = (*batch)->length();
    TraceMasks masks{seeingAll(count, length, length), nullptr, nullptr};
    if (input.source) {
        const Index other = input.source->length();
        masks.encoder = seeingAll(count, other, other);
        masks.cross = seeingAll(count, length, other);
    }
    return std::make_shared<const Trace>(std::move(model), std::move(input), std::move(masks),
                                         std::move(plan), std::move(numbers),
                                         Work{std::move(names)});
}

} // namespace headlight::core
