#include "core/transformer/parameter_places.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

bool hasPlaceInLayer(const Config &config, K kind) {
    switch (kind) {
    case K::NormGain:
        return config.hasNorm();
    case K::NormBias:
        return config.normHasBias();
    case K::Gate:
    case K::GateBias:
        return config.feedForward.width > 0 && config.feedForward.gated;
    case K::FeedForwardNormGain:
        return config.feedForward.width > 0 && config.hasNorm();
    case K::FeedForwardNormBias:
        return config.feedForward.width > 0 && config.normHasBias();
    default:
        return partOf(kind) == ParameterPart::Attention || config.feedForward.width > 0;
    }
}

bool hasPlaceInStack(const Config &config, K kind) {
    switch (kind) {
    case K::Positions:
        return config.positions == Positions::Learned;
    case K::PositionBias:
        return config.positions == Positions::Relative;
    case K::EmbeddingNormGain:
        return config.hasNorm() && config.norm.embedding;
    case K::EmbeddingNormBias:
        return config.normHasBias() && config.norm.embedding;
    case K::EmbeddingProjection:
    case K::EmbeddingProjectionBias:
        return config.tokenWidth() != config.width;
    case K::FinalNormGain:
        return config.hasNorm() && config.norm.final;
    case K::FinalNormBias:
        return config.normHasBias() && config.norm.final;
    default:
        return true;
    }
}

bool hasPlaceInHead(const Config &config, K kind) {
    const bool masked = config.head.kind == HeadKind::MaskedLanguage;
    switch (kind) {
    case K::HeadTransform:
    case K::HeadTransformBias:
        return masked;
    case K::HeadNormGain:
        return masked && config.head.norm && config.hasNorm();
    case K::HeadNormBias:
        return masked && config.head.norm && config.normHasBias();
    case K::OutputMatrix:
    case K::OutputMatrixBias:
        return masked || config.head.kind == HeadKind::Language;
    default:
        return config.head.kind == HeadKind::Classifier;
    }
}

} // namespace

bool hasPlaceFor(const Config &config, const ParameterId &id) {
    switch (partOf(id.which)) {
    case ParameterPart::Attention:
    case ParameterPart::FeedForward:
        return hasPlaceInLayer(config, id.which);
    case ParameterPart::Stack:
        return hasPlaceInStack(config, id.which);
    case ParameterPart::Head:
        break;
    }
    return hasPlaceInHead(config, id.which);
}

void dropWithoutPlace(Weights &weights, const Config &config) {
    for (const ParameterId &id : allParameters(weights))
        if (!hasPlaceFor(config, id))
            parameterOf(weights, id) = nullptr;
}

} // namespace headlight::core
