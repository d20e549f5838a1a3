// An expression over the numbers that a step reads. It is evaluated in double and printed in
// several notations. The code that reads it names no operation.
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
    Input,      ///< the first matrix read, at the same cell
    Other,      ///< the second matrix read; for a rotation the other dimension of the pair
    OtherIndex, ///< index of Other: a dimension or a table row; for a pool its first token
    Bias,       ///< added
    Gain,       ///< factor of a norm
    Mean,       ///< mean of the normalised values
    Variance,   ///< variance of the normalised values; for RMS norm their mean square
    Deviation,  ///< √(variance + ε), or √(mean square + ε)
    Count,      ///< normalised values or averaged tokens; for ConcatHeads the head
    Sequences,  ///< number of sequences
    Angle,      ///< in radians
    Cosine,
    Sine,
    Activated,   ///< the activation of Input
    Maximum,     ///< maximum of the softmax input row; missing if it sees nothing
    Exponential, ///< e^((Input − Maximum) / temperature)
    Sum,         ///< sum of the row's exponentials
    Sink,        ///< the head's learned score that is no key
    Distance,    ///< key − query
    Slope,       ///< ALiBi slope of the head
    Bucket,      ///< bucket of the distance
    Visible,     ///< number of visible keys
    Word,        ///< index in the vocabulary
    // For gradients:
    Normalised,   ///< (x − mean) ÷ deviation
    MeanGradient, ///< mean of the gradients of what a norm has normalised
    MeanAlong,    ///< mean of these gradients times the normalised numbers
    Probability,
};

/// A row or a column of a matrix.
struct Coordinate {
    enum class Kind {
        Row,    ///< the row of the number that is computed
        Column, ///< its column
        Summed, ///< what the innermost sum or mean runs over
        Token,  ///< what a sum or mean over tokens runs over
        Fixed,  ///< `index`
    };
    Kind kind = Kind::Fixed;
    Index index = 0; ///< Summed: added to it
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
        Given,    ///< the number itself: nothing says how it was computed
        Number,   ///< `number`
        RowIndex, ///< the row's own number: i
        KeyIndex, ///< the column's: j
        Read,     ///< a number of the matrix that the step reads as `which`
        Learned,  ///< a number of the step's parameter `which`
        Table,    ///< a number of `table`, which is neither read nor a parameter
        Made,     ///< a number that the step makes
        Gradient, ///< the gradient of the loss with respect to a number that the step makes
        // With operands:
        Sum, ///< of `of[0]`, for `count` values of the coordinate `over`, from `first`
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
        Choose,   ///< of[1] where `when` holds for of[0], else of[2]
        Named,    ///< of[0], with the name `quantity`
        Call,     ///< of[1], which has a name of its own: softmax, GELU; of[0] is its argument
        Symbol,   ///< `text`, in formulas only
        Side,     ///< the operands side by side
    };
    enum class When {
        Hidden,        ///< the mask hides the column from the row
        MinusInfinity, ///< of[0] is −∞
        Positive,      ///< of[0] is greater than 0
    };
    enum class Written {
        Body,  ///< by what it computes
        Name,  ///< by its name and its argument
        Row,   ///< by its name with the whole row, also for one number
        Value, ///< by its value
    };
    enum class RowsOf {
        Sequence,   ///< the own one
        RealTokens, ///< the real tokens of all sequences, one sequence after the other
        AllTokens,  ///< with the padding
    };

    Kind kind = Kind::Number;
    std::vector<Expression> of{};
    double number = 0;
    StepId step = 0; ///< the step that reads, or that has the parameter
    std::size_t which = 0;
    Coordinate row{}, column{};
    std::optional<Index> head{};      ///< a Read: a certain head; none: the head that belongs to it
    std::optional<Index> sequence{};  ///< a Read: a certain sequence; none: the cell's own
    RowsOf rowsOf = RowsOf::Sequence; ///< what `row` runs over
    std::function<double(Index row, Index column)> table{};
    Coordinate::Kind over = Coordinate::Kind::Summed;
    Index first = 0, count = 0;
    Index groups = 1; ///< a Sum: that many equal parts follow each other, one a head
    Quantity quantity{};
    When when{};
    Note name = Note::None;               ///< the words of a Call or Choose, or
    std::string text{};                   ///< what it is written as in a formula, or behind `name`
    std::optional<Role> role{};           ///< of a Symbol or a Table
    std::vector<std::string> arguments{}; ///< of `name`
    Written written = Written::Body;      ///< a Call, in arithmetic

    bool is(Kind one) const { return kind == one; }
};

// Building

Expression number(double value, std::string symbol = {});
Expression symbol(std::string text, std::optional<Role> role = {});
Expression leaf(Expression::Kind which);
Expression table(std::function<double(Index row, Index column)> numbers);
/// The sum, mean or maximum of an expression over `count` values of a coordinate.
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
/// A function with a name: its argument and what it computes.
Expression call(Note name, std::vector<std::string> arguments, Expression argument,
                Expression body);

/// Returns the expression with `to` instead of `from` as the coordinate of everything that it
/// reads, except inside its sums.
Expression at(Expression x, Coordinate::Kind from, Coordinate::Kind to);

/// The activation function of Hendrycks and Gimpel (2016) and others as an expression over x.
Expression activated(Activation activation, const Expression &x);

/// The derivative of the function at x. That of ReLU at 0 is 0.
Expression derivativeOf(Activation activation, const Expression &x);

/// Returns the sum or mean that the expression adds up, not those inside a named part; null if
/// there is none.
const Expression *outerSum(const Expression &x);

/// Returns the first part with that name; null if there is none.
const Expression *partNamed(const Expression &x, Quantity quantity);

/// True for the number at the same row and column of a matrix that is read, and nothing else.
bool isSameNumber(const Expression &x);

} // namespace headlight::core
