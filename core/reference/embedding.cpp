// From tokens to vectors: the embeddings of words, positions and token types.
#include "core/reference/pass.h"

#include <cmath>

namespace headlight::core::reference {

namespace {

/// Returns the vector of each token, [B·T, E]: a row of the embedding matrix, the word's own
/// vector, or the token's own vector, which the user has set.
MatrixXd lookedUp(const Pass &pass, const Batch &batch, Stack stack, Index width) {
    const Parameter &matrix = pass.model.embeddingMatrix(stack);
    const Vocabulary *vocabulary = pass.model.vocabularyOf(stack);
    MatrixXd X(batch.count() * batch.length(), width);
    for (Index b = 0; b < batch.count(); ++b)
        for (Index t = 0; t < batch.length(); ++t) {
            const Token &token = batch[b][t];
            auto row = X.row(b * batch.length() + t);
            if (batch[b].embeddings)
                row = numbersOf(batch[b].embeddings, {t, 0, 1, width});
            else if (matrix)
                row = numbersOf(matrix, {*vocabulary->idOf(token), 0, 1, width});
            else
                row = Eigen::Map<const Eigen::RowVectorXf>(
                          pass.model.embeddings->vectorOf(token.text).data(), width)
                          .cast<double>();
        }
    return X;
}

} // namespace

MatrixXd embedded(const Pass &pass, Stack stack) {
    const AttentionId at(0, Block::SelfAttention, stack);
    const Config config = pass.model.configOf(stack);
    const StackParameters &W = pass.model.stack(stack);
    const Batch &batch = pass.input.of(stack);
    const Index B = batch.count(), T = batch.length(), E = config.tokenWidth();

    MatrixXd X = lookedUp(pass, batch, stack, E);
    pass.show({Stage::Embeddings, at}, X);
    const auto project = [&] { // Lan et al. (2020), section 3.1: factorised embeddings
        X = linear(pass, X, W.embeddingProjection, W.embeddingProjectionBias);
        pass.show({Stage::EmbeddingProjected, at}, X);
    };
    if (config.projectsFirst) // Dosovitskiy et al. (2021), equation 1
        project();
    const Index width = X.cols(); // of positions and token types
    if (config.scaleEmbeddings)   // Vaswani et al. (2017), section 3.4
        X *= std::sqrt(static_cast<double>(config.width));
    X *= static_cast<double>(config.embeddingFactor);
    if (config.positions == Positions::Sinusoidal)
        X += sinusoids(T, width, config.sinusoidOrder).replicate(B, 1);
    if (config.positions == Positions::Learned)
        X += numbersOf(W.positions, {config.positionOffset, 0, T, width}).replicate(B, 1);
    if (W.tokenTypes) {
        const MatrixXd types = numbersOf(W.tokenTypes);
        for (Index b = 0; b < B; ++b)
            for (Index t = 0; t < T; ++t)
                X.row(b * T + t) += types.row(
                    batch[b].tokenTypes.empty() ? 0 : batch[b].tokenTypes[std::size_t(t)]);
    }
    if (config.scaleEmbeddings || config.embeddingFactor != 1 ||
        areAddedToEmbeddings(config.positions) || W.tokenTypes)
        pass.show({Stage::EmbeddingSum, at}, X);

    if (config.norm.embedding)
        X = normalised(config, X, W.embeddingNorm, batch);
    pass.show({Stage::Positioned, at}, X);
    if (E != config.width && !config.projectsFirst)
        project();
    return X;
}

} // namespace headlight::core::reference
