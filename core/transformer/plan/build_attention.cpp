// The steps of an attention module.
#include "core/transformer/plan/plan_builder.h"

#include "core/operations/distance_bias.h"

namespace headlight::core {

StepId PlanBuilder::attend(AttentionId attention, StepId x, StepId memory) {
    const Index heads = m_config.heads;
    if (m_config.latent.compressesQueries())
        x = compressed(attention, x, m_config.latent.querySize,
                       {Stage::CompressedQuery, Stage::NormedCompressedQuery, K::QueryCompression,
                        K::QueryCompressionBias, K::CompressedQueryNormGain});
    std::optional<LatentKey> latent;
    if (m_config.latent.isOn())
        latent = latentKey(attention, memory);
    const auto [query, key] = queryAndKey(attention, x, memory, latent);
    const StepId from = latent ? latent->from : memory;
    const StepId value = project(Stage::Value, attention, from, K::Value, K::ValueBias,
                                 m_config.groups(), m_config.valueWidth());
    const Shape pairs{m_extent.batch, heads, m_extent.queries(attention), m_extent.keys(attention)};
    StepId scores = add(Stage::Scores, attention, op::DotProduct{}, {query, key}, {}, pairs);
    scores = add(Stage::ScaledScores, attention, op::Each{scale(attention)}, {scores}, {}, pairs);
    if (m_config.scoreCap.isOn())
        scores = add(Stage::CappedScores, attention, op::Each{op::Softcap{m_config.scoreCap.limit}},
                     {scores}, {}, pairs);
    if (attention.block == Block::SelfAttention && m_config.disentangled.isOn())
        scores = add(Stage::BiasedScores, attention, op::Add{},
                     {scores, ofDistances(attention, query, key, pairs)}, {}, pairs);
    else if (const auto bias = positionBias(attention, pairs))
        scores = add(Stage::BiasedScores, attention, op::Add{}, {scores, *bias}, {}, pairs);
    const StepId weights = weigh(attention, scores, pairs);
    const StepId context =
        add(Stage::Context, attention, op::WeightedSum{}, {weights, value}, {},
            {m_extent.batch, heads, m_extent.queries(attention), m_config.valueWidth()});
    const StepId together =
        add(Stage::Concatenated, attention, op::ConcatHeads{}, {context}, {},
            {m_extent.batch, m_extent.queries(attention), m_config.concatenatedWidth()});
    if (!m_model.attentionParameters(attention).output)
        return together;
    headOutputs(attention, context);
    return linear(Stage::Output, attention, together, K::Output, K::OutputBias, m_config.width);
}

bool PlanBuilder::rotates(AttentionId attention) const {
    return attention.block == Block::SelfAttention && m_config.rotates(attention.layer);
}

StepId PlanBuilder::rotated(Stage stage, AttentionId attention, StepId x, Index size) {
    const op::ApplyRotary rotate{
        rotaryAngles(m_config.rotaryOf(attention.layer), size, m_extent.queries(attention))};
    return add(stage, attention, rotate, {x}, {}, shapeOf(x));
}

std::pair<StepId, StepId> PlanBuilder::queryAndKey(AttentionId attention, StepId x, StepId memory,
                                                   const std::optional<LatentKey> &latent) {
    const Index size = m_config.headSize;
    const bool isNormed = m_config.normsQueries(), turns = rotates(attention);
    const bool isSelf = attention.block == Block::SelfAttention;
    const bool isNormedLast = isSelf && m_config.normsRotated(attention.layer);
    const bool isTuned = isSelf && m_config.tunesQueries(attention.layer);
    const Stage madeQuery = turns     ? Stage::UnrotatedQuery
                            : isTuned ? Stage::UntunedQuery
                                      : Stage::Query;
    const Stage madeKey = turns ? Stage::UnrotatedKey : Stage::Key;
    StepId query = project(isNormed ? Stage::ProjectedQuery : madeQuery, attention, x, K::Query,
                           K::QueryBias, m_config.heads, size);
    StepId key = 0;
    if (!latent)
        key = project(isNormed ? Stage::ProjectedKey : madeKey, attention, memory, K::Key,
                      K::KeyBias, m_config.groups(), size);
    if (isNormed) {
        query = normaliseHeads(madeQuery, attention, query, K::QueryNormGain, K::QueryNormBias);
        key = normaliseHeads(madeKey, attention, key, K::KeyNormGain, K::KeyNormBias);
    }
    if (turns)
        query = rotated(isNormedLast ? Stage::RotatedQuery : Stage::Query, attention, query, size);
    if (isTuned)
        query = add(Stage::Query, attention, op::TuneQueries{m_config.queryTuning}, {query}, {},
                    shapeOf(query));
    if (latent) {
        const Shape shape = shapeOf(latent->own);
        key = add(Stage::Key, attention, op::JoinColumns{}, {latent->shared, latent->own}, {},
                  {shape[0], shape[1], shape[2], size});
    } else if (turns) {
        key = rotated(isNormedLast ? Stage::RotatedKey : Stage::Key, attention, key, size);
    }
    if (isNormedLast) {
        const op::Normalise norm{m_config.norm.kind, m_config.norm.epsilon};
        query = add(Stage::Query, attention, norm, {query}, {}, shapeOf(query));
        key = add(Stage::Key, attention, norm, {key}, {}, shapeOf(key));
    }
    return {query, key};
}

PlanBuilder::LatentKey PlanBuilder::latentKey(AttentionId attention, StepId memory) {
    const LatentAttention &latent = m_config.latent;
    LatentKey made;
    made.from = compressed(attention, memory, latent.keyValueSize,
                           {Stage::CompressedKeyValue, Stage::NormedCompressedKeyValue,
                            K::KeyValueCompression, K::KeyValueCompressionBias,
                            K::CompressedKeyValueNormGain});
    made.shared = linear(rotates(attention) ? Stage::UnrotatedSharedKey : Stage::SharedKey,
                         attention, memory, K::SharedKey, K::SharedKeyBias, latent.sharedKeySize);
    if (rotates(attention))
        made.shared = rotated(Stage::SharedKey, attention, made.shared, latent.sharedKeySize);
    made.own = project(Stage::OwnKey, attention, made.from, K::Key, K::KeyBias, m_config.heads,
                       m_config.ownKeySize());
    return made;
}

StepId PlanBuilder::compressed(AttentionId attention, StepId x, Index size,
                               const Compression &names) {
    const StepId made = linear(names.made, attention, x, names.matrix, names.bias, size);
    return add(names.normed, attention,
               op::Normalise{NormKind::RootMeanSquare, m_config.latent.epsilon}, {made},
               {{idOf(names.gain, attention)}}, shapeOf(made));
}

op::Scale PlanBuilder::scale(AttentionId attention) const {
    const Index size = m_config.scaledSize(attention.block == Block::SelfAttention);
    const float factor = m_config.scale.factor(size);
    switch (m_config.scale.kind) {
    case Scale::Kind::SquareRoot:
        return {factor, size, true};
    case Scale::Kind::Number:
        return {factor, 0, true, m_config.scale.number};
    case Scale::Kind::Off:
        break;
    }
    return {factor};
}

StepId PlanBuilder::ofDistances(AttentionId attention, StepId query, StepId key,
                                const Shape &pairs) {
    const Disentangled &of = m_config.disentangled;
    std::vector<StepId> terms;
    if (of.contentToPosition) {
        const StepId position =
            positions(Stage::PositionKey, attention, of.sharesMatrices ? K::Key : K::PositionKey,
                      of.sharesMatrices ? K::KeyBias : K::PositionKeyBias);
        terms.push_back(pick(Stage::QueryDistances, Stage::ContentToPosition, attention,
                             {query, position}, pairs));
    }
    if (of.positionToContent) {
        const StepId position = positions(Stage::PositionQuery, attention,
                                          of.sharesMatrices ? K::Query : K::PositionQuery,
                                          of.sharesMatrices ? K::QueryBias : K::PositionQueryBias);
        terms.push_back(
            pick(Stage::KeyDistances, Stage::PositionToContent, attention, {key, position}, pairs));
    }
    const StepId sum = terms.size() < 2 ? terms[0]
                                        : add(Stage::PositionBias, attention, op::Add{},
                                              {terms[0], terms[1]}, {}, pairs, 1);
    return add(Stage::PositionBias, attention, op::Each{scale(attention)}, {sum}, {}, pairs);
}

StepId PlanBuilder::positions(Stage stage, AttentionId attention, K weight, K bias) {
    return project(stage, attention, m_distances[attention.stack], weight, bias, m_config.heads,
                   m_config.headSize);
}

StepId PlanBuilder::pick(Stage ofAll, Stage picked, AttentionId attention,
                         const std::vector<StepId> &reads, const Shape &pairs) {
    const DistanceTable &table = m_config.disentangled.table;
    const StepId all = add(ofAll, attention, op::DotProduct{}, reads, {},
                           {pairs[0], pairs[1], pairs[2], table.rows()});
    return add(picked, attention, op::PickDistances{table, picked == Stage::PositionToContent},
               {all}, {}, pairs);
}

std::optional<StepId> PlanBuilder::positionBias(AttentionId attention, const Shape &pairs) {
    const bool relative = m_config.positions == Positions::Relative;
    if (attention.block != Block::SelfAttention || !biasScores(m_config.positions))
        return std::nullopt;
    const Shape shape{1, pairs[1], pairs[2], pairs[3]};
    auto &made = m_positionBias[attention.stack];
    if (!made && relative)
        made = add(Stage::PositionBias, attention,
                   op::DistanceBias{op::DistanceBias::Relative{m_config.relative,
                                                               attention.stack != Stack::Decoder}},
                   {}, {{idOf(K::PositionBias, attention), Split::Columns}}, shape, 1);
    else if (!made)
        made = add(Stage::PositionBias, attention,
                   op::DistanceBias{op::DistanceBias::Alibi{slopes()}}, {}, {}, shape, 1);
    return add(Stage::PositionBias, attention, op::Clone{}, {*made}, {}, shape);
}

std::vector<float> PlanBuilder::slopes() const {
    return m_config.alibiSlopes.empty() ? alibiSlopes(m_config.heads) : m_config.alibiSlopes;
}

StepId PlanBuilder::weigh(AttentionId attention, StepId scores, const Shape &pairs) {
    const op::Softmax softmax{m_config.temperature, m_config.softmax};
    std::vector<ParameterSlice> sinks;
    if (m_model.hasSinks(attention))
        sinks.push_back({idOf(K::Sinks, attention), Split::Columns});
    if (m_config.masking.afterSoftmax) {
        const StepId all = add(Stage::UnmaskedWeights, attention, softmax, {scores}, sinks, pairs);
        const StepId weights =
            add(Stage::AttentionWeights, attention, op::Mask{0}, {all}, {}, pairs);
        weighSinks(attention, scores, sinks);
        return weights;
    }
    const StepId masked =
        add(Stage::MaskedScores, attention, op::Mask{m_config.masking.value}, {scores}, {}, pairs);
    const StepId weights = add(Stage::AttentionWeights, attention, softmax, {masked}, sinks, pairs);
    weighSinks(attention, masked, sinks);
    return weights;
}

void PlanBuilder::weighSinks(AttentionId attention, StepId scores,
                             const std::vector<ParameterSlice> &sinks) {
    const Shape pairs = shapeOf(scores);
    if (!sinks.empty())
        add(Stage::SinkWeights, attention, op::SinkWeight{m_config.temperature}, {scores}, sinks,
            {pairs[0], pairs[1], pairs[2], 1});
}

void PlanBuilder::headOutputs(AttentionId attention, StepId context) {
    Shape shape{m_extent.batch, m_config.heads, m_extent.queries(attention), m_config.width};
    const StepId id = add(Stage::HeadOutputs, attention, op::Linear{}, {context},
                          {{idOf(K::Output, attention), Split::Rows}}, std::move(shape));
    m_steps[id].isAside = true;
}

StepId PlanBuilder::normaliseHeads(Stage stage, AttentionId attention, StepId x, K gain, K bias) {
    if (m_config.queryKeyNorm == QueryKeyNorm::PerHead)
        return normalise(stage, attention, x, gain, bias);
    const Shape shape = shapeOf(x);
    const StepId together = add(stage, attention, op::ConcatHeads{}, {x}, {},
                                {shape[0], shape[2], shape[1] * shape[3]}, 2);
    const StepId normed = normalise(stage, attention, together, gain, bias, 1);
    return add(stage, attention, op::SplitHeads{}, {normed}, {}, shape);
}

StepId PlanBuilder::project(Stage stage, AttentionId attention, StepId x, K weight, K bias,
                            Index heads, Index size) {
    Shape shape{shapeOf(x)[0], heads, shapeOf(x)[1], size};
    return add(stage, attention, op::Linear{}, {x},
               {{idOf(weight, attention), Split::Columns}, {idOf(bias, attention), Split::Columns}},
               std::move(shape));
}

} // namespace headlight::core
