#include "core/explain/symbols.h"

#include <algorithm>
#include <array>

namespace headlight::core {

namespace {

/// Returns "X", or a sum such as "E + P" if X is the norm of the sum.
std::string embeddingSumSymbol(const Model &model) {
    const Config &config = model.config;
    if (!config.hasNorm() || !config.norm.embedding)
        return "X";
    std::string symbol = "E";
    if (areAddedToEmbeddings(config.positions))
        symbol += " + P";
    if (model.parameters.main.tokenTypes)
        symbol += " + T";
    return symbol;
}

/// True if the layer has a residual connection after self-attention and another one after
/// cross-attention.
bool hasTwoResiduals(const Trace &trace, AttentionId attention) {
    return std::ranges::all_of(
        std::array{Block::SelfAttention, Block::CrossAttention}, [&](Block block) {
            return trace.has(Stage::Residual, {attention.layer, block, attention.stack});
        });
}

/// Returns the symbol of a stage after cross-attention that would otherwise have the symbol of an
/// earlier stage; empty for other stages.
std::string secondResidualSymbol(const Trace &trace, StageId at) {
    const bool ofCross = at.attention.block == Block::CrossAttention;
    const char *symbol = at.stage == Stage::ResidualSum && ofCross   ? "R + O"
                         : at.stage == Stage::Residual && ofCross    ? "R′"
                         : at.stage == Stage::FeedForwardResidualSum ? "R′ + F"
                                                                     : "";
    return *symbol && hasTwoResiduals(trace, at.attention) ? symbol : "";
}

} // namespace

std::string symbolOf(const Trace &trace, StageId at) {
    const Stage stage = at.stage;
    if (stage == Stage::EmbeddingSum)
        return embeddingSumSymbol(trace.model());
    const Model &model = trace.model();
    const bool changed =
        trace.has(Stage::EmbeddingSum, AttentionId(0, Block::SelfAttention, model.mainStack())) ||
        (model.config.hasNorm() && model.config.norm.embedding) ||
        model.config.projectsEmbeddings();
    if (stage == Stage::Embeddings && !changed)
        return "X"; // the embeddings are the layers' input
    if (stage == Stage::EmbeddingProjected && model.config.soundBands > 0)
        return "σ(J·W_E)";
    if (stage == Stage::EmbeddingProjected && model.config.projectsFirst)
        return "E·W_E"; // E is not the layers' input, X
    if (stage == Stage::Activated && model.config.feedForward.gated)
        return "σ(G) ⊙ H";
    if (stage == Stage::SharedActivated && model.config.feedForward.gated)
        return "σ(Gˢ) ⊙ Hˢ";
    if (std::string second = secondResidualSymbol(trace, at); !second.empty())
        return second;
    return std::string(infoOf(stage).symbol);
}

std::string letterOf(ParameterKind which) {
    switch (which) {
    case ParameterKind::Query:
    case ParameterKind::QueryBias:
        return "Q";
    case ParameterKind::PositionKey:
    case ParameterKind::PositionKeyBias:
        return "Kʳ";
    case ParameterKind::PositionQuery:
    case ParameterKind::PositionQueryBias:
        return "Qʳ";
    case ParameterKind::Key:
    case ParameterKind::KeyBias:
        return "K";
    case ParameterKind::QueryCompression:
    case ParameterKind::QueryCompressionBias:
        return "c";
    case ParameterKind::KeyValueCompression:
    case ParameterKind::KeyValueCompressionBias:
        return "l";
    case ParameterKind::SharedKey:
    case ParameterKind::SharedKeyBias:
        return "Kˢ";
    case ParameterKind::Value:
    case ParameterKind::ValueBias:
        return "V";
    case ParameterKind::Output:
    case ParameterKind::OutputBias:
        return "O";
    case ParameterKind::Router:
    case ParameterKind::RouterBias:
        return "r";
    case ParameterKind::SharedGate:
    case ParameterKind::Gate:
    case ParameterKind::GateBias:
        return "g";
    case ParameterKind::SharedHidden:
    case ParameterKind::Hidden:
    case ParameterKind::HiddenBias:
        return "1";
    case ParameterKind::SharedOutput:
    case ParameterKind::FeedForwardOutput:
    case ParameterKind::FeedForwardOutputBias:
        return "2";
    case ParameterKind::FrameConvolution:
    case ParameterKind::FrameConvolutionBias:
        return "F";
    case ParameterKind::EmbeddingProjection:
    case ParameterKind::EmbeddingProjectionBias:
        return "E";
    case ParameterKind::PredictionTransform:
    case ParameterKind::PredictionTransformBias:
        return "t";
    case ParameterKind::OutputMatrix:
    case ParameterKind::OutputMatrixBias:
        return "U";
    case ParameterKind::Pooler:
    case ParameterKind::PoolerBias:
        return "p";
    case ParameterKind::Classifier:
    case ParameterKind::ClassifierBias:
        return "c";
    case ParameterKind::DistillationClassifier:
    case ParameterKind::DistillationClassifierBias:
        return "d";
    case ParameterKind::Projection:
        return "s";
    default:
        return "";
    }
}

Role roleOfParameters(const Step &step) {
    const bool ofContext =
        !step.parameters.empty() && step.parameters[0].id.which == ParameterKind::Output;
    return ofContext ? Role::Context : infoOf(step.at.stage).role;
}

} // namespace headlight::core
