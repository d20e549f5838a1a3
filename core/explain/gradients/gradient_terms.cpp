#include "core/explain/gradients/gradient_terms.h"

#include "core/operations/layer_norm.h"
#include "core/operations/rms_norm.h"
#include "core/operations/rotary.h"
#include "core/selection/selected.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::core {

namespace {

/// A cell of a step.
struct At {
    StepId step = 0;
    Index sequence = 0, head = 0, row = 0, column = 0;
};

class Chainer {
  public:
    explicit Chainer(const BackwardPass &backwardPass)
        : m_trace(*backwardPass.trace), m_plan(m_trace.plan()), m_backwardPass(backwardPass) {}

    std::vector<GradientTerm> gradientTermsOf(const At &at) const {
        std::vector<GradientTerm> all;
        for (const auto &[step, which] : readersOf(m_plan, at.step))
            if (reaches(step)) {
                GradientTerm flowing;
                flowing.step = step;
                flowing.which = which;
                if (!m_plan[step].changes.empty())
                    all.push_back(flowing); // interventions are not written out
                else
                    all.push_back(std::visit(Back{*this, at, flowing}, m_plan[step].operation));
            }
        if (isAsked(at.step))
            all.push_back(ofLoss(at));
        return all;
    }

  private:
    Index sequenceOf(StepId step, Index sequence) const {
        return m_plan[step].sequences() == 1 ? 0 : sequence;
    }
    SharedMatrix numbers(StepId step, Index sequence, Index head) const {
        return m_trace.matrix(step, sequenceOf(step, sequence), head);
    }
    /// Returns the step's gradient under any of its names.
    Tensor gradientOf(StepId step) const {
        for (StepId id = step; id < m_plan.size(); ++id)
            if (m_plan[id].isNamed() && m_plan.origin(id) == step) {
                const Tensor found = m_backwardPass.gradients->stage(
                    stageName(m_plan[id].at.stage, m_plan[id].at.attention));
                if (!found.isNull())
                    return found;
            }
        return {};
    }
    bool hasName(StepId step) const {
        for (StepId id = step; id < m_plan.size(); ++id)
            if (m_plan[id].isNamed() && m_plan.origin(id) == step)
                return true;
        return false;
    }
    /// True if the step gets a gradient.
    bool reaches(StepId step) const {
        if (m_plan[step].isAside)
            return false;
        if (hasName(step))
            return !gradientOf(step).isNull();
        const auto readers = readersOf(m_plan, step);
        return std::ranges::any_of(readers,
                                   [this](const Reader &reader) { return reaches(reader.step); });
    }
    double gradient(const At &at) const {
        if (hasName(at.step)) {
            const Tensor tensor = gradientOf(at.step);
            if (tensor.isNull())
                return 0;
            return static_cast<double>(
                tensor.view(sequenceOf(at.step, at.sequence), at.head)(at.row, at.column));
        }
        double sum = 0;
        for (const GradientTerm &part : gradientTermsOf(at))
            sum += part.value.value_or(std::nan(""));
        return sum;
    }
    Index columnsOf(StepId step) const { return m_plan[step].shape.last(0); }
    Index rowsOf(StepId step) const { return m_plan[step].shape.last(1); }

    bool isAsked(StepId step) const {
        const Stage stage = m_plan[step].at.stage;
        return m_plan[step].isNamed() && (stage == Stage::Logits || stage == Stage::ClassLogits);
    }
    /// (p − [is the target]) ÷ number of targets.
    GradientTerm ofLoss(const At &at) const {
        GradientTerm flowing;
        flowing.isLoss = true;
        const bool ofClasses = m_plan[at.step].at.stage == Stage::ClassLogits;
        double sum = 0;
        for (const Target &asked : m_backwardPass.asked) {
            const bool isHere = ofClasses ? asked.sequence == at.row
                                          : asked.sequence == at.sequence && asked.row == at.row;
            if (!isHere)
                continue;
            const SharedMatrix logits = numbers(at.step, at.sequence, 0);
            const auto row = logits.row(at.row);
            const double largest = static_cast<double>(*std::ranges::max_element(row));
            double all = 0;
            for (const float logit : row)
                all += std::exp(static_cast<double>(logit) - largest);
            const double p =
                std::exp(static_cast<double>(logits(at.row, at.column)) - largest) / all;
            flowing.terms.push_back({static_cast<float>(p), asked.answer == at.column ? 1.f : 0.f});
            sum += p - (asked.answer == at.column ? 1 : 0);
        }
        flowing.factor = 1 / static_cast<double>(m_backwardPass.asked.size());
        flowing.value = sum * flowing.factor;
        return flowing;
    }

    /// Computes the gradient that an operation passes back to the value at `at`, its input number
    /// `flowing.which`.
    struct Back {
        const Chainer &chain;
        At at;
        GradientTerm flowing;

        const Step &step() const { return chain.m_plan[flowing.step]; }
        double flow(Index head, Index row, Index column) const {
            return chain.gradient({flowing.step, at.sequence, head, row, column});
        }
        /// The gradient at the same cell.
        double same() const { return flow(at.head, at.row, at.column); }
        SharedMatrix read(std::size_t which, Index head) const {
            const StepId id = chain.m_plan.origin(step().reads[which]);
            return chain.numbers(id, at.sequence,
                                 headRead(head, step().heads(), chain.m_plan[id].heads()));
        }
        SharedMatrix made(Index head) const {
            return chain.numbers(flowing.step, at.sequence, head);
        }
        GradientTerm times(double arriving, double factor) const {
            GradientTerm made = flowing;
            made.gradient = arriving;
            made.factor = factor;
            made.value = arriving * factor;
            return made;
        }
        GradientTerm summed(std::vector<Term> terms) const {
            GradientTerm made = flowing;
            made.value = sumOf(terms);
            made.terms = std::move(terms);
            return made;
        }
        static Term term(double left, float right) { return {static_cast<float>(left), right}; }
        /// Calls `work` for each head that shares the group's keys and values.
        template <typename Work>
        void eachHeadOfGroup(Work work) const {
            const Index heads = step().heads();
            const Index groups =
                chain.m_plan[chain.m_plan.origin(step().reads[flowing.which])].heads();
            for (Index head = 0; head < heads; ++head)
                if (headRead(head, heads, groups) == at.head)
                    work(head);
        }

        /// Elementwise: passes the gradient on unchanged.
        template <typename Other>
        GradientTerm operator()(const Other &) const {
            return times(same(), 1);
        }
        GradientTerm operator()(const op::Add &) const {
            const bool isForAll = chain.m_plan[at.step].shape[0] < step().shape[0];
            return isForAll ? flowing : times(same(), 1); // not written out if summed
        }
        GradientTerm operator()(const op::Linear &of) const {
            const StepParameter matrix(chain.m_trace.model().parameters, {step().parameters[0].id});
            const SharedMatrix numbers = matrix.numbers();
            const Index columns = chain.columnsOf(flowing.step);
            std::vector<Term> terms;
            for (Index head = 0; head < step().heads(); ++head)
                for (Index column = 0; column < columns; ++column) {
                    const Index out = head * columns + column;
                    terms.push_back(
                        term(flow(head, at.row, column),
                             of.transposed ? numbers(out, at.column) : numbers(at.column, out)));
                }
            return summed(std::move(terms));
        }
        GradientTerm operator()(const op::DotProduct &) const {
            std::vector<Term> terms;
            if (flowing.which == 0) {
                const SharedMatrix keys = read(1, at.head);
                for (Index key = 0; key < keys.rows; ++key)
                    terms.push_back(term(flow(at.head, at.row, key), keys(key, at.column)));
            } else {
                eachHeadOfGroup([&](Index head) {
                    const SharedMatrix queries = read(0, head);
                    for (Index query = 0; query < queries.rows; ++query)
                        terms.push_back(term(flow(head, query, at.row), queries(query, at.column)));
                });
            }
            return summed(std::move(terms));
        }
        GradientTerm operator()(const op::WeightedSum &) const {
            std::vector<Term> terms;
            if (flowing.which == 0) {
                const SharedMatrix values = read(1, at.head);
                for (Index column = 0; column < values.columns; ++column)
                    terms.push_back(term(flow(at.head, at.row, column), values(at.column, column)));
            } else {
                eachHeadOfGroup([&](Index head) {
                    const SharedMatrix weights = read(0, head);
                    for (Index query = 0; query < weights.rows; ++query)
                        terms.push_back(term(flow(head, query, at.column), weights(query, at.row)));
                });
            }
            return summed(std::move(terms));
        }
        GradientTerm operator()(const op::Each &of) const { return std::visit(*this, of.function); }
        GradientTerm operator()(op::Scale of) const {
            return times(same(), static_cast<double>(of.factor));
        }
        GradientTerm operator()(op::Softcap of) const {
            const double share = static_cast<double>(made(at.head)(at.row, at.column)) /
                                 static_cast<double>(of.limit);
            return times(same(), 1 - share * share);
        }
        GradientTerm operator()(const op::Mask &) const {
            const Index sequence = chain.sequenceOf(flowing.step, at.sequence);
            const bool isHidden =
                chain.m_trace.mask(sequence, step().at.attention).hidden(at.row, at.column);
            return times(isHidden ? 0 : same(), isHidden ? 0 : 1);
        }
        GradientTerm operator()(const op::Softmax &of) const {
            if (!of.normalises) {
                const bool isHidden = std::isinf(read(0, at.head)(at.row, at.column));
                return times(same(), isHidden ? 0 : 1 / static_cast<double>(of.temperature));
            }
            const SharedMatrix weights = made(at.head);
            std::vector<Term> terms;
            for (Index key = 0; key < weights.columns; ++key)
                terms.push_back(term(flow(at.head, at.row, key), weights(at.row, key)));
            GradientTerm all = summed(std::move(terms));
            all.gradient = same();
            all.factor = static_cast<double>(weights(at.row, at.column)) /
                         static_cast<double>(of.temperature);
            all.value = all.factor * (all.gradient - *all.value);
            return all;
        }
        GradientTerm operator()(const op::ConcatHeads &) const {
            return times(flow(0, at.row, at.head * chain.columnsOf(at.step) + at.column), 1);
        }
        GradientTerm operator()(const op::SplitHeads &) const {
            const Index columns = chain.columnsOf(flowing.step);
            return times(flow(at.column / columns, at.row, at.column % columns), 1);
        }
        static float slope(float x, Activation activation) {
            const float one = 1;
            float made = 0;
            activateBackward({&x, 1}, activation, {&one, 1}, {&made, 1});
            return made;
        }
        GradientTerm operator()(Activation activation) const {
            return times(same(), static_cast<double>(
                                     slope(read(0, at.head)(at.row, at.column), activation)));
        }
        GradientTerm operator()(const op::Gate &of) const {
            const float gate = read(0, 0)(at.row, at.column);
            const float hidden = read(1, 0)(at.row, at.column);
            return times(same(), flowing.which == 0
                                     ? static_cast<double>(hidden) *
                                           static_cast<double>(slope(gate, of.activation))
                                     : static_cast<double>(activate(gate, of.activation)));
        }
        GradientTerm operator()(const op::Tanh &) const {
            const double y = static_cast<double>(made(at.head)(at.row, at.column));
            return times(same(), 1 - y * y);
        }
        /// Passes a row of gradients through the backward function of a row.
        template <typename Function>
        GradientTerm throughRow(Function function) const {
            const Index columns = chain.columnsOf(flowing.step);
            Matrix arriving(1, columns), back(1, columns);
            for (Index column = 0; column < columns; ++column)
                arriving(0, column) = static_cast<float>(flow(at.head, at.row, column));
            function(arriving.view(), back.view());
            GradientTerm made = flowing;
            made.gradient = same();
            made.value = static_cast<double>(back(0, at.column));
            return made;
        }
        GradientTerm operator()(const op::ApplyRotary &of) const {
            return throughRow([&](MatrixView arriving, MutableMatrixView back) {
                const Index rows = chain.rowsOf(flowing.step), columns = arriving.columns;
                Matrix whole(rows, columns), turned(rows, columns);
                std::ranges::copy(arriving.row(0), whole.view().row(at.row).begin());
                rotateBackward(whole.view(), RotaryTable(of.turns, rows), turned.view());
                std::ranges::copy(turned.view().row(at.row), back.row(0).begin());
            });
        }
        GradientTerm operator()(const op::Normalise &of) const {
            if (of.kind == NormKind::Batch)
                return flowing;
            const SharedMatrix x = read(0, at.head);
            SharedMatrix gain;
            if (!step().parameters.empty() &&
                parameterOf(chain.m_trace.model().parameters, step().parameters[0].id))
                gain = StepParameter(chain.m_trace.model().parameters, {step().parameters[0].id})
                           .numbers();
            const std::span<const float> gains =
                gain.empty() ? std::span<const float>() : gain.row(0);
            return throughRow([&](MatrixView arriving, MutableMatrixView back) {
                const MatrixView row = x.view().rowBlock(at.row, 1);
                if (of.kind == NormKind::Layer)
                    layerNormBackward(row, gains, of.epsilon, arriving, back, {}, {});
                else
                    rmsNormBackward(row, gains, of.epsilon, arriving, back, {});
            });
        }
        GradientTerm operator()(const op::Pool &of) const {
            const Index length =
                chain.m_trace.input().of(step().at.attention.stack)[at.sequence].length;
            const double arriving = chain.gradient({flowing.step, 0, 0, at.sequence, at.column});
            const bool isRead = of.pooling == Pooling::First  ? at.row == 0
                                : of.pooling == Pooling::Last ? at.row == length - 1
                                                              : at.row < length;
            const double share = of.pooling == Pooling::Mean ? 1 / static_cast<double>(length) : 1;
            return times(arriving, isRead ? share : 0);
        }
    };

    const Trace &m_trace;
    const Plan &m_plan;
    const BackwardPass &m_backwardPass;
};

} // namespace

std::vector<Reader> readersOf(const Plan &plan, StepId step) {
    std::vector<Reader> readers;
    const StepId origin = plan.origin(step);
    for (StepId id = 0; id < plan.size(); ++id)
        for (std::size_t which = 0; plan[id].isOwn() && which < plan[id].reads.size(); ++which)
            if (plan.origin(plan[id].reads[which]) == origin)
                readers.push_back({id, which});
    return readers;
}

std::vector<GradientTerm> gradientTermsOf(const BackwardPass &backwardPass, const Selection &cell) {
    const Plan &plan = backwardPass.trace->plan();
    const auto step = plan.find({cell.stage, cell.attention()});
    const auto row = selectedRow(cell), column = selectedColumn(cell);
    if (!step || !row || !column)
        return {};
    const StepId origin = plan.origin(*step);
    const MatrixSize size = sizeAt(*backwardPass.trace, cell);
    if (*row >= size.rows || *column >= size.columns)
        return {};
    return Chainer(backwardPass)
        .gradientTermsOf(
            {origin, cell.sequence, backwardPass.trace->headOf(origin, cell.head), *row, *column});
}

} // namespace headlight::core
