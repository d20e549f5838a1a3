// Evaluates an expression with the values of a trace, in double.
#pragma once

#include "core/explain/matrix_part.h"
#include "core/explain/meaning.h"
#include "core/transformer/model/parameter_block.h"

#include <map>
#include <tuple>

namespace headlight::core {

/// The two factors of a product.
struct Term {
    float left = 0;
    float right = 0;
    double product() const { return static_cast<double>(left) * static_cast<double>(right); }
};

/// Returns the sum of the products in double, added in order.
double sumOf(const std::vector<Term> &terms);

/// Returns the gradient of the loss with respect to a value that a step computes.
using GradientSource = std::function<double(Index sequence, const Slice &cell)>;

/// Returns the number that is printed for a part of an expression; no value if its subexpressions
/// are printed instead. `isFactor`: the part is a summand of a sum, or a factor of a summand.
using PrintedNumber = std::function<std::optional<double>(const Expression &part, bool isFactor,
                                                          const std::function<double()> &value)>;

class Evaluation {
  public:
    /// `made` must have a row, and a column if the expression refers to it. The trace must outlive
    /// this object. `gradients` is needed for expressions that contain gradients.
    Evaluation(const Trace &trace, Index sequence, Slice made, GradientSource gradients = {});

    double value(const Expression &x);
    /// Returns the value of an expression, computed from its printed numbers.
    double printedValue(const Expression &x, const PrintedNumber &printed);
    /// Returns the products of a sum. For a mean, each summand times 1 ÷ number of summands.
    std::vector<Term> terms(const Expression &sum);
    /// Returns the value of `part` for each summand of a sum or mean.
    std::vector<double> each(const Expression &sum, const Expression &part);
    /// Returns the value of an expression in every column [columns of the step].
    std::vector<double> row(const Expression &x);

    /// True if the first of a Choose's two expressions is chosen.
    bool holds(const Expression &choice);

    /// Returns the named parts that value() has computed so far, outside of sums.
    const std::vector<std::pair<Quantity, double>> &numbers() const { return m_numbers; }
    const Slice &made() const { return m_made; }
    /// Returns an empty block if the model does not have the parameter.
    const ParameterBlock &parameter(const Expression &learned);
    /// Returns the slice that a Read, a Made or a Gradient refers to.
    Slice sliceOf(const Expression &read) const;
    /// Returns the origin of the value that a Read or a Learned refers to, even inside a Named.
    /// Inside a sum, for the summand with index `summand`. None for other expressions and for
    /// unnamed steps.
    std::optional<NumberOrigin> originOf(const Expression &x, const Expression *sum = nullptr,
                                         Index summand = 0);

  private:
    /// Returns the sequence and row of the value that a Read or a Made refers to.
    std::pair<Index, Index> rowOf(const Expression &x);
    double read(const Expression &x);
    double gradient(const Expression &x);
    /// Returns the printed number of a part, or computes it from the printed numbers in it.
    std::optional<double> printedPart(const Expression &x, bool isFactor);
    double summand(const Expression &each);
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
    std::optional<Index> m_summed, m_token; ///< current indices of the sums being computed
    GradientSource m_gradients;
    const PrintedNumber *m_printed = nullptr; ///< set while computing with printed numbers
    std::map<Expression::RowsOf, std::vector<std::pair<Index, Index>>>
        m_tokensOfBatch; ///< sequence and token of each row
    std::vector<std::pair<Quantity, double>> m_numbers;
    struct Known {
        double value = 0;
        bool isOfColumn = false; ///< may differ in another column of the row
    };
    std::map<std::pair<StepId, Quantity>, Known> m_known; ///< values of named parts outside of sums
    std::map<std::tuple<StepId, Index, Index, bool>, MatrixPart> m_matrices;
    std::map<std::pair<StepId, std::size_t>, ParameterBlock> m_parameters;
};

/// Calls `visit` for every matrix that the expression reads, in written order.
void forEachRead(const Expression &x, const std::function<void(const Expression &)> &visit);

} // namespace headlight::core
