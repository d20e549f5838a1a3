// Parses the printed arithmetic of every cell and of its gradient and computes it again, which must
// give the printed result. Printed numbers are rounded, so each is read as an interval. A cell's
// printed numbers also give its result when they are taken as exact, unless many are added.
#include "core/explain/arithmetic.h"
#include "core/explain/formula.h"
#include "core/explain/gradients/gradient_lines.h"
#include "core/operations/activation.h"
#include "core/transformer/run/operands.h"
#include "core/transformer/run/step_parameter.h"
#include "core_test.h"
#include "tests/core/backward_passes.h"
#include "tests/core/explained_traces.h"
#include "tests/core/session/support.h"
#include "tests/core/transformer/random_transformers.h"

#include <charconv>

namespace {

struct Interval {
    double low = 0, high = 0;
    bool overlaps(const Interval &other) const { return low <= other.high && other.low <= high; }
};

Interval hull(double a, double b) {
    return {std::min(a, b), std::max(a, b)};
}
Interval hull(Interval a, Interval b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
Interval plus(Interval a, Interval b) {
    return {a.low + b.low, a.high + b.high};
}
Interval times(Interval a, Interval b) {
    return hull(hull(a.low * b.low, a.low * b.high), hull(a.high * b.low, a.high * b.high));
}
Interval dividedBy(Interval a, Interval b) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (b.low <= 0 && b.high >= 0) // the divisor may be zero
        return {-infinity, infinity};
    return hull(hull(a.low / b.low, a.low / b.high), hull(a.high / b.low, a.high / b.high));
}
/// Returns the range of a function with at most one extremum, from its values at the ends and
/// between them.
Interval of(const std::function<double(double)> &function, Interval x) {
    Interval made = hull(function(x.low), function(x.high));
    for (int i = 1; i < 32; ++i) {
        const double y = function(x.low + (x.high - x.low) * i / 32);
        made = hull(made, {y, y});
    }
    return made;
}

/// Parses the notation of NumberWriter.
class Reader {
  public:
    /// `asPrinted`: reads each number as it is printed, not as an interval.
    explicit Reader(std::string text, bool asPrinted = false)
        : m_text(std::move(text)), m_asPrinted(asPrinted) {}

    Interval all() {
        const Interval read = sum();
        skipSpaces();
        REQUIRE_MESSAGE(m_at == m_text.size(), m_text);
        return read;
    }

  private:
    Interval sum() {
        Interval read = product();
        while (true) {
            if (take(" + ") || take("  +  "))
                read = plus(read, product());
            else if (take(" − "))
                read = plus(read, times(product(), {-1, -1}));
            else
                return read;
        }
    }
    Interval product() {
        Interval read = primary();
        while (true) {
            if (take("·"))
                read = times(read, primary());
            else if (take(" ÷ "))
                read = dividedBy(read, primary());
            else
                return read;
        }
    }
    Interval primary() {
        if (take("mean( "))
            return mean();
        for (const auto &[name, function] : functions())
            if (take(name + "(")) {
                const Interval argument = sum();
                expect(")");
                return of(function, argument);
            }
        if (take("√")) {
            const bool inBrackets = take("(");
            const Interval argument = inBrackets ? sum() : number();
            if (inBrackets)
                expect(")");
            return {std::sqrt(std::max(argument.low, 0.0)), std::sqrt(argument.high)};
        }
        if (take("(")) {
            const Interval inside = sum();
            expect(")");
            return inside;
        }
        if (take("|")) {
            const Interval inside = sum();
            expect("|");
            const double least = inside.low <= 0 && inside.high >= 0 ? 0 : INFINITY;
            return {std::min(least, std::min(std::abs(inside.low), std::abs(inside.high))),
                    std::max(std::abs(inside.low), std::abs(inside.high))};
        }
        if (take("−"))
            return times({-1, -1}, primary());
        return number();
    }
    Interval mean() {
        Interval total;
        int count = 0;
        while (!take(")")) {
            total = plus(total, primary());
            expect(" ");
            ++count;
        }
        return {total.low / count, total.high / count};
    }
    /// A rounded number is within half a unit of its last digit. A whole number is exact.
    Interval number() {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (take("∞"))
            return {infinity, infinity};
        const std::size_t first = m_at;
        std::size_t decimals = 0;
        bool isFraction = false;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '.')
                isFraction = true;
            else if (c < '0' || c > '9')
                break;
            else
                decimals += isFraction;
        }
        REQUIRE_MESSAGE(m_at > first, m_text.substr(first));
        double value = 0; // unlike std::stod, independent of the locale
        std::from_chars(m_text.data() + first, m_text.data() + m_at, value);
        double half =
            isFraction && !m_asPrinted ? 0.5 * std::pow(10, -static_cast<double>(decimals)) : 0;
        if (take("e")) {
            const bool isNegative = take("−");
            const double factor = std::pow(10, (isNegative ? -1 : 1) * number().low);
            value *= factor;
            half *= factor;
        }
        const double factor = powerOfTen();
        return {(value - half) * factor, (value + half) * factor};
    }
    /// Reads a power of ten such as "·10⁻²". Returns 1 if there is none.
    double powerOfTen() {
        constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        const std::size_t before = m_at;
        if (!take("·10"))
            return 1;
        const double sign = take("⁻") ? -1 : 1;
        const std::size_t first = m_at;
        double exponent = 0;
        for (bool isDigit = true; isDigit;) {
            const auto digit =
                std::ranges::find_if(digits, [this](std::string_view one) { return take(one); });
            isDigit = digit != std::end(digits);
            if (isDigit)
                exponent = 10 * exponent + static_cast<double>(digit - digits);
        }
        if (m_at == first) { // "·10" begins another factor
            m_at = before;
            return 1;
        }
        return std::pow(10, sign * exponent);
    }

    static const std::map<std::string, std::function<double(double)>> &functions() {
        static const auto made = [] {
            std::map<std::string, std::function<double(double)>> all{
                {"exp", [](double x) { return std::exp(x); }},
                {"tanh", [](double x) { return std::tanh(x); }}};
            for (int i = 0; i < kActivations; ++i)
                all["f" + std::to_string(i)] = [i](double x) {
                    return static_cast<double>(
                        activate(static_cast<float>(x), static_cast<Activation>(i)));
                };
            return all;
        }();
        return made;
    }
    bool take(std::string_view text) {
        if (std::string_view(m_text).substr(m_at, text.size()) != text)
            return false;
        m_at += text.size();
        return true;
    }
    void expect(std::string_view text) { REQUIRE_MESSAGE(take(text), m_text.substr(m_at)); }
    void skipSpaces() {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }

    std::string m_text;
    bool m_asPrinted;
    std::size_t m_at = 0;
};

/// Returns the line without its remarks; nothing if it has a row or a copy instead of arithmetic.
std::optional<std::string> asText(const Line &line) {
    std::string text;
    for (const Piece &piece : line) {
        if (piece.isAside)
            continue;
        switch (piece.kind) {
        case Piece::Kind::Plain:
        case Piece::Kind::Number:
        case Piece::Kind::Result:
            text += piece.text;
            break;
        case Piece::Kind::Words:
            if (piece.note == Note::ActivationName)
                text += "f" + piece.arguments.front();
            else if (piece.note == Note::Mean)
                text += "mean";
            else
                return std::nullopt;
            break;
        default:
            return std::nullopt; // a row, or the name of a copied stage
        }
    }
    return text;
}

constexpr std::string_view equals = " = ";

/// Computes every line again, or every n-th line if `every` is n. Returns how many lines it has
/// computed.
int checkLines(const Trace &trace, int every = 1) {
    int count = 0, seen = 0;
    forEachCell(trace, [&](const Selection &place, float) {
        if (seen++ % every != 0)
            return;
        const auto text = asText(arithmeticOf(trace, place));
        const std::size_t at = text ? text->rfind(equals) : std::string::npos;
        if (at == std::string::npos || text->find("( ") == 0 || text->starts_with("softmax"))
            return; // a single value, or whole rows
        CAPTURE(*text);
        const std::string result = text->substr(at + equals.size());
        const Interval right = Reader(result).all();
        CHECK(Reader(text->substr(0, at)).all().overlaps(right));
        ++count;
        const std::size_t product = text->find("·");
        if (text->starts_with("mean") ||
            (product != std::string::npos && text->find("·", product + 1) != std::string::npos))
            return; // a sum, whose numbers have few decimals
        if (!std::isfinite(right.low))
            return;
        // Taken as exact, the printed numbers must give the printed result, up to the rounding of
        // 32-bit floats.
        const double given = Reader(text->substr(0, at), true).all().low;
        const double rounding = 1e-5 * (1 + std::abs(given));
        CHECK(plus({given, given}, {-rounding, rounding}).overlaps(right));
    });
    return count;
}

double largestOf(const BackwardPass &pass, const Selection &place) {
    float largest = 0;
    for (const float number : pass.gradient(place.stage, place.attention()).values())
        largest = std::max(largest, std::abs(number));
    return static_cast<double>(largest);
}

/// Computes every line of a gradient again. Returns their number.
int checkGradientLines(const TracePointer &trace) {
    Random random(3);
    const BackwardPassPointer pass = randomBackwardPass(random, trace);
    if (!pass)
        return 0;
    int count = 0;
    forEachCell(*trace, [&](const Selection &place, float) {
        const Line line = backArithmeticOf(*pass, place);
        if (line.empty())
            return; // the gradient is zero, so there are no terms
        CAPTURE(stageName(place.stage, place.attention()));
        const auto text = valueOf(asText(line));
        CAPTURE(text);
        constexpr std::string_view colon = ":  ";
        REQUIRE(text.starts_with(colon));
        const std::size_t at = text.rfind(equals);
        REQUIRE(at != std::string::npos);
        // The gradient is a sum of 32-bit floats.
        const double rounding = 1e-5 * largestOf(*pass, place);
        const Interval left = Reader(text.substr(colon.size(), at - colon.size())).all();
        const Interval right = Reader(text.substr(at + equals.size())).all();
        CHECK(left.overlaps(plus(right, {-rounding, rounding})));
        ++count;
    });
    return count;
}

/// Returns the number that an origin names, looked up as a reader of the trace would.
float numberAt(const Trace &trace, const Selection &place, const NumberOrigin &origin) {
    const Index head = origin.head.value_or(place.head);
    if (!origin.parameter)
        return trace.matrix(origin.at.stage, origin.at.attention, origin.sequence,
                            head)(origin.row, origin.column);
    for (const Step &step : trace.plan().steps())
        for (const ParameterSlice &slice : step.parameters)
            if (slice.id == *origin.parameter && step.at == origin.at)
                return sliceOf(trace.model().parameters, slice, step.heads(),
                               headRead(head, trace.model().config.heads, step.heads()))(
                    origin.row, origin.column);
    FAIL("no step has the parameter");
    return 0;
}

/// Checks that the trace has the printed number at each origin that a line names. Returns how many
/// numbers were checked.
int checkOrigins(const Trace &trace) {
    int count = 0;
    forEachCell(trace, [&](Selection place, float) {
        for (const bool isRow : {false, true}) {
            if (isRow)
                place.key = place.dimension = std::nullopt;
            for (const Piece &piece : arithmeticOf(trace, place)) {
                if (!piece.origin)
                    continue;
                CAPTURE(stageName(place.stage, place.attention()));
                CAPTURE(piece.text);
                const auto number = static_cast<double>(numberAt(trace, place, *piece.origin));
                std::string text = piece.text;
                if (text.starts_with("("))
                    text = text.substr(1, text.size() - 2);
                bool isIt = text == digitsText(number);
                for (int decimals = 2; decimals <= 9; ++decimals)
                    isIt = isIt || text == decimalText(number, decimals);
                CAPTURE(number);
                CHECK(isIt);
                ++count;
            }
        }
    });
    return count;
}

/// Returns an operator without its operand, such as "+)"; empty if the line has none.
std::string missingOperand(const Line &line) {
    std::string text;
    for (const Piece &piece : line)
        for (const char letter : piece.text)
            if (letter != ' ')
                text += letter;
    for (const char *missing : {"()", "+)", "−)", "·)", "⊙)", "÷)", "/)", "(+", "(·", "(÷", "(/"})
        if (text.find(missing) != std::string::npos)
            return missing;
    return {};
}

} // namespace

TEST_CASE("formulas and the arithmetic of rows have all their operands") {
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces(), expertTraces())) {
        CAPTURE(named.name);
        forEachCell(*named.trace, [&](Selection place, float) {
            if (place.key.value_or(0) > 0 || place.dimension.value_or(0) > 0)
                return; // once per row
            place.key = place.dimension = std::nullopt;
            CAPTURE(stageName(place.stage, place.attention()));
            CHECK(missingOperand(formulaOf(*named.trace, place)) == "");
            CHECK(missingOperand(arithmeticOf(*named.trace, place)) == "");
        });
    }
}

/// Uses the first step of each lesson. Trained models have up to a million cells, so only some of
/// these are tested.
TEST_CASE("in every lesson, the printed arithmetic gives the printed number") {
    int count = 0;
    for (const std::string &id : lessonIds()) {
        CAPTURE(id);
        const TracePointer trace = headlight::core::test::traceOf(lesson(id));
        count += checkLines(*trace, trace->model().vocabulary ? 131 : 1);
    }
    CHECK(count > 10000);
}

TEST_CASE("the numbers of a line are at the origins that it names") {
    int count = 0;
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces())) {
        CAPTURE(named.name);
        count += checkOrigins(*named.trace);
    }
    CHECK(count > 100000);
}

TEST_CASE("the printed arithmetic of a gradient gives the printed gradient") {
    int count = 0;
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces())) {
        CAPTURE(named.name);
        count += checkGradientLines(named.trace);
    }
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        input.interventions = randomTransformerInterventions(random, model, input);
        count += checkGradientLines(traceOf(model, input));
    }
    CHECK(count > 30000);
}

TEST_CASE("the printed arithmetic gives the printed number") {
    int count = 0;
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces(), expertTraces())) {
        CAPTURE(named.name);
        count += checkLines(*named.trace);
    }
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        count += checkLines(*traceOf(model, randomTransformerInput(random, model)));
    }
    CHECK(count > 40000);
}
