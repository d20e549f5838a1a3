#include "core/formats/capture_trace.h"

#include "core/formats/capture_stages.h"

#include <algorithm>
#include <set>

namespace headlight::core {

namespace {

/// What the names and shapes of a capture say about the model.
struct Sizes {
    std::set<Index> heads; ///< of the stages that have query heads
    Index headSize = 0;
    Index width = 0;
    Index layers = 0;
};

bool isOfKeys(std::string_view name) {
    const std::string_view last = name.substr(name.rfind('.') + 1);
    return last == "key" || last == "value" || last == "unrotated_key";
}

Sizes sizesOf(const Capture &capture) {
    Sizes sizes;
    for (const NamedTensor &stage : capture.stages) {
        const auto known = captureStage(stage.name, false);
        if (!known)
            continue;
        sizes.layers = std::max(sizes.layers, static_cast<Index>(known->layer) + 1);
        const Shape &shape = stage.tensor.shape();
        if (shape.rank() == 4 && !isOfKeys(stage.name))
            sizes.heads.insert(shape[1]);
        if (known->axes == "BHTd" || known->axes == "BGSd")
            sizes.headSize = shape[3];
        if (known->axes == "BTC" || (known->axes == "BTE" && sizes.width == 0))
            sizes.width = shape[2];
    }
    return sizes;
}

/// [B, G, S, d] as [B, H, S, d]: query head h reads key head ⌊h·G/H⌋.
Tensor forEveryHead(const Tensor &tensor, Index heads) {
    const Shape &shape = tensor.shape();
    const Index groups = shape[1];
    const Index size = shape[2] * shape[3];
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(shape[0] * heads * size));
    for (Index b = 0; b < shape[0]; ++b)
        for (Index head = 0; head < heads; ++head) {
            const auto first =
                tensor.values().begin() + (b * groups + head * groups / heads) * size;
            values.insert(values.end(), first, first + size);
        }
    return {Shape{shape[0], heads, shape[2], shape[3]}, std::move(values)};
}

} // namespace

Result<TracePointer> traceOf(const Capture &capture) {
    if (!capture.sourceTokens.empty())
        return Error{"it holds two sequences, which this version does not show", "capture",
                     "capture the self-attention of one of them"};
    Result<BatchPointer> batch = Batch::create(capture.tokens);
    if (!batch)
        return batch.error();
    const Sizes sizes = sizesOf(capture);
    if (sizes.heads.size() > 1)
        return Error{"its layers have different numbers of heads, " +
                         std::to_string(*sizes.heads.begin()) + " and " +
                         std::to_string(*sizes.heads.rbegin()),
                     "capture", "capture only layers that have the same number"};
    Model model;
    model.config.heads = sizes.heads.empty() ? 1 : *sizes.heads.begin();
    model.config.headSize = sizes.headSize;
    model.config.width = sizes.width;
    model.weights.main.layers.resize(static_cast<std::size_t>(std::max<Index>(1, sizes.layers)));
    std::vector<TraceEntry> entries;
    std::vector<std::string> names;
    for (const NamedTensor &stage : capture.stages) {
        const bool shared = isOfKeys(stage.name) && stage.tensor.shape()[1] < model.config.heads;
        const Tensor tensor =
            shared ? forEveryHead(stage.tensor, model.config.heads) : stage.tensor;
        entries.push_back({stage.name, tensor});
        names.push_back(stage.name);
    }
    auto masks = std::make_shared<std::vector<Mask>>();
    const Index length = (*batch)->length();
    for (Index b = 0; b < (*batch)->count(); ++b)
        masks->emplace_back(MaskLayers{}, b, length, length, length);
    return std::make_shared<const Trace>(std::move(model), Input{*batch, {}},
                                         TraceMasks{std::move(masks)}, std::move(entries),
                                         Work{std::move(names)});
}

} // namespace headlight::core
