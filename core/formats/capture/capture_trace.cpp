#include "core/formats/capture/capture_trace.h"

#include "core/formats/capture/stages.h"
#include "core/formats/json/reader.h"
#include "core/tokenizers/token_words.h"
#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>
#include <map>

namespace headlight::core {

namespace {

/// Model sizes implied by the names and shapes of a capture.
struct Sizes {
    Index heads = 0, encoderHeads = 0; ///< maximum over all layers
    Index groups = 0;                  ///< number of key-value heads, maximum over all layers
    Index headSize = 0;
    Index valueSize = 0;
    Index width = 0;
    Index layers = 0;
    Index encoderLayers = 0;
    bool hasTwoStacks = false;
};

Sizes sizesOf(const Capture &capture) {
    Sizes sizes;
    for (const CapturedStage &stage : capture.stages) {
        const auto known = captureStage(stage.name, false);
        const auto place = findStageAnywhere(stage.name);
        if (!known || !place)
            continue;
        const bool encoder = place->attention.stack == Stack::Encoder;
        Index &layers = encoder ? sizes.encoderLayers : sizes.layers;
        layers = std::max(layers, static_cast<Index>(known->layer) + 1);
        sizes.hasTwoStacks =
            sizes.hasTwoStacks || encoder || place->attention.stack == Stack::Decoder;
        const Shape &shape = stage.shape();
        if (shape.rank() == 4) {
            Index &count = infoOf(place->stage).ofKeys() ? sizes.groups
                           : encoder                     ? sizes.encoderHeads
                                                         : sizes.heads;
            count = std::max(count, shape[1]);
        }
        if (known->axes == "BHTd" || known->axes == "BGSd")
            sizes.headSize = shape[3];
        if (known->axes == "BHTv" || known->axes == "BGSv")
            sizes.valueSize = shape[3];
        if (known->axes == "BTC" || (known->axes == "BTE" && sizes.width == 0))
            sizes.width = shape[2];
    }
    return sizes;
}

/// Reads the stages of a large capture from its file.
class CaptureSource final : public StageSource {
  public:
    explicit CaptureSource(std::vector<StoredTensor> steps) : m_steps(std::move(steps)) {}

    Result<Tensor> stage(StepId step, const std::stop_token &stop) const override {
        return readWhole(m_steps[step], stop);
    }
    Result<SharedMatrix> rows(StepId step, Index sequence, Index head, Rows rows,
                              const std::stop_token &stop) const override {
        return readRows(m_steps[step], sequence, head, rows, stop);
    }

  private:
    std::vector<StoredTensor> m_steps; // by step; null where the trace already has the values
};

/// True if the stages of every layer are small enough to be read together.
bool areLayersSmall(const Capture &capture) {
    std::map<AttentionId, std::uint64_t> bytes;
    for (const CapturedStage &stage : capture.stages)
        if (const auto at = findStageAnywhere(stage.name))
            bytes[layerOf(at->attention)] +=
                static_cast<std::uint64_t>(stage.shape().count()) * sizeof(float);
    return std::ranges::all_of(bytes,
                               [](const auto &layer) { return layer.second <= kHeldCaptureBytes; });
}

/// Returns masks in which every query sees every key, because the real masks are unknown.
TraceMasks::List seeingAll(Index sequences, Index queries, Index keys) {
    auto masks = std::make_shared<std::vector<Mask>>();
    for (Index b = 0; b < sequences; ++b)
        masks->emplace_back(MaskLayers{}, b, queries, keys, keys);
    return masks;
}

/// Returns the text of each sequence from the metadata `prompt`, which is a JSON list for several
/// sequences. Empty if the file has no usable `prompt`.
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

/// Returns a batch of the tokens, with their texts if known. The tokens usually come from another
/// program's tokenizer, so they may be parts of words.
Result<BatchPointer> batchOf(const TokenLists &tokens, const std::vector<std::string> &texts) {
    std::vector<TokenizedText> sequences;
    for (std::vector<std::string> &each : readableTokens(tokens)) {
        TokenizedText &sequence = sequences.emplace_back();
        if (!texts.empty())
            sequence.text = texts[sequences.size() - 1];
        const auto words = splitIntoWords(sequence.text);
        sequence.isSplit = words && textsOf(*words) == each;
        sequence.tokens = tokensOf(each);
    }
    return Batch::create(std::move(sequences));
}

} // namespace

Result<TracePointer> traceOf(const Capture &capture) {
    Result<BatchPointer> batch = batchOf(capture.tokens, promptsOf(capture));
    if (!batch)
        return batch.error();
    Input input{*batch, {}};
    if (!capture.sourceTokens.empty()) {
        Result<BatchPointer> source = batchOf(capture.sourceTokens, {});
        if (!source)
            return source.error();
        input.source = *source;
    }
    const Sizes sizes = sizesOf(capture);
    Model model;
    Config &config = model.config;
    config.heads = std::max<Index>(1, sizes.heads > 0 ? sizes.heads
                                                      : std::max(sizes.encoderHeads, sizes.groups));
    if (sizes.encoderHeads > 0 && sizes.encoderHeads != config.heads)
        config.encoder.heads = sizes.encoderHeads;
    if (sizes.groups < config.heads)
        config.keyValueHeads = sizes.groups;
    config.headSize = sizes.headSize > 0 ? sizes.headSize : sizes.valueSize;
    if (sizes.valueSize != config.headSize)
        config.valueSize = sizes.valueSize;
    config.width = sizes.width;
    const auto resize = [](StackParameters &stack, Index layers) {
        stack.layers.resize(static_cast<std::size_t>(std::max<Index>(1, layers)));
    };
    resize(model.parameters.main, sizes.layers);
    if (sizes.hasTwoStacks)
        resize(model.parameters.encoder, sizes.encoderLayers);
    // Each stage becomes a step without inputs, because its computation is unknown.
    std::vector<Step> steps;
    std::vector<Tensor> numbers;
    std::vector<StoredTensor> stored;
    bool holdsAll = true;
    for (const CapturedStage &stage : capture.stages) {
        const auto at = findStageAnywhere(stage.name);
        if (!at)
            continue;
        Step step;
        step.at = *at;
        step.shape = stage.shape();
        steps.push_back(std::move(step));
        numbers.push_back(stage.tensor);
        stored.push_back(stage.stored);
        holdsAll = holdsAll && stage.isHeld();
    }
    auto plan = std::make_shared<const Plan>(std::move(steps));
    model.captured = plan;
    const Index count = (*batch)->count(), length = (*batch)->length();
    TraceMasks masks{seeingAll(count, length, length), nullptr, nullptr};
    if (input.source) {
        const Index other = input.source->length();
        masks.encoder = seeingAll(count, other, other);
        masks.cross = seeingAll(count, length, other);
    }
    const Detail held = holdsAll                  ? Detail::Everything
                        : areLayersSmall(capture) ? Detail::Ends
                                                  : Detail::Heads;
    auto source = holdsAll ? nullptr : std::make_shared<const CaptureSource>(std::move(stored));
    return std::make_shared<const Trace>(std::move(model), std::move(input), std::move(masks),
                                         std::move(plan), std::move(numbers), Work{},
                                         stageComputer(), held, std::move(source));
}

} // namespace headlight::core
