// The fields of sizes and switches in `model`. The fields of kSwitches (data/state_patch.h) also
// occur in `set`.
#include "core/formats/session/data/fields.h"

namespace headlight::core {

namespace {

/// Reads one of `words`, whose index `ofWord` converts, or a number greater than 0, which
/// `ofNumber` converts.
template <typename Value>
Codec<Value> wordOrNumber(std::span<const std::string_view> words,
                          std::function<Value(std::size_t)> ofWord,
                          std::function<Value(float)> ofNumber,
                          std::function<std::string(const Value &)> write, const char *expected) {
    const Codec<float> positive = number().above(0);
    return {[=, read = positive.read](const Field &field, Value &into) {
                if (field.is(JsonValue::Kind::Number)) {
                    float number = 0;
                    if (!read(field, number))
                        return false;
                    into = ofNumber(number);
                    return true;
                }
                const auto word = field.is(JsonValue::Kind::String)
                                      ? std::ranges::find(words, field.value().text())
                                      : words.end();
                if (word == words.end()) {
                    field.expected(expected);
                    return false;
                }
                into = ofWord(static_cast<std::size_t>(word - words.begin()));
                return true;
            },
            [write](const Value &value, const std::string &) { return write(value); },
            jsonObject({{"oneOf", jsonArray({schemaOfWords(words), positive.schema})}}),
            limitsOfWords(words) + ", or a " + positive.limits};
}

Codec<Scale> scale() {
    static constexpr std::string_view kWords[] = {"square_root", "off"};
    return wordOrNumber<Scale>(
        kWords,
        [](std::size_t word) {
            return word == 0 ? Scale{} : Scale{Scale::Kind::Off, 1};
        },
        [](float number) {
            return Scale{Scale::Kind::Number, number};
        },
        [](const Scale &scale) {
            return scale.kind == Scale::Kind::Number
                       ? jsonNumber(scale.number)
                       : jsonText(kWords[scale.kind == Scale::Kind::Off ? 1 : 0]);
        },
        "\"square_root\", \"off\" or the number to divide by");
}

Codec<Softcap> softcap() {
    static constexpr std::string_view kWords[] = {"off"};
    return wordOrNumber<Softcap>(
        kWords, [](std::size_t) { return Softcap{}; }, [](float limit) { return Softcap{limit}; },
        [](const Softcap &cap) { return cap.isOn() ? jsonNumber(cap.limit) : "\"off\""; },
        "\"off\", or the number that caps them");
}

Codec<float> maskValue() {
    constexpr const char *kInfinity = "negative_infinity";
    const Codec<float> negative = number().below(0);
    return {[=](const Field &field, float &into) {
                if (field.is(JsonValue::Kind::String) && field.value().text() == kInfinity) {
                    into = MaskOptions().value;
                } else if (field.is(JsonValue::Kind::Number) &&
                           std::isfinite(field.value().single) && field.value().single < 0) {
                    into = field.value().single;
                } else {
                    field.expected("\"negative_infinity\" or a number less than 0");
                    return false;
                }
                return true;
            },
            [=](const float &value, const std::string &) {
                return std::isinf(value) ? jsonText(kInfinity) : jsonNumber(value);
            },
            jsonObject({{"oneOf", jsonArray({jsonObject({{"const", jsonText(kInfinity)}}),
                                             negative.schema})}}),
            "`\"negative_infinity\"` or a " + negative.limits};
}

/// Clears LongRoPE's factors if the scaling is of another kind. Empty lists are not written,
/// because they are invalid in files.
Codec<RotaryConfig> rotaryObject() {
    Codec<RotaryConfig> codec = objectOf<RotaryConfig>();
    codec.read = [read = codec.read](const Field &field, RotaryConfig &into) {
        const bool isRead = read(field, into);
        if (into.scaling != RotaryScaling::LongRope) {
            into.shortFactors.clear();
            into.longFactors.clear();
        }
        return isRead;
    };
    return codec;
}

/// Returns a row that is only written if the list is not empty.
FieldRow<RotaryConfig> longFactors(const char *name, std::vector<float> RotaryConfig::*member,
                                   const char *words) {
    FieldRow<RotaryConfig> row =
        field(name, member, listOf<float>(number().above(0), 1, kMaxWidth / 2), words).since(2);
    row.mayBeUnset = true;
    return row;
}

} // namespace

template <>
const FieldTable<Norm> &Fields<Norm>::table() {
    static const FieldTable<Norm> table{
        "norm",
        Written::All,
        {field("kind", &Norm::kind, oneOf<NormKind>(), "required in a model").usually(""),
         field("place", &Norm::place, oneOf<NormPosition>(),
               "y = x + f(norm(x)), y = norm(x + f(x)), y = x + norm(f(x))² (OLMo 2), or "
               "y = x + norm(f(norm(x)))² (Gemma 2)"),
         field("epsilon", &Norm::epsilon, number().from(0), "added to the variance"),
         field("final", &Norm::final, flag(), "one more norm after the last layer"),
         field("embedding", &Norm::embedding, flag(), "one more norm before the first layer"),
         field("skips_first", &Norm::skipsFirst, flag(),
               "with a norm before each block: the first self-attention of a stack has none "
               "(ModernBERT)")
             .since(2)
             .onlyIfSet()}};
    return table;
}

template <>
const FieldTable<FeedForward> &Fields<FeedForward>::table() {
    using F = FeedForward;
    static const FieldTable<F> table{
        "feedForward",
        Written::All,
        {field("width", &F::width, whole(0, kMaxFeedForwardWidth),
               "F, required in a model; 0: the layers have no feed-forward network. Else "
               "activation(x·W₁ + b₁)·W₂ + b₂"),
         field("activation", &F::activation, oneOf<Activation>(),
               "the last two are new in version 2"),
         field("gated", &F::gated, flag(),
               "(activation(x·W_g + b_g) ⊙ (x·W₁ + b₁))·W₂ + b₂ instead"),
         field("experts", &F::experts, whole(0, kMaxExperts),
               "N such networks in each layer, whose columns are side by side in `gate`, "
               "`hidden` and `output` [F, N·C]; `router` [C, N] chooses among them. 0: one "
               "network for all tokens")
             .since(2)
             .onlyIfSet(),
         field("experts_per_token", &F::chosen, whole(0, kMaxExperts),
               "from 1 to N: the experts with the largest weights, softmax(x·router + "
               "router_bias), compute the token, and their outputs are added, times their "
               "weights")
             .since(2)
             .onlyIfSet(),
         field("normalise_experts", &F::normalisesExperts, flag(),
               "the weights of the chosen experts are divided by their sum")
             .since(2)
             .onlyIfSet(),
         field("limit", &F::limit, number().from(0),
               "gated experts: activation(min(g, limit)) ⊙ (h limited to −limit … limit), where g "
               "= x·W_g + b_g and h = x·W₁ + b₁ (GPT-OSS); 0: no limit")
             .since(2)
             .onlyIfSet(),
         field("hidden_offset", &F::hiddenOffset, number(),
               "gated experts: added to h, after the limit (GPT-OSS: 1)")
             .since(2)
             .onlyIfSet(),
         field("sigmoid_router", &F::sigmoidRouter, flag(),
               "σ(x·router + router_bias) in place of softmax (DeepSeek-V3)")
             .since(2)
             .onlyIfSet(),
         field("expert_groups", &F::expertGroups, whole(1, kMaxExperts),
               "the experts are in so many groups of two or more. Those of the groups with the "
               "largest sums of their two largest scores are chosen")
             .since(2)
             .onlyIfSet(),
         field("groups_per_token", &F::chosenGroups, whole(1, kMaxExperts),
               "the groups that a token chooses experts in")
             .since(2)
             .onlyIfSet(),
         field("expert_factor", &F::expertFactor, number().above(0),
               "multiplies the weights of the chosen experts")
             .since(2)
             .onlyIfSet(),
         field("shared_width", &F::sharedWidth, whole(0, kMaxFeedForwardWidth),
               "S, of a network beside the experts, for all tokens; 0: none")
             .since(2)
             .onlyIfSet(),
         field("dense_layers", &F::denseLayers, whole(0, kMaxLayers),
               "so many first layers have one network, and no experts")
             .since(2)
             .onlyIfSet(),
         field("dense_width", &F::denseWidth, whole(0, kMaxFeedForwardWidth), "F of these layers")
             .since(2)
             .onlyIfSet(),
         field("expert_layers", &F::expertLayers, listOf(whole(0, 1), 0, kMaxLayers),
               "1 for each layer with experts, 0 for each with one network of `dense_width` (Llama "
               "4); repeated if there are more layers. Default: all after the `dense_layers`")
             .since(2)
             .onlyIfSet(),
         field("scales_input", &F::scalesInput, flag(),
               "the weight of an expert multiplies its input, not its output, and experts are "
               "chosen by their logits (Llama 4)")
             .since(2)
             .onlyIfSet()}};
    return table;
}

template <>
const FieldTable<RotaryConfig> &Fields<RotaryConfig>::table() {
    using R = RotaryConfig;
    static const FieldTable<R> table{
        "rotary",
        Written::All,
        {field("base", &R::base, number().above(0), "more than 1"),
         field("width", &R::width, whole(0, kMaxWidth),
               "the number of a head's first dimensions that are rotated, even; 0: all"),
         field("scaling", &R::scaling, oneOf<RotaryScaling>(), "the last one is new in version 2"),
         field("factor", &R::factor, number().above(0), "the scaling factor"),
         field("original_length", &R::originalLength, whole(0, kMaxPositions),
               "required by the last four kinds of `scaling`"),
         field("low_frequency_factor", &R::lowFrequencyFactor, number().above(0), "`\"llama3\"`"),
         field("high_frequency_factor", &R::highFrequencyFactor, number().above(0), "`\"llama3\"`"),
         field("beta_fast", &R::betaFast, number().above(0), "`\"yarn\"`"),
         field("beta_slow", &R::betaSlow, number().above(0), "`\"yarn\"`"),
         field("attention_factor", &R::attentionFactor, number().from(0),
               "`\"yarn\"`; 0: 0.1·ln(factor) + 1; and `\"longrope\"`; 0: √(1 + ln(factor) ÷ "
               "ln(original_length))"),
         field("truncates", &R::truncates, flag(),
               "`\"yarn\"`: the limits of the interpolated pairs of dimensions are rounded to "
               "whole numbers")
             .since(2)
             .onlyIfSet(),
         longFactors("short_factors", &R::shortFactors,
                     "`\"longrope\"`: divisors of the frequencies, one for each pair of rotated "
                     "dimensions, of texts up to `original_length`"),
         longFactors("long_factors", &R::longFactors, "as `short_factors`, for longer texts")}};
    return table;
}

template <>
const FieldTable<RelativeConfig> &Fields<RelativeConfig>::table() {
    using R = RelativeConfig;
    static const FieldTable<R> table{
        "relative",
        Written::All,
        {field("buckets", &R::buckets, whole(1, kMaxWidth), "at least 4"),
         field("maximum_distance", &R::maximumDistance, whole(1, kMaxPositions),
               "longer distances share the last bucket")}};
    return table;
}

template <>
const FieldTable<Disentangled> &Fields<Disentangled>::table() {
    using D = Disentangled;
    static const FieldTable<D> table{
        "disentangled",
        Written::All,
        {fieldAt<D, Index>(
             "span", [](auto &of) -> auto & { return of.table.span; }, whole(0, kMaxPositions),
             "k, for a table of 2·k distances, from −k to k − 1; 0: none")
             .since(2),
         fieldAt<D, Index>(
             "maximum_distance", [](auto &of) -> auto & { return of.table.maximumDistance; },
             whole(0, kMaxPositions),
             "distances of more than k/2 share rows logarithmically up to it; 0: they share none")
             .since(2),
         field("content_to_position", &D::contentToPosition, flag(),
               "query · position key is added to the scores")
             .since(2),
         field("position_to_content", &D::positionToContent, flag(),
               "key · position query is added to the scores")
             .since(2),
         field("shares_matrices", &D::sharesMatrices, flag(),
               "position keys and queries are made by `key` and `query`, not by `position_key` and "
               "`position_query`")
             .since(2),
         field("norm", &D::norm, flag(), "`norm.kind` normalises `distance_embeddings`").since(2)}};
    return table;
}

template <>
const FieldTable<LatentAttention> &Fields<LatentAttention>::table() {
    using L = LatentAttention;
    static const FieldTable<L> table{
        "latent",
        Written::All,
        {field("key_value_size", &L::keyValueSize, whole(0, kMaxWidth),
               "r, of the short vector that values and most dimensions of keys are made from; 0: "
               "none")
             .since(2),
         field("query_size", &L::querySize, whole(0, kMaxWidth),
               "r, of that of queries; 0: they are made from the input")
             .since(2),
         field("shared_key_size", &L::sharedKeySize, whole(0, kMaxWidth),
               "s, less than `head_size`: the first dimensions of keys are the same in all heads; "
               "with rotary positions also `rotary.width`")
             .since(2),
         field("epsilon", &L::epsilon, number().from(0), "of the RMS norms of the short vectors")
             .since(2)}};
    return table;
}

template <>
const FieldTable<OutputLayer> &Fields<OutputLayer>::table() {
    using O = OutputLayer;
    static const FieldTable<O> table{
        "head",
        Written::All,
        {field("kind", &O::kind, oneOf<OutputLayerKind>(),
               "required in a model. Logits over the vocabulary; such logits after one more linear "
               "map, activation and norm (BERT); class logits, one row per sequence; or, new in "
               "version 2, a vector per sequence in a space shared with another model (CLIP)")
             .usually(""),
         field("scaled", &O::scaled, flag(),
               "the input of a tied output matrix is multiplied by C^−½ (T5)"),
         field("activation", &O::activation, oneOf<Activation>(),
               "`\"masked_language\"`: after its linear map"),
         field("norm", &O::norm, flag(), "`\"masked_language\"`: a norm after the activation"),
         field("classes", &O::classes, whole(0, kMaxWidth),
               "K; `\"classifier\"` and `\"projection\"` need at least 1"),
         field("pooling", &O::pooling, oneOf<Pooling>(),
               "`\"classifier\"` and `\"projection\"`: the tokens that they read; the last: the "
               "first token with the largest id. The last two are new in version 2"),
         field("activates_pooled", &O::activatesPooled, flag(),
               "`\"classifier\"`: `activation` after its pooler, instead of tanh (DeBERTa)")
             .since(2)
             .onlyIfSet()}};
    return table;
}

template <>
const FieldTable<EncoderSizes> &Fields<EncoderSizes>::table() {
    using E = EncoderSizes;
    static const FieldTable<E> table{
        "encoderSizes",
        Written::Changed,
        {field("heads", &E::heads, whole(1, kMaxHeads), "H").since(2).usually(""),
         field("head_size", &E::headSize, whole(1, kMaxWidth), "d").since(2).usually(""),
         field("value_size", &E::valueSize, whole(1, kMaxWidth), "d_v").since(2).usually(""),
         field("key_value_heads", &E::keyValueHeads, whole(1, kMaxHeads), "G").since(2).usually(""),
         field("feed_forward_width", &E::feedForwardWidth, whole(1, kMaxFeedForwardWidth), "F")
             .since(2)
             .usually("")}};
    return table;
}

template <>
const FieldTable<PicturePatches> &Fields<PicturePatches>::table() {
    using P = PicturePatches;
    static const FieldTable<P> table{
        "picture",
        Written::All,
        {field("rows", &P::rows, whole(0, kMaxPatches), "rows of patches; 0: no picture").since(2),
         field("columns", &P::columns, whole(0, kMaxPatches), "patches in a row").since(2),
         field("side", &P::side, whole(0, kMaxPatchSide), "height and width of a patch in pixels")
             .since(2),
         field("before", &P::before, whole(0, kMaxPatches),
               "number of tokens before the first patch, such as [CLS]")
             .since(2),
         field("mean", &P::mean, listOf<float>(number(), 0, P::kChannels),
               "subtracted from the red, green and blue of a pixel, from 0 to 1")
             .since(2)
             .usually("none"),
         field("deviation", &P::deviation, listOf<float>(number(), 0, P::kChannels),
               "then divides them")
             .since(2)
             .usually("none")}};
    return table;
}

template <>
const FieldTable<Config> &Fields<Config>::table() {
    using C = Config;
    static const FieldTable<C> table{
        "config",
        Written::Changed,
        {field("width", &C::width, whole(1, kMaxWidth), "C, of the residual stream").required(),
         field("heads", &C::heads, whole(1, kMaxHeads), "H").required(),
         field("head_size", &C::headSize, whole(1, kMaxWidth), "d; H·d is at most 32768")
             .required(),
         field("key_value_heads", &C::keyValueHeads, whole(1, kMaxHeads),
               "G, a divisor of H: query head h uses keys and values ⌊h·G/H⌋")
             .usually("`heads`"),
         field("value_size", &C::valueSize, whole(1, kMaxWidth),
               "d_v, of a head's values; H·d_v is at most 32768")
             .since(2)
             .usually("`head_size`"),
         field("embedding_width", &C::embeddingWidth, whole(1, kMaxWidth),
               "E; if it differs from C, `embedding_projection` maps E to C")
             .usually("`width`"),
         field("projects_first", &C::projectsFirst, flag(),
               "`embedding_projection` maps embeddings to C before positions and token types are "
               "added, not after; it is needed even if E = C (ViT)")
             .since(2),
         field("picture", &C::picture, objectOf<PicturePatches>(),
               "the tokens are patches of a picture, whose embeddings are their pixels: first red, "
               "then green, then blue (ViT)")
             .since(2)
             .usually(""),
         field("sound_bands", &C::soundBands, whole(1, kMaxSoundBands),
               "the tokens of the encoder, or with `projects_first` those of the only stack, are "
               "two frames of audio with this many mel bands each, and two convolutions map them "
               "to C: `frame_convolution`, then `embedding_projection` (Whisper)")
             .since(2)
             .usually(""),
         field("layer_count", &C::layerCount, whole(1, kMaxLayers),
               "more than `layers`: layer l uses `layers[⌊l·n/layer_count⌋]` of the n that there "
               "are, as ALBERT does")
             .usually("as many as `layers`"),
         field("position_offset", &C::positionOffset, whole(0, kMaxPositions),
               "learned: the first token reads this row (BART: 2)"),
         field("positions", &C::positions, oneOf<Positions>(),
               "added to the embeddings: sines (Vaswani et al. 2017, section 3.5) or "
               "`position_embeddings`; or in every self-attention: queries and keys are rotated, "
               "−slope·|i − j| is added to the scores, or `position_bias` is"),
         field("scale", &C::scale, scale(),
               "scores are divided by √d, by nothing, or by the number"),
         field("score_cap", &C::scoreCap, softcap(), "c·tanh(x ÷ c) of the scaled scores (Gemma 2)")
             .since(2),
         field("temperature", &C::temperature, number().above(0),
               "softmax divides the masked scores by it"),
         field("softmax", &C::softmax, flag(),
               "false: the weights are the masked scores ÷ temperature, 0 where they are −∞"),
         field("norm", &C::norm, objectOf<Norm>(), "default: no norm").usually(""),
         field(
             "query_key_norm", &C::queryKeyNorm, oneOf<QueryKeyNorm>(),
             "queries and keys are normalised before rotation, by a norm of `norm.kind` (not "
             "`\"batch\"`): each head by itself (Qwen 3), or all heads together (OLMo 2); or each "
             "head by itself after rotation, without gains, in layers that rotate (Llama 4)")
             .since(2),
         field("residual", &C::residual, flag(), "the output of a block is added to its input"),
         field("parallel", &C::parallel, flag(),
               "all blocks of a layer read the layer's input, and their outputs are summed "
               "(GPT-J); `norm.place` is not `\"after\"`")
             .since(2),
         field("shared_norm", &C::sharedNorm, flag(),
               "with `parallel`: all blocks share the norm of the first one, instead of one norm "
               "each")
             .since(2),
         field("residual_factor", &C::residualFactor, number().above(0),
               "the output of a block is multiplied by it before it is added (Granite)")
             .since(2),
         field("feed_forward", &C::feedForward, objectOf<FeedForward>(), "").usually(""),
         field("scale_embeddings", &C::scaleEmbeddings, flag(), "embeddings are multiplied by √C"),
         field("embedding_factor", &C::embeddingFactor, number().above(0),
               "embeddings are multiplied by it (Granite)")
             .since(2),
         field("sinusoid_order", &C::sinusoidOrder, oneOf<SinusoidOrder>(),
               "sine, cosine, sine, …; or all sines, then all cosines"),
         field("rotary", &C::rotary, rotaryObject(), "").usually(""),
         field("rotary_layers", &C::rotaryLayers, listOf(whole(0, 1), 0, kMaxLayers),
               "1 for each layer whose self-attention rotates queries and keys, else 0 (SmolLM3); "
               "repeated if there are more layers. Not for the encoder; default: all rotate")
             .since(2),
         fieldAt<C, float>(
             "query_tuning", [](auto &config) -> auto & { return config.queryTuning.strength; },
             number().from(0),
             "in layers that do not rotate, the query at position i, counted from 0, is multiplied "
             "by 1 + query_tuning · ln(1 + ⌊(i + 1) ÷ query_tuning_length⌋) (Llama 4); not for the "
             "encoder. 0: by nothing")
             .since(2),
         fieldAt<C, Index>(
             "query_tuning_length",
             [](auto &config) -> auto & { return config.queryTuning.length; },
             whole(1, kMaxPositions), "the number of tokens after which this factor grows")
             .since(2),
         field("local_rotary_base", &C::localRotaryBase, number().from(0),
               "the base, at least 1, of layers with a window, which then have no scaling (Gemma "
               "3); 0: that of `rotary`")
             .since(2),
         field("relative", &C::relative, objectOf<RelativeConfig>(),
               "relative positions as in T5: one direction in the decoder of an encoder-decoder, "
               "both elsewhere")
             .usually(""),
         field("disentangled", &C::disentangled, objectOf<Disentangled>(),
               "products of one token's query or key and a vector of the distance to the other are "
               "added to the scores of self-attention (DeBERTa)")
             .since(2)
             .usually(""),
         field("latent", &C::latent, objectOf<LatentAttention>(),
               "keys and values are made from a short vector of each token, and so may be queries "
               "(DeepSeek-V3)")
             .since(2)
             .usually(""),
         field("windows", &C::windows, listOf(whole(0, kMaxPositions), 0, kMaxLayers),
               "w of each layer's self-attention (of the decoder's in an encoder-decoder), "
               "repeated if there are more layers: a query sees the keys that are less than w "
               "tokens away; 0: all of them. `masks` are applied as well")
             .since(2),
         field("chunked_windows", &C::chunkedWindows, flag(),
               "every w tokens are a chunk, and a query sees only the keys of its own chunk (Llama "
               "4)")
             .since(2),
         field("alibi_slopes", &C::alibiSlopes, listOf<float>(number(), 0, kMaxHeads),
               "one slope per head for ALiBi; default: those of Press et al. (2022)")
             .since(2),
         field("head", &C::outputLayer, objectOf<OutputLayer>(), "the output layer; default: none")
             .usually(""),
         field("logit_divisor", &C::logitDivisor, number().above(0),
               "`\"language\"`: the input of the output layer is divided by it (Granite)")
             .since(2),
         field("logit_cap", &C::logitCap, softcap(), "as `score_cap`, for word logits").since(2),
         fieldAt<C, float>(
             "mask_value", [](auto &config) -> auto & { return config.masking.value; }, maskValue(),
             "value of hidden scores"),
         fieldAt<C, bool>(
             "mask_after_softmax",
             [](auto &config) -> auto & { return config.masking.afterSoftmax; }, flag(),
             "true: hidden weights are set to zero after softmax instead; rows then no longer sum "
             "to 1")}};
    return table;
}

} // namespace headlight::core
