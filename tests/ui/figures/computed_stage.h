// The numbers that the matrices of a close-up must have. They are read from the trace and the
// parameters by the steps of the plan, not by the code of the figure.
#pragma once

#include "core/transformer/model/parameter_block.h"
#include "tests/support/opened.h"
#include "ui/figures/close_up/close_up_parts.h"

namespace headlight::test {

namespace op = core::op;

/// The numbers that a matrix of a close-up must have. NaN: any number.
struct WantedMatrix {
    core::Index rows = 0, columns = 0;
    std::function<double(core::Index row, core::Index column)> number;
    bool isRounded = false; ///< computed here in a different order from the figure

    WantedMatrix transposed() const {
        return {columns, rows,
                [number = number](core::Index r, core::Index c) { return number(c, r); },
                isRounded};
    }
    std::vector<double> row(core::Index index) const {
        std::vector<double> all;
        for (core::Index column = 0; column < columns; ++column)
            all.push_back(number(index, column));
        return all;
    }
};

/// Returns how the matrix differs, or an empty text.
inline QString differenceFrom(const WantedMatrix &wanted, const core::SharedMatrix &drawn) {
    if (drawn.rows != wanted.rows || drawn.columns != wanted.columns)
        return QString("has %1 × %2 numbers, not %3 × %4")
            .arg(drawn.rows)
            .arg(drawn.columns)
            .arg(wanted.rows)
            .arg(wanted.columns);
    for (core::Index row = 0; row < drawn.rows; ++row)
        for (core::Index column = 0; column < drawn.columns; ++column) {
            const double is = static_cast<double>(drawn(row, column));
            const double expected = wanted.number(row, column);
            const double within = wanted.isRounded ? 1e-4 * std::max(1.0, std::abs(expected)) : 0;
            if (!std::isnan(expected) && is != expected && !(std::abs(is - expected) <= within))
                return QString("has %1 in row %2, column %3, not %4")
                    .arg(is)
                    .arg(row)
                    .arg(column)
                    .arg(expected);
        }
    return {};
}

/// The steps that compute a stage: its own step, and the unnamed ones before it.
class ComputedStage {
  public:
    /// `selected` must have a row.
    ComputedStage(const core::Trace &trace, const core::Selection &selected)
        : m_trace(trace),
          m_plan(trace.plan()),
          m_selected(selected),
          m_heads(trace.model().headsOf(selected.attention())) {
        follow(m_plan.origin(*m_plan.find({selected.stage, selected.attention()})));
    }

    WantedMatrix result() const { return made(m_steps.front()); }

    /// Returns the numbers of an operand; none if the stage does not read it.
    std::optional<WantedMatrix> operand(const ui::CloseUpPart &part) const {
        if (part.at) {
            const core::StepId step = m_plan.origin(*m_plan.find(*part.at));
            if (!m_reads.contains(step))
                return std::nullopt;
            const WantedMatrix matrix = made(step, part.head);
            return part.isTransposed ? matrix.transposed() : matrix;
        }
        if (part.learned) {
            const core::Step &step = own();
            if (!isProduct(step) || part.learned->matrix.id != step.parameters[0].id)
                return std::nullopt;
            const auto *linear = std::get_if<op::Linear>(&step.operation);
            const auto matrix = parameter(step, 0);
            return linear && linear->transposed ? matrix->transposed() : matrix;
        }
        return std::visit([&](const auto &of) { return intermediate(of, part); }, own().operation);
    }

    /// Returns an operand that is not drawn, or an empty text.
    QString missingIn(const ui::CloseUpParts &parts) const {
        std::set<core::StepId> drawn;
        QStringList rest; // symbols of the other parts
        int learned = 0, blocks = 0;
        for (const auto *side : {&parts.left, &parts.above})
            for (const ui::CloseUpPart &part : *side) {
                if (part.at)
                    drawn.insert(m_plan.origin(*m_plan.find(*part.at)));
                else if (part.learned)
                    ++learned;
                else
                    rest << ui::plainText(part.symbol);
                blocks += part.isBlock && part.head;
            }
        for (const core::StepId step : m_reads)
            if (!drawn.contains(step))
                return QString::fromStdString(
                    core::stageName(m_plan[step].at.stage, m_plan[step].at.attention));
        const core::Step &step = own();
        if (isProduct(step) && learned != 1)
            return "the weight matrix";
        if (isProduct(step) && parameter(step, 1) && !rest.join(' ').contains('b'))
            return "the bias";
        if (std::holds_alternative<op::Normalise>(step.operation)) {
            if (parameter(step, 0) && !rest.contains("γ"))
                return "γ";
            if (parameter(step, 1) && !rest.contains("β"))
                return "β";
            const bool centres =
                std::get<op::Normalise>(step.operation).kind != core::NormKind::RootMeanSquare;
            const QString squares = centres ? "σ²" : "RMS²";
            if (!rest.contains(squares))
                return squares;
        }
        if (std::holds_alternative<op::Softmax>(step.operation) && m_trace.model().config.softmax &&
            rest.size() != (step.parameters.empty() ? 2 : 3))
            return "exponentials and their sum";
        if (std::holds_alternative<op::ConcatHeads>(step.operation) &&
            blocks != m_plan[step.reads[0]].heads())
            return "a head";
        const auto addsRows = [this](core::StepId one) {
            return std::holds_alternative<op::AddRows>(m_plan[one].operation);
        };
        if (addsRows(m_steps.front()) && std::ranges::count_if(m_steps, addsRows) != rest.size())
            return "positions or types";
        return {};
    }

  private:
    void follow(core::StepId id) {
        m_steps.push_back(id);
        const core::Step &step = m_plan[id];
        const auto *mix = std::get_if<op::MixExperts>(&step.operation);
        const bool isOfExperts = std::holds_alternative<op::ExpertLinear>(step.operation) ||
                                 std::holds_alternative<op::KeepLargest>(step.operation) ||
                                 (mix && !mix->isWeighted);
        for (std::size_t i = 0; i < step.reads.size(); ++i) {
            if (isOfExperts && i == 1)
                continue; // chooses the experts, but is not part of any number
            const core::StepId read = m_plan.origin(step.reads[i]);
            if (m_plan[read].isNamed())
                m_reads.insert(read);
            else
                follow(read);
        }
    }

    const core::Step &own() const { return m_plan[m_steps.front()]; }
    static bool isProduct(const core::Step &step) {
        return std::holds_alternative<op::Linear>(step.operation) ||
               std::holds_alternative<op::ExpertLinear>(step.operation);
    }
    core::Index headOf(const core::Step &step) const {
        return step.heads() == 1 ? 0 : m_selected.head * step.heads() / m_heads;
    }

    /// Returns the numbers of a step by their offsets in memory.
    WantedMatrix made(core::StepId id, std::optional<core::Index> head = {}) const {
        const core::Step &step = m_plan[id];
        const core::Tensor tensor = m_trace.made(id);
        const core::Shape &shape = tensor.shape();
        const core::Index rows = shape.last(1), columns = shape.last(0);
        const core::Index sequence =
            shape.rank() > 2 && shape[0] > 1 ? m_selected.sequence : 0; // 0 if all share a matrix
        const core::Index matrix = sequence * step.heads() + head.value_or(headOf(step));
        return {rows, columns, [=](core::Index row, core::Index column) {
                    const auto offset = (matrix * rows + row) * columns + column;
                    return static_cast<double>(tensor.values()[static_cast<std::size_t>(offset)]);
                }};
    }
    WantedMatrix input(std::size_t which = 0) const {
        return made(m_plan.origin(own().reads[which]));
    }

    /// Returns a parameter of the step, for its head; none if the model does not have it.
    std::optional<WantedMatrix> parameter(const core::Step &step, std::size_t which) const {
        if (which >= step.parameters.size())
            return std::nullopt;
        const core::ParameterSlice &slice = step.parameters[which];
        const core::Parameter &whole = core::parameterOf(m_trace.model().parameters, slice.id);
        if (!whole)
            return std::nullopt;
        const core::SharedMatrix numbers = valueOf(core::ParameterBlock(whole).read());
        const bool isSplit = slice.split == core::ParameterSlice::Split::Columns;
        const core::Index columns = isSplit ? numbers.columns / step.heads() : numbers.columns;
        const core::Index first = isSplit ? headOf(step) * columns : 0;
        return WantedMatrix{numbers.rows, columns, [=](core::Index row, core::Index column) {
                                return static_cast<double>(numbers(row, first + column));
                            }};
    }
    /// Returns one row of a parameter for each row of the result.
    std::optional<WantedMatrix>
    rowsOf(const core::Step &step, const std::function<core::Index(core::Index)> &rowFor) const {
        auto table = parameter(step, 0);
        if (table) {
            table->rows = result().rows;
            table->number = [number = table->number, rowFor](core::Index row, core::Index column) {
                return number(rowFor(row), column);
            };
        }
        return table;
    }
    static WantedMatrix columnOf(core::Index rows, std::function<double(core::Index)> number) {
        return {rows, 1,
                [number = std::move(number)](core::Index row, core::Index) { return number(row); },
                true};
    }

    /// Returns the mean or the mean square distance from it. RMS norm does not subtract the mean.
    static double statisticOf(const std::vector<double> &numbers, bool isMean, bool centres) {
        const auto count = static_cast<double>(numbers.size());
        const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
        double squares = 0;
        for (const double number : numbers)
            squares += std::pow(number - (centres ? mean : 0), 2);
        return isMean ? mean : squares / count;
    }
    /// Returns a column of all sequences, without padding.
    std::vector<double> columnOfBatch(const core::StepId id, core::Index column) const {
        const core::Tensor tensor = m_trace.made(id);
        const core::Batch &batch = m_trace.queries(own().at.attention);
        const core::Index rows = tensor.shape().last(1), columns = tensor.shape().last(0);
        std::vector<double> numbers;
        for (core::Index sequence = 0; sequence < batch.count(); ++sequence)
            for (core::Index row = 0; row < batch[sequence].length; ++row)
                numbers.push_back(static_cast<double>(tensor.values()[static_cast<std::size_t>(
                    (sequence * rows + row) * columns + column)]));
        return numbers;
    }

    // The parts that are neither stages nor weight matrices, by the operation of the step:

    template <typename Operation>
    std::optional<WantedMatrix> intermediate(const Operation &, const ui::CloseUpPart &) const {
        return std::nullopt;
    }
    std::optional<WantedMatrix> intermediate(const op::Linear &,
                                             const ui::CloseUpPart &part) const {
        return ui::plainText(part.symbol).startsWith('b') ? parameter(own(), 1) : std::nullopt;
    }
    std::optional<WantedMatrix> intermediate(const op::ExpertLinear &,
                                             const ui::CloseUpPart &part) const {
        return intermediate(op::Linear{}, part);
    }
    std::optional<WantedMatrix> intermediate(const op::Normalise &of,
                                             const ui::CloseUpPart &part) const {
        const QString symbol = ui::plainText(part.symbol);
        if (symbol == "γ" || symbol == "β")
            return parameter(own(), symbol == "γ" ? 0 : 1);
        const bool isMean = symbol == "μ", centres = of.kind != core::NormKind::RootMeanSquare;
        const bool isOfSquares = symbol == (centres ? "σ²" : "RMS²");
        if (!isMean && !isOfSquares)
            return std::nullopt;
        if (of.kind == core::NormKind::Batch)
            return columnOf(result().columns,
                            [=, this](core::Index column) {
                                return statisticOf(
                                    columnOfBatch(m_plan.origin(own().reads[0]), column), isMean,
                                    true);
                            })
                .transposed();
        return columnOf(result().rows, [=, x = input()](core::Index row) {
            return statisticOf(x.row(row), isMean, centres);
        });
    }
    /// The factors of the queries, which depend on their positions only.
    std::optional<WantedMatrix> intermediate(const op::TuneQueries &of,
                                             const ui::CloseUpPart &part) const {
        if (ui::plainText(part.symbol) != "τ")
            return std::nullopt;
        return columnOf(result().rows, [tuning = of.tuning](core::Index row) {
            const auto whole = static_cast<double>((row + 1) / tuning.length);
            return 1 + static_cast<double>(tuning.strength) * std::log(1 + whole);
        });
    }
    std::optional<WantedMatrix> intermediate(const op::Softmax &of,
                                             const ui::CloseUpPart &part) const {
        const auto exponentials = [x = input(), &of](core::Index row) {
            std::vector<double> made = x.row(row);
            const double most = *std::ranges::max_element(made);
            for (double &number : made) // NaN if all are −∞
                number = std::exp((number - most) / static_cast<double>(of.temperature));
            return made;
        };
        const QString symbol = ui::plainText(part.symbol);
        if (symbol == "sum")
            return columnOf(result().rows, [exponentials](core::Index row) {
                const std::vector<double> all = exponentials(row);
                return std::accumulate(all.begin(), all.end(), 0.0);
            });
        if (!symbol.startsWith("e^"))
            return std::nullopt;
        const core::Parameter &sinks =
            m_trace.model().attentionParameters(m_selected.attention()).sinks;
        if (symbol == "e^s" && sinks)
            return columnOf(result().rows, [x = input(), &of,
                                            sink = (*sinks)(0, m_selected.head)](core::Index row) {
                const double most = std::ranges::max(x.row(row));
                return std::isinf(most) ? 1 // the sink has all the weight
                                        : std::exp((static_cast<double>(sink) - most) /
                                                   static_cast<double>(of.temperature));
            });
        return WantedMatrix{result().rows, result().columns,
                            [exponentials](core::Index row, core::Index column) {
                                return exponentials(row)[static_cast<std::size_t>(column)];
                            },
                            true};
    }
    /// The sum of the keys' exponentials, each divided by the sink's.
    std::optional<WantedMatrix> intermediate(const op::SinkWeight &,
                                             const ui::CloseUpPart &part) const {
        if (ui::plainText(part.symbol) != "sum")
            return std::nullopt;
        return columnOf(result().rows,
                        [made = result()](core::Index row) { return 1 / made.number(row, 0) - 1; });
    }
    /// The sum of the numbers that are kept.
    std::optional<WantedMatrix> intermediate(const op::KeepLargest &,
                                             const ui::CloseUpPart &part) const {
        if (ui::plainText(part.symbol) != "sum")
            return std::nullopt;
        return columnOf(result().rows, [x = input(), made = result()](core::Index row) {
            double sum = 0;
            for (core::Index column = 0; column < made.columns; ++column)
                sum += made.number(row, column) != 0 ? x.number(row, column) : 0;
            return sum;
        });
    }
    std::optional<WantedMatrix> intermediate(const op::Mask &of,
                                             const ui::CloseUpPart &part) const {
        if (ui::plainText(part.symbol) != "M")
            return std::nullopt;
        const bool multiplies = own().at.stage == core::Stage::AttentionWeights;
        const double hidden = multiplies ? 0 : static_cast<double>(of.value);
        const core::Mask &mask = m_trace.mask(m_selected.sequence, own().at.attention);
        return WantedMatrix{result().rows, result().columns,
                            [&mask, hidden, multiplies](core::Index row, core::Index column) {
                                return mask.hidden(row, column) ? hidden : multiplies ? 1.0 : 0.0;
                            }};
    }
    /// Positions, token types, or the bias of the choice of experts.
    std::optional<WantedMatrix> intermediate(const op::AddRows &,
                                             const ui::CloseUpPart &part) const {
        using RowsOf = op::AddRows::Kind;
        const QString symbol = ui::plainText(part.symbol);
        for (const core::StepId id : m_steps) {
            const core::Step &step = m_plan[id];
            const auto *adds = std::get_if<op::AddRows>(&step.operation);
            if (!adds)
                continue;
            if (symbol == "P" && adds->kind == RowsOf::Positions)
                return rowsOf(step,
                              [first = adds->offset](core::Index row) { return first + row; });
            if (symbol == "T" && adds->kind == RowsOf::TokenTypes)
                return rowsOf(step, [types = tokens(step).tokenTypes](core::Index row) {
                    return types.empty() ? 0 : types[static_cast<std::size_t>(row)];
                });
            if (symbol == "b" && adds->kind == RowsOf::Same)
                return parameter(step, 0); // one row for all tokens
            if (symbol == "P" && adds->kind == RowsOf::Sinusoids) {
                const WantedMatrix after = made(id), before = made(m_plan.origin(step.reads[0]));
                return WantedMatrix{after.rows, after.columns,
                                    [after, before](core::Index row, core::Index column) {
                                        return after.number(row, column) -
                                               before.number(row, column);
                                    },
                                    true};
            }
        }
        return std::nullopt;
    }
    /// Some rows of the embedding matrix, around the row of the selected token.
    std::optional<WantedMatrix> intermediate(const op::EmbeddingLookup &,
                                             const ui::CloseUpPart &part) const {
        const core::Vocabulary *words = m_trace.model().vocabularyOf(own().at.attention.stack);
        auto table = parameter(own(), 0);
        if (!words || !table || !part.content.selectedRow)
            return std::nullopt;
        const auto word = words->idOf(tokens(own())[*m_selected.query]);
        if (!word)
            return std::nullopt;
        table->rows = std::min<core::Index>(3, table->rows);
        table->number = [number = table->number, first = *word - *part.content.selectedRow](
                            core::Index row, core::Index column) {
            return number(first + row, column);
        };
        return table;
    }
    const core::Sequence &tokens(const core::Step &step) const {
        return m_trace.queries(step.at.attention)[m_selected.sequence];
    }

    const core::Trace &m_trace;
    const core::Plan &m_plan;
    core::Selection m_selected;
    core::Index m_heads;
    std::vector<core::StepId> m_steps; ///< the stage's own step, then the unnamed ones it reads
    std::set<core::StepId> m_reads;    ///< the named steps that m_steps read; none renames another
};

} // namespace headlight::test
