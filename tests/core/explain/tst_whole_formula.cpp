// Evaluating the whole formula with the trace's Q, K, V and mask gives the trace's context, in
// every model. Each symbol selects its own matrix.
#include "core/explain/whole_formula.h"
#include "core_test.h"
#include "tests/core/explained_traces.h"

#include <charconv>

namespace {

std::string textOf(const Line &line, PieceRange range) {
    std::string text;
    for (std::size_t i = range.first; i < range.end; ++i) {
        const Piece &piece = line[i];
        if (piece.isAside)
            continue;
        text += piece.kind == Piece::Kind::Beneath ? "_" + piece.text
                : piece.kind == Piece::Kind::Words ? piece.note == Note::MaskWord ? "mask"
                                                     : piece.note == Note::MeanOf ? "mean of"
                                                                                  : "norm"
                                                   : piece.text;
    }
    return text;
}

bool says(const WholeFormula &formula, Note note) {
    return std::ranges::any_of(formula.line, [&](const Piece &piece) {
        return piece.kind == Piece::Kind::Words && piece.note == note;
    });
}

using Table = std::vector<std::vector<double>>;

/// A matrix or a number in the evaluation of a formula.
struct Value {
    Table matrix;
    double number = 0;
    bool isNumber() const { return matrix.empty(); }
};

/// Parses the formula of a head from left to right and evaluates it.
class FormulaReader {
  public:
    FormulaReader(const Trace &trace, const WholeFormula &formula, const Selection &selection)
        : m_trace(trace), m_formula(formula), m_selection(selection) {
        std::string all = textOf(formula.line, formula.head);
        m_text = all.substr(all.find('=') + 1);
        std::erase(m_text, ' ');
    }

    Table work() {
        const bool isMean = eat("meanof");
        const Value value = sum();
        REQUIRE_MESSAGE(m_at == m_text.size(), m_text.substr(m_at));
        Table made = value.matrix;
        const auto real = static_cast<std::size_t>(
            m_trace.queries(m_formula.attention)[m_selection.sequence].length);
        if (isMean)
            for (std::size_t c = 0; c < made[0].size(); ++c) {
                double all = 0;
                for (std::size_t r = 0; r < real; ++r)
                    all += made[r][c] / static_cast<double>(real);
                for (auto &row : made)
                    row[c] = all;
            }
        return made;
    }

  private:
    bool eat(const std::string &sign) {
        if (m_text.compare(m_at, sign.size(), sign) != 0)
            return false;
        m_at += sign.size();
        return true;
    }
    Table stage(Stage stage) const {
        const SharedMatrix matrix =
            m_trace.matrix(stage, m_formula.attention, m_selection.sequence, m_selection.head);
        Table numbers(static_cast<std::size_t>(matrix.rows));
        for (Index r = 0; r < matrix.rows; ++r)
            for (Index c = 0; c < matrix.columns; ++c)
                numbers[static_cast<std::size_t>(r)].push_back(static_cast<double>(matrix(r, c)));
        return numbers;
    }
    bool hides(std::size_t row, std::size_t column) const {
        return m_trace.mask(m_selection.sequence, m_formula.attention)
            .hidden(static_cast<Index>(row), static_cast<Index>(column));
    }
    template <typename Work>
    static Value each(Value value, Work work) {
        for (std::size_t r = 0; r < value.matrix.size(); ++r)
            for (std::size_t c = 0; c < value.matrix[r].size(); ++c)
                value.matrix[r][c] = work(value.matrix[r][c], r, c);
        value.number = work(value.number, 0, 0);
        return value;
    }

    Value sum() {
        Value value = product();
        while (eat("+")) {
            if (eat("M")) {
                const double hidden = static_cast<double>(
                    m_trace.model().config.masking.value); // −∞ or a finite number
                value = each(value, [&](double x, std::size_t r, std::size_t c) {
                    return hides(r, c) ? hidden : x;
                });
                continue;
            }
            REQUIRE(eat("P"));
            const Table bias = stage(Stage::PositionBias);
            value =
                each(value, [&](double x, std::size_t r, std::size_t c) { return x + bias[r][c]; });
        }
        return value;
    }
    Value product() {
        Value value = factor();
        for (;;) {
            if (eat("⊙")) {
                REQUIRE(eat("mask"));
                value = each(value, [&](double x, std::size_t r, std::size_t c) {
                    return hides(r, c) ? 0 : x;
                });
            } else if (eat("·")) {
                value = times(value, factor());
            } else if (eat("/")) {
                const Value by = factor();
                REQUIRE(by.isNumber());
                value =
                    each(value, [&](double x, std::size_t, std::size_t) { return x / by.number; });
            } else {
                return value;
            }
        }
    }
    Value times(const Value &a, const Value &b) const {
        if (a.isNumber() && !b.isNumber())
            return each(b, [&](double x, std::size_t, std::size_t) { return a.number * x; });
        REQUIRE(!a.isNumber());
        REQUIRE(!b.isNumber());
        const bool none = says(
            m_formula, Note::NoSoftmaxHidden); // if so, hidden scores (−∞) are left out of the sum
        Value made;
        for (const std::vector<double> &row : a.matrix) {
            std::vector<double> sums(b.matrix[0].size());
            for (std::size_t i = 0; i < row.size(); ++i)
                for (std::size_t c = 0; c < sums.size(); ++c)
                    sums[c] += none && std::isinf(row[i]) ? 0 : row[i] * b.matrix[i][c];
            made.matrix.push_back(std::move(sums));
        }
        return made;
    }
    Value scoresSetByHand(Value scores) const {
        if (!says(m_formula, Note::ScoresSetByHand))
            return scores;
        for (const ScoreIntervention &said : m_trace.input().interventions.scores)
            if (said.sequence == m_selection.sequence && said.head == m_selection.head)
                scores.matrix[static_cast<std::size_t>(said.query)]
                             [static_cast<std::size_t>(said.key)] = static_cast<double>(said.score);
        return scores;
    }
    Value factor() {
        if (eat("softmax(")) {
            Value value = sum();
            std::optional<double> sink;
            if (eat(",")) {
                REQUIRE(eat("s"));
                REQUIRE(says(m_formula, Note::SinkTakesPart));
                const Model &model = m_trace.model();
                sink =
                    static_cast<double>((*model.attentionParameters(m_selection.attention()).sinks)(
                        0, m_selection.head));
                if (eat("/"))
                    *sink /= factor().number;
            }
            REQUIRE(eat(")"));
            for (std::vector<double> &row : value.matrix) {
                const double most = *std::ranges::max_element(row);
                double all = 0;
                for (double &x : row)
                    all += x = std::isinf(most) ? 0 : std::exp(x - most);
                if (sink && !std::isinf(most))
                    all += std::exp(*sink - most);
                for (double &x : row)
                    x = all > 0 ? x / all : 0;
            }
            return value;
        }
        if (eat("tanh(")) {
            const Value value = sum();
            REQUIRE(eat(")"));
            return each(value, [](double x, std::size_t, std::size_t) { return std::tanh(x); });
        }
        if (eat("(1/n)")) {
            const Mask &mask = m_trace.mask(m_selection.sequence, m_formula.attention);
            Value value;
            for (Index r = 0; r < mask.queries(); ++r) {
                value.matrix.emplace_back();
                for (Index c = 0; c < mask.keys(); ++c)
                    value.matrix.back().push_back(
                        mask.hidden(r, c) ? 0 : 1 / static_cast<double>(mask.visibleKeys(r)));
            }
            return value;
        }
        if (eat("(")) {
            const Value value = sum();
            REQUIRE(eat(")"));
            return value;
        }
        if (eat("√d_k"))
            return {{}, std::sqrt(static_cast<double>(m_trace.model().config.headSize))};
        if (eat("√(")) { // disentangled attention: the number of score terms times d_k
            const double terms = sum().number;
            REQUIRE(eat("d_k)"));
            return {{}, std::sqrt(terms * static_cast<double>(m_trace.model().config.headSize))};
        }
        if (eat("Q")) {
            REQUIRE(eat("·Kᵀ"));
            const Table keys = stage(Stage::Key);
            Value turned;
            turned.matrix.assign(keys[0].size(), {});
            for (const std::vector<double> &key : keys)
                for (std::size_t i = 0; i < key.size(); ++i)
                    turned.matrix[i].push_back(key[i]);
            return scoresSetByHand(times({stage(Stage::Query)}, turned));
        }
        if (eat("V"))
            return {stage(Stage::Value)};
        double number = 0;
        const char *begin = m_text.data() + m_at;
        const auto read = std::from_chars(begin, m_text.data() + m_text.size(), number);
        REQUIRE_MESSAGE(read.ptr != begin, m_text.substr(m_at));
        m_at += static_cast<std::size_t>(read.ptr - begin);
        return {{}, number};
    }

    const Trace &m_trace;
    const WholeFormula &m_formula;
    const Selection &m_selection;
    std::string m_text;
    std::size_t m_at = 0;
};

void checkLinks(const Trace &trace, const WholeFormula &formula) {
    std::vector<bool> isTaken(formula.line.size());
    for (const FormulaPart &part : formula.parts) {
        CHECK(part.whole.end <= formula.line.size());
        CHECK(!part.whole.isEmpty());
        CHECK(part.isThere == trace.has(part.at.stage, part.at.attention));
        for (std::size_t i = part.link.first; i < part.link.end; ++i) {
            CHECK(part.whole.contains(i));
            CHECK(!isTaken[i]); // no two symbols overlap
            isTaken[i] = true;
        }
    }
    for (const PieceRange &range : {formula.head, formula.heads})
        for (std::size_t i = range.first; i < range.end; ++i) {
            const std::string &symbol = formula.line[i].text;
            if (formula.line[i].kind == Piece::Kind::Symbol && symbol != "b")
                CHECK_MESSAGE(isTaken[i], symbol);
        }
}

WholeFormula formulaOf(const Trace &trace, Stage stage, Index head = 0,
                       AttentionId attention = {}) {
    Selection selection;
    selection.stage = stage;
    selection.head = head;
    selection.setAttention(attention);
    return wholeFormulaOf(trace, selection);
}

std::string headText(const WholeFormula &formula) {
    return textOf(formula.line, formula.head);
}

/// Returns the parts of the formula that are highlighted at a stage.
std::vector<std::string> lit(const Trace &trace, Stage stage, Index head = 0) {
    Selection selection;
    selection.stage = stage;
    selection.head = head;
    const WholeFormula formula = wholeFormulaOf(trace, selection);
    std::vector<std::string> texts;
    for (const FormulaPart &part : formula.partsAt(selection))
        texts.push_back(textOf(formula.line, part.whole));
    return texts;
}

} // namespace

TEST_CASE("evaluated from left to right, the formula gives the context, in every model") {
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces()))
        for (const AttentionId attention : named.trace->model().attentions())
            for (Index b = 0; b < named.trace->batch().count(); ++b)
                for (Index h = 0; h < named.trace->model().config.heads; ++h) {
                    Selection selection{.sequence = b, .head = h};
                    selection.setAttention(attention);
                    const WholeFormula formula = wholeFormulaOf(*named.trace, selection);
                    CHECK(formula.attention == attention);
                    checkLinks(*named.trace, formula);
                    const SharedMatrix context =
                        named.trace->matrix(Stage::Context, attention, b, h);
                    const std::string text = headText(formula);
                    if (text.ends_with("= 0")) {
                        CHECK(context(0, 0) == 0);
                        continue;
                    }
                    const Table made = FormulaReader(*named.trace, formula, selection).work();
                    REQUIRE(std::ssize(made) == context.rows);
                    double most = 0;
                    for (Index r = 0; r < context.rows; ++r)
                        for (Index c = 0; c < context.columns; ++c)
                            most = std::max(
                                most,
                                std::abs(
                                    made[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] -
                                    static_cast<double>(context(r, c))));
                    CHECK_MESSAGE(most < 1e-3, named.name << ": " << text);
                }
}

TEST_CASE("the formula omits what the model does not do") {
    Model model = smallModel();
    const Input input = inputOf({"the money bank"});
    CHECK(headText(formulaOf(*traceOf(model, input), Stage::AttentionWeights, 1)) ==
          "head_1 = softmax(Q · Kᵀ / √d_k) · V");
    const Input causal = inputOf({"the money bank"}, {CausalMask{}});
    CHECK(headText(formulaOf(*traceOf(model, causal), Stage::AttentionWeights)) ==
          "head_0 = softmax(Q · Kᵀ / √d_k + M) · V");
    model.config.scale = {Scale::Kind::Number, 2.5f};
    model.config.temperature = 2;
    CHECK(headText(formulaOf(*traceOf(model, causal), Stage::AttentionWeights)) ==
          "head_0 = softmax((Q · Kᵀ / 2.5 + M) / 2) · V");
    model.config.scale.kind = Scale::Kind::Off;
    model.config.scoreCap.limit = 5;
    CHECK(headText(formulaOf(*traceOf(model, input), Stage::AttentionWeights)) ==
          "head_0 = softmax(5 · tanh(Q · Kᵀ / 5) / 2) · V");
    model.config.temperature = 1;
    model.config.softmax = false;
    const WholeFormula plain = formulaOf(*traceOf(model, causal), Stage::AttentionWeights);
    CHECK(headText(plain) == "head_0 = (5 · tanh(Q · Kᵀ / 5) + M) · V");
    CHECK(says(plain, Note::NoSoftmaxHidden));
}

TEST_CASE("all heads are concatenated, a single head is not") {
    const TracePointer two = traceOf(smallModel(), inputOf({"the money bank"}));
    const WholeFormula formula = formulaOf(*two, Stage::Output);
    CHECK(textOf(formula.line, formula.heads) == "MultiHead = Concat(head_0, head_1) · W_O");
    Model model = explainedModel(3, {}, 1, Positions::None, false, true, 1);
    model.config.heads = 1;
    model.config.headSize = 6;
    const TracePointer one = traceOf(model, inputOf({"a bank"}));
    CHECK(headText(formulaOf(*one, Stage::Output)) == "Z = softmax(Q · Kᵀ / √d_k) · V");
    CHECK(formulaOf(*one, Stage::Output).heads.isEmpty());
    const BlockCase four = blockCases()[0]; // a model with biases
    const TracePointer blocks = traceOf(four.model, four.input);
    const WholeFormula all = formulaOf(*blocks, Stage::Output);
    CHECK(textOf(all.line, all.heads) == "MultiHead = Concat(head_0, …, head_3) · W_O + b_O");
    CHECK(says(all, Note::ValuesMadeFrom));
    CHECK(textOf(all.line, all.notes) == " X = E · √8 + P");
}

TEST_CASE("the selected stage of the selected head is highlighted") {
    using Texts = std::vector<std::string>;
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}, {CausalMask{}}));
    CHECK(lit(*trace, Stage::Query) == Texts{"Q"});
    CHECK(lit(*trace, Stage::Key) == Texts{"Kᵀ"});
    CHECK(lit(*trace, Stage::Scores) == Texts{"Q · Kᵀ"});
    CHECK(lit(*trace, Stage::ScaledScores) == Texts{"Q · Kᵀ / √d_k"});
    CHECK(lit(*trace, Stage::MaskedScores) == Texts{"Q · Kᵀ / √d_k + M"});
    CHECK(lit(*trace, Stage::AttentionWeights) == Texts{"softmax(Q · Kᵀ / √d_k + M)"});
    CHECK(lit(*trace, Stage::Value) == Texts{"V"});
    CHECK(lit(*trace, Stage::Context, 1) ==
          Texts{"head_1", "softmax(Q · Kᵀ / √d_k + M) · V", "head_1"});
    CHECK(lit(*trace, Stage::Concatenated) == Texts{"Concat(head_0, head_1)"});
    CHECK(lit(*trace, Stage::Output) == Texts{"MultiHead", "Concat(head_0, head_1) · W_O"});
    CHECK(lit(*trace, Stage::Embeddings).empty()); // X is not in the formula
    // Without scaling or a mask, these stages equal the scores.
    Model off = smallModel();
    off.config.scale.kind = Scale::Kind::Off;
    const TracePointer unscaled = traceOf(off, inputOf({"the money bank"}));
    CHECK(lit(*unscaled, Stage::ScaledScores) == Texts{"Q · Kᵀ"});
    CHECK(lit(*unscaled, Stage::MaskedScores) == Texts{"Q · Kᵀ"});
}

TEST_CASE("the formula of a cross-attention shows whose keys and values it uses") {
    int encoders = 0, sources = 0, turns = 0;
    for (const NamedTrace &named : blockTraces())
        for (const AttentionId attention : named.trace->model().attentions()) {
            const WholeFormula formula =
                formulaOf(*named.trace, Stage::AttentionWeights, 0, attention);
            const bool isCross = attention.block == Block::CrossAttention;
            const bool hasEncoder = named.trace->model().hasEncoder();
            CHECK(says(formula, Note::KeysOfEncoder) == (isCross && hasEncoder));
            CHECK(says(formula, Note::KeysOfSource) == (isCross && !hasEncoder));
            encoders += says(formula, Note::KeysOfEncoder) ? 1 : 0;
            sources += says(formula, Note::KeysOfSource) ? 1 : 0;
            turns += says(formula, Note::QueriesAndKeysTurn) ? 1 : 0;
        }
    CHECK(encoders > 0);
    CHECK(sources > 0);
    CHECK(turns > 0);
}

TEST_CASE("at other stages of a layer, its attention's formula is shown without a highlight") {
    const BlockCase block = blockCases()[0];
    const TracePointer trace = traceOf(block.model, block.input);
    Selection selection;
    selection.stage = Stage::Hidden;
    selection.layer = 1;
    const WholeFormula formula = wholeFormulaOf(*trace, selection);
    CHECK(formula.attention == AttentionId(1));
    CHECK(formula.partsAt(selection).empty());
}
