#include "ui/figures/flow/flow_diagram.h"

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Stage;
using core::StageId;
using Kind = ModelPart::Kind;

class Maker {
  public:
    Maker(const ModelPart &part, const std::vector<StageId> &inputs,
          const std::vector<StageId> &stages)
        : m_part(part), m_inputs(inputs), m_stages(stages) {}

    FlowDiagram run() {
        switch (m_part.kind) {
        case Kind::Attention:
            attention();
            break;
        case Kind::FeedForward:
            feedForward();
            break;
        case Kind::Embedding:
        case Kind::Head:
            chain();
            break;
        }
        return std::move(m_diagram);
    }

  private:
    using Found = std::optional<StageId>;

    /// Returns the stage if the part itself computes it.
    Found own(Stage stage) const {
        for (const StageId &at : m_stages)
            if (at.stage == stage && at.attention.stack != core::Stack::SourceEmbeddings)
                return at;
        return std::nullopt;
    }
    static Found firstOf(std::initializer_list<Found> choices) {
        for (const Found &choice : choices)
            if (choice)
                return choice;
        return std::nullopt;
    }

    void put(const Found &at, std::size_t column, bool parallel = false) {
        if (at)
            m_diagram.places.push_back({*at, column, parallel});
    }
    void link(const Found &from, const Found &to, double leave = 0.5, double arrive = 0.5,
              FlowRoute route = FlowRoute::Direct) {
        if (from && to)
            m_diagram.links.push_back({*from, *to, route, leave, arrive});
    }

    /// Puts the block's inputs, or the start of its layer, into the first column.
    Found putInputs() {
        Found last;
        const auto add = [&](StageId at) {
            put(at, 0);
            link(last, at);
            last = at;
        };
        if (!m_inputs.empty() && !isMemory(m_inputs.front()))
            add(m_inputs.front());
        for (const StageId &at : m_stages)
            if (core::infoOf(at.stage).part == core::Part::Embedding ||
                at.stage == Stage::LayerInput)
                if (!isMemory(at))
                    add(at);
        return last;
    }
    bool isMemory(StageId at) const {
        return m_part.attention.block == core::Block::CrossAttention &&
               (at.attention.stack == core::Stack::Encoder ||
                at.attention.stack == core::Stack::SourceEmbeddings);
    }
    /// Puts the second sequence below the inputs.
    Found putMemory() {
        Found last;
        for (const auto *list : {&m_inputs, &m_stages})
            for (const StageId &at : *list)
                if (isMemory(at)) {
                    put(at, 0, !last);
                    link(last, at);
                    last = at;
                }
        return last;
    }
    /// Puts the block's result into the last column: the sum with its input, and the norm.
    void putResult(const Found &input, const Found &made, std::size_t column, Stage sum,
                   Stage result) {
        const Found first = firstOf({own(sum), own(result)});
        const Found goesOn = own(result);
        put(own(sum), column);
        put(goesOn, column);
        put(own(Stage::FinalNorm), column);
        link(made, first, 0.5, 0.65);
        if (m_part.residual && input && first) // outermost path
            m_diagram.links.insert(m_diagram.links.begin(),
                                   {*input, *first, FlowRoute::Over, 0.2, 0.3});
        link(own(sum), goesOn);
        link(firstOf({goesOn, made}), own(Stage::FinalNorm));
        for (const StageId &at : m_inputs)
            if (isBeside(at)) {
                put(at, 0, true);
                link(at, first, 0.5, 0.85, FlowRoute::Under);
            }
    }

    /// True if another block of a parallel layer computed the stage.
    bool isBeside(StageId at) const {
        const core::Part part = core::infoOf(at.stage).part;
        return m_part.parallel && at.stage != Stage::Norm && part == core::Part::Attention &&
               !isMemory(at);
    }
    /// Puts the norm of the block's input: its own, or the one shared by a parallel layer's blocks.
    Found putNorm(const Found &input, Stage stage) {
        Found norm = own(stage);
        if (const auto shared = std::ranges::find(m_inputs, Stage::Norm, &StageId::stage);
            !norm && shared != m_inputs.end())
            norm = *shared;
        put(norm, 0);
        link(input, norm);
        return norm;
    }

    void attention() {
        const Found input = putInputs();
        const Found read = firstOf({putNorm(input, Stage::Norm), input});
        const Found memory = putMemory();
        const Found attended = memory ? memory : read;
        const Found query = own(Stage::Query), key = own(Stage::Key);
        const std::vector<Found> queries = {own(Stage::ProjectedQuery), own(Stage::UnrotatedQuery),
                                            query};
        const std::vector<Found> keys = {own(Stage::ProjectedKey), own(Stage::UnrotatedKey), key};
        const Found bias = own(Stage::PositionBias), value = own(Stage::Value);
        const Found firstQuery = putMade(queries), firstKey = putMade(keys);
        put(value, 1, true);
        putLater(queries);
        putLater(keys);
        put(bias, 2, true);
        link(read, firstQuery, memory ? 0.5 : 0.3);
        link(attended, firstKey, memory ? 0.35 : 0.5);
        link(attended, value, memory ? 0.65 : 0.7);
        const FlowRoute past = bias ? FlowRoute::Over : FlowRoute::Direct;
        link(query, own(Stage::Scores), 0.5, 0.35, past);
        link(key, own(Stage::Scores), 0.5, 0.65, past);
        weighing(bias, value);
        const Found made =
            firstOf({own(Stage::OutputNorm), own(Stage::Output), own(Stage::Concatenated)});
        putResult(input, made, 5, Stage::ResidualSum,
                  m_part.parallel ? Stage::LayerOutput : Stage::Residual);
    }

    /// Puts the queries or keys, as the product with the parameter matrix, into the second column.
    Found putMade(const std::vector<Found> &stages) {
        const auto first =
            std::ranges::find_if(stages, [](const Found &at) { return at.has_value(); });
        const Found made = first == stages.end() ? Found() : *first;
        put(made, 1, true);
        return made;
    }
    /// Puts their later stages into the third column.
    void putLater(const std::vector<Found> &stages) {
        Found last;
        for (const Found &at : stages) {
            if (at && last)
                put(at, 2, true);
            link(last, at);
            last = at ? at : last;
        }
    }

    void weighing(const Found &bias, const Found &value) {
        const Found scaled = own(Stage::ScaledScores), capped = own(Stage::CappedScores);
        const Found biased = own(Stage::BiasedScores);
        for (const Stage stage : {Stage::Scores, Stage::ScaledScores, Stage::CappedScores,
                                  Stage::BiasedScores, Stage::MaskedScores, Stage::UnmaskedWeights})
            put(own(stage), 3);
        for (const Stage stage : {Stage::AttentionWeights, Stage::Context, Stage::Concatenated,
                                  Stage::Output, Stage::OutputNorm})
            put(own(stage), 4);
        link(own(Stage::Scores), scaled);
        link(scaled, capped);
        link(firstOf({capped, scaled}), biased);
        link(bias, biased);
        const Found read = firstOf({biased, capped, scaled});
        for (const Stage last : {Stage::MaskedScores, Stage::UnmaskedWeights}) {
            link(read, own(last));
            link(own(last), own(Stage::AttentionWeights));
        }
        link(own(Stage::AttentionWeights), own(Stage::Context));
        link(value, own(Stage::Context), 0.5, 0.65, FlowRoute::Under);
        link(own(Stage::Context), own(Stage::Concatenated));
        link(own(Stage::Concatenated), own(Stage::Output));
        link(own(Stage::Output), own(Stage::OutputNorm));
    }

    void feedForward() {
        const Found input = putInputs();
        const Found read = firstOf({putNorm(input, Stage::FeedForwardNorm), input});
        const Found gate = own(Stage::Gate), hidden = own(Stage::Hidden);
        put(gate, 1, true);
        put(hidden, 1, true);
        put(own(Stage::Activated), 2);
        put(own(Stage::FeedForwardOutput), 2);
        put(own(Stage::FeedForwardOutputNorm), 2);
        link(read, gate, 0.35);
        link(read, hidden, gate ? 0.65 : 0.5);
        link(gate, own(Stage::Activated), 0.5, 0.35);
        link(hidden, own(Stage::Activated), 0.5, gate ? 0.65 : 0.5);
        link(own(Stage::Activated), own(Stage::FeedForwardOutput));
        link(own(Stage::FeedForwardOutput), own(Stage::FeedForwardOutputNorm));
        putResult(input,
                  firstOf({own(Stage::FeedForwardOutputNorm), own(Stage::FeedForwardOutput)}), 3,
                  Stage::FeedForwardResidualSum, Stage::LayerOutput);
    }

    /// Puts stages in sequence. Each embedding stage has its own column. The output layer's inputs
    /// share the first one.
    void chain() {
        Found last;
        std::size_t column = 0;
        for (const auto *list : {&m_inputs, &m_stages})
            for (const StageId &at : *list) {
                const bool stays =
                    m_part.kind == Kind::Head && (at.stage <= Stage::OutputLayerInput || !last);
                if (last && !stays)
                    ++column;
                put(at, column);
                link(last, at);
                last = at;
            }
    }

    const ModelPart &m_part;
    const std::vector<StageId> &m_inputs;
    const std::vector<StageId> &m_stages;
    FlowDiagram m_diagram;
};

} // namespace

FlowDiagram FlowDiagram::of(const ModelPart &part, const std::vector<StageId> &inputs,
                            const std::vector<StageId> &stages) {
    return Maker(part, inputs, stages).run();
}

const FlowCell *FlowDiagram::place(StageId at) const & {
    const auto found = std::ranges::find(places, at, &FlowCell::at);
    return found == places.end() ? nullptr : &*found;
}

std::size_t FlowDiagram::columnCount() const {
    std::array<bool, kFlowColumns> used{};
    for (const FlowCell &place : places)
        used[place.column] = true;
    return static_cast<std::size_t>(std::ranges::count(used, true));
}

} // namespace headlight::ui
