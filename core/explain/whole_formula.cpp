// Writes the formula by following the plan back from the context, so that it contains only what the
// model computes.
#include "core/explain/whole_formula.h"

#include "core/explain/line_writer.h"
#include "core/explain/meaning.h"
#include "core/explain/sources.h"
#include "core/explain/symbols.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;

/// Returns the selected attention module, or one that the selected stage leads to.
AttentionId attentionOf(const Trace &trace, const Selection &selection) {
    const Stack main = trace.model().mainStack();
    const AttentionId candidates[] = {selection.attention(),
                                      layerOf(selection.attention()),
                                      {selection.layer, Block::CrossAttention, main},
                                      {selection.layer, Block::SelfAttention, main},
                                      {0, Block::CrossAttention, main},
                                      {0, Block::SelfAttention, main}};
    for (const AttentionId attention : candidates)
        for (const Stage stage :
             {Stage::AttentionWeights, Stage::Context, Stage::Query, Stage::Scores})
            if (trace.plan().find({stage, attention}))
                return attention;
    return selection.attention();
}

class WholeFormulaWriter {
  public:
    WholeFormulaWriter(const Trace &trace, const Selection &selection)
        : m_trace(trace),
          m_plan(trace.plan()),
          m_selection(selection),
          m_attention(attentionOf(trace, selection)) {}

    WholeFormula write() {
        m_formula.attention = m_attention;
        const auto context = m_plan.find({Stage::Context, m_attention});
        if (model().isCaptured() || !context)
            usual();
        else
            computed(*context);
        m_formula.line = m_line.take();
        return std::move(m_formula);
    }

  private:
    const Model &model() const { return m_trace.model(); }
    std::size_t here() const { return m_line.size(); }
    static std::string text(Index number) { return std::to_string(number); }

    void part(Stage stage, PieceRange whole, PieceRange link, std::optional<Index> head = {}) {
        const StageId at{stage, m_attention};
        m_formula.parts.push_back(
            {at, head.value_or(m_selection.head), whole, link, m_plan.find(at).has_value()});
    }
    /// Returns the range of pieces that `write` adds.
    template <typename Write>
    PieceRange range(Write write) {
        const std::size_t first = here();
        write();
        return {first, here()};
    }
    PieceRange symbol(const char *letter, Role role) {
        return range([&] { m_line.symbol(letter, role); });
    }
    PieceRange plain(const std::string &signs) {
        return range([&] { m_line.plain(signs); });
    }
    /// Writes the symbol of a stage and adds it to the formula's parts.
    void symbolOfStage(Stage stage, const char *letter) {
        const PieceRange made = symbol(letter, infoOf(stage).role);
        part(stage, made, made);
    }

    // The formula of a computed trace

    void computed(StepId context) {
        const Step &step = m_plan[m_plan.origin(context)];
        m_heads = step.heads();
        m_formula.head = range([&] {
            left();
            expression(context);
        });
        m_formula.heads = range([&] { allHeads(); });
        m_formula.notes = range([&] { notes(); });
    }
    /// Writes "head_1 = ", or "Z = " for a single head.
    void left() {
        nameOfHead(m_selection.head);
        m_line.plain(" = ");
    }
    void nameOfHead(Index head) {
        const PieceRange name = range([&] {
            m_line.symbol(m_heads > 1 ? "head" : "Z", Role::Context);
            if (m_heads > 1)
                m_line.beneath(text(head), Role::Context);
        });
        part(Stage::Context, name, name, head);
    }

    /// Writes the computation of a stage, or the symbol of a stage of vectors.
    PieceRange expression(StepId id) {
        const StepId origin = m_plan.origin(id);
        const Step &step = m_plan[origin];
        const Index head = m_trace.headOf(id, m_selection.head);
        const std::size_t first = here();
        const Meaning meaning = meaningOf(m_trace, m_selection.sequence, {origin, head, {}, {}});
        m_hasSetScores |= step.changeAt(step.sequences() == 1 ? 0 : m_selection.sequence, head) &&
                          meaning.by == &step.operation;
        const Expression &x = meaning.inSymbols ? *meaning.inSymbols : meaning.number;
        PieceRange link;
        if (infoOf(step.at.stage).overKeys() || step.at.stage == Stage::Context)
            link = isWithoutSoftmax(step, x) ? inBrackets(x) : write(x);
        else
            link = symbol(std::string(infoOf(step.at.stage).symbol).c_str(),
                          infoOf(step.at.stage).role);
        if (step.isNamed())
            part(step.at.stage, {first, here()}, link);
        return link;
    }

    /// Writes an expression and returns the pieces that link to its stage: the operator or the
    /// name.
    PieceRange write(const Expression &x) {
        switch (x.kind) {
        case Kind::Named:
            return x.text.empty() ? write(x.of[0]) : plain(x.text);
        case Kind::Number:
            return plain(fullText(static_cast<float>(x.number)));
        case Kind::Read:
            expression(m_plan[x.step].reads[x.which]);
            return {};
        case Kind::Symbol:
            return symbol(x.text.c_str(), Role::Scores);
        case Kind::Sum:
            return product(x);
        case Kind::Mean: {
            const PieceRange mean = range([&] { m_line.words(Note::MeanOf); });
            m_line.plain(" ");
            write(x.of[0]);
            return mean;
        }
        case Kind::Add:
            return sum(x);
        case Kind::Multiply:
            return x.of[1].is(Kind::Tanh) ? cap(x) : factor(x);
        case Kind::Divide:
            return quotient(x);
        case Kind::Choose: // a uniform head
            return inBrackets(x.of[2]);
        case Kind::Call: {
            const PieceRange name = symbol(x.text.c_str(), infoOf(Stage::AttentionWeights).role);
            m_line.plain("(");
            write(x.of[0]);
            if (partNamed(x.of[1], Quantity::Sink))
                sink();
            m_line.plain(")");
            return name;
        }
        case Kind::Given:
        case Kind::RowIndex:
        case Kind::KeyIndex:
        case Kind::Learned:
        case Kind::Table:
        case Kind::Made:
        case Kind::Gradient:
        case Kind::Maximum:
        case Kind::Subtract:
        case Kind::Power:
        case Kind::Negative:
        case Kind::Absolute:
        case Kind::Root:
        case Kind::Exponential:
        case Kind::Sine:
        case Kind::Cosine:
        case Kind::Tanh:
        case Kind::ErrorFunction:
        case Kind::Positive:
        case Kind::Side:
            // These kinds do not occur in this formula.
            break;
        }
        return {};
    }
    /// Writes the sink as an additional argument of softmax.
    void sink() {
        const float temperature = model().config.temperature;
        m_line.plain(temperature == 1 ? ", s" : ", s / " + fullText(temperature));
    }
    PieceRange inBrackets(const Expression &x) {
        const std::size_t first = here();
        m_line.plain("(");
        write(x);
        m_line.plain(")");
        return isUniform(x) ? PieceRange{first, here()} : PieceRange{first, first + 1};
    }
    static bool isUniform(const Expression &x) {
        return x.is(Kind::Divide) && x.of[0].is(Kind::Number);
    }
    /// True if the weights are the scores themselves or scaled scores.
    static bool isWithoutSoftmax(const Step &step, const Expression &x) {
        const bool isOfWeights = infoOf(step.at.stage).role == Role::Weights;
        return isOfWeights && (x.is(Kind::Read) || (x.is(Kind::Divide) && !isUniform(x)));
    }
    PieceRange product(const Expression &sum) {
        const Expression &left = sum.of[0].of[0], &right = sum.of[0].of[1];
        write(left);
        const PieceRange dot = plain(" · ");
        const StageId read = m_plan[m_plan[right.step].reads[right.which]].at;
        const bool isTransposed = right.row.kind == Coordinate::Kind::Column;
        symbolOfStage(read.stage, isTransposed ? "Kᵀ" : "V");
        return dot;
    }
    PieceRange sum(const Expression &x) {
        const Expression &addend = x.of[1];
        const bool isMask = addend.is(Kind::Choose) || addend.is(Kind::Symbol);
        write(x.of[0]);
        if (isMask)
            return isMasked() ? range([&] {
                m_line.plain(" + ");
                m_line.symbol("M", Role::Scores);
            })
                              : PieceRange{};
        const PieceRange sign = plain(" + ");
        symbolOfStage(Stage::PositionBias, "P");
        return sign;
    }
    /// Writes the weights, multiplied by the mask after softmax.
    PieceRange factor(const Expression &x) {
        write(x.of[0]);
        if (!isMasked())
            return {};
        return range([&] {
            m_line.plain(" ⊙ ");
            m_line.words(x.of[1].name);
        });
    }
    /// Writes c · tanh(S / c).
    PieceRange cap(const Expression &x) {
        write(x.of[0]);
        m_line.plain(" · ");
        const PieceRange name = plain("tanh");
        m_line.plain("(");
        write(x.of[1].of[0]);
        m_line.plain(")");
        return name;
    }
    PieceRange quotient(const Expression &x) {
        const bool brackets = isSum(x.of[0]);
        if (brackets)
            m_line.plain("(");
        write(x.of[0]);
        if (brackets)
            m_line.plain(")");
        if (!x.of[1].is(Kind::Root))
            return range([&] {
                m_line.plain(" / ");
                write(x.of[1]);
            });
        return range([&] { dividedByRoot(); });
    }
    void dividedByRoot() {
        const Disentangled &of = model().config.disentangled;
        const bool hasTerms = of.isOn() && m_attention.block == Block::SelfAttention;
        m_line.plain(hasTerms ? " / √(" + text(of.terms()) : " / √");
        m_line.symbol("d", Role::Scores);
        m_line.beneath("k", Role::Scores);
        if (hasTerms)
            m_line.plain(")");
    }
    /// False if there are no mask layers; the formula then has no mask.
    bool isMasked() const { return !m_trace.maskLayers(m_attention).empty(); }
    bool isSum(const Expression &x) const {
        if (x.is(Kind::Named))
            return isSum(x.of[0]);
        if (x.is(Kind::Read)) {
            const StepId read = m_plan.origin(m_plan[x.step].reads[x.which]);
            if (!infoOf(m_plan[read].at.stage).overKeys())
                return false;
            const Meaning meaning = meaningOf(m_trace, m_selection.sequence, {read, 0, {}, {}});
            return isSum(meaning.inSymbols ? *meaning.inSymbols : meaning.number);
        }
        if (!x.is(Kind::Add))
            return false;
        const bool isMask = x.of[1].is(Kind::Choose) || x.of[1].is(Kind::Symbol);
        return !isMask || isMasked() || isSum(x.of[0]);
    }

    // The formula of all heads

    bool hasOutput() const { return m_plan.find({Stage::Output, m_attention}).has_value(); }
    void allHeads() {
        if (m_heads == 1 && !hasOutput())
            return part(Stage::Concatenated, {0, 1}, {}); // a single head
        const Stage made = hasOutput() ? Stage::Output : Stage::Concatenated;
        const PieceRange name =
            symbol(m_heads > 1 ? "MultiHead" : "O", m_heads > 1 ? Role::Context : Role::Residual);
        part(made, name, name);
        m_line.plain(" = ");
        const std::size_t first = here();
        together();
        if (!hasOutput())
            return;
        m_line.plain(" · ");
        const PieceRange weight = range([&] { m_line.weight("O", Role::Context); });
        part(Stage::HeadOutputs, weight, {});
        const auto step = m_plan.find({Stage::Output, m_attention});
        const auto &parameters = m_plan[m_plan.origin(*step)].parameters;
        if (parameters.size() > 1 && parameterOf(model().parameters, parameters[1].id)) {
            m_line.plain(" + ");
            m_line.symbol("b", Role::Context);
            m_line.beneath("O", Role::Context);
        }
        part(Stage::Output, {first, here()}, weight);
    }
    void together() {
        const std::size_t first = here();
        if (m_heads == 1) {
            nameOfHead(0);
            return part(Stage::Concatenated, {first, here()}, {});
        }
        const PieceRange name = symbol("Concat", Role::Context);
        m_line.plain("(");
        nameOfHead(0);
        m_line.plain(m_heads > 2 ? ", …, " : ", ");
        nameOfHead(m_heads - 1);
        m_line.plain(")");
        part(Stage::Concatenated, {first, here()}, name);
    }

    // The notes

    void aside(Note note, std::vector<std::string> arguments = {}) {
        if (m_hasNotes)
            m_line.asidePlain(" · ");
        m_line.aside(note, std::move(arguments));
        m_hasNotes = true;
    }
    void notes() {
        const Config &config = model().config;
        if (!config.softmax)
            aside(isMasked() && std::isinf(config.masking.value) && !config.masking.afterSoftmax
                      ? Note::NoSoftmaxHidden
                      : Note::NoSoftmax);
        if (model().hasSinks(m_attention))
            aside(Note::SinkTakesPart);
        if (isMasked() && !std::isinf(config.masking.value) && !config.masking.afterSoftmax)
            aside(Note::NumberHidesScore, {fullText(config.masking.value)});
        if (m_hasSetScores)
            aside(Note::ScoresSetByHand);
        if (m_plan.find({Stage::UnrotatedQuery, m_attention}))
            aside(Note::QueriesAndKeysTurn);
        if (m_attention.block == Block::CrossAttention)
            return aside(model().hasEncoder() ? Note::KeysOfEncoder : Note::KeysOfSource);
        if (m_attention.layer == 0)
            positions();
    }
    /// Writes that Q, K and V are computed from X = E · √C + P + T.
    void positions() {
        if (!m_plan.find({Stage::EmbeddingSum, m_attention}))
            return;
        aside(Note::ValuesMadeFrom);
        m_line.plain(" ");
        const PieceRange name = symbol("X", Role::Residual);
        m_line.plain(" = ");
        const Norm &norm = model().config.norm;
        const bool isNormed = model().config.hasNorm() && norm.embedding;
        const std::size_t first = here();
        if (isNormed) {
            m_line.words(Note::NormName, {text(static_cast<Index>(norm.kind))});
            m_line.plain("(");
        }
        const std::size_t begin = here();
        const Config embedded = model().configOf(m_attention.stack);
        if (embedded.projectsFirst)
            symbolOfStage(Stage::EmbeddingProjected, embedded.convolves() ? "σ(J·W_E)" : "E·W_E");
        else
            symbolOfStage(Stage::Embeddings, "E");
        const PieceRange added = range([&] { terms(); });
        part(Stage::EmbeddingSum, {begin, here()}, added);
        if (!isNormed)
            return part(Stage::EmbeddingSum, name, name);
        m_line.plain(")");
        part(Stage::Positioned, {first, here()}, {});
        part(Stage::Positioned, name, name);
    }
    void terms() {
        const Config &config = model().config;
        if (config.scaleEmbeddings)
            m_line.plain(" · √" + text(config.width));
        if (config.embeddingFactor != 1)
            m_line.plain(" · " + fullText(config.embeddingFactor));
        if (areAddedToEmbeddings(config.positions)) {
            m_line.plain(" + ");
            m_line.symbol("P", Role::Residual);
        }
        if (model().stack(m_attention.stack).tokenTypes) {
            m_line.plain(" + ");
            m_line.symbol("T", Role::Residual);
        }
    }

    // The formula of a capture

    /// Writes the usual formula of the literature, because the capture's computation is unknown.
    void usual() {
        const std::size_t first = here();
        const PieceRange softmax = range([&] { m_line.symbol("softmax", Role::Weights); });
        m_line.plain("(");
        const std::size_t inner = here();
        symbolOfStage(Stage::Query, "Q");
        const PieceRange dot = plain(" · ");
        symbolOfStage(Stage::Key, "Kᵀ");
        part(Stage::Scores, {inner, here()}, dot);
        const PieceRange root = range([&] { dividedByRoot(); });
        part(Stage::ScaledScores, {inner, here()}, root);
        const PieceRange mask = range([&] {
            m_line.plain(" + ");
            m_line.symbol("M", Role::Scores);
        });
        part(Stage::MaskedScores, {inner, here()}, mask);
        m_line.plain(")");
        part(Stage::AttentionWeights, {first, here()}, softmax);
        const PieceRange times = plain(" · ");
        symbolOfStage(Stage::Value, "V");
        part(Stage::Context, {first, here()}, times);
        m_formula.head = {first, here()};
        m_formula.heads = range([&] { usualHeads(); });
        m_formula.notes = range([&] { aside(Note::UsualFormula); });
    }
    void usualHeads() {
        m_line.symbol("MultiHead", Role::Context);
        m_line.plain(" = ");
        const std::size_t first = here();
        const PieceRange concat = symbol("Concat", Role::Context);
        m_line.plain("(");
        m_line.symbol("head", Role::Context);
        m_line.beneath("0", Role::Context);
        m_line.plain(", …)");
        part(Stage::Concatenated, {first, here()}, concat);
        m_line.plain(" · ");
        const PieceRange weight = range([&] { m_line.weight("O", Role::Context); });
        part(Stage::Output, {first, here()}, weight);
    }

    const Trace &m_trace;
    const Plan &m_plan;
    const Selection &m_selection;
    AttentionId m_attention;
    Index m_heads = 1;
    bool m_hasSetScores = false;
    bool m_hasNotes = false;
    LineWriter m_line;
    WholeFormula m_formula;
};

/// Returns the stage whose symbol in the formula represents this stage.
Stage symbolStage(Stage stage) {
    switch (stage) {
    case Stage::ProjectedQuery:
    case Stage::UnrotatedQuery:
    case Stage::RotatedQuery:
    case Stage::UntunedQuery:
        return Stage::Query;
    case Stage::ProjectedKey:
    case Stage::UnrotatedKey:
    case Stage::RotatedKey:
        return Stage::Key;
    default:
        return stage;
    }
}

} // namespace

std::vector<FormulaPart> WholeFormula::partsAt(const Selection &selection) const {
    const StageInfo &info = infoOf(selection.stage);
    std::vector<FormulaPart> found;
    const bool isHere = info.inAttention() ? selection.attention() == attention
                                           : info.part == Part::Embedding && attention.layer == 0 &&
                                                 selection.stack == attention.stack;
    if (!isHere)
        return found;
    for (const FormulaPart &part : parts)
        if (part.isThere && part.at.stage == symbolStage(selection.stage) &&
            (!info.perHead || part.head == selection.head))
            found.push_back(part);
    return found;
}

WholeFormula wholeFormulaOf(const Trace &trace, const Selection &selection) {
    return WholeFormulaWriter(trace, selection).write();
}

} // namespace headlight::core
