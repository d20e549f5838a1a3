#include "ui/figures/provenance.h"

#include "ui/figures/cell_place.h"
#include "ui/figures/flow_parts.h"

namespace headlight::ui {

using core::Stage;
using core::StageAt;
using Kind = FlowPart::Kind;

namespace {

bool isInput(StageAt at) {
    return core::infoOf(at.stage).part == core::Part::Embedding || at.stage == Stage::LayerInput;
}

/// The last stage of what the part begins with.
StageAt lastInput(const FlowParts &parts, const FlowPart &part) {
    const std::vector<StageAt> inputs = parts.inputsOf(part);
    StageAt last{Stage::LayerInput, part.site};
    if (!inputs.empty() && inputs.front().site.stack == part.site.stack)
        last = inputs.front();
    for (const StageAt &at : parts.stagesOf(part))
        if (isInput(at) && at.site.stack == part.site.stack)
            last = at;
    return last;
}

std::optional<StageAt> memoryOf(const FlowParts &parts, const FlowPart &part) {
    std::optional<StageAt> memory;
    for (const auto &list : {parts.inputsOf(part), parts.stagesOf(part)})
        for (const StageAt &at : list)
            if (at.site.stack == core::Stack::Encoder || at.site.stack == core::Stack::Source)
                memory = at;
    return memory;
}

} // namespace

StageAt inputOf(const core::Trace &trace, const core::Selection &selection) {
    const FlowParts parts(trace);
    return lastInput(parts, parts.partOf(selection));
}

StageAt readBy(const core::Trace &trace, const core::Selection &selection) {
    const FlowParts parts(trace);
    const FlowPart &part = parts.partOf(selection);
    const Stage norm = part.kind == Kind::FeedForward ? Stage::FeedForwardNorm : Stage::Norm;
    return trace.has(norm, part.site) ? StageAt{norm, part.site} : lastInput(parts, part);
}

StageAt attendedBy(const core::Trace &trace, const core::Selection &selection) {
    if (selection.block == core::Block::CrossAttention) {
        const FlowParts parts(trace);
        if (const auto memory = memoryOf(parts, parts.partOf(selection)))
            return *memory;
    }
    return readBy(trace, selection);
}

StageAt madeBy(const core::Trace &trace, const core::Selection &selection) {
    const core::Site site = selection.site();
    if (core::infoOf(selection.stage).part != core::Part::Attention)
        return {Stage::FeedForwardOutput, site};
    return {trace.has(Stage::Output, site) ? Stage::Output : Stage::Concatenated, site};
}

std::optional<StageAt> before(const core::Trace &trace, const core::Selection &selection) {
    const FlowParts parts(trace);
    const FlowPart &part = parts.partOf(selection);
    std::vector<StageAt> way = parts.inputsOf(part);
    for (const StageAt &at : parts.stagesOf(part))
        way.push_back(at);
    for (std::size_t i = 1; i < way.size(); ++i)
        if (way[i].stage == selection.stage && way[i].site.stack == selection.stack)
            return way[i - 1];
    return std::nullopt;
}

namespace {

class Sources {
  public:
    Sources(const core::Trace &trace, const core::Selection &selection)
        : m_trace(trace),
          m_selection(selection),
          m_site(selection.site()),
          m_row(rowOf(selection)),
          m_column(columnOf(selection)) {}

    std::vector<SourcePlace> find() const {
        if (!m_row)
            return {};
        const core::Config &config = m_trace.model().config;
        switch (m_selection.stage) {
        case Stage::Embeddings:
        case Stage::LayerInput:
            return {};
        case Stage::Positioned:
            if (!config.hasNorm() || !config.norm.embedding)
                return {};
            return normed(before(m_trace, m_selection), config.norm.kind);
        case Stage::EmbeddingSum:
            return same({Stage::Embeddings, m_site});
        case Stage::EmbeddingProjected:
        case Stage::HeadInput:
        case Stage::Logits:
            return rowFrom(before(m_trace, m_selection));
        case Stage::Norm:
        case Stage::FeedForwardNorm:
            return normed(inputOf(m_trace, m_selection), config.norm.kind);
        case Stage::FinalNorm:
            return normed(before(m_trace, m_selection), config.norm.kind);
        case Stage::UnrotatedQuery:
        case Stage::Gate:
        case Stage::Hidden:
            return rowFrom(readBy(m_trace, m_selection));
        case Stage::UnrotatedKey:
        case Stage::Value:
            return rowFrom(attendedBy(m_trace, m_selection));
        case Stage::Query:
            return rotatedFrom(Stage::UnrotatedQuery, readBy(m_trace, m_selection));
        case Stage::Key:
            return rotatedFrom(Stage::UnrotatedKey, attendedBy(m_trace, m_selection));
        case Stage::Activated:
            if (config.feedForward.gated)
                return {{{Stage::Gate, m_site}, m_row, m_column},
                        {{Stage::Hidden, m_site}, m_row, m_column}};
            return same({Stage::Hidden, m_site});
        case Stage::FeedForwardOutput:
            return rowFrom(StageAt{Stage::Activated, m_site});
        case Stage::ResidualSum:
        case Stage::FeedForwardResidualSum:
            return sum();
        case Stage::Residual:
            if (config.normsAfter())
                return normed(StageAt{config.residual ? Stage::ResidualSum
                                                      : madeBy(m_trace, m_selection).stage,
                                      m_site},
                              config.norm.kind);
            return sum();
        case Stage::LayerOutput:
            if (config.normsAfter())
                return normed(StageAt{config.residual ? Stage::FeedForwardResidualSum
                                                      : Stage::FeedForwardOutput,
                                      m_site},
                              config.norm.kind);
            return sum();
        case Stage::Probabilities:
            return {{{Stage::Logits, m_site}, m_row, {}}};
        case Stage::ClassLogits:
            return {{{Stage::Pooled, m_site}, m_row, {}}};
        case Stage::Pooled:
        case Stage::PositionBias:
        case Stage::HeadOutputs:
            return {};
        default:
            return attention();
        }
    }

  private:
    std::vector<SourcePlace> same(StageAt at) const { return {{at, m_row, m_column}}; }
    std::vector<SourcePlace> rowFrom(const std::optional<StageAt> &at) const {
        return at ? std::vector<SourcePlace>{{*at, m_row, {}}} : std::vector<SourcePlace>();
    }
    std::vector<SourcePlace> rotatedFrom(Stage unrotated, StageAt read) const {
        return m_trace.has(unrotated, m_site) ? rowFrom(StageAt{unrotated, m_site}) : rowFrom(read);
    }
    /// A batch norm's number depends on its whole column; the others' on their row.
    std::vector<SourcePlace> normed(const std::optional<StageAt> &at, core::NormKind kind) const {
        if (!at)
            return {};
        if (kind == core::NormKind::Batch)
            return m_column ? std::vector<SourcePlace>{{*at, {}, m_column}}
                            : std::vector<SourcePlace>{{*at, {}, {}}};
        return rowFrom(at);
    }
    std::vector<SourcePlace> sum() const {
        return {{inputOf(m_trace, m_selection), m_row, m_column},
                {madeBy(m_trace, m_selection), m_row, m_column}};
    }

    std::vector<SourcePlace> attention() const {
        const core::Config &config = m_trace.model().config;
        const core::Interventions &done = m_trace.input().interventions;
        const core::HeadState state = done.stateOf(m_site, m_selection.head);
        const auto at = [this](Stage stage) { return StageAt{stage, m_site}; };
        switch (m_selection.stage) {
        case Stage::Scores:
            if (m_column &&
                done.scoreAt(m_selection.sequence, m_site, m_selection.head, *m_row, *m_column))
                return {}; // set by hand
            if (!m_column)
                return {{at(Stage::Query), m_row, {}}};
            return {{at(Stage::Query), m_row, {}}, {at(Stage::Key), m_column, {}}};
        case Stage::ScaledScores:
            return same(at(Stage::Scores));
        case Stage::BiasedScores:
            return {{at(Stage::ScaledScores), m_row, m_column},
                    {at(Stage::PositionBias), m_row, m_column}};
        case Stage::MaskedScores:
            return same(at(scoresBeforeMask()));
        case Stage::UnmaskedWeights:
            return {{at(scoresBeforeMask()), m_row, config.softmax ? std::nullopt : m_column}};
        case Stage::Weights:
            if (state == core::HeadState::Uniform)
                return {}; // made from the mask alone
            if (config.masking.afterSoftmax)
                return same(at(Stage::UnmaskedWeights));
            return {{at(Stage::MaskedScores), m_row, config.softmax ? std::nullopt : m_column}};
        case Stage::Context:
            if (state == core::HeadState::Zero)
                return {};
            if (state == core::HeadState::Mean)
                return {{at(Stage::Value), {}, m_column}};
            if (!m_column)
                return {{at(Stage::Weights), m_row, {}}};
            return {{at(Stage::Weights), m_row, {}}, {at(Stage::Value), {}, m_column}};
        case Stage::Concatenated: {
            if (!m_column)
                return {{at(Stage::Context), m_row, {}}};
            const core::Index size = config.headSize;
            if (size <= 0 || *m_column / size != m_selection.head)
                return {};
            return {{at(Stage::Context), m_row, *m_column % size}};
        }
        case Stage::Output:
            return {{at(Stage::Concatenated), m_row, {}}};
        default:
            return {};
        }
    }
    Stage scoresBeforeMask() const {
        return m_trace.has(Stage::BiasedScores, m_site) ? Stage::BiasedScores : Stage::ScaledScores;
    }

    const core::Trace &m_trace;
    const core::Selection &m_selection;
    core::Site m_site;
    std::optional<core::Index> m_row, m_column;
};

} // namespace

std::vector<SourcePlace> sourcesOf(const core::Trace &trace, const core::Selection &selection) {
    return Sources(trace, selection).find();
}

} // namespace headlight::ui
