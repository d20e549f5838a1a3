// How a number before the layers came to be: the look-up, what is added to it, the norm, the
// projection.
#include "core/analysis/origin_parts.h"

#include <cmath>

namespace headlight::core::origin {

namespace {

/// The word's row of the matrix, or a vector that nothing made.
void lookUp(Work &work) {
    const Sequence &sequence = work.trace.input().of(work.place.stack)[work.place.sequence];
    const Parameter &matrix = work.model().embeddingMatrix(work.place.stack);
    const Vocabulary *words = work.model().vocabularyOf(work.place.stack);
    if (sequence.embeddings || !matrix || !words)
        return;
    CellExplanation &cell = work.cell;
    cell.word = words->idOf(sequence.tokens[static_cast<std::size_t>(work.row)]);
    if (!cell.word)
        return;
    cell.origin = Origin::LookUp;
    const bool own = work.place.stack == Stack::Encoder && work.model().weights.encoder.embeddings;
    cell.weights = {0, ParameterKind::Embeddings, Block::SelfAttention,
                    own ? Stack::Encoder : Stack::Only};
    cell.column = work.column;
    cell.firstRow = *cell.word;
    cell.terms = {{1, (*matrix)(*cell.word, work.column)}};
}

/// The position's number, where one is added.
void addPosition(Work &work) {
    const Config &config = work.config();
    Addend position{Addend::Kind::Position, 0, 1, {}, work.row};
    if (config.positions == Positions::Sinusoidal) {
        position.number =
            sinusoidalPosition(work.row, work.column, config.tokenWidth(), config.sinusoidOrder);
    } else if (config.positions == Positions::Learned) {
        position.row = work.row + config.positionOffset;
        position.number = (*work.numbers(ParameterKind::Positions))(position.row, work.column);
    } else {
        return;
    }
    work.cell.addends.push_back(position);
}

void addTokenType(Work &work) {
    const Parameter &types = work.numbers(ParameterKind::TokenTypes);
    if (!types)
        return;
    const Sequence &sequence = work.trace.input().of(work.place.stack)[work.place.sequence];
    const Index type =
        sequence.tokenTypes.empty() ? 0 : sequence.tokenTypes[static_cast<std::size_t>(work.row)];
    work.cell.addends.push_back(
        {Addend::Kind::TokenType, (*types)(type, work.column), 1, {}, type});
}

} // namespace

void embedding(Work &work) {
    if (work.place.stage == Stage::Embeddings)
        return lookUp(work);
    const auto from = sourceOf(work.trace, work.place.stage, work.place.site());
    if (!from)
        return;
    if (work.place.stage == Stage::EmbeddingProjected)
        return linear(work, *from, ParameterKind::EmbeddingProjection,
                      ParameterKind::EmbeddingProjectionBias, work.column);
    const Config &config = work.config();
    if (work.place.stage == Stage::Positioned) {
        if (config.hasNorm() && config.norm.embedding)
            return norm(work, *from, ParameterKind::EmbeddingNormGain,
                        ParameterKind::EmbeddingNormBias);
        return same(work, *from);
    }
    work.cell.origin = Origin::Sum;
    const float factor =
        config.scaleEmbeddings ? std::sqrt(static_cast<float>(config.width)) : 1.0f;
    work.cell.addends.push_back(
        {Addend::Kind::Embedding, work.matrix(*from)(work.row, work.column), factor, *from, 0});
    addPosition(work);
    addTokenType(work);
}

} // namespace headlight::core::origin
