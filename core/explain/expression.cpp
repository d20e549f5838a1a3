#include "core/explain/expression.h"

#include <algorithm>
#include <cassert>
#include <numbers>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;

Expression of(Kind kind, std::vector<Expression> operands) {
    Expression made;
    made.kind = kind;
    made.of = std::move(operands);
    return made;
}

bool isOverOthers(const Expression &x) {
    return x.is(Kind::Sum) || x.is(Kind::Mean) || x.is(Kind::Maximum);
}

} // namespace

Expression number(double value, std::string symbol) {
    Expression made;
    made.number = value;
    made.text = std::move(symbol);
    return made;
}

Expression symbol(std::string text, std::optional<Role> role) {
    Expression made = leaf(Kind::Symbol);
    made.text = std::move(text);
    made.role = role;
    return made;
}

Expression leaf(Kind which) {
    return of(which, {});
}

Expression table(std::function<double(Index row, Index column)> numbers) {
    Expression made = leaf(Kind::Table);
    made.row = kRow;
    made.column = kColumn;
    made.table = std::move(numbers);
    return made;
}

Expression over(Kind which, Expression each, Index count, Coordinate::Kind coordinate,
                Index first) {
    Expression made = of(which, {std::move(each)});
    made.over = coordinate;
    made.first = first;
    made.count = count;
    return made;
}

Expression operator+(Expression a, Expression b) {
    return of(Kind::Add, {std::move(a), std::move(b)});
}
Expression operator-(Expression a, Expression b) {
    return of(Kind::Subtract, {std::move(a), std::move(b)});
}
Expression operator*(Expression a, Expression b) {
    return of(Kind::Multiply, {std::move(a), std::move(b)});
}
Expression operator/(Expression a, Expression b) {
    return of(Kind::Divide, {std::move(a), std::move(b)});
}
Expression function(Kind which, Expression x) {
    return of(which, {std::move(x)});
}
Expression power(Expression x, Expression exponent) {
    return of(Kind::Power, {std::move(x), std::move(exponent)});
}

Expression choose(Expression::When when, Expression subject, Expression then,
                  Expression otherwise) {
    Expression made = of(Kind::Choose, {std::move(subject), std::move(then), std::move(otherwise)});
    made.when = when;
    return made;
}

Expression named(Quantity quantity, Expression x, std::string symbol) {
    Expression made = of(Kind::Named, {std::move(x)});
    made.quantity = quantity;
    made.text = std::move(symbol);
    return made;
}

Expression call(Note name, std::vector<std::string> arguments, Expression argument,
                Expression body) {
    Expression made = of(Kind::Call, {std::move(argument), std::move(body)});
    made.name = name;
    made.arguments = std::move(arguments);
    return made;
}

Expression at(Expression x, Coordinate::Kind from, Coordinate::Kind to) {
    for (Coordinate *one : {&x.row, &x.column})
        if (one->kind == from)
            one->kind = to;
    if (!isOverOthers(x))
        for (Expression &part : x.of)
            part = at(std::move(part), from, to);
    return x;
}

namespace {

Expression logistic(const Expression &z) {
    return number(1) / (number(1) + function(Kind::Exponential, function(Kind::Negative, z)));
}
Expression rootOf(Expression x) {
    return function(Kind::Root, std::move(x));
}
/// Returns √(2 ÷ π) · (x + 0.044715 x³), the argument of tanh in the approximation of GELU.
Expression cubic(const Expression &x) {
    return rootOf(number(2) / number(std::numbers::pi, "π")) *
           (x + number(0.044715) * power(x, number(3)));
}
constexpr double kQuickGelu = 1.702;

Expression byName(Activation activation, const Expression &x, Expression body) {
    return call(Note::ActivationName, {std::to_string(static_cast<int>(activation))}, x,
                std::move(body));
}

} // namespace

Expression activated(Activation activation, const Expression &x) {
    const auto gelu = [&x](Expression factor) {
        return x * (number(1) + std::move(factor)) / number(2);
    };
    const Expression positive = function(Kind::Positive, x);
    Expression body;
    switch (activation) {
    case Activation::Relu:
        body = positive;
        break;
    case Activation::Gelu:
        body = gelu(function(Kind::ErrorFunction, x / rootOf(number(2))));
        break;
    case Activation::GeluTanh:
        body = gelu(function(Kind::Tanh, cubic(x)));
        break;
    case Activation::Silu:
        body = x * logistic(x);
        break;
    case Activation::QuickGelu:
        body = x * logistic(number(kQuickGelu) * x);
        break;
    case Activation::SquaredRelu:
        body = power(positive, number(2));
        break;
    }
    Expression made = byName(activation, x, std::move(body));
    made.written = Expression::Written::Name;
    return made;
}

Expression derivativeOf(Activation activation, const Expression &x) {
    const Expression one = number(1), two = number(2);
    const Expression square = power(x, two);
    Expression body;
    switch (activation) {
    case Activation::Relu:
        body = choose(Expression::When::Positive, x, one, number(0));
        break;
    case Activation::Gelu: // Φ(x) + x · φ(x), where φ is the density of the normal distribution
        body = (one + function(Kind::ErrorFunction, x / rootOf(two))) / two +
               x * function(Kind::Exponential, function(Kind::Negative, square / two)) /
                   rootOf(two * number(std::numbers::pi, "π"));
        break;
    case Activation::GeluTanh: {
        const Expression t = function(Kind::Tanh, cubic(x));
        const Expression slope =
            rootOf(two / number(std::numbers::pi, "π")) * (one + number(3 * 0.044715) * square);
        body = (one + t) / two + x * (one - power(t, two)) * slope / two;
        break;
    }
    case Activation::Silu: {
        const Expression s = logistic(x);
        body = s + x * s * (one - s);
        break;
    }
    case Activation::QuickGelu: {
        const Expression s = logistic(number(kQuickGelu) * x);
        body = s + number(kQuickGelu) * x * s * (one - s);
        break;
    }
    case Activation::SquaredRelu:
        body = two * function(Kind::Positive, x);
        break;
    }
    Expression made = byName(activation, x, std::move(body));
    made.text = "′";
    made.written = Expression::Written::Value;
    return made;
}

const Expression *outerSum(const Expression &x) {
    if (x.is(Kind::Sum) || x.is(Kind::Mean))
        return &x;
    if (x.is(Kind::Named))
        return nullptr;
    if (x.is(Kind::Call))
        return outerSum(x.of[1]);
    for (const Expression &part : x.of)
        if (const Expression *found = outerSum(part))
            return found;
    return nullptr;
}

const Expression *partNamed(const Expression &x, Quantity quantity) {
    if (x.is(Kind::Named) && x.quantity == quantity)
        return &x;
    for (const Expression &part : x.of)
        if (const Expression *found = partNamed(part, quantity))
            return found;
    return nullptr;
}

bool isSameNumber(const Expression &x) {
    if (x.is(Kind::Named))
        return isSameNumber(x.of[0]);
    return x.is(Kind::Read) && !x.head && x.row.kind == Coordinate::Kind::Row &&
           x.column.kind == Coordinate::Kind::Column;
}

} // namespace headlight::core
