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

/// Returns the previous frame, the frame itself and the next frame side by side, for every second
/// frame from `first`. X [B·2T, channels] has a row for each frame. Frames beyond the ends of a
/// sequence are zeros. The result is [B·T, 3·channels].
MatrixXd neighbours(const MatrixXd &X, Index sequences, Index first) {
    const Index frames = X.rows() / sequences, channels = X.cols();
    MatrixXd J(X.rows() / 2, 3 * channels);
    for (Index b = 0; b < sequences; ++b) {
        MatrixXd padded = MatrixXd::Zero(frames + 2, channels);
        padded.middleRows(1, frames) = X.middleRows(b * frames, frames);
        for (Index t = 0; t < frames / 2; ++t)
            for (Index k = 0; k < 3; ++k)
                J.block(b * frames / 2 + t, k * channels, 1, channels) =
                    padded.row(2 * t + first + k);
    }
    return J;
}

/// Interleaves the rows of both matrices, which are the first and the second frame of each token.
MatrixXd inTurn(const MatrixXd &first, const MatrixXd &second) {
    MatrixXd X(2 * first.rows(), first.cols());
    for (Index row = 0; row < first.rows(); ++row) {
        X.row(2 * row) = first.row(row);
        X.row(2 * row + 1) = second.row(row);
    }
    return X;
}

/// Radford et al. (2022), section 2.2: two convolutions of width 3, each followed by GELU; the
/// second has a stride of two. A row of X is a token's two frames.
MatrixXd convolved(const Pass &pass, const MatrixXd &X, AttentionId at) {
    const StackParameters &W = pass.model.stack(at.stack);
    const Index B = pass.sequences(), bands = X.cols() / 2;
    const auto mapped = [&](const MatrixXd &J, const Parameter &matrix, const Parameter &bias,
                            Stage stage) {
        return pass.shown({stage, at}, activated(linear(pass, J, matrix, bias), Activation::Gelu));
    };
    const MatrixXd frames = inTurn(X.leftCols(bands), X.rightCols(bands));
    const auto first = [&](Index frame, Stage joined, Stage stage) { // frame 0 or 1 of each token
        return mapped(pass.shown({joined, at}, neighbours(frames, B, frame)), W.frameConvolution,
                      W.frameConvolutionBias, stage);
    };
    const MatrixXd Y = first(0, Stage::FirstNeighbours, Stage::FirstFrame);
    const MatrixXd Z = first(1, Stage::SecondNeighbours, Stage::SecondFrame);
    return mapped(pass.shown({Stage::FrameNeighbours, at}, neighbours(inTurn(Y, Z), B, 0)),
                  W.embeddingProjection, W.embeddingProjectionBias, Stage::EmbeddingProjected);
}

} // namespace

MatrixXd embedded(const Pass &pass, Stack stack) {
    const AttentionId at(0, Block::SelfAttention, stack);
    const Config config = pass.model.configOf(stack);
    const StackParameters &W = pass.model.stack(stack);
    const Batch &batch = pass.input.of(stack);
    const Index B = batch.count(), T = batch.length(), E = config.tokenWidth();

    MatrixXd X = pass.shown({Stage::Embeddings, at}, lookedUp(pass, batch, stack, E));
    const auto project = [&] { // Lan et al. (2020), section 3.1: factorised embeddings
        X = pass.shown({Stage::EmbeddingProjected, at},
                       linear(pass, X, W.embeddingProjection, W.embeddingProjectionBias));
    };
    if (config.convolves())
        X = convolved(pass, X, at);
    else if (config.projectsFirst) // Dosovitskiy et al. (2021), equation 1
        project();
    const Index width = X.cols(); // width of positions and token types
    if (config.scaleEmbeddings)   // Vaswani et al. (2017), section 3.4
        X *= std::sqrt(double(config.width));
    X *= double(config.embeddingFactor);
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
