// The learned numbers of `model` in a session file: which shape each has, and where it stands.
#include "core/formats/session/reading/parts.h"
#include "core/transformer/parameter_places.h"

namespace headlight::core {

namespace {

using K = ParameterKind;
using Kind = JsonValue::Kind;

/// Rows that the file itself decides.
constexpr Index kAny = -1;

struct ParameterShape {
    Index rows, columns; ///< 0: as many as the words that the model does not have
    Index heads = 0;     ///< that may be given one by one; 0: it is not laid out by heads
    HeadLayout layout = HeadLayout::SideBySide;
};

ParameterShape attentionShape(K kind, const Config &config) {
    const Index c = config.width, hd = config.concatenatedWidth();
    const Index g = config.groups(), gd = g * config.headSize;
    switch (kind) {
    case K::Query:
        return {c, hd, config.heads};
    case K::Key:
    case K::Value:
        return {c, gd, g};
    case K::Output:
        return {hd, c, config.heads, HeadLayout::Stacked};
    case K::QueryBias:
        return {1, hd};
    case K::KeyBias:
    case K::ValueBias:
        return {1, gd};
    default:
        return {1, c};
    }
}

ParameterShape feedForwardShape(K kind, const Config &config) {
    const Index c = config.width, f = config.feedForward.width;
    switch (kind) {
    case K::Gate:
    case K::Hidden:
        return {c, f};
    case K::FeedForwardOutput:
        return {f, c};
    case K::GateBias:
    case K::HiddenBias:
        return {1, f};
    default:
        return {1, c};
    }
}

ParameterShape stackShape(K kind, const Config &config, Index words) {
    const Index c = config.width, e = config.tokenWidth();
    switch (kind) {
    case K::Embeddings:
        return {words, e};
    case K::Positions:
    case K::TokenTypes:
        return {kAny, e};
    case K::EmbeddingProjection:
        return {e, c};
    case K::PositionBias:
        return {config.relative.buckets, config.heads};
    case K::EmbeddingNormGain:
    case K::EmbeddingNormBias:
        return {1, e};
    default:
        return {1, c};
    }
}

ParameterShape headShape(K kind, const Config &config, Index words) {
    const Index c = config.width, e = config.tokenWidth(), classes = config.head.classes;
    switch (kind) {
    case K::HeadTransform:
        return {c, e};
    case K::HeadTransformBias:
    case K::HeadNormGain:
    case K::HeadNormBias:
        return {1, e};
    case K::OutputMatrix:
        return {config.head.kind == HeadKind::MaskedLanguage ? e : c, words};
    case K::OutputMatrixBias:
        return {1, words};
    case K::Pooler:
        return {c, c};
    case K::PoolerBias:
        return {1, c};
    case K::Classifier:
        return {c, classes};
    default:
        return {1, classes};
    }
}

/// For a model of so many words; 0: it has no vocabulary.
ParameterShape shapeOf(K kind, const Config &config, Index words) {
    switch (partOf(kind)) {
    case ParameterPart::Attention:
        return attentionShape(kind, config);
    case ParameterPart::FeedForward:
        return feedForwardShape(kind, config);
    case ParameterPart::Stack:
        return stackShape(kind, config, words);
    case ParameterPart::Head:
        break;
    }
    return headShape(kind, config, words);
}

/// A list has as many rows as it has; anything else says how many it stands for.
Index rowsOf(const Field &field) {
    constexpr Index kMaximumRows = kMaximumPositions;
    const bool list = field.is(Kind::Array);
    if (list && field.size() >= 1 && field.size() <= static_cast<std::size_t>(kMaximumRows))
        return static_cast<Index>(field.size());
    if (list || !field.is(Kind::Object)) {
        field.expected("a matrix of 1 to " + std::to_string(kMaximumRows) + " rows");
        return 0;
    }
    return field.member("rows").whole(1, kMaximumRows).value_or(0);
}

/// What every attention and every feed-forward network has; what else the model needs is for
/// validate().
bool isNeeded(const ParameterId &id, const Config &config) {
    switch (id.which) {
    case K::Query:
    case K::Key:
    case K::Value:
        return true;
    case K::Gate:
        return config.feedForward.gated && config.feedForward.width > 0;
    case K::Hidden:
    case K::FeedForwardOutput:
        return config.feedForward.width > 0;
    default:
        return false;
    }
}

/// The part of a layer that has this parameter.
Field partField(const Field &layer, const ParameterId &id) {
    const bool attention = partOf(id.which) == ParameterPart::Attention;
    return layer.member(attention ? std::string(nameOf(id.block)) : "feed_forward");
}

Index readCount(const Field &layers) {
    if (!layers.isArray())
        return 0;
    if (layers.size() < 1 || layers.size() > static_cast<std::size_t>(kMaximumLayers)) {
        layers.expected("a list of 1 to " + std::to_string(kMaximumLayers) + " layers");
        return 0;
    }
    return static_cast<Index>(layers.size());
}

void checkCount(const Field &stack, Index said, Index own) {
    if (said > 0 && own > said)
        stack.member("layer_count")
            .fail(std::to_string(said) + " is less than the " + std::to_string(own) +
                      " layers that there are",
                  "give as many or more, or leave it out");
}

/// Its parts are objects, and it has an attention.
void checkLayer(const Field &layer, const Config &config) {
    if (!layer.isObject())
        return;
    const Field self = layer.member("self_attention"), cross = layer.member("cross_attention");
    const Field feedForward = layer.member("feed_forward");
    if (self.present() || !cross.present())
        self.isObject();
    if (cross.present())
        cross.isObject();
    if (feedForward.present() || config.feedForward.width > 0)
        feedForward.isObject();
}

void readParameters(const Field &model, const Config &config, Index words, Index sourceWords,
                    Weights &weights) {
    for (const ParameterId &id : allParameters(weights)) {
        const ParameterPart part = partOf(id.which);
        const bool inLayer = part == ParameterPart::Attention || part == ParameterPart::FeedForward;
        const bool encoder = id.stack == Stack::Encoder;
        const Field stack = encoder ? model.member("encoder") : model;
        const Field owner =
            inLayer
                ? partField(stack.member("layers").element(static_cast<std::size_t>(id.layer)), id)
                : stack;
        if (inLayer && !owner.is(Kind::Object))
            continue;
        const std::string name = nameOf(id);
        const Field field = owner.member(name.substr(name.rfind('.') + 1)); // npos + 1 is 0
        if (field.present() || isNeeded(id, config))
            parameterOf(weights, id) =
                readParameter(field, id, config, encoder ? sourceWords : words);
    }
}

} // namespace

Parameter readParameter(const Field &field, const ParameterId &id, const Config &config,
                        Index words) {
    const ParameterKind kind = id.which;
    if (!hasPlaceFor(config, id)) {
        field.fail("the model has no place for this matrix",
                   "take it out, or change the model's fields");
        return nullptr;
    }
    ParameterShape shape = shapeOf(kind, config, words);
    if (shape.rows == kAny) {
        shape.rows = rowsOf(field);
        if (shape.rows == 0)
            return nullptr;
    }
    if (shape.rows == 0 || shape.columns == 0) {
        field.fail("the model has no words to give numbers to", "give its \"vocabulary\"");
        return nullptr;
    }
    if (isRow(kind))
        return readRow(field, shape.columns);
    if (shape.heads > 0)
        return readHeads(field, shape.rows, shape.columns, shape.heads, shape.layout);
    return readMatrix(field, shape.rows, shape.columns);
}

void readWeights(const Field &field, Index words, Index sourceWords, Model &model) {
    const Field layers = field.member("layers"), encoder = field.member("encoder");
    const Index count = readCount(layers);
    const bool hasEncoder = encoder.present() && encoder.isObject();
    const Index encoderCount = hasEncoder ? readCount(encoder.member("layers")) : 0;
    for (Index layer = 0; layer < count; ++layer)
        checkLayer(layers.element(static_cast<std::size_t>(layer)), model.config);
    for (Index layer = 0; layer < encoderCount; ++layer)
        checkLayer(encoder.member("layers").element(static_cast<std::size_t>(layer)), model.config);
    checkCount(field, model.config.layerCount, count);
    checkCount(encoder, model.config.encoderLayerCount, encoderCount);
    if (count == 0)
        return;
    model.weights.main.layers.resize(static_cast<std::size_t>(count));
    model.weights.encoder.layers.resize(static_cast<std::size_t>(encoderCount));
    readParameters(field, model.config, words, sourceWords, model.weights);
}

} // namespace headlight::core
