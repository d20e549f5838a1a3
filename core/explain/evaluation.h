// Computes an expression from the numbers of a trace, in double.
#pragma once

#include "core/explain/matrix_part.h"
#include "core/explain/meaning.h"
#include "core/transformer/model/parameter_block.h"

#include <map>
#include <tuple>

namespace headlight::core {

/// Two factors of a product.
struct Term {
    float left = 0;
    float right = 0;
    double product() const { return static_cast<double>(left) * static_cast<double>(right); }
};

/// Sums in double, in order.
double sumOf(const std::vector<Term> &terms);

/// Returns the gradient of the loss with respect to a number that a step makes.
using GradientSource = std::function<double(Index sequence, const Slice &cell)>;

class Evaluation {
  public:
    /// `made` has a row, and a column if the expression refers to it. The trace must outlive this
    /// object. `gradients` is needed for expressions that have one.
    Evaluation(const Trace &trace, Index sequence, Slice made, GradientSource gradients = {});

    double value(const Expression &x);
    /// The products of a sum, or the parts of a mean times 1 ÷ their number.
    std::vector<Term> terms(const Expression &sum);
    /// Returns the value of `part` for each summand of a sum or mean.
    std::vector<double> each(const Expression &sum, const Expression &part);
    /// The value of an expression in every column [columns of the step].
    std::vector<double> row(const Expression &x);

    /// True if the first of a Choose's two expressions is chosen.
    bool holds(const Expression &choice);

    /// The named parts that value() has computed so far, outside of sums.
    const std::vector<std::pair<Quantity, double>> &numbers() const { return m_numbers; }
    const Slice &made() const { return m_made; }
    /// Empty if the model does not have it.
    const ParameterBlock &parameter(const Expression &learned);
    /// The slice that a Read, a Made or a Gradient refers to.
    Slice sliceOf(const Expression &read) const;
    /// The number that a Read or a Learned refers to, also with a name; within a sum that of
    /// summand `summand`. None for other expressions and for unnamed steps.
    std::optional<NumberOrigin> originOf(const Expression &x, const Expression *sum = nullptr,
                                         Index summand = 0);

  private:
    /// Sequence and row of a number that is read or made.
    std::pair<Index, Index> rowOf(const Expression &x);
    double read(const Expression &x);
    double gradient(const Expression &x);
    double overOthers(const Expression &x);
    double namedPart(const Expression &x);
    Index indexOf(const Coordinate &coordinate) const;
    std::optional<Index> fixedIndexOf(const Coordinate &coordinate) const;
    const MatrixPart &matrix(const Expression &read, Index sequence);

    const Trace &m_trace;
    const Plan &m_plan;
    Index m_sequence;
    Slice m_made;
    const Step &m_step;
    std::optional<Index> m_summed, m_token; ///< while a sum is computed
    GradientSource m_gradients;
    std::map<Expression::RowsOf, std::vector<std::pair<Index, Index>>>
        m_tokensOfBatch; ///< sequence and token
    std::vector<std::pair<Quantity, double>> m_numbers;
    std::map<std::pair<StepId, Quantity>, double>
        m_known; ///< the named parts that do not depend on a sum
    std::map<std::tuple<StepId, Index, Index, bool>, MatrixPart> m_matrices;
    std::map<std::pair<StepId, std::size_t>, ParameterBlock> m_parameters;
};

/// Calls `visit` for every matrix that the expression reads, in the order in which it is written.
void forEachRead(const Expression &x, const std::function<void(const Expression &)> &visit);

} // namespace headlight::core
