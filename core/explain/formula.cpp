// The formula of a stage in symbols, one function per operation.
#include "core/explain/formula.h"

#include "core/explain/explained_step.h"
#include "core/explain/line_writer.h"
#include "core/explain/symbols.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

class Formula : private ExplainedStep {
  public:
    Formula(const Trace &trace, const Selection &selection)
        : ExplainedStep(trace, selection), m_role(infoOf(selection.stage).role) {}

    Line write() {
        if (m_shown.renames) {
            own();
            if (m_selection.stage == Stage::LayerInput)
                m_line.aside(Note::WhatTheLayerBeforeGave);
        } else if (const Operation *done = change(); !done || !writeChange(*done)) {
            std::visit([this](const auto &operation) { write(operation); }, m_step.operation);
        }
        return m_line.take();
    }

  private:
    /// Writes the stage's own symbol; begin() adds " = ".
    void own() { m_line.symbol(symbolOf(m_trace, m_selection.stage), m_role); }
    void begin() {
        own();
        m_line.plain(" = ");
    }
    void symbolOfStage(StageId at) {
        m_line.symbol(symbolOf(m_trace, at.stage), infoOf(at.stage).role);
    }
    bool writeChange(const Operation &change) {
        if (std::holds_alternative<op::SetCells>(change))
            return false;
        begin();
        if (std::holds_alternative<op::UniformWeights>(change)) {
            m_line.plain("1 / n");
            m_line.aside(Note::UniformHead);
        } else if (std::holds_alternative<op::Zero>(change)) {
            m_line.plain("0");
            m_line.aside(Note::HeadIsSilenced);
        } else {
            m_line.words(Note::MeanOf);
            m_line.plain(" ");
            mix();
            m_line.aside(Note::OverRealTokens);
        }
        return true;
    }

    void write(const op::Captured &) {
        own();
        m_line.aside(Note::AsCaptured);
    }
    void write(const op::Clone &) { own(); }
    void write(const op::SetCells &) { own(); }
    void write(const op::UniformWeights &) { own(); }
    void write(const op::Zero &) { own(); }
    void write(const op::MeanRows &) { own(); }
    void write(const op::EmbeddingLookup &) {
        own();
        m_line.aside(m_selection.stack == Stack::SourceEmbeddings
                         ? Note::OneVectorForEachWordOfSource
                         : Note::OneVectorForEachWord);
    }

    void write(const op::AddSinusoids &) { embeddingSum(); }
    void write(const op::AddPositions &) { embeddingSum(); }
    void write(const op::AddTokenTypes &) { embeddingSum(); }
    /// X = E · √C + P + T.
    void embeddingSum() {
        if (symbolOf(m_trace, m_selection.stage) == "X") // otherwise the symbol is the sum
            begin();
        symbolOfStage(source());
        bool positions = false, types = false;
        for (const Step *step : m_chain) {
            if (const auto *of = std::get_if<op::Scale>(&step->operation)) {
                m_line.plain(" · √" + text(of->root));
                continue;
            }
            const bool isType = std::holds_alternative<op::AddTokenTypes>(step->operation);
            (isType ? types : positions) = true;
            m_line.plain(" + ");
            m_line.symbol(isType ? "T" : "P", Role::Residual);
        }
        if (positions || types)
            m_line.aside(positions && types ? Note::PositionsAndTypesAdded
                         : positions        ? Note::PositionsAdded
                                            : Note::TypesAdded);
    }

    /// N = (X − μ) / √(σ² + ε) · γ + β.
    void write(const op::Normalise &of) {
        if (m_chain.size() > 1)
            return transformed();
        normalised(of, m_step);
    }
    /// Queries or keys that an unnamed step normalised over all heads.
    void write(const op::SplitHeads &) {
        for (const Step *step : m_chain)
            if (const auto *of = std::get_if<op::Normalise>(&step->operation)) {
                normalised(*of, *step);
                m_line.aside(Note::OfAllHeads);
            }
    }
    void normalised(const op::Normalise &of, const Step &step) {
        const std::string x = symbolOf(m_trace, source().stage);
        const Role role = infoOf(source().stage).role;
        const bool centred = of.kind != NormKind::RootMeanSquare;
        const std::string inner = x.find('+') != x.npos ? "(" + x + ")" : x;
        begin();
        if (centred) {
            m_line.plain("(");
            m_line.symbol(x, role);
            m_line.plain(" − μ) / √(σ² + ε)");
        } else {
            m_line.symbol(inner, role);
            m_line.plain(" / √(");
            m_line.words(Note::MeanOf);
            m_line.plain(" ");
            m_line.symbol(inner + "²", role);
            m_line.plain(" + ε)");
        }
        if (has(step.parameters[0]))
            m_line.plain(" · γ");
        if (has(step.parameters[1]) && centred)
            m_line.plain(" + β");
        m_line.aside(of.kind == NormKind::Layer            ? Note::LayerNormOfRows
                     : of.kind == NormKind::RootMeanSquare ? Note::RmsNormOfRows
                                                           : Note::BatchNormLeaks,
                     {fullText(of.epsilon)});
    }

    /// x · W_t + b_t
    void mapped(const Step &linear, Role role) {
        const std::string letter = letterOf(linear.parameters[0].id.which);
        m_line.plain(" · ");
        m_line.weight(letter, role);
        if (linear.parameters.size() > 1 && has(linear.parameters[1])) {
            m_line.plain(" + ");
            m_line.symbol("b", role);
            m_line.beneath(letter, role);
        }
    }

    void write(const op::Linear &of) {
        const StageInfo &info = infoOf(m_selection.stage);
        const bool isSymbol = symbolOf(m_trace, m_selection.stage).find("·") != std::string::npos;
        if (m_selection.stage == Stage::HeadOutputs)
            return own(); // the symbol is the formula
        if (!isSymbol)
            begin();
        if (of.transposed) {
            symbolOfStage(readAt(0));
            m_line.plain(" · ");
            m_line.symbol("Eᵀ", Role::Residual);
            if (has(m_step.parameters[1])) {
                m_line.plain(" + ");
                m_line.symbol("b", m_role);
            }
            return m_line.aside(Note::DotProductWithWords);
        }
        if (m_plan[m_step.reads[0]].at.stage == Stage::Concatenated)
            concatenation();
        else
            symbolOfStage(readAt(0));
        mapped(m_step, roleOfParameters(m_step));
        if (isSymbol)
            m_line.aside(Note::ToTheLayersWidth);
        if (info.ofKeys())
            keysNote();
    }
    void keysNote() {
        const auto query = m_plan.find({Stage::AttentionWeights, m_selection.attention()});
        const Index heads = query ? m_plan[*query].heads() : m_step.heads();
        if (m_selection.block == Block::CrossAttention)
            m_line.aside(m_trace.model().hasEncoder() ? Note::OfWhatTheEncoderGives
                                                      : Note::OfTheSource);
        else if (m_step.heads() < heads)
            m_line.aside(
                Note::SharedByHeads,
                {text(headRead(m_selection.head, heads, m_step.heads())), text(m_step.heads())});
    }

    /// Q_i = R_i · Q°_i: row i rotated by its position.
    void write(const op::ApplyRotary &) {
        const std::string letter = symbolOf(m_trace, m_selection.stage);
        m_line.symbol(letter, m_role);
        m_line.beneath("i", m_role);
        m_line.plain(" = R");
        m_line.beneath("i", Role::Scores);
        m_line.plain(" · ");
        m_line.symbol(letter + "°", m_role);
        m_line.beneath("i", m_role);
        m_line.aside(Note::TurnsByAngle);
    }

    void write(const op::DotProduct &) {
        dotProducts();
        m_line.plain(" = ");
        m_line.symbol("Q", Role::Query);
        m_line.plain(" · ");
        m_line.symbol("Kᵀ", Role::Key);
        m_line.aside(Note::EveryDotProduct);
    }
    void dotProducts() {
        m_line.symbol("Q", Role::Query);
        m_line.symbol("Kᵀ", Role::Key);
    }
    void write(const op::Scale &of) {
        if (of.root > 0 && !of.divides)
            return embeddingSum();
        begin();
        const bool ofScores = infoOf(m_selection.stage).overKeys();
        if (ofScores)
            dotProducts();
        else
            symbolOfStage(readAt(0));
        if (of.root > 0)
            m_line.plain(" / √" + text(of.root));
        else if (of.divides)
            m_line.plain(" / " + fullText(of.divisor));
        else
            m_line.aside(Note::ScalingIsOff);
        if (of.root > 0)
            m_line.aside(ofScores ? Note::DividedByRootOfHeadSize : Note::DividedByRootOfWidth);
    }

    /// S′ = c · tanh(S / c)
    void write(const op::Softcap &of) {
        begin();
        m_line.plain(fullText(of.limit) + " · tanh(");
        symbolOfStage(readAt(0));
        m_line.plain(" / " + fullText(of.limit) + ")");
        m_line.aside(Note::KeptBetween, {fullText(of.limit)});
    }

    void write(const op::AlibiBias &of) {
        begin();
        m_line.plain("−m · |i − j|");
        const auto head = static_cast<std::size_t>(m_selection.head);
        m_line.aside(Note::SlopeOfHead,
                     {fullText(of.slopes[std::min(head, of.slopes.size() - 1)])});
    }
    void write(const op::RelativeBias &) {
        begin();
        m_line.plain("B[ bucket(j − i) ]");
        m_line.aside(Note::LearnedForDistances);
    }

    /// Writes S, with P and M if they have been added.
    void scores(const Step &step) {
        if (std::holds_alternative<op::Add>(step.operation)) {
            scores(m_plan[step.reads[0]]);
            m_line.plain(" + ");
            m_line.symbol("P", Role::Scores);
        } else if (std::holds_alternative<op::Mask>(step.operation)) {
            scores(m_plan[step.reads[0]]);
            m_line.plain(" + ");
            m_line.symbol("M", Role::Scores);
        } else {
            const bool capped = std::holds_alternative<op::Softcap>(step.operation);
            m_line.symbol(capped ? "S′" : "S", Role::Scores);
        }
    }
    bool isOneSymbol(const Step &step) const {
        return !std::holds_alternative<op::Add>(step.operation) &&
               !std::holds_alternative<op::Mask>(step.operation);
    }
    void write(const op::Mask &of) {
        if (m_role == Role::Weights) {
            begin();
            m_line.symbol("A′", Role::Weights);
            m_line.plain(" ⊙ ");
            m_line.words(Note::MaskWord);
            return m_line.aside(Note::HiddenIsZero);
        }
        scores(m_step);
        if (std::isinf(of.value))
            m_line.aside(Note::InfinityHides);
        else
            m_line.aside(Note::NumberHides,
                         {fullText(of.value), symbolOf(m_trace, readAt(0).stage)});
    }

    void write(const op::Softmax &of) {
        begin();
        m_line.plain("softmax(");
        if (infoOf(m_selection.stage).overKeys()) {
            divided(of.temperature);
            m_line.plain(")");
            return m_line.aside(Note::AlongEachRow);
        }
        symbolOfStage(readAt(0));
        m_line.plain(")");
        m_line.aside(Note::OverAllWords);
    }
    void write(const op::NoSoftmax &of) {
        begin();
        divided(of.temperature);
        const bool masked = std::holds_alternative<op::Mask>(m_plan[m_step.reads[0]].operation);
        m_line.aside(masked ? Note::NoSoftmaxHidden : Note::NoSoftmax);
    }
    /// (S + M) / 2
    void divided(float temperature) {
        const Step &read = m_plan[m_step.reads[0]];
        const bool brackets = temperature != 1 && !isOneSymbol(read);
        m_line.plain(brackets ? "(" : "");
        scores(read);
        m_line.plain(brackets ? ")" : "");
        if (temperature != 1)
            m_line.plain(" / " + fullText(temperature));
    }

    void write(const op::WeightedSum &) {
        begin();
        mix();
    }
    void mix() {
        m_line.symbol("A", Role::Weights);
        m_line.plain(" · ");
        m_line.symbol("V", Role::Value);
    }
    void write(const op::ConcatHeads &) { concatenation(); }
    void concatenation() {
        const auto context = m_plan.find({Stage::Context, m_selection.attention()});
        const Index heads = context ? m_plan[*context].heads() : 1;
        const auto head = [this](Index which) {
            m_line.symbol("Z", Role::Context);
            m_line.beneath(text(which), Role::Context);
        };
        m_line.plain("Concat(");
        head(0);
        m_line.plain(heads > 2 ? ", …" : "");
        if (heads > 1) {
            m_line.plain(", ");
            head(heads - 1);
        }
        m_line.plain(")");
    }

    void write(const op::Add &) {
        if (m_role == Role::Scores) {
            scores(m_step);
            return m_line.aside(Note::WhatDistanceAdds);
        }
        if (symbolOf(m_trace, m_selection.stage).find('+') == std::string::npos)
            begin();
        symbolOfStage(source());
        for (const Step *step : m_chain) { // a parallel layer adds several
            m_line.plain(" + ");
            symbolOfStage(m_plan[step->reads[1]].at);
        }
        if (m_trace.model().config.residual)
            m_line.aside(Note::WhatWasReadGoesOn);
    }
    void write(const op::Activate &of) {
        if (m_chain.size() > 1)
            return transformed();
        activated(of.activation);
        m_line.aside(Note::ActivationFormula, {text(static_cast<Index>(of.activation))});
    }
    void write(const op::Gate &of) {
        activated(of.activation);
        m_line.plain(" ⊙ ");
        symbolOfStage(readAt(1));
        m_line.aside(Note::ActivationFormula, {text(static_cast<Index>(of.activation))});
    }
    void activated(Activation activation) {
        m_line.words(Note::ActivationName, {text(static_cast<Index>(activation))});
        m_line.plain("(");
        symbolOfStage(readAt(0));
        m_line.plain(")");
    }

    /// U = norm(activation(x · W_t + b_t)): one stage, several steps.
    void transformed() {
        begin();
        for (auto step = m_chain.rbegin(); step != m_chain.rend(); ++step) {
            if (const auto *of = std::get_if<op::Normalise>(&(*step)->operation))
                m_line.words(Note::NormName, {text(static_cast<Index>(of->kind))});
            else if (const auto *by = std::get_if<op::Activate>(&(*step)->operation))
                m_line.words(Note::ActivationName, {text(static_cast<Index>(by->activation))});
            else
                continue;
            m_line.plain("(");
        }
        symbolOfStage(source());
        mapped(*m_chain.front(), m_role);
        m_line.plain(std::string(m_chain.size() - 1, ')'));
    }

    void write(const op::Pool &) { pooled(); }
    void write(const op::Tanh &) { pooled(); }
    /// U = tanh(first row of X · W_p + b_p).
    void pooled() {
        begin();
        const bool isMapped = m_chain.size() > 1;
        m_line.plain(isMapped ? "tanh(" : "");
        switch (std::get<op::Pool>(m_chain.front()->operation).pooling) {
        case Pooling::First:
            m_line.words(Note::FirstRowOf);
            break;
        case Pooling::Last:
            m_line.words(Note::LastRealRowOf);
            break;
        case Pooling::Mean:
            m_line.words(Note::MeanOfRealRowsOf);
            break;
        }
        m_line.plain(" ");
        symbolOfStage(source());
        if (!isMapped)
            return;
        mapped(*m_chain[1], m_role);
        m_line.plain(")");
    }

    Role m_role;
    LineWriter m_line;
};

} // namespace

Line formulaOf(const Trace &trace, const Selection &selection) {
    const bool isThere = trace.plan().find({selection.stage, selection.attention()}).has_value();
    return isThere ? Formula(trace, selection).write() : Line();
}

} // namespace headlight::core
