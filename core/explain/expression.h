// An expression over the values that a step reads. It can be evaluated in double and written in
// several notations. Code that uses expressions is independent of the operations.
#pragma once

#include "core/explain/line.h"
#include "core/operations/activation.h"
#include "core/tensor/matrix.h"
#include "core/transformer/plan/plan.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight::core {

/// An operand or an intermediate value of an operation.
enum class Quantity {
    Input,      ///< value of the first matrix read, at the same cell
    Other,      ///< value of the second matrix read; for a rotation, the pair's other dimension
    OtherIndex, ///< index of Other: a dimension or a table row; for a pool, the first token
    Bias,       ///< value that is added
    Gain,       ///< factor of a norm
    Factor,     ///< factor of a query, which depends on its position
    Mean,       ///< mean of the values before normalisation
    Variance,   ///< variance of the values before normalisation; RMS norm: mean square
    Deviation,  ///< √(variance + ε), or √(mean square + ε)
    Count,      ///< number of normalised values or averaged tokens; for ConcatHeads, the head
    Sequences,  ///< number of sequences
    Angle,      ///< rotation angle in radians
    Cosine,
    Sine,
    Activated,       ///< activation function applied to Input
    Maximum,         ///< maximum of the softmax input row; missing if all keys are hidden
    Exponential,     ///< e^((Input − Maximum) / temperature)
    Sum,             ///< sum of the row's exponentials
    Sink,            ///< the head's learned sink score, which belongs to no key
    SinkExponential, ///< e^((Sink − Maximum) / temperature)
    Distance,        ///< key − query
    Slope,           ///< factor of the distance in the head
    Bucket,          ///< bucket of the distance
    Visible,         ///< number of visible keys
    Word,            ///< index in the vocabulary
    // For gradients
    Normalised,   ///< (x − mean) ÷ deviation
    MeanGradient, ///< mean of the gradients of a norm's normalised values
    MeanAlong,    ///< mean of the gradients times the normalised values
    Probability,
};

/// An index of a row or a column of a matrix.
struct Coordinate {
    enum class Kind {
        Row,    ///< the row of the computed value
        Column, ///< the column of the computed value
        Summed, ///< the index of the innermost sum or mean
        Token,  ///< the index of a sum or mean over tokens
        Fixed,  ///< the constant `index`
    };
    Kind kind = Kind::Fixed;
    Index index = 0; ///< for Summed: added to the index of the sum
    bool operator==(const Coordinate &) const = default;
};

constexpr Coordinate kRow{Coordinate::Kind::Row};
constexpr Coordinate kColumn{Coordinate::Kind::Column};
constexpr Coordinate kSummed{Coordinate::Kind::Summed};
constexpr Coordinate kToken{Coordinate::Kind::Token};
constexpr Coordinate fixed(Index index) {
    return {Coordinate::Kind::Fixed, index};
}

struct Expression {
    enum class Kind {
        Given,    ///< the value itself, because its computation is unknown
        Number,   ///< the constant `number`
        RowIndex, ///< the index i of the row
        KeyIndex, ///< the index j of the column
        Read,     ///< a value of the matrix that the step reads as input `which`
        Learned,  ///< a value of the step's parameter `which`
        Table,    ///< a value of `table`, which is neither an input nor a parameter
        Made,     ///< a value that the step itself computes
        Gradient, ///< the gradient of the loss with respect to a value that the step computes
        // With operands
        Sum, ///< sum of `of[0]` over `count` values of the coordinate `over`, starting at `first`
        Mean,
        Maximum,
        Add,
        Subtract,
        Multiply,
        Divide,
        Power, ///< of[0] to the power of[1]
        Negative,
        Absolute,
        Root,
        Exponential,
        Sine,
        Cosine,
        Tanh,
        ErrorFunction,
        Positive, ///< max(x, 0)
        Choose,   ///< of[1] if `when` holds for of[0], else of[2]
        Named,    ///< of[0], which has the name `quantity`
        Call,     ///< of[1], shown as a named function of of[0]: softmax, GELU
        Symbol,   ///< `text`, only in formulas
        /// The operands side by side. An operand with a `count` has only `count` columns of a
        /// matrix, starting at the `index` of its `column`, or `count` zeros.
        Side,
    };
    enum class When {
        Hidden,        ///< the mask hides the column from the row
        MinusInfinity, ///< of[0] is −∞
        Positive,      ///< of[0] is greater than 0
    };
    enum class Written {
        Body,  ///< the computation of the function
        Name,  ///< the function's name and its argument
        Row,   ///< the function's name and the whole row, even for one value
        Value, ///< only the value
    };
    enum class RowsOf {
        Sequence,   ///< the rows of one sequence
        RealTokens, ///< the real tokens of all sequences, one sequence after the other
        AllTokens,  ///< the tokens of all sequences, including padding
    };

    Kind kind = Kind::Number;
    std::vector<Expression> of{};
    double number = 0;
    StepId step = 0; ///< the step that reads or computes the value
    std::size_t which = 0;
    Coordinate row{}, column{};
    std::optional<Index> head{};      ///< fixed head of a Read; none: chosen by the cell's head
    std::optional<Index> sequence{};  ///< fixed sequence of a Read; none: the cell's sequence
    RowsOf rowsOf = RowsOf::Sequence; ///< the rows that `row` counts
    std::function<double(Index row, Index column)> table{};
    Coordinate::Kind over = Coordinate::Kind::Summed;
    Index first = 0, count = 0;
    Index groups = 1; ///< for a Sum: number of adjacent parts of equal size, one for each head
    Quantity quantity{};
    When when{};
    Note name = Note::None;               ///< the name of a Call, or the text of a Choose
    std::string text{};                   ///< symbol in a formula, or text after `name`
    std::optional<Role> role{};           ///< role of a Symbol or a Table
    std::vector<std::string> arguments{}; ///< arguments of `name`
    Written written = Written::Body;      ///< how arithmetic writes a Call

    bool is(Kind one) const { return kind == one; }
};

// Functions that build expressions

Expression number(double value, std::string symbol = {});
Expression symbol(std::string text, std::optional<Role> role = {});
Expression leaf(Expression::Kind which);
Expression table(std::function<double(Index row, Index column)> numbers);
/// Returns the sum, mean or maximum of an expression over `count` values of a coordinate.
Expression over(Expression::Kind which, Expression each, Index count,
                Coordinate::Kind coordinate = Coordinate::Kind::Summed, Index first = 0);
Expression operator+(Expression a, Expression b);
Expression operator-(Expression a, Expression b);
Expression operator*(Expression a, Expression b);
Expression operator/(Expression a, Expression b);
Expression function(Expression::Kind which, Expression x);
Expression power(Expression x, Expression exponent);
Expression choose(Expression::When when, Expression subject, Expression then, Expression otherwise);
Expression named(Quantity quantity, Expression x, std::string symbol = {});
/// Returns a named function: `body` is its computation.
Expression call(Note name, std::vector<std::string> arguments, Expression argument,
                Expression body);

/// Replaces coordinate `from` with `to` in everything that the expression reads outside of its
/// sums.
Expression at(Expression x, Coordinate::Kind from, Coordinate::Kind to);

/// Returns the activation function (Hendrycks and Gimpel 2016, and others) as an expression of x.
Expression activated(Activation activation, const Expression &x);

/// Returns the derivative of the activation function at x. The derivative of ReLU at 0 is 0.
Expression derivativeOf(Activation activation, const Expression &x);

/// Returns the outermost sum or mean, not one inside a named part; null if there is none.
const Expression *outerSum(const Expression &x);

/// Returns the first Named with that quantity; null if there is none.
const Expression *partNamed(const Expression &x, Quantity quantity);

/// True if the expression only reads a value at the same row and column.
bool isSameNumber(const Expression &x);

} // namespace headlight::core
