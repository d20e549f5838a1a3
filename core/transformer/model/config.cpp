#include "core/transformer/model/config.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

float Scale::factor(Index headSize) const {
    switch (kind) {
    case Kind::SquareRoot:
        return static_cast<float>(1.0 / std::sqrt(static_cast<double>(headSize)));
    case Kind::Number:
        return 1.0f / number;
    case Kind::Off:
        return 1.0f;
    }
    return 1.0f;
}

RotaryConfig Config::rotaryOf(Index layer) const {
    if (localRotaryBase == 0 || windowOf(layer) == 0)
        return rotary;
    RotaryConfig local;
    local.base = localRotaryBase;
    local.width = rotary.width;
    return local;
}

Config Config::ofLayer(Index layer) const {
    if (!feedForward.isDense(layer))
        return *this;
    Config config = *this;
    config.feedForward = {feedForward.denseWidth, feedForward.activation, feedForward.gated};
    return config;
}

Config Config::ofEncoder() const {
    Config config = *this;
    config.encoder = {};
    config.feedForward.denseLayers = config.feedForward.denseWidth = 0;
    config.feedForward.expertLayers.clear();
    config.rotaryLayers.clear();
    config.queryTuning = {};
    config.localRotaryBase = 0;
    if (encoder.headSize != 0 && encoder.headSize != headSize) {
        config.headSize = encoder.headSize;
        config.valueSize = valueWidth(); // as in the decoder, unless encoder.valueSize is set
    }
    if (encoder.heads != 0 && encoder.heads != heads) {
        config.heads = encoder.heads;
        config.keyValueHeads = 0;
        config.alibiSlopes.clear();
    }
    if (encoder.keyValueHeads != 0)
        config.keyValueHeads = encoder.keyValueHeads;
    if (encoder.valueSize != 0)
        config.valueSize = encoder.valueSize;
    if (encoder.feedForwardWidth != 0)
        config.feedForward.width = encoder.feedForwardWidth;
    if (soundBands > 0) {
        config.projectsFirst = true;
        config.embeddingWidth = 2 * soundBands;
    }
    return config;
}

namespace {

Outcome inRange(const char *field, Index value, Index maximum) {
    if (value >= 1 && value <= maximum)
        return Done{};
    return Error{
        {"%1 is out of range", value}, field, {"use a whole number from 1 to %1", maximum}};
}

Outcome positive(const char *field, float value) {
    if (std::isfinite(value) && value > 0)
        return Done{};
    return Error{"it must be a finite number greater than 0", field, ""};
}

/// Checks the factors of LongRope for this number of pairs of dimensions.
Outcome checkLongFactors(const RotaryConfig &rotary, Index pairs) {
    for (const auto &[field, factors] :
         {std::pair("model.rotary.short_factors", &rotary.shortFactors),
          std::pair("model.rotary.long_factors", &rotary.longFactors)}) {
        if (std::ssize(*factors) != pairs)
            return Error{{"it has %1 numbers for %2 pairs of dimensions", factors->size(), pairs},
                         field,
                         "give one number for each pair"};
        if (!std::ranges::all_of(*factors, [](float factor) {
                return std::isfinite(factor) && factor > 0 && std::isfinite(1 / factor);
            }))
            return Error{"it must be a list of finite numbers greater than 0", field, ""};
    }
    if (rotary.originalLength < 2)
        return Error{"it must be at least 2", "model.rotary.original_length", ""};
    return Done{};
}

Outcome checkRotary(const RotaryConfig &rotary, Index headSize) {
    const Index width = rotary.width > 0 ? rotary.width : headSize;
    if (width > headSize || rotary.width < 0)
        return Error{{"%1 dimensions are more than the head size, %2", rotary.width, headSize},
                     "model.rotary.width",
                     "use an even number up to that"};
    if (width % 2 != 0)
        return Error{{"dimensions are rotated in pairs, but %1 is odd", width},
                     rotary.width > 0 ? "model.rotary.width" : "model.head_size",
                     "use an even number"};
    const bool byLength =
        rotary.scaling == RotaryScaling::Dynamic || rotary.scaling == RotaryScaling::Yarn ||
        rotary.scaling == RotaryScaling::Llama3 || rotary.scaling == RotaryScaling::LongRope;
    for (const Outcome &outcome :
         {positive("model.rotary.base", rotary.base),
          positive("model.rotary.factor", rotary.factor),
          positive("model.rotary.low_frequency_factor", rotary.lowFrequencyFactor),
          positive("model.rotary.high_frequency_factor", rotary.highFrequencyFactor),
          positive("model.rotary.beta_fast", rotary.betaFast),
          positive("model.rotary.beta_slow", rotary.betaSlow),
          byLength ? inRange("model.rotary.original_length", rotary.originalLength, kMaxPositions)
                   : Outcome(Done{})})
        if (!outcome)
            return outcome;
    if (!(rotary.base > 1))
        return Error{"it must be greater than 1", "model.rotary.base", "10000 is usual"};
    if (!(rotary.attentionFactor >= 0) || !std::isfinite(rotary.attentionFactor))
        return Error{"it must be a finite number of 0 or more", "model.rotary.attention_factor",
                     ""};
    if (rotary.scaling == RotaryScaling::LongRope)
        return checkLongFactors(rotary, width / 2);
    if (rotary.scaling == RotaryScaling::Llama3 &&
        !(rotary.highFrequencyFactor > rotary.lowFrequencyFactor))
        return Error{"it must be greater than low_frequency_factor",
                     "model.rotary.high_frequency_factor", ""};
    return Done{};
}

Outcome checkExperts(const Config &config) {
    const FeedForward &network = config.feedForward;
    if (!std::isfinite(network.limit) || network.limit < 0)
        return Error{"it must be a finite number of 0 or more", "model.feed_forward.limit", ""};
    if (!std::isfinite(network.hiddenOffset))
        return Error{"it must be a finite number", "model.feed_forward.hidden_offset", ""};
    if (network.changesGate() && (network.experts == 0 || !network.gated))
        return Error{"only gated experts have it",
                     network.limit != 0 ? "model.feed_forward.limit"
                                        : "model.feed_forward.hidden_offset",
                     "leave it out, or give experts and set gated to true"};
    if (network.experts == 0 &&
        (network.sigmoidRouter || network.expertGroups != 1 || network.chosenGroups != 1 ||
         network.expertFactor != 1 || network.sharedWidth != 0 || network.denseLayers != 0 ||
         network.denseWidth != 0 || !network.expertLayers.empty() || network.scalesInput))
        return Error{"only a network of experts has a router, groups, a shared network and dense "
                     "layers",
                     "model.feed_forward", "give experts, or leave them out"};
    if (network.experts == 0 && network.chosen == 0)
        return Done{};
    if (Outcome o = inRange("model.feed_forward.experts", network.experts, kMaxExperts); !o)
        return o;
    if (Outcome o =
            inRange("model.feed_forward.experts_per_token", network.chosen, network.experts);
        !o)
        return o;
    if (network.expertGroups < 1 || network.experts % network.expertGroups != 0 ||
        (network.expertGroups > 1 && network.experts < 2 * network.expertGroups))
        return Error{{"%1 experts cannot be in %2 groups of two or more", network.experts,
                      network.expertGroups},
                     "model.feed_forward.expert_groups",
                     "use a number that divides the experts"};
    if (network.chosenGroups < 1 || network.chosenGroups > network.expertGroups ||
        network.chosenGroups * (network.experts / network.expertGroups) < network.chosen)
        return Error{
            {"%1 experts cannot be chosen in %2 groups", network.chosen, network.chosenGroups},
            "model.feed_forward.groups_per_token",
            "use more groups, up to all of them"};
    if (!std::isfinite(network.expertFactor) || !(network.expertFactor > 0))
        return Error{"it must be a finite number greater than 0",
                     "model.feed_forward.expert_factor", ""};
    for (const auto &[field, size] :
         {std::pair("model.feed_forward.shared_width", network.sharedWidth),
          std::pair("model.feed_forward.dense_width", network.denseWidth)})
        if (Outcome o = size == 0 ? Outcome(Done{}) : inRange(field, size, kMaxFeedForwardWidth);
            !o)
            return o;
    if (std::ssize(network.expertLayers) > kMaxLayers ||
        !std::ranges::all_of(network.expertLayers, [](Index has) { return has == 0 || has == 1; }))
        return Error{"it must be a list of zeros and ones, at most one for each layer",
                     "model.feed_forward.expert_layers", ""};
    if (network.denseLayers < 0 || network.denseLayers > kMaxLayers ||
        network.hasDense() != (network.denseWidth > 0))
        return Error{"dense layers and their width belong together",
                     "model.feed_forward.dense_layers", "give both, or neither"};
    if (network.hasDense() && network.width == 0)
        return Error{"without a width of the experts there are no networks",
                     "model.feed_forward.dense_layers", "give feed_forward.width, or leave it out"};
    if (network.hasDense() && (config.layerCount > 0 || network.changesGate()))
        return Error{"layers that share parameters, or whose gates are limited, cannot be dense",
                     "model.feed_forward.dense_layers", "leave it out"};
    if (network.experts * std::max(config.width, network.width) > kMaxExpertColumns)
        return Error{{"%1 experts are wider than %2 columns", network.experts, kMaxExpertColumns},
                     "model.feed_forward.experts",
                     "use fewer or smaller experts"};
    return Done{};
}

Outcome checkDisentangled(const Config &config) {
    const Disentangled &of = config.disentangled;
    if (!of.isOn())
        return of == Disentangled{}
                   ? Outcome(Done{})
                   : Error{"without a table of distances there is no disentangled attention",
                           "model.disentangled.span", "give it, or leave model.disentangled out"};
    if (Outcome o = inRange("model.disentangled.span", of.table.span, kMaxPositions); !o)
        return o;
    if (!of.contentToPosition && !of.positionToContent)
        return Error{"it adds nothing to the scores", "model.disentangled",
                     "leave it out, or set content_to_position or position_to_content to true"};
    if (of.table.maximumDistance != 0 &&
        (of.table.span < 4 || of.table.maximumDistance - 1 <= of.table.span / 2 ||
         of.table.maximumDistance > kMaxPositions))
        return Error{{"%1 is out of range", of.table.maximumDistance},
                     "model.disentangled.maximum_distance",
                     "use 0, or with a span of 4 and more a whole number greater than half of "
                     "it, plus 1"};
    if (biasScores(config.positions))
        return Error{"distances already add to the scores", "model.disentangled",
                     "use other positions, or leave it out"};
    if (config.groups() != config.heads)
        return Error{"heads that share keys cannot have position keys", "model.disentangled",
                     "leave out key_value_heads"};
    if (of.norm && (!config.hasNorm() || config.norm.kind == NormKind::Batch))
        return Error{"it needs a layer norm or an RMS norm", "model.disentangled.norm",
                     "use another norm.kind, or set it to false"};
    return Done{};
}

Outcome checkLatent(const Config &config) {
    const LatentAttention &latent = config.latent;
    if (!latent.isOn())
        return latent == LatentAttention{}
                   ? Outcome(Done{})
                   : Error{"without a vector of keys and values there is no latent attention",
                           "model.latent.key_value_size", "give it, or leave model.latent out"};
    for (const Outcome &outcome :
         {inRange("model.latent.key_value_size", latent.keyValueSize, kMaxWidth),
          latent.querySize == 0 ? Outcome(Done{})
                                : inRange("model.latent.query_size", latent.querySize, kMaxWidth),
          inRange("model.latent.shared_key_size", latent.sharedKeySize, config.headSize - 1)})
        if (!outcome)
            return outcome;
    if (!std::isfinite(latent.epsilon) || latent.epsilon < 0)
        return Error{"it must be a finite number of 0 or more", "model.latent.epsilon", ""};
    if (config.groups() != config.heads)
        return Error{"heads that share keys cannot have latent attention", "model.latent",
                     "leave out key_value_heads"};
    if (config.queryKeyNorm != QueryKeyNorm::None || config.disentangled.isOn())
        return Error{"it cannot be combined with norms of queries and keys, or with distances",
                     "model.latent", "leave out query_key_norm and disentangled"};
    const Index turned = config.rotary.width > 0 ? config.rotary.width : config.headSize;
    if (config.positions == Positions::Rotary && turned != latent.sharedKeySize)
        return Error{
            {"%1 dimensions are rotated, and the heads share %2", turned, latent.sharedKeySize},
            "model.rotary.width",
            "give latent.shared_key_size"};
    return Done{};
}

Outcome checkPicture(const Config &config) {
    const PicturePatches &picture = config.picture;
    if (!picture.isOn())
        return picture == PicturePatches{}
                   ? Outcome(Done{})
                   : Error{"a picture without rows has no patches", "model.picture.rows",
                           "give it, or leave model.picture out"};
    for (const Outcome &outcome :
         {inRange("model.picture.rows", picture.rows, kMaxPatches),
          inRange("model.picture.columns", picture.columns, kMaxPatches / picture.rows),
          inRange("model.picture.side", picture.side, kMaxPatchSide)})
        if (!outcome)
            return outcome;
    if (picture.before < 0 || picture.before > kMaxPatches)
        return Error{{"%1 is out of range", picture.before},
                     "model.picture.before",
                     {"use a whole number from 0 to %1", kMaxPatches}};
    for (const auto &[field, numbers] : {std::pair("model.picture.mean", picture.mean),
                                         std::pair("model.picture.deviation", picture.deviation)})
        if (std::ssize(numbers) != PicturePatches::kChannels ||
            !std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); }))
            return Error{"it must be three finite numbers: red, green, blue", field, ""};
    if (!std::ranges::all_of(picture.deviation, [](float number) { return number > 0; }))
        return Error{"a deviation must be greater than 0", "model.picture.deviation", ""};
    if (picture.width() != config.tokenWidth())
        return Error{{"a patch has %1 numbers, but embeddings have %2", picture.width(),
                      config.tokenWidth()},
                     "model.picture.side",
                     "the width of embeddings must be 3 · side²"};
    return Done{};
}

Outcome checkSound(const Config &config) {
    if (config.soundBands == 0)
        return Done{};
    if (Outcome o = inRange("model.sound_bands", config.soundBands, kMaxSoundBands); !o)
        return o;
    if (config.picture.isOn())
        return Error{"tokens cannot be both audio and patches of a picture", "model.picture",
                     "leave out one of the two"};
    if (config.convolves() && config.tokenWidth() != 2 * config.soundBands)
        return Error{{"two frames have %1 numbers, but embeddings have %2", 2 * config.soundBands,
                      config.tokenWidth()},
                     "model.sound_bands",
                     "the width of embeddings must be twice this number"};
    return Done{};
}

Outcome checkParts(const Config &config) {
    if (config.norm.skipsFirst && config.sharesNorm())
        return Error{"two blocks that share a norm cannot leave it out in the first layer",
                     "model.norm.skips_first", "set it to false"};
    if (config.keyValueHeads < 0 || config.groups() > config.heads ||
        config.heads % config.groups() != 0)
        return Error{
            {"%1 heads cannot share %2 keys and values evenly", config.heads, config.keyValueHeads},
            "model.key_value_heads",
            "use a number that divides model.heads"};
    const auto optional = [](const char *field, Index value, Index maximum) -> Outcome {
        return value == 0 ? Outcome(Done{}) : inRange(field, value, maximum);
    };
    for (const Outcome &outcome :
         {optional("model.value_size", config.valueSize, kMaxWidth),
          optional("model.layer_count", config.layerCount, kMaxLayers),
          optional("model.encoder.layer_count", config.encoderLayerCount, kMaxLayers),
          optional("model.feed_forward.width", config.feedForward.width, kMaxFeedForwardWidth),
          optional("model.embedding_width", config.embeddingWidth, kMaxWidth),
          optional("model.position_offset", config.positionOffset, kMaxPositions)})
        if (!outcome)
            return outcome;
    if (Outcome o = checkExperts(config); !o)
        return o;
    if (Outcome o = checkPicture(config); !o)
        return o;
    if (Outcome o = checkSound(config); !o)
        return o;
    if (!std::isfinite(config.norm.epsilon) || config.norm.epsilon < 0)
        return Error{"it must be a finite number of 0 or more", "model.norm.epsilon", ""};
    if (config.queryKeyNorm != QueryKeyNorm::None && config.norm.kind == NormKind::Batch)
        return Error{"batch norm cannot normalise queries and keys", "model.query_key_norm",
                     "use another norm.kind, or leave it out"};
    if (config.parallel && config.normsAfter())
        return Error{"parallel blocks have no sums of their own to normalise", "model.parallel",
                     "use another norm.place"};
    if (config.outputLayer.kind == OutputLayerKind::Classifier ||
        config.outputLayer.kind == OutputLayerKind::Projection)
        if (Outcome o = inRange("model.head.classes", config.outputLayer.classes, kMaxWidth); !o)
            return o;
    if (config.positions == Positions::Rotary)
        if (Outcome o = checkRotary(config.rotary, config.headSize); !o)
            return o;
    if (!std::isfinite(config.queryTuning.strength) || config.queryTuning.strength < 0)
        return Error{"it must be a finite number of 0 or more", "model.query_tuning", ""};
    if (Outcome o = inRange("model.query_tuning_length", config.queryTuning.length, kMaxPositions);
        !o)
        return o;
    if (const float base = config.localRotaryBase; base != 0 && !(std::isfinite(base) && base >= 1))
        return Error{"it must be 0, or a finite number of 1 or more", "model.local_rotary_base",
                     "10000 is usual"};
    if (std::ssize(config.rotaryLayers) > kMaxLayers)
        return Error{
            {"%1 numbers are more than the maximum number of layers", config.rotaryLayers.size()},
            "model.rotary_layers",
            "give one number for each layer"};
    if (!std::ranges::all_of(config.rotaryLayers,
                             [](Index rotates) { return rotates == 0 || rotates == 1; }))
        return Error{"it must be a list of zeros and ones", "model.rotary_layers", ""};
    for (const auto &[field, cap] : {std::pair("model.score_cap", config.scoreCap),
                                     std::pair("model.logit_cap", config.logitCap)})
        if (!std::isfinite(cap.limit) || cap.limit < 0)
            return Error{"it must be a finite number greater than 0", field, ""};
    if (const auto count = static_cast<Index>(config.alibiSlopes.size());
        count > 0 && count != config.heads)
        return Error{{"%1 slopes do not match %2 heads", count, config.heads},
                     "model.alibi_slopes",
                     "give one number for each head, or none"};
    if (std::ssize(config.windows) > kMaxLayers)
        return Error{
            {"%1 windows are more than the maximum number of layers", config.windows.size()},
            "model.windows",
            "give one number for each layer"};
    for (const Index window : config.windows)
        if (window < 0 || window > kMaxPositions)
            return Error{{"%1 is out of range", window},
                         "model.windows",
                         {"use whole numbers from 0 (all keys) to %1", kMaxPositions}};
    if (!std::ranges::all_of(config.alibiSlopes, [](float slope) { return std::isfinite(slope); }))
        return Error{"it must be a list of finite numbers", "model.alibi_slopes", ""};
    for (const Outcome &outcome : {checkDisentangled(config), checkLatent(config)})
        if (!outcome)
            return outcome;
    if (config.positions == Positions::Relative) {
        if (Outcome o = inRange("model.relative.buckets", config.relative.buckets, kMaxWidth); !o)
            return o;
        // Each direction has half of the buckets, and half of these contain a single distance.
        if (config.relative.buckets < 4)
            return Error{{"%1 buckets are too few", config.relative.buckets},
                         "model.relative.buckets",
                         "use at least 4; T5 has 32"};
        if (config.relative.maximumDistance <= config.relative.buckets / 2 ||
            config.relative.maximumDistance > kMaxPositions)
            return Error{{"%1 is out of range", config.relative.maximumDistance},
                         "model.relative.maximum_distance",
                         "use a whole number greater than half the buckets"};
    }
    return Done{};
}

} // namespace

Outcome validate(const Config &config) {
    for (const Outcome &outcome : {inRange("model.width", config.width, kMaxWidth),
                                   inRange("model.heads", config.heads, kMaxHeads),
                                   inRange("model.head_size", config.headSize, kMaxWidth),
                                   positive("model.scale", config.scale.number),
                                   positive("model.scale", 1.0f / config.scale.number),
                                   positive("model.embedding_factor", config.embeddingFactor),
                                   positive("model.residual_factor", config.residualFactor),
                                   positive("model.logit_divisor", config.logitDivisor),
                                   positive("model.logit_divisor", 1.0f / config.logitDivisor),
                                   positive("model.temperature", config.temperature)})
        if (!outcome)
            return outcome;
    if (!(config.masking.value < 0))
        return Error{"it must be −∞ or a number less than 0", "model.mask_value", ""};
    const Index size = std::max(config.headSize, config.valueWidth());
    if (config.heads * size > kMaxHeadColumns)
        return Error{{"%1 heads of size %2 are wider than %3", config.heads, size, kMaxHeadColumns},
                     "model.heads",
                     "use fewer or smaller heads"};
    if (Outcome o = checkParts(config); !o || config.encoder == EncoderSizes{})
        return o;
    if (config.encoder.feedForwardWidth != 0 && config.feedForward.width == 0)
        return Error{"the decoder has no feed-forward network, so the encoder has none",
                     "model.encoder.feed_forward_width", "give feed_forward.width as well"};
    Outcome encoder = validate(config.ofEncoder());
    if (encoder)
        return encoder;
    Error error = encoder.error();
    error.where.insert(std::string_view("model.").size(), "encoder.");
    return error;
}

} // namespace headlight::core
