#include "core/transformer/model/parameter_table.h"

#include <algorithm>
#include <cassert>

namespace headlight::core {

namespace {

using K = ParameterKind;
using A = AttentionParameters;
using F = FeedForwardParameters;
using S = StackParameters;
using O = OutputLayerParameters;
using N = NormParameters;

// Access to a parameter, which is a member of its part's struct or of a norm in that struct.

template <typename Owner>
Owner &ownerIn(ModelParameters &weights, const ParameterId &id);

template <>
StackParameters &ownerIn<StackParameters>(ModelParameters &weights, const ParameterId &id) {
    return id.stack == Stack::Encoder ? weights.encoder : weights.main;
}
template <>
AttentionParameters &ownerIn<AttentionParameters>(ModelParameters &weights, const ParameterId &id) {
    LayerParameters &layer =
        ownerIn<StackParameters>(weights, id).layers[static_cast<std::size_t>(id.layer)];
    return id.block == Block::SelfAttention ? layer.selfAttention : layer.crossAttention;
}
template <>
FeedForwardParameters &ownerIn<FeedForwardParameters>(ModelParameters &weights,
                                                      const ParameterId &id) {
    return ownerIn<StackParameters>(weights, id)
        .layers[static_cast<std::size_t>(id.layer)]
        .feedForward;
}
template <>
OutputLayerParameters &ownerIn<OutputLayerParameters>(ModelParameters &weights,
                                                      const ParameterId &) {
    return weights.outputLayer;
}

template <typename Owner>
constexpr ParameterPart kPartOf{};
template <>
constexpr ParameterPart kPartOf<AttentionParameters> = ParameterPart::Attention;
template <>
constexpr ParameterPart kPartOf<FeedForwardParameters> = ParameterPart::FeedForward;
template <>
constexpr ParameterPart kPartOf<StackParameters> = ParameterPart::Stack;
template <>
constexpr ParameterPart kPartOf<OutputLayerParameters> = ParameterPart::OutputLayer;

template <typename Member>
struct OwnerOf;
template <typename Owner, typename Member>
struct OwnerOf<Member Owner::*> {
    using Type = Owner;
};

template <auto first, auto... rest>
constexpr ParameterInfo::Member at{
    kPartOf<typename OwnerOf<decltype(first)>::Type>,
    [](ModelParameters &weights, const ParameterId &id) -> Parameter & {
        auto &owner = ownerIn<typename OwnerOf<decltype(first)>::Type>(weights, id);
        return ((owner.*first).*....*rest);
    }};

// Functions that compute sizes.

Index one(const Config &, Index) {
    return 1;
}
Index any(const Config &, Index) {
    return kAnyRows;
}
Index words(const Config &, Index known) {
    return known;
}
Index width(const Config &config, Index) {
    return config.width;
}
Index tokenWidth(const Config &config, Index) { // E
    return config.tokenWidth();
}
Index threeFrames(const Config &config, Index) {
    return 3 * config.soundBands;
}
Index projectionInput(const Config &config, Index) {
    return config.convolves() ? 3 * config.width : config.tokenWidth();
}
Index positionWidth(const Config &config, Index) {
    return config.positionWidth();
}
Index queries(const Config &config, Index) { // H·d
    return config.queryWidth();
}
Index groups(const Config &config, Index) { // G·d, without the dimensions that heads share
    return config.groups() * config.ownKeySize();
}
Index queryInput(const Config &config, Index) {
    return config.queryInput();
}
Index keyInput(const Config &config, Index) {
    return config.keyInput();
}
Index shortQuery(const Config &config, Index) { // r
    return config.latent.querySize;
}
Index shortKeyValue(const Config &config, Index) { // r
    return config.latent.keyValueSize;
}
Index sharedKeySize(const Config &config, Index) { // s
    return config.latent.sharedKeySize;
}
Index sharedInner(const Config &config, Index) { // S
    return config.feedForward.sharedWidth;
}
Index values(const Config &config, Index) { // G·d_v
    return config.groups() * config.valueWidth();
}
Index contexts(const Config &config, Index) { // H·d_v
    return config.concatenatedWidth();
}
/// Returns the number of values that norms of queries and keys normalise together.
Index queriesNormed(const Config &config, Index) {
    return config.queryKeyNorm == QueryKeyNorm::AllHeads ? config.queryWidth() : config.headSize;
}
Index keysNormed(const Config &config, Index) {
    return config.queryKeyNorm == QueryKeyNorm::AllHeads ? config.groups() * config.headSize
                                                         : config.headSize;
}
Index inner(const Config &config, Index) { // F
    return config.feedForward.width;
}
Index hidden(const Config &config, Index) { // F, or N·F
    return config.feedForward.hiddenWidth();
}
Index feedOutputs(const Config &config, Index) { // C, or N·C
    return config.width * (config.feedForward.hasExperts() ? config.feedForward.experts : 1);
}
Index experts(const Config &config, Index) { // N
    return config.feedForward.experts;
}
Index heads(const Config &config, Index) {
    return config.heads;
}
Index buckets(const Config &config, Index) {
    return config.relative.buckets;
}
Index distances(const Config &config, Index) {
    return config.disentangled.table.rows();
}
Index classes(const Config &config, Index) {
    return config.outputLayer.classes;
}
Index logitsInput(const Config &config, Index) {
    return config.outputLayer.kind == OutputLayerKind::MaskedLanguage ? config.tokenWidth()
                                                                      : config.width;
}

// Functions that return whether a config has a parameter.

bool always(const Config &) {
    return true;
}
bool normed(const Config &config) {
    return config.hasNorm();
}
bool shifted(const Config &config) {
    return config.normHasBias();
}
/// True if there is a norm before or after a block.
bool blockNormed(const Config &config) {
    return config.normsBefore() || config.normsAfter();
}
bool blockShifted(const Config &config) {
    return blockNormed(config) && shifted(config);
}
bool outputNormed(const Config &config) {
    return config.normsOutput();
}
bool outputShifted(const Config &config) {
    return outputNormed(config) && shifted(config);
}
bool queriesAreNormed(const Config &config) {
    return config.normsQueries();
}
bool queriesAreShifted(const Config &config) {
    return queriesAreNormed(config) && shifted(config);
}
bool feedsForward(const Config &config) {
    return config.feedForward.width > 0;
}
bool routed(const Config &config) {
    return config.feedForward.hasExperts();
}
bool gated(const Config &config) {
    return feedsForward(config) && config.feedForward.gated;
}
bool feedNormed(const Config &config) {
    return feedsForward(config) && blockNormed(config) && !config.sharesNorm();
}
bool feedShifted(const Config &config) {
    return feedNormed(config) && shifted(config);
}
bool feedOutputNormed(const Config &config) {
    return feedsForward(config) && outputNormed(config);
}
bool feedOutputShifted(const Config &config) {
    return feedsForward(config) && outputShifted(config);
}
bool learned(const Config &config) {
    return config.positions == Positions::Learned;
}
bool relative(const Config &config) {
    return config.positions == Positions::Relative;
}
bool disentangled(const Config &config) {
    return config.disentangled.isOn();
}
bool distancesNormed(const Config &config) {
    return disentangled(config) && config.disentangled.norm && normed(config);
}
bool distancesShifted(const Config &config) {
    return distancesNormed(config) && shifted(config);
}
bool keepsPositionKeys(const Config &config) {
    return config.hasPositionKeys();
}
bool keepsPositionQueries(const Config &config) {
    return config.hasPositionQueries();
}
bool latent(const Config &config) {
    return config.latent.isOn();
}
bool compressed(const Config &config) {
    return config.latent.compressesQueries();
}
bool shares(const Config &config) {
    return config.feedForward.hasShared();
}
bool sharesGated(const Config &config) {
    return shares(config) && config.feedForward.gated;
}
bool embedNormed(const Config &config) {
    return config.norm.embedding && normed(config);
}
bool embedShifted(const Config &config) {
    return config.norm.embedding && shifted(config);
}
bool convolved(const Config &config) {
    return config.convolves();
}
bool projected(const Config &config) {
    return config.projectsEmbeddings();
}
bool finalNormed(const Config &config) {
    return config.norm.final && normed(config);
}
bool finalShifted(const Config &config) {
    return config.norm.final && shifted(config);
}
bool masked(const Config &config) {
    return config.outputLayer.kind == OutputLayerKind::MaskedLanguage;
}
bool maskedNormed(const Config &config) {
    return masked(config) && config.outputLayer.norm && normed(config);
}
bool maskedShifted(const Config &config) {
    return masked(config) && config.outputLayer.norm && shifted(config);
}
bool language(const Config &config) {
    return masked(config) || config.outputLayer.kind == OutputLayerKind::Language;
}
bool projectsPooled(const Config &config) {
    return config.outputLayer.kind == OutputLayerKind::Projection;
}
bool classifies(const Config &config) {
    return config.outputLayer.kind == OutputLayerKind::Classifier;
}

constexpr auto kMatrix = ParameterForm::Matrix;
constexpr auto kBias = ParameterForm::Bias;
constexpr auto kGain = ParameterForm::NormGain;
constexpr auto kShift = ParameterForm::NormBias;
constexpr bool kNeeded = true, kAllowed = false;
constexpr auto kWhole = HeadBlocks::None;
constexpr auto kColumns = HeadBlocks::Columns;
constexpr auto kGrouped = HeadBlocks::GroupColumns;
constexpr auto kRows = HeadBlocks::Rows;
constexpr auto kAlone = std::nullopt;
constexpr bool kAfterLayers = true;

constexpr ParameterInfo kTable[] = {
    // Columns: kind, name, member, form, required, hasPlace, rows, columns, head blocks, beside,
    // after layers

    // attention
    {K::Query, "query", at<&A::query>, kMatrix, kNeeded, always, queryInput, queries, kColumns},
    {K::Key, "key", at<&A::key>, kMatrix, kNeeded, always, keyInput, groups, kGrouped},
    {K::Value, "value", at<&A::value>, kMatrix, kNeeded, always, keyInput, values, kGrouped},
    {K::Output, "output", at<&A::output>, kMatrix, kAllowed, always, contexts, width, kRows,
     K::Query},
    {K::QueryBias, "query_bias", at<&A::queryBias>, kBias, kAllowed, always, one, queries, kColumns,
     K::Query},
    {K::KeyBias, "key_bias", at<&A::keyBias>, kBias, kAllowed, always, one, groups, kGrouped,
     K::Key},
    {K::ValueBias, "value_bias", at<&A::valueBias>, kBias, kAllowed, always, one, values, kGrouped,
     K::Value},
    {K::OutputBias, "output_bias", at<&A::outputBias>, kBias, kAllowed, always, one, width, kWhole,
     K::Output},
    {K::QueryNormGain, "query_norm_gain", at<&A::queryNorm, &N::gain>, kGain, kAllowed,
     queriesAreNormed, one, queriesNormed, kWhole, K::Query},
    {K::QueryNormBias, "query_norm_bias", at<&A::queryNorm, &N::bias>, kShift, kAllowed,
     queriesAreShifted, one, queriesNormed, kWhole, K::Query},
    {K::KeyNormGain, "key_norm_gain", at<&A::keyNorm, &N::gain>, kGain, kAllowed, queriesAreNormed,
     one, keysNormed, kWhole, K::Key},
    {K::KeyNormBias, "key_norm_bias", at<&A::keyNorm, &N::bias>, kShift, kAllowed,
     queriesAreShifted, one, keysNormed, kWhole, K::Key},
    {K::NormGain, "norm_gain", at<&A::norm, &N::gain>, kGain, kAllowed, blockNormed, one, width,
     kWhole, K::Query},
    {K::NormBias, "norm_bias", at<&A::norm, &N::bias>, kShift, kAllowed, blockShifted, one, width,
     kWhole, K::Query},
    {K::OutputNormGain, "output_norm_gain", at<&A::outputNorm, &N::gain>, kGain, kAllowed,
     outputNormed, one, width, kWhole, K::Query},
    {K::OutputNormBias, "output_norm_bias", at<&A::outputNorm, &N::bias>, kShift, kAllowed,
     outputShifted, one, width, kWhole, K::Query},
    {K::Sinks, "sinks", at<&A::sinks>, kBias, kAllowed, always, one, heads, kWhole, K::Query},
    {K::PositionKey, "position_key", at<&A::positionKey>, kMatrix, kAllowed, keepsPositionKeys,
     width, queries, kColumns, K::Query},
    {K::PositionKeyBias, "position_key_bias", at<&A::positionKeyBias>, kBias, kAllowed,
     keepsPositionKeys, one, queries, kColumns, K::PositionKey},
    {K::PositionQuery, "position_query", at<&A::positionQuery>, kMatrix, kAllowed,
     keepsPositionQueries, width, queries, kColumns, K::Query},
    {K::PositionQueryBias, "position_query_bias", at<&A::positionQueryBias>, kBias, kAllowed,
     keepsPositionQueries, one, queries, kColumns, K::PositionQuery},
    {K::QueryCompression, "query_compression", at<&A::queryCompression>, kMatrix, kNeeded,
     compressed, width, shortQuery},
    {K::QueryCompressionBias, "query_compression_bias", at<&A::queryCompressionBias>, kBias,
     kAllowed, compressed, one, shortQuery, kWhole, K::QueryCompression},
    {K::CompressedQueryNormGain, "compressed_query_norm_gain",
     at<&A::compressedQueryNorm, &N::gain>, kGain, kAllowed, compressed, one, shortQuery, kWhole,
     K::Query},
    {K::KeyValueCompression, "key_value_compression", at<&A::keyValueCompression>, kMatrix, kNeeded,
     latent, width, shortKeyValue},
    {K::KeyValueCompressionBias, "key_value_compression_bias", at<&A::keyValueCompressionBias>,
     kBias, kAllowed, latent, one, shortKeyValue, kWhole, K::KeyValueCompression},
    {K::CompressedKeyValueNormGain, "compressed_key_value_norm_gain",
     at<&A::compressedKeyValueNorm, &N::gain>, kGain, kAllowed, latent, one, shortKeyValue, kWhole,
     K::Query},
    {K::SharedKey, "shared_key", at<&A::sharedKey>, kMatrix, kNeeded, latent, width, sharedKeySize},
    {K::SharedKeyBias, "shared_key_bias", at<&A::sharedKeyBias>, kBias, kAllowed, latent, one,
     sharedKeySize, kWhole, K::SharedKey},

    // Feed-forward network:
    {K::Router, "router", at<&F::router>, kMatrix, kNeeded, routed, width, experts},
    {K::RouterBias, "router_bias", at<&F::routerBias>, kBias, kAllowed, routed, one, experts,
     kWhole, K::Router},
    {K::Gate, "gate", at<&F::gate>, kMatrix, kNeeded, gated, width, hidden},
    {K::Hidden, "hidden", at<&F::hidden>, kMatrix, kNeeded, feedsForward, width, hidden},
    {K::FeedForwardOutput, "output", at<&F::output>, kMatrix, kNeeded, feedsForward, inner,
     feedOutputs},
    {K::GateBias, "gate_bias", at<&F::gateBias>, kBias, kAllowed, gated, one, hidden, kWhole,
     K::Gate},
    {K::HiddenBias, "hidden_bias", at<&F::hiddenBias>, kBias, kAllowed, feedsForward, one, hidden,
     kWhole, K::Hidden},
    {K::FeedForwardOutputBias, "output_bias", at<&F::outputBias>, kBias, kAllowed, feedsForward,
     one, feedOutputs, kWhole, K::FeedForwardOutput},
    {K::RouterChoiceBias, "router_choice_bias", at<&F::routerChoiceBias>, kBias, kAllowed, routed,
     one, experts, kWhole, K::Router},
    {K::SharedGate, "shared_gate", at<&F::sharedGate>, kMatrix, kNeeded, sharesGated, width,
     sharedInner},
    {K::SharedHidden, "shared_hidden", at<&F::sharedHidden>, kMatrix, kNeeded, shares, width,
     sharedInner},
    {K::SharedOutput, "shared_output", at<&F::sharedOutput>, kMatrix, kNeeded, shares, sharedInner,
     width},
    {K::FeedForwardNormGain, "norm_gain", at<&F::norm, &N::gain>, kGain, kAllowed, feedNormed, one,
     width, kWhole, K::Hidden},
    {K::FeedForwardNormBias, "norm_bias", at<&F::norm, &N::bias>, kShift, kAllowed, feedShifted,
     one, width, kWhole, K::Hidden},
    {K::FeedForwardOutputNormGain, "output_norm_gain", at<&F::outputNorm, &N::gain>, kGain,
     kAllowed, feedOutputNormed, one, width, kWhole, K::Hidden},
    {K::FeedForwardOutputNormBias, "output_norm_bias", at<&F::outputNorm, &N::bias>, kShift,
     kAllowed, feedOutputShifted, one, width, kWhole, K::Hidden},

    // Stack:
    {K::Embeddings, "token_embeddings", at<&S::embeddings>, kMatrix, kAllowed, always, words,
     tokenWidth},
    {K::Positions, "position_embeddings", at<&S::positions>, kMatrix, kNeeded, learned, any,
     positionWidth},
    {K::TokenTypes, "token_types", at<&S::tokenTypes>, kMatrix, kAllowed, always, any,
     positionWidth},
    {K::EmbeddingNormGain, "embedding_norm_gain", at<&S::embeddingNorm, &N::gain>, kGain, kAllowed,
     embedNormed, one, positionWidth},
    {K::EmbeddingNormBias, "embedding_norm_bias", at<&S::embeddingNorm, &N::bias>, kShift, kAllowed,
     embedShifted, one, positionWidth},
    {K::FrameConvolution, "frame_convolution", at<&S::frameConvolution>, kMatrix, kNeeded,
     convolved, threeFrames, width},
    {K::FrameConvolutionBias, "frame_convolution_bias", at<&S::frameConvolutionBias>, kBias,
     kAllowed, convolved, one, width, kWhole, K::FrameConvolution},
    {K::EmbeddingProjection, "embedding_projection", at<&S::embeddingProjection>, kMatrix, kNeeded,
     projected, projectionInput, width},
    {K::EmbeddingProjectionBias, "embedding_projection_bias", at<&S::embeddingProjectionBias>,
     kBias, kAllowed, projected, one, width, kWhole, K::EmbeddingProjection},
    {K::PositionBias, "position_bias", at<&S::positionBias>, kMatrix, kNeeded, relative, buckets,
     heads},
    {K::DistanceEmbeddings, "distance_embeddings", at<&S::distanceEmbeddings>, kMatrix, kNeeded,
     disentangled, distances, width},
    {K::DistanceNormGain, "distance_norm_gain", at<&S::distanceNorm, &N::gain>, kGain, kAllowed,
     distancesNormed, one, width},
    {K::DistanceNormBias, "distance_norm_bias", at<&S::distanceNorm, &N::bias>, kShift, kAllowed,
     distancesShifted, one, width},
    {K::FinalNormGain, "final_norm_gain", at<&S::finalNorm, &N::gain>, kGain, kAllowed, finalNormed,
     one, width, kWhole, kAlone, kAfterLayers},
    {K::FinalNormBias, "final_norm_bias", at<&S::finalNorm, &N::bias>, kShift, kAllowed,
     finalShifted, one, width, kWhole, kAlone, kAfterLayers},

    // Output layer:
    {K::PredictionTransform, "head_transform", at<&O::transform>, kMatrix, kNeeded, masked, width,
     tokenWidth},
    {K::PredictionTransformBias, "head_transform_bias", at<&O::transformBias>, kBias, kAllowed,
     masked, one, tokenWidth, kWhole, K::PredictionTransform},
    {K::PredictionNormGain, "head_norm_gain", at<&O::norm, &N::gain>, kGain, kAllowed, maskedNormed,
     one, tokenWidth, kWhole, K::PredictionTransform},
    {K::PredictionNormBias, "head_norm_bias", at<&O::norm, &N::bias>, kShift, kAllowed,
     maskedShifted, one, tokenWidth, kWhole, K::PredictionTransform},
    {K::OutputMatrix, "output_matrix", at<&O::output>, kMatrix, kAllowed, language, logitsInput,
     words},
    {K::OutputMatrixBias, "output_bias", at<&O::outputBias>, kBias, kAllowed, language, one, words},
    {K::Pooler, "pooler", at<&O::pooler>, kMatrix, kAllowed, classifies, width, width},
    {K::PoolerBias, "pooler_bias", at<&O::poolerBias>, kBias, kAllowed, classifies, one, width,
     kWhole, K::Pooler},
    {K::Classifier, "classifier", at<&O::classifier>, kMatrix, kNeeded, classifies, width, classes},
    {K::ClassifierBias, "classifier_bias", at<&O::classifierBias>, kBias, kAllowed, classifies, one,
     classes, kWhole, K::Classifier},
    {K::DistillationClassifier, "distillation_classifier", at<&O::distillationClassifier>, kMatrix,
     kAllowed, classifies, width, classes, kWhole, K::Classifier},
    {K::DistillationClassifierBias, "distillation_classifier_bias",
     at<&O::distillationClassifierBias>, kBias, kAllowed, classifies, one, classes, kWhole,
     K::DistillationClassifier},
    {K::Projection, "projection", at<&O::projection>, kMatrix, kNeeded, projectsPooled, width,
     classes},
};

/// infoOf() uses the kind as an index.
constexpr bool isInOrder() {
    for (std::size_t i = 0; i < std::size(kTable); ++i)
        if (static_cast<std::size_t>(kTable[i].kind) != i)
            return false;
    return static_cast<std::size_t>(K::Projection) + 1 == std::size(kTable);
}
static_assert(isInOrder(), "a row for every kind, in the order of the enumeration");

constexpr bool comesBefore(const ParameterInfo &one, const ParameterInfo &other) {
    return one.part() < other.part();
}
static_assert(std::is_sorted(std::begin(kTable), std::end(kTable), comesBefore),
              "the rows of a part are together");

} // namespace

std::span<const ParameterInfo> parameterTable() {
    return kTable;
}

std::span<const ParameterInfo> parametersOf(ParameterPart part) {
    const auto isOf = [part](const ParameterInfo &info) { return info.part() == part; };
    const auto *first = std::find_if(std::begin(kTable), std::end(kTable), isOf);
    return {first, std::find_if_not(first, std::end(kTable), isOf)};
}

const ParameterInfo &infoOf(ParameterKind kind) {
    const ParameterInfo &info = kTable[static_cast<std::size_t>(kind)];
    assert(info.kind == kind);
    return info;
}

const ParameterInfo *findInfo(ParameterPart part, std::string_view name) {
    for (const ParameterInfo &info : parametersOf(part))
        if (info.name == name)
            return &info;
    return nullptr;
}

} // namespace headlight::core
