// Builds the plan of a transformer from tokens to logits, with one function per part.
#include "core/operations/distance_bias.h"
#include "core/transformer/plan/plan.h"

#include <cmath>
#include <functional>

namespace headlight::core {

namespace {

using K = ParameterKind;
using Split = ParameterSlice::Split;

/// The stage names of a block with function f. The block computes y = x + f(norm(x)), y = norm(x +
/// f(x)), or y = x + norm(f(x)).
struct Place {
    AttentionId attention;
    Stage norm, outputNorm, sum, result;
    K gain, bias, outputGain, outputBias;
};

class Builder {
    using Function = std::function<StepId(StepId)>;

  public:
    Builder(const Model &model, const Extent &extent)
        : m_model(model), m_config(model.config), m_extent(extent) {}

    std::vector<Step> build() {
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

  private:
    StepId stack(Stack stack, std::optional<StepId> memory) {
        StepId x = embed(stack);
        for (Index layer = 0; layer < m_model.layerCount(stack); ++layer)
            x = this->layer({layer, Block::SelfAttention, stack}, x, memory);
        if (!m_config.hasNorm() || !m_config.norm.final)
            return x;
        return normalise(Stage::FinalNorm, {0, Block::SelfAttention, stack}, x, K::FinalNormGain,
                         K::FinalNormBias);
    }

    StepId embed(Stack stack) {
        const AttentionId attention(0, Block::SelfAttention, stack);
        const bool own = stack == Stack::Encoder && m_model.parameters.encoder.embeddings;
        StepId x =
            add(Stage::Embeddings, attention, op::EmbeddingLookup{}, {},
                {{{0, K::Embeddings, Block::SelfAttention, own ? Stack::Encoder : Stack::Main}}},
                {m_extent.batch, m_extent.queries(attention), m_config.tokenWidth()});
        x = embeddingSum(attention, x);
        x = m_config.hasNorm() && m_config.norm.embedding
                ? normalise(Stage::Positioned, attention, x, K::EmbeddingNormGain,
                            K::EmbeddingNormBias)
                : rename(Stage::Positioned, attention, x);
        if (m_config.tokenWidth() == m_config.width)
            return x;
        return linear(Stage::EmbeddingProjected, attention, x, K::EmbeddingProjection,
                      K::EmbeddingProjectionBias, m_config.width);
    }

    /// x · √C · factor + positions + token types; each part is optional.
    StepId embeddingSum(AttentionId attention, StepId x) {
        const bool sinusoidal = m_config.positions == Positions::Sinusoidal;
        const bool learned = m_config.positions == Positions::Learned;
        using Rows = op::AddRows::Kind;
        std::vector<std::pair<Operation, std::optional<K>>> terms;
        if (m_config.scaleEmbeddings)
            terms.emplace_back(op::Each{op::Scale{rootOf(m_config.width), m_config.width}},
                               std::nullopt);
        if (m_config.embeddingFactor != 1)
            terms.emplace_back(op::Each{op::Scale{m_config.embeddingFactor}}, std::nullopt);
        if (sinusoidal)
            terms.emplace_back(op::AddRows{Rows::Sinusoids, m_config.sinusoidOrder}, std::nullopt);
        if (learned)
            terms.emplace_back(op::AddRows{Rows::Positions, {}, m_config.positionOffset},
                               K::Positions);
        if (m_model.stack(attention.stack).tokenTypes)
            terms.emplace_back(op::AddRows{Rows::TokenTypes}, K::TokenTypes);
        for (std::size_t i = 0; i < terms.size(); ++i) {
            std::vector<ParameterSlice> parameters;
            if (terms[i].second)
                parameters.push_back({idOf(*terms[i].second, attention)});
            x = add(Stage::EmbeddingSum, attention, terms[i].first, {x}, parameters, shapeOf(x),
                    static_cast<int>(terms.size() - 1 - i));
        }
        return x;
    }

    StepId layer(AttentionId attention, StepId x, std::optional<StepId> memory) {
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
        return m_steps[x].at.stage == Stage::LayerOutput ? x
                                                         : rename(Stage::LayerOutput, attention, x);
    }

    static Place attentionAt(AttentionId attention) {
        return {attention,   Stage::Norm, Stage::OutputNorm, Stage::ResidualSum, Stage::Residual,
                K::NormGain, K::NormBias, K::OutputNormGain, K::OutputNormBias};
    }
    static Place feedForwardAt(AttentionId attention) {
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

    StepId before(const Place &place, StepId x) {
        const bool isSkipped = place.norm == Stage::Norm &&
                               place.attention.block == Block::SelfAttention &&
                               m_config.skipsNorm(place.attention.layer);
        return m_config.normsBefore() && !isSkipped
                   ? normalise(place.norm, place.attention, x, place.gain, place.bias)
                   : x;
    }
    StepId outputOf(const Place &place, StepId made) {
        return m_config.normsOutput() ? normalise(place.outputNorm, place.attention, made,
                                                  place.outputGain, place.outputBias)
                                      : made;
    }

    /// x + f(x) + g(x), with the norms of each block. With a residual factor r, r·f(x) instead of
    /// f(x).
    StepId parallel(AttentionId attention, StepId x,
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
            sum =
                add(Stage::LayerOutput, attention, op::Add{}, {sum, term}, {}, shapeOf(x), --left);
        }
        return sum;
    }

    bool hasResidualFactor() const { return m_config.residual && m_config.residualFactor != 1; }
    StepId timesResidualFactor(Stage stage, AttentionId attention, StepId made, int inner) {
        return add(stage, attention, op::Each{op::Scale{m_config.residualFactor}}, {made}, {},
                   shapeOf(made), inner);
    }

    /// x + f(norm(x)), norm(x + f(x)), or x + norm(f(x)), depending on the config.
    StepId sublayer(const Place &place, StepId x, const Function &f) {
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

    /// softmax(Q·Kᵀ · scale + position bias + mask)·V per head, concatenated, times W_O.
    StepId attend(AttentionId attention, StepId x, StepId memory) {
        const Index heads = m_config.heads, groups = m_config.groups();
        const bool turns =
            attention.block == Block::SelfAttention && m_config.rotates(attention.layer);
        const Index size = m_config.headSize;
        const bool isNormed = m_config.normsQueries();
        const Stage madeQuery = turns ? Stage::UnrotatedQuery : Stage::Query;
        const Stage madeKey = turns ? Stage::UnrotatedKey : Stage::Key;
        StepId query = project(isNormed ? Stage::ProjectedQuery : madeQuery, attention, x, K::Query,
                               K::QueryBias, heads, size);
        StepId key = project(isNormed ? Stage::ProjectedKey : madeKey, attention, memory, K::Key,
                             K::KeyBias, groups, size);
        if (isNormed) {
            query = normaliseHeads(madeQuery, attention, query, K::QueryNormGain, K::QueryNormBias);
            key = normaliseHeads(madeKey, attention, key, K::KeyNormGain, K::KeyNormBias);
        }
        if (turns) {
            const op::ApplyRotary rotate{rotaryAngles(m_config.rotaryOf(attention.layer),
                                                      m_config.headSize,
                                                      m_extent.queries(attention))};
            query = add(Stage::Query, attention, rotate, {query}, {}, shapeOf(query));
            key = add(Stage::Key, attention, rotate, {key}, {}, shapeOf(key));
        }
        const StepId value = project(Stage::Value, attention, memory, K::Value, K::ValueBias,
                                     groups, m_config.valueWidth());
        const Shape pairs{m_extent.batch, heads, m_extent.queries(attention),
                          m_extent.keys(attention)};
        StepId scores = add(Stage::Scores, attention, op::DotProduct{}, {query, key}, {}, pairs);
        scores = add(Stage::ScaledScores, attention, op::Each{scale()}, {scores}, {}, pairs);
        if (m_config.scoreCap.isOn())
            scores = add(Stage::CappedScores, attention,
                         op::Each{op::Softcap{m_config.scoreCap.limit}}, {scores}, {}, pairs);
        if (const auto bias = positionBias(attention, pairs))
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

    op::Scale scale() const {
        const float factor = m_config.scale.factor(m_config.headSize);
        switch (m_config.scale.kind) {
        case Scale::Kind::SquareRoot:
            return {factor, m_config.headSize, true};
        case Scale::Kind::Number:
            return {factor, 0, true, m_config.scale.number};
        case Scale::Kind::Off:
            break;
        }
        return {factor};
    }

    /// Computes the position bias of the scores once for all layers.
    std::optional<StepId> positionBias(AttentionId attention, const Shape &pairs) {
        const bool relative = m_config.positions == Positions::Relative;
        if (attention.block != Block::SelfAttention || !biasScores(m_config.positions))
            return std::nullopt;
        const Shape shape{1, pairs[1], pairs[2], pairs[3]};
        auto &made = m_positionBias[attention.stack];
        if (!made && relative)
            made = add(Stage::PositionBias, attention,
                       op::DistanceBias{op::DistanceBias::Relative{
                           m_config.relative, attention.stack != Stack::Decoder}},
                       {}, {{idOf(K::PositionBias, attention), Split::Columns}}, shape, 1);
        else if (!made)
            made = add(Stage::PositionBias, attention,
                       op::DistanceBias{op::DistanceBias::Alibi{slopes()}}, {}, {}, shape, 1);
        return add(Stage::PositionBias, attention, op::Clone{}, {*made}, {}, shape);
    }

    std::vector<float> slopes() const {
        return m_config.alibiSlopes.empty() ? alibiSlopes(m_config.heads) : m_config.alibiSlopes;
    }

    /// Computes attention weights from scores. The mask is applied before softmax, or after it if
    /// the config says so.
    StepId weigh(AttentionId attention, StepId scores, const Shape &pairs) {
        const op::Softmax softmax{m_config.temperature, m_config.softmax};
        std::vector<ParameterSlice> sinks;
        if (m_model.hasSinks(attention))
            sinks.push_back({idOf(K::Sinks, attention), Split::Columns});
        if (m_config.masking.afterSoftmax) {
            const StepId all =
                add(Stage::UnmaskedWeights, attention, softmax, {scores}, sinks, pairs);
            return add(Stage::AttentionWeights, attention, op::Mask{0}, {all}, {}, pairs);
        }
        const StepId masked = add(Stage::MaskedScores, attention, op::Mask{m_config.masking.value},
                                  {scores}, {}, pairs);
        return add(Stage::AttentionWeights, attention, softmax, {masked}, sinks, pairs);
    }

    /// Computes the contribution of each head to the output.
    void headOutputs(AttentionId attention, StepId context) {
        Shape shape{m_extent.batch, m_config.heads, m_extent.queries(attention), m_config.width};
        const StepId id = add(Stage::HeadOutputs, attention, op::Linear{}, {context},
                              {{idOf(K::Output, attention), Split::Rows}}, std::move(shape));
        m_steps[id].isAside = true;
    }

    /// activation(x·W_1 + b_1)·W_2 + b_2, or gated. With experts, only the chosen ones compute it.
    StepId feedForward(AttentionId attention, StepId x) {
        const FeedForward config = m_config.feedForward;
        std::optional<StepId> weights;
        if (config.hasExperts())
            weights = route(attention, x);
        const auto mapped = [&](Stage stage, K weight, K bias) {
            return weights ? byExperts(stage, attention, {x, *weights}, weight, bias, config.width)
                           : linear(stage, attention, x, weight, bias, config.width);
        };
        StepId gate = x;
        if (config.gated)
            gate = mapped(Stage::Gate, K::Gate, K::GateBias);
        const StepId hidden = mapped(Stage::Hidden, K::Hidden, K::HiddenBias);
        const StepId activated =
            config.gated ? add(Stage::Activated, attention,
                               op::Gate{config.activation, config.limit, config.hiddenOffset},
                               {gate, hidden}, {}, shapeOf(hidden))
                         : add(Stage::Activated, attention, op::Each{config.activation}, {hidden},
                               {}, shapeOf(hidden));
        if (weights) {
            const StepId outputs =
                byExperts(Stage::ExpertOutputs, attention, {activated, *weights},
                          K::FeedForwardOutput, K::FeedForwardOutputBias, m_config.width);
            return add(Stage::FeedForwardOutput, attention, op::MixExperts{}, {outputs, *weights},
                       {}, shapeOf(x));
        }
        return linear(Stage::FeedForwardOutput, attention, activated, K::FeedForwardOutput,
                      K::FeedForwardOutputBias, m_config.width);
    }

    /// Computes the weights of the experts: the largest values of softmax(x·W_r + b_r).
    StepId route(AttentionId attention, StepId x) {
        const FeedForward config = m_config.feedForward;
        const Shape shape{shapeOf(x)[0], shapeOf(x)[1], config.experts};
        const StepId logits =
            add(Stage::RouterLogits, attention, op::Linear{}, {x},
                {{idOf(K::Router, attention)}, {idOf(K::RouterBias, attention)}}, shape);
        const StepId probabilities =
            add(Stage::RouterProbabilities, attention, op::Softmax{1}, {logits}, {}, shape);
        return add(Stage::ExpertWeights, attention,
                   op::KeepLargest{config.chosen, config.normalisesExperts}, {probabilities}, {},
                   shape);
    }

    /// Computes a linear map for each expert. `reads` contains the input and the weights of the
    /// experts.
    StepId byExperts(Stage stage, AttentionId attention, const std::vector<StepId> &reads, K weight,
                     K bias, Index width) {
        const Shape from = shapeOf(reads[0]);
        const op::ExpertLinear operation{stage == Stage::ExpertOutputs};
        return add(stage, attention, operation, reads,
                   {{idOf(weight, attention)}, {idOf(bias, attention)}},
                   {from[0], from[1], m_config.feedForward.experts * width});
    }

    /// Adds the output layer.
    void outputLayer(StepId x) {
        switch (m_config.outputLayer.kind) {
        case OutputLayerKind::None:
            return;
        case OutputLayerKind::Language:
            return logits(divided(isTied() && m_config.outputLayer.scaled ? scaledDown(x) : x));
        case OutputLayerKind::MaskedLanguage:
            return logits(transformed(x));
        case OutputLayerKind::Classifier:
            return classLogits(pooled(x));
        }
    }

    bool isTied() const { return !m_model.parameters.outputLayer.output; }

    /// x · C^-½ (Raffel et al. 2020 tie the output matrix to unscaled embeddings).
    StepId scaledDown(StepId x) {
        const op::Scale scale{
            static_cast<float>(1 / std::sqrt(static_cast<double>(m_config.width))), m_config.width,
            true};
        return add(Stage::OutputLayerInput, {}, op::Each{scale}, {x}, {}, shapeOf(x),
                   m_config.logitDivisor != 1 ? 1 : 0);
    }
    /// Divides x, and so the logits, by the logit divisor.
    StepId divided(StepId x) {
        const float divisor = m_config.logitDivisor;
        if (divisor == 1)
            return x;
        return add(Stage::OutputLayerInput, {}, op::Each{op::Scale{1 / divisor, 0, true, divisor}},
                   {x}, {}, shapeOf(x));
    }

    /// norm(activation(x·W + b)), which BERT applies before the output matrix.
    StepId transformed(StepId x) {
        const bool normed = m_config.outputLayer.norm && m_config.hasNorm();
        const StepId mapped =
            linear(Stage::OutputLayerInput, {}, x, K::PredictionTransform,
                   K::PredictionTransformBias, m_config.tokenWidth(), normed ? 2 : 1);
        const StepId made =
            add(Stage::OutputLayerInput, {}, op::Each{m_config.outputLayer.activation}, {mapped},
                {}, shapeOf(mapped), normed ? 1 : 0);
        return normed ? normalise(Stage::OutputLayerInput, {}, made, K::PredictionNormGain,
                                  K::PredictionNormBias)
                      : made;
    }

    void logits(StepId x) {
        const Parameter &matrix = m_model.parameters.outputLayer.output;
        const K which = matrix ? K::OutputMatrix : K::Embeddings;
        const Shape shape{m_extent.batch, m_extent.targets, logitsOf(m_model.parameters)};
        const Softcap &cap = m_config.logitCap;
        StepId logits =
            add(cap.isOn() ? Stage::UncappedLogits : Stage::Logits, {}, op::Linear{!matrix}, {x},
                {{idOf(which, {})}, {idOf(K::OutputMatrixBias, {})}}, shape);
        if (cap.isOn())
            logits = add(Stage::Logits, {}, op::Each{op::Softcap{cap.limit}}, {logits}, {}, shape);
        add(Stage::Probabilities, {}, op::Softmax{1}, {logits}, {}, shape);
    }

    /// One vector per sequence, followed by the tanh layer of BERT if the model has one.
    StepId pooled(StepId x) {
        const Shape shape{m_extent.batch, m_config.width};
        const bool mapped = m_model.parameters.outputLayer.pooler != nullptr;
        const StepId pooled = add(Stage::Pooled, {}, op::Pool{m_config.outputLayer.pooling}, {x},
                                  {}, shape, mapped ? 2 : 0);
        if (!mapped)
            return pooled;
        const StepId through = add(Stage::Pooled, {}, op::Linear{}, {pooled},
                                   {{idOf(K::Pooler, {})}, {idOf(K::PoolerBias, {})}}, shape, 1);
        return add(Stage::Pooled, {}, op::Each{op::Tanh{}}, {through}, {}, shape);
    }

    void classLogits(StepId pooled) {
        add(Stage::ClassLogits, {}, op::Linear{}, {pooled},
            {{idOf(K::Classifier, {})}, {idOf(K::ClassifierBias, {})}},
            {m_extent.batch, m_config.outputLayer.classes});
    }

    // Kinds of steps:

    StepId add(Stage stage, AttentionId attention, Operation operation, std::vector<StepId> reads,
               std::vector<ParameterSlice> parameters, Shape shape, int inner = 0) {
        m_steps.push_back({{stage, attention},
                           inner,
                           std::nullopt,
                           std::move(operation),
                           std::move(reads),
                           std::move(parameters),
                           std::move(shape)});
        return m_steps.size() - 1;
    }

    StepId rename(Stage stage, AttentionId attention, StepId from) {
        Step step;
        step.at = {stage, attention};
        step.renames = m_steps[from].renames.value_or(from);
        step.shape = shapeOf(from);
        m_steps.push_back(std::move(step));
        return m_steps.size() - 1;
    }

    StepId normalise(Stage stage, AttentionId attention, StepId x, K gain, K bias, int inner = 0) {
        return add(stage, attention, op::Normalise{m_config.norm.kind, m_config.norm.epsilon}, {x},
                   {{idOf(gain, attention)}, {idOf(bias, attention)}}, shapeOf(x), inner);
    }

    StepId linear(Stage stage, AttentionId attention, StepId x, K weight, K bias, Index width,
                  int inner = 0) {
        Shape shape{shapeOf(x)[0], shapeOf(x)[1], width};
        return add(stage, attention, op::Linear{}, {x},
                   {{idOf(weight, attention)}, {idOf(bias, attention)}}, std::move(shape), inner);
    }

    /// Normalises queries or keys, each head separately or all heads together.
    StepId normaliseHeads(Stage stage, AttentionId attention, StepId x, K gain, K bias) {
        if (m_config.queryKeyNorm == QueryKeyNorm::PerHead)
            return normalise(stage, attention, x, gain, bias);
        const Shape shape = shapeOf(x);
        const StepId together = add(stage, attention, op::ConcatHeads{}, {x}, {},
                                    {shape[0], shape[2], shape[1] * shape[3]}, 2);
        const StepId normed = normalise(stage, attention, together, gain, bias, 1);
        return add(stage, attention, op::SplitHeads{}, {normed}, {}, shape);
    }

    /// x·W + b, split into heads.
    StepId project(Stage stage, AttentionId attention, StepId x, K weight, K bias, Index heads,
                   Index size) {
        Shape shape{shapeOf(x)[0], heads, shapeOf(x)[1], size};
        return add(
            stage, attention, op::Linear{}, {x},
            {{idOf(weight, attention), Split::Columns}, {idOf(bias, attention), Split::Columns}},
            std::move(shape));
    }

    ParameterId idOf(K which, AttentionId attention) const {
        return parameterAt(m_model, which, attention);
    }

    static float rootOf(Index number) {
        return static_cast<float>(std::sqrt(static_cast<double>(number)));
    }
    Shape shapeOf(StepId id) const { return m_steps[id].shape; }

    const Model &m_model;
    Config m_config; ///< config of the current stack
    Extent m_extent;
    std::vector<Step> m_steps;
    std::map<Stack, std::optional<StepId>> m_positionBias;
};

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
            if (step.at.stage == Stage::Context && intervention.state == HeadState::Zero)
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
    return Plan(Builder(model, extent).build());
}

Plan planOf(const Model &model, const Input &input) {
    if (model.captured)
        return *model.captured;
    std::vector<Step> steps = Builder(model, Extent(input)).build();
    addChanges(steps, input.interventions);
    return Plan(std::move(steps));
}

} // namespace headlight::core
