// The stacks, embeddings and layers of the plan, and interventions.
#include "core/transformer/plan/plan_builder.h"

#include <cmath>

namespace headlight::core {

std::vector<Step> PlanBuilder::build() {
    std::optional<StepId> memory;
    if (m_model.hasEncoder()) {
        m_config = m_model.configOf(Stack::Encoder);
        memory = stack(Stack::Encoder, std::nullopt);
        m_config = m_model.config;
    } else if (m_model.hasCrossAttention())
        memory = embed(Stack::SourceEmbeddings);
    outputLayer(stack(m_model.mainStack(), memory));
    return std::move(m_steps);
}

StepId PlanBuilder::stack(Stack stack, std::optional<StepId> memory) {
    StepId x = embed(stack);
    embedDistances(stack);
    for (Index layer = 0; layer < m_model.layerCount(stack); ++layer)
        x = this->layer({layer, Block::SelfAttention, stack}, x, memory);
    if (!m_config.hasNorm() || !m_config.norm.final)
        return x;
    return normalise(Stage::FinalNorm, {0, Block::SelfAttention, stack}, x, K::FinalNormGain,
                     K::FinalNormBias);
}

StepId PlanBuilder::embed(Stack stack) {
    const AttentionId attention(0, Block::SelfAttention, stack);
    const bool own =
        stack == Stack::Encoder && (m_model.parameters.encoder.embeddings || m_config.convolves());
    StepId x = add(Stage::Embeddings, attention, op::EmbeddingLookup{}, {},
                   {{{0, K::Embeddings, Block::SelfAttention, own ? Stack::Encoder : Stack::Main}}},
                   {m_extent.batch, m_extent.queries(attention), m_config.tokenWidth()});
    const auto projected = [&](StepId from) {
        return linear(Stage::EmbeddingProjected, attention, from, K::EmbeddingProjection,
                      K::EmbeddingProjectionBias, m_config.width);
    };
    if (m_config.projectsFirst)
        x = m_config.convolves() ? convolved(attention, x) : projected(x);
    x = embeddingSum(attention, x);
    x = m_config.hasNorm() && m_config.norm.embedding
            ? normalise(Stage::Positioned, attention, x, K::EmbeddingNormGain, K::EmbeddingNormBias)
            : rename(Stage::Positioned, attention, x);
    return m_config.projectsEmbeddings() && !m_config.projectsFirst ? projected(x) : x;
}

StepId PlanBuilder::convolved(AttentionId attention, StepId x) {
    using Neighbours = std::vector<op::JoinNeighbours::Part>;
    const Index bands = m_config.soundBands, width = m_config.width;
    const Shape rows = shapeOf(x);
    const auto join = [&](Stage stage, std::vector<StepId> reads, Neighbours parts) {
        Index columns = 0;
        for (const auto &part : parts)
            columns += part.columns;
        return add(stage, attention, op::JoinNeighbours{std::move(parts)}, std::move(reads), {},
                   {rows[0], rows[1], columns});
    };
    const auto mapped = [&](Stage stage, StepId from, K weight, K bias) {
        const StepId made = linear(stage, attention, from, weight, bias, width, 1);
        return add(stage, attention, op::Each{Activation::Gelu}, {made}, {}, shapeOf(made));
    };
    // The last frame of the previous token, and both frames of this token.
    const StepId before =
        join(Stage::FirstNeighbours, {x}, {{0, -1, bands, bands}, {0, 0, 0, 2 * bands}});
    const StepId first =
        mapped(Stage::FirstFrame, before, K::FrameConvolution, K::FrameConvolutionBias);
    const StepId after =
        join(Stage::SecondNeighbours, {x}, {{0, 0, 0, 2 * bands}, {0, 1, 0, bands}});
    const StepId second =
        mapped(Stage::SecondFrame, after, K::FrameConvolution, K::FrameConvolutionBias);
    const StepId both = join(Stage::FrameNeighbours, {first, second},
                             {{1, -1, 0, width}, {0, 0, 0, width}, {1, 0, 0, width}});
    return mapped(Stage::EmbeddingProjected, both, K::EmbeddingProjection,
                  K::EmbeddingProjectionBias);
}

void PlanBuilder::embedDistances(Stack stack) {
    const Disentangled &of = m_config.disentangled;
    if (!of.isOn())
        return;
    const AttentionId attention(0, Block::SelfAttention, stack);
    StepId &made = m_distances[stack];
    made = add(Stage::DistanceEmbeddings, attention, op::DistanceVectors{}, {},
               {{idOf(K::DistanceEmbeddings, attention)}}, {1, of.table.rows(), m_config.width},
               of.norm ? 1 : 0);
    if (of.norm)
        made = normalise(Stage::DistanceEmbeddings, attention, made, K::DistanceNormGain,
                         K::DistanceNormBias);
}

StepId PlanBuilder::embeddingSum(AttentionId attention, StepId x) {
    const bool sinusoidal = m_config.positions == Positions::Sinusoidal;
    const bool learned = m_config.positions == Positions::Learned;
    using RowsOf = op::AddRows::Kind;
    std::vector<std::pair<Operation, std::optional<K>>> terms;
    if (m_config.scaleEmbeddings)
        terms.emplace_back(op::Each{op::Scale{rootOf(m_config.width), m_config.width}},
                           std::nullopt);
    if (m_config.embeddingFactor != 1)
        terms.emplace_back(op::Each{op::Scale{m_config.embeddingFactor}}, std::nullopt);
    if (sinusoidal)
        terms.emplace_back(op::AddRows{RowsOf::Sinusoids, m_config.sinusoidOrder}, std::nullopt);
    if (learned)
        terms.emplace_back(op::AddRows{RowsOf::Positions, {}, m_config.positionOffset},
                           K::Positions);
    if (m_model.stack(attention.stack).tokenTypes)
        terms.emplace_back(op::AddRows{RowsOf::TokenTypes}, K::TokenTypes);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        std::vector<ParameterSlice> parameters;
        if (terms[i].second)
            parameters.push_back({idOf(*terms[i].second, attention)});
        x = add(Stage::EmbeddingSum, attention, terms[i].first, {x}, parameters, shapeOf(x),
                static_cast<int>(terms.size() - 1 - i));
    }
    return x;
}

StepId PlanBuilder::layer(AttentionId attention, StepId x, std::optional<StepId> memory) {
    x = rename(Stage::LayerInput, attention, x);
    std::vector<std::pair<Place, Function>> blocks;
    if (m_model.hasAttention(attention))
        blocks.emplace_back(attentionAt(attention),
                            [=, this](StepId in) { return attend(attention, in, in); });
    const AttentionId cross(attention.layer, Block::CrossAttention, attention.stack);
    if (m_model.hasAttention(cross))
        blocks.emplace_back(attentionAt(cross),
                            [=, this](StepId in) { return attend(cross, in, *memory); });
    if (m_config.feedForward.width > 0)
        blocks.emplace_back(feedForwardAt(attention),
                            [=, this](StepId in) { return feedForward(attention, in); });
    if (m_config.parallel)
        return parallel(attention, x, blocks);
    for (const auto &[place, f] : blocks)
        x = sublayer(place, x, f);
    return m_steps[x].at.stage == Stage::LayerOutput ? x : rename(Stage::LayerOutput, attention, x);
}

PlanBuilder::Place PlanBuilder::attentionAt(AttentionId attention) {
    return {attention,   Stage::Norm, Stage::OutputNorm, Stage::ResidualSum, Stage::Residual,
            K::NormGain, K::NormBias, K::OutputNormGain, K::OutputNormBias};
}

PlanBuilder::Place PlanBuilder::feedForwardAt(AttentionId attention) {
    return {attention,
            Stage::FeedForwardNorm,
            Stage::FeedForwardOutputNorm,
            Stage::FeedForwardResidualSum,
            Stage::LayerOutput,
            K::FeedForwardNormGain,
            K::FeedForwardNormBias,
            K::FeedForwardOutputNormGain,
            K::FeedForwardOutputNormBias};
}

StepId PlanBuilder::before(const Place &place, StepId x) {
    const bool isSkipped = place.norm == Stage::Norm &&
                           place.attention.block == Block::SelfAttention &&
                           m_config.skipsNorm(place.attention.layer);
    return m_config.normsBefore() && !isSkipped
               ? normalise(place.norm, place.attention, x, place.gain, place.bias)
               : x;
}

StepId PlanBuilder::outputOf(const Place &place, StepId made) {
    return m_config.normsOutput() ? normalise(place.outputNorm, place.attention, made,
                                              place.outputGain, place.outputBias)
                                  : made;
}

StepId PlanBuilder::parallel(AttentionId attention, StepId x,
                             const std::vector<std::pair<Place, Function>> &blocks) {
    std::vector<StepId> terms;
    if (m_config.residual)
        terms.push_back(x);
    std::optional<StepId> in;
    for (const auto &[place, f] : blocks) {
        if (!in || !m_config.sharesNorm())
            in = before(place, x);
        terms.push_back(outputOf(place, f(*in)));
    }
    if (terms.size() < 2)
        return rename(Stage::LayerOutput, attention, terms.empty() ? x : terms.front());
    const bool isScaled = hasResidualFactor();
    int left = static_cast<int>(terms.size() - 1) * (isScaled ? 2 : 1);
    StepId sum = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
        const StepId term =
            isScaled ? timesResidualFactor(Stage::LayerOutput, attention, terms[i], --left)
                     : terms[i];
        sum = add(Stage::LayerOutput, attention, op::Add{}, {sum, term}, {}, shapeOf(x), --left);
    }
    return sum;
}

StepId PlanBuilder::timesResidualFactor(Stage stage, AttentionId attention, StepId made,
                                        int inner) {
    return add(stage, attention, op::Each{op::Scale{m_config.residualFactor}}, {made}, {},
               shapeOf(made), inner);
}

StepId PlanBuilder::sublayer(const Place &place, StepId x, const Function &f) {
    StepId made = outputOf(place, f(before(place, x)));
    const Stage sum = m_config.normsAfter() ? place.sum : place.result;
    if (hasResidualFactor())
        made = timesResidualFactor(sum, place.attention, made, 1);
    if (m_config.residual)
        made = add(sum, place.attention, op::Add{}, {x, made}, {}, shapeOf(x));
    if (m_config.normsAfter())
        made = normalise(place.result, place.attention, made, place.gain, place.bias);
    return made;
}

StepId PlanBuilder::add(Stage stage, AttentionId attention, Operation operation,
                        std::vector<StepId> reads, std::vector<ParameterSlice> parameters,
                        Shape shape, int inner) {
    m_steps.push_back({{stage, attention},
                       inner,
                       std::nullopt,
                       std::move(operation),
                       std::move(reads),
                       std::move(parameters),
                       std::move(shape)});
    return m_steps.size() - 1;
}

StepId PlanBuilder::rename(Stage stage, AttentionId attention, StepId from) {
    Step step;
    step.at = {stage, attention};
    step.renames = m_steps[from].renames.value_or(from);
    step.shape = shapeOf(from);
    m_steps.push_back(std::move(step));
    return m_steps.size() - 1;
}

StepId PlanBuilder::normalise(Stage stage, AttentionId attention, StepId x, K gain, K bias,
                              int inner) {
    return add(stage, attention, op::Normalise{m_config.norm.kind, m_config.norm.epsilon}, {x},
               {{idOf(gain, attention)}, {idOf(bias, attention)}}, shapeOf(x), inner);
}

StepId PlanBuilder::linear(Stage stage, AttentionId attention, StepId x, K weight,
                           std::optional<K> bias, Index width, int inner) {
    Shape shape{shapeOf(x)[0], shapeOf(x)[1], width};
    std::vector<ParameterSlice> parameters{{idOf(weight, attention)}};
    if (bias)
        parameters.push_back({idOf(*bias, attention)});
    return add(stage, attention, op::Linear{}, {x}, std::move(parameters), std::move(shape), inner);
}

ParameterId PlanBuilder::idOf(K which, AttentionId attention) const {
    return parameterAt(m_model, which, attention);
}

float PlanBuilder::rootOf(Index number) {
    return static_cast<float>(std::sqrt(static_cast<double>(number)));
}

namespace {

/// Returns the first token with the largest id. Tokens without an id come last.
Index largestIdOf(const Sequence &sequence, const Vocabulary *words) {
    Index found = 0, largest = -1;
    for (Index token = 0; words && token < sequence.length; ++token)
        if (const Index id = words->idOf(sequence[token]).value_or(-1); id > largest) {
            found = token;
            largest = id;
        }
    return found;
}

/// Sets the tokens that represent the sequences.
void addPooledRows(std::vector<Step> &steps, const Model &model, const Batch &batch) {
    for (Step &step : steps) {
        auto *pool = std::get_if<op::Pool>(&step.operation);
        if (!pool || !step.isOwn() || pool->pooling != Pooling::LargestId)
            continue;
        for (const Sequence &sequence : batch.sequences())
            pool->rows.push_back(largestIdOf(sequence, model.vocabularyOf(model.mainStack())));
    }
}

/// Adds the interventions to the steps that they change.
void addChanges(std::vector<Step> &steps, const Interventions &interventions) {
    using By = op::Replace::By;
    for (Step &step : steps) {
        if (!step.isNamed() || !step.isOwn())
            continue;
        const AttentionId attention = step.at.attention;
        if (step.at.stage == Stage::Scores) {
            for (const ScoreIntervention &intervention : interventions.scores) {
                if (intervention.attention() != attention)
                    continue;
                const op::SetCells::Cell cell{intervention.query, intervention.key,
                                              intervention.score};
                Change *last = step.changes.empty() ? nullptr : &step.changes.back();
                if (last && last->sequence == intervention.sequence &&
                    last->head == intervention.head)
                    std::get<op::SetCells>(last->operation).cells.push_back(cell);
                else
                    step.changes.push_back(
                        {intervention.sequence, intervention.head, op::SetCells{{cell}}});
            }
            continue;
        }
        for (const HeadIntervention &intervention : interventions.heads) {
            if (intervention.attention() != attention)
                continue;
            if (step.at.stage == Stage::AttentionWeights &&
                intervention.state == HeadState::Uniform)
                step.changes.push_back({std::nullopt, intervention.head, op::Replace{By::Uniform}});
            const bool isSinkOfUniform =
                step.at.stage == Stage::SinkWeights && intervention.state == HeadState::Uniform;
            const bool isSilenced =
                step.at.stage == Stage::Context && intervention.state == HeadState::Zero;
            if (isSinkOfUniform || isSilenced)
                step.changes.push_back({std::nullopt, intervention.head, op::Replace{By::Zero}});
            if (step.at.stage == Stage::Context && intervention.state == HeadState::Mean)
                step.changes.push_back({std::nullopt, intervention.head, op::Replace{By::Mean}});
        }
    }
}

} // namespace

Plan planOf(const Model &model, const Extent &extent) {
    if (model.captured)
        return *model.captured;
    return Plan(PlanBuilder(model, extent).build());
}

Plan planOf(const Model &model, const Input &input) {
    if (model.captured)
        return *model.captured;
    std::vector<Step> steps = PlanBuilder(model, Extent(input)).build();
    addPooledRows(steps, model, *input.batch);
    addChanges(steps, input.interventions);
    return Plan(std::move(steps));
}

} // namespace headlight::core
