#include "core/explain/gradients/gradient_lines.h"

#include "core/explain/line_writer.h"
#include "core/explain/symbols.h"
#include "core/selection/selected.h"

#include <cmath>

namespace headlight::core {

namespace {

/// Returns the symbol, in brackets if it is a sum.
std::string symbolOrSum(const Trace &trace, Stage stage) {
    const std::string symbol = symbolOf(trace, stage);
    return symbol.find(' ') == symbol.npos ? symbol : "(" + symbol + ")";
}

class BackLine {
  public:
    BackLine(const BackwardPass &backwardPass, const Selection &selection)
        : m_backwardPass(backwardPass),
          m_trace(*backwardPass.trace),
          m_plan(m_trace.plan()),
          m_selection(selection),
          m_at(m_plan.find({selection.stage, selection.attention()})) {}

    Line formula() {
        if (!m_at)
            return {};
        slope(m_selection.stage);
        m_line.plain(" = ");
        if (isOfProbabilities())
            return ofProbabilities();
        bool isFirst = true;
        for (const auto &[step, which] : readersOf(m_plan, *m_at)) {
            if (m_plan[step].isAside || !isReached(step))
                continue;
            m_line.plain(isFirst ? "" : " + ");
            isFirst = false;
            m_step = step;
            std::visit(Symbols{*this, which}, m_plan[step].operation);
        }
        if (isAnswer()) {
            m_line.plain("(");
            m_line.symbol("P", infoOf(m_selection.stage).role);
            m_line.plain(" − ");
            m_line.symbol("Y", infoOf(m_selection.stage).role);
            m_line.plain(") / " + asked());
            aboutLoss();
        } else if (isFirst) {
            m_line.plain("0");
            m_line.aside(Note::NothingFlowsBack);
        }
        for (const Note note : m_notes)
            m_line.aside(note);
        return m_line.take();
    }

    Line arithmetic() {
        if (isOfProbabilities())
            return oneOfProbabilities();
        const std::vector<GradientTerm> parts = gradientTermsOf(m_backwardPass, m_selection);
        if (parts.empty())
            return {};
        m_line.name(Piece::Kind::RowName, *selectedRow(m_selection));
        m_line.plain(":  ");
        double sum = 0;
        for (const GradientTerm &part : parts) {
            m_line.plain(&part == parts.data() ? "" : "  +  ");
            numbers(part);
            sum += part.value ? *part.value : std::nan(""); // NaN if unknown
        }
        m_line.plain(" = ");
        result(gradientOfCell().value_or(sum));
        return m_line.take();
    }

  private:
    struct Symbols;

    bool isOfProbabilities() const {
        return m_selection.stage == Stage::Probabilities &&
               !m_backwardPass.ofProbabilities.isNull();
    }
    std::string asked() const { return std::to_string(m_backwardPass.asked.size()); }
    /// −Y / (n·p)
    Line ofProbabilities() {
        m_line.plain("−");
        m_line.symbol("Y", Role::Logits);
        m_line.plain(" / (" + asked() + " · ");
        symbol(Stage::Probabilities);
        m_line.plain(")");
        aboutLoss();
        return m_line.take();
    }
    void aboutLoss() {
        m_line.aside(Note::LossIs, {digitsText(m_backwardPass.loss)});
        m_line.aside(Note::OneWhereRight);
        m_line.aside(Note::MeanOfAnswers, {asked()});
    }
    Line oneOfProbabilities() {
        const auto row = selectedRow(m_selection), column = selectedColumn(m_selection);
        const SharedMatrix p = matrixAt(m_trace, m_selection);
        if (!row || !column || *row >= p.rows || *column >= p.columns)
            return {};
        const double made = *gradientOfCell();
        m_line.name(Piece::Kind::RowName, *row);
        m_line.plain(made == 0 ? ":  0 / (" : ":  −1 / (");
        m_line.plain(asked() + " · ");
        m_line.number(digitsText(static_cast<double>(p(*row, *column))), Role::Logits);
        m_line.plain(") = ");
        result(made);
        return m_line.take();
    }
    void result(double value) { m_line.result(digitsText(value)); }

    std::optional<double> gradientOfCell() const {
        const Tensor gradient = m_backwardPass.gradient(m_selection.stage, m_selection.attention());
        if (gradient.isNull())
            return std::nullopt;
        const Index sequence = m_plan[*m_at].sequences() == 1 ? 0 : m_selection.sequence;
        return static_cast<double>(
            gradient.view(sequence, m_trace.headOf(m_plan.origin(*m_at), m_selection.head))(
                *selectedRow(m_selection), *selectedColumn(m_selection)));
    }
    bool isAnswer() const {
        return m_selection.stage == Stage::Logits || m_selection.stage == Stage::ClassLogits;
    }
    /// True if the first named stage after the step has a gradient.
    bool isReached(StepId step) const {
        if (m_plan[step].isNamed())
            return !m_backwardPass.gradients
                        ->stage(m_plan[step].at.stage, m_plan[step].at.attention)
                        .isNull();
        for (const Reader &reader : readersOf(m_plan, step))
            if (isReached(reader.step))
                return true;
        return false;
    }
    void symbol(Stage stage, const char *behind = "") {
        m_line.symbol(symbolOrSum(m_trace, stage) + behind, infoOf(stage).role);
    }
    void slope(Stage stage) {
        m_line.plain("∂loss/∂");
        symbol(stage);
    }
    void made(const char *behind = "") {
        m_line.plain(*behind ? "(∂loss/∂" : "∂loss/∂");
        symbol(m_plan[m_step].at.stage);
        m_line.plain(*behind ? std::string(")") + behind : "");
    }
    Stage stageOfRead(std::size_t which) const {
        return m_plan[m_plan[m_step].reads[which]].at.stage;
    }
    void note(Note note) {
        if (std::ranges::find(m_notes, note) == m_notes.end())
            m_notes.push_back(note);
    }

    /// Writes the gradient that an operation passes back, in symbols.
    struct Symbols {
        BackLine &to;
        std::size_t which;

        LineWriter &line() const { return to.m_line; }
        template <typename Other>
        void operator()(const Other &) const {
            to.made();
        }
        void operator()(const op::Linear &of) const {
            const Step &step = to.m_plan[to.m_step];
            to.made();
            line().plain(" · ");
            if (of.transposed)
                return line().symbol("E", Role::Residual);
            line().weight(letterOf(step.parameters[0].id.which), roleOfParameters(step));
            line().plain("ᵀ");
        }
        void operator()(const op::DotProduct &) const {
            to.made(which == 0 ? "" : "ᵀ");
            line().plain(" · ");
            line().symbol(which == 0 ? "K" : "Q", which == 0 ? Role::Key : Role::Query);
        }
        void operator()(const op::WeightedSum &) const {
            if (which == 0) {
                to.made();
                line().plain(" · ");
                line().symbol("Vᵀ", Role::Value);
            } else {
                line().symbol("Aᵀ", Role::Weights);
                line().plain(" · ");
                to.made();
            }
        }
        void operator()(const op::Each &of) const { std::visit(*this, of.function); }
        void operator()(op::Scale of) const {
            to.made();
            if (of.root > 0)
                line().plain((of.divides ? " / √" : " · √") + std::to_string(of.root));
            else if (of.divides)
                line().plain(" / " + fullText(of.divisor));
        }
        void operator()(const op::Mask &) const {
            to.made();
            to.note(Note::NothingThroughMask);
        }
        void operator()(const op::Softmax &of) const {
            if (!of.normalises)
                return to.made();
            line().symbol("A", Role::Weights);
            line().plain(" ⊙ (");
            to.made();
            line().plain(" − Σ ");
            line().symbol("A", Role::Weights);
            line().plain(" ⊙ ");
            to.made();
            line().plain(")");
            if (of.temperature != 1)
                line().plain(" / " + fullText(of.temperature));
            to.note(Note::SumsOfRow);
        }
        void operator()(Activation activation) const {
            to.made();
            line().plain(" ⊙ ");
            derivative(activation);
            line().plain("(");
            to.symbol(to.stageOfRead(0));
            line().plain(")");
        }
        void operator()(const op::Gate &of) const {
            to.made();
            line().plain(" ⊙ ");
            if (which == 0) {
                to.symbol(to.stageOfRead(1));
                line().plain(" ⊙ ");
                derivative(of.activation);
            } else {
                line().words(Note::ActivationName, {activationNumber(of.activation)});
            }
            line().plain("(");
            to.symbol(to.stageOfRead(0));
            line().plain(")");
        }
        void operator()(const op::Normalise &) const {
            to.made();
            to.note(Note::ThroughNorm);
        }
        void operator()(const op::ApplyRotary &) const {
            to.made();
            to.note(Note::TurnedBack);
        }
        void operator()(const op::Tanh &) const {
            to.made();
            line().plain(" ⊙ (1 − tanh²)");
        }
        static std::string activationNumber(Activation activation) {
            return std::to_string(static_cast<int>(activation));
        }
        void derivative(Activation activation) const {
            line().words(Note::ActivationName, {activationNumber(activation)});
            line().plain("′");
        }
    };

    void terms(const std::vector<Term> &terms, Role left, Role right) {
        for (const Term &term : terms) {
            m_line.plain(&term != terms.data() ? " + " : "");
            m_line.number(digitsText(static_cast<double>(term.left)), left);
            m_line.plain("·");
            m_line.bracketed(static_cast<double>(term.right), right);
        }
    }
    void numbers(const GradientTerm &part) {
        if (part.isLoss)
            return ofLoss(part);
        const Step &step = m_plan[part.step];
        const Role role = infoOf(step.at.stage).role;
        if (!part.value)
            return m_line.words(Note::NotWrittenOut);
        const auto *softmax = std::get_if<op::Softmax>(&step.operation);
        if (softmax && softmax->normalises) {
            m_line.number(digitsText(part.factor), Role::Weights);
            m_line.plain(" · (");
            m_line.number(digitsText(part.gradient), role);
            m_line.plain(" − (");
            terms(part.terms, role, Role::Weights);
            return m_line.plain("))");
        }
        if (!part.terms.empty())
            return terms(part.terms, role, roleOfFactors(step, part.which));
        const bool isPlain = part.factor == 1 && part.gradient == *part.value;
        m_line.number(digitsText(isPlain || part.gradient * part.factor == *part.value
                                     ? part.gradient
                                     : *part.value),
                      role);
        if (!isPlain && part.gradient * part.factor == *part.value) {
            m_line.plain("·");
            m_line.number(LineWriter::inBrackets(part.factor), Role::Scores);
        }
    }
    void ofLoss(const GradientTerm &part) {
        const Role role = infoOf(m_selection.stage).role;
        if (part.terms.empty())
            return m_line.number("0", role);
        m_line.plain("(");
        for (const Term &term : part.terms) {
            m_line.plain(&term != part.terms.data() ? " + " : "");
            m_line.number(digitsText(static_cast<double>(term.left)), role);
            m_line.plain(term.right > 0 ? " − 1" : "");
        }
        m_line.plain(") / " + std::to_string(m_backwardPass.asked.size()));
    }
    static Role roleOfFactors(const Step &step, std::size_t which) {
        if (std::holds_alternative<op::DotProduct>(step.operation))
            return which == 0 ? Role::Key : Role::Query;
        if (std::holds_alternative<op::WeightedSum>(step.operation))
            return which == 0 ? Role::Value : Role::Weights;
        return roleOfParameters(step);
    }

    const BackwardPass &m_backwardPass;
    const Trace &m_trace;
    const Plan &m_plan;
    const Selection &m_selection;
    std::optional<StepId> m_at;
    StepId m_step = 0;
    LineWriter m_line;
    std::vector<Note> m_notes;
};

} // namespace

Line backFormulaOf(const BackwardPass &backwardPass, const Selection &selection) {
    return BackLine(backwardPass, selection).formula();
}

Line backArithmeticOf(const BackwardPass &backwardPass, const Selection &selection) {
    return BackLine(backwardPass, selection).arithmetic();
}

} // namespace headlight::core
