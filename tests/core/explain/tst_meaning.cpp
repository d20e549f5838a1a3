// The meaning of every cell evaluates to the value in the trace and specifies how matrices meet.
// Its expanded summands add up.
#include "core/explain/derivation.h"
#include "core/explain/evaluation.h"
#include "core/explain/meaning.h"
#include "core/explain/meeting.h"
#include "core/explain/opened.h"
#include "core/explain/sources.h"
#include "core_test.h"
#include "tests/core/explained_traces.h"
#include "tests/core/session/support.h"
#include "tests/core/transformer/random_transformers.h"

namespace {

/// Returns the largest finite magnitude in a stage's matrix. Differences are measured relative to
/// it.
double sizeOf(const SharedMatrix &matrix) {
    double size = 0;
    for (Index row = 0; row < matrix.rows; ++row)
        for (const float number : matrix.row(row))
            if (std::isfinite(number))
                size = std::max(size, std::abs(static_cast<double>(number)));
    return size;
}

/// The operations that occurred, and the functions that op::Each applied.
struct MetOperations {
    std::set<std::size_t> operations, functions;

    void add(const Operation &operation) {
        operations.insert(operation.index());
        if (const auto *each = std::get_if<op::Each>(&operation))
            functions.insert(each->function.index());
    }
};

/// Evaluates every cell of the stages and of the unnamed steps before them. If `every` is n,
/// evaluates every n-th cell only.
void checkMeanings(const Trace &trace, MetOperations &met, std::size_t every = 1) {
    const Plan &plan = trace.plan();
    std::size_t seen = 0;
    for (StepId step = 0; step < plan.size(); ++step) {
        const Index sequences = plan[step].sequences(), heads = plan[step].heads();
        for (Index sequence = 0; sequence < sequences; ++sequence)
            for (Index head = 0; head < heads; ++head) {
                const SharedMatrix matrix = trace.matrix(step, sequence, head);
                const double size = sizeOf(matrix);
                for (Index row = 0; row < matrix.rows; ++row)
                    for (Index column = 0; column < matrix.columns; ++column) {
                        if (seen++ % every != 0)
                            continue;
                        // In stages with one row per sequence, the row is the sequence.
                        const bool isPooled = plan[step].shape.rank() == 2;
                        const Index read = isPooled ? row : sequence;
                        const Slice cell{step, head, row, column};
                        const Meaning meaning = meaningOf(trace, read, cell);
                        met.add(*meaning.by);
                        const double value = Evaluation(trace, read, cell).value(meaning.number);
                        const auto own = static_cast<double>(matrix(row, column));
                        const bool isEqual = std::isfinite(own)
                                                 ? std::abs(value - own) <= 2e-5 * size
                                                 : value == own;
                        INFO(stageName(plan[step].at.stage, plan[step].at.attention), " step ",
                             step, " sequence ", sequence, " head ", head, " [", row, ", ", column,
                             "]: ", value, " for ", own);
                        REQUIRE(isEqual);
                    }
            }
    }
}

} // namespace

TEST_CASE("the meaning of every number gives the number") {
    MetOperations met;
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces(), expertTraces())) {
        CAPTURE(named.name);
        checkMeanings(*named.trace, met);
    }
    for (Random random(31); random.next() % 24 != 0;) {
        const Model model = randomModel(random);
        checkMeanings(*traceOf(model, randomInput(random, model)), met);
    }
    for (int count = 0; count < 40; ++count) {
        Random random(100 + static_cast<std::uint64_t>(count));
        const Model model = randomTransformer(random, count % 8 == 7);
        Input input = randomTransformerInput(random, model);
        if (count % 2 == 0)
            input.interventions = randomTransformerInterventions(random, model, input);
        CAPTURE(count);
        checkMeanings(*traceOf(model, input), met);
    }
    // Every operation and function must occur in these models, except Captured, whose numbers have
    // no operation.
    for (std::size_t kind = 0; kind < std::variant_size_v<Operation>; ++kind) {
        CAPTURE(kind);
        CHECK(met.operations.contains(kind) != (kind == Operation(op::Captured{}).index()));
    }
    CHECK(met.functions.size() == std::variant_size_v<op::Function>);
}

/// Uses only the first step of each lesson, because the others only differ in their edits. Trained
/// models have up to a million cells, so only some of these are evaluated.
TEST_CASE("in every lesson, the meaning of a number gives the number") {
    constexpr std::size_t kEvery = 13;
    MetOperations met;
    for (const std::string &id : lessonIds()) {
        CAPTURE(id);
        const bool isTrained =
            !std::filesystem::exists(std::string(HEADLIGHT_LESSONS) + "/" + id + ".headlight");
        const Session session = lesson(id);
        checkMeanings(*headlight::core::test::traceOf(session), met, isTrained ? kEvery : 1);
    }
    CHECK(met.operations.size() > 8);
}

namespace {

using Meetings = std::set<std::optional<Meeting>>;
using Signs = std::set<std::string>;

struct Met {
    Meetings meetings;
    Signs signs;
};

/// Returns how matrices meet in every stage of all models, for one number or the whole matrix.
std::map<Stage, Met> allMeetings(bool ofNumbers) {
    std::map<Stage, Met> met;
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces()))
        forEachCell(*named.trace, [&](const Selection &place, float) {
            const Trace &trace = *named.trace;
            Slice made = *asSlice(trace.plan(), *regionOf(trace.plan(), place));
            if (trace.plan()[made.step].renames)
                return;
            if (place.stage == Stage::PositionBias) // each layer has a copy of the shared bias
                made.step = trace.plan()[made.step].reads[0];
            if (!ofNumbers)
                made.row = made.column = std::nullopt;
            const Meaning meaning = meaningOf(trace, place.sequence, made);
            met[place.stage].meetings.insert(
                meetingOf(meaning.overwritten ? *meaning.overwritten : meaning.number));
            met[place.stage].signs.insert(signBetween(meaning.number));
        });
    return met;
}

void checkMeetings(const std::map<Stage, Met> &met) {
    const auto is = [&](Stage stage, Meeting meeting, const std::string &sign) {
        CAPTURE(infoOf(stage).name);
        REQUIRE(met.contains(stage));
        CHECK(met.at(stage).meetings == Meetings{meeting});
        CHECK(met.at(stage).signs == Signs{sign});
    };
    using enum Meeting;
    is(Stage::ProjectedQuery, Product, "×");
    is(Stage::Value, Product, "×");
    is(Stage::ScaledScores, CellByCell, "");
    is(Stage::MaskedScores, CellByCell, "");
    is(Stage::BiasedScores, CellByCell, "+");
    is(Stage::Concatenated, SideBySide, "");
    is(Stage::Output, Product, "×");
    is(Stage::ResidualSum, CellByCell, "+");
    is(Stage::Norm, ByRows, "");
    is(Stage::Gate, Product, "×");
    is(Stage::Probabilities, ByRows, "");
}

} // namespace

TEST_CASE("matrices meet as their numbers do") {
    auto met = allMeetings(true);
    checkMeetings(met);
    // Sequences with their own embeddings need no lookup.
    CHECK(met.at(Stage::Embeddings).meetings == Meetings{Meeting::LookUp, std::nullopt});
    CHECK(met.at(Stage::Scores).meetings == Meetings{Meeting::Product}); // even if overridden
    CHECK(met.at(Stage::Scores).signs == Signs{""});                     // K is transposed
    // The context of a silenced head reads no rows. If the head is replaced by its mean, it reads
    // all rows.
    CHECK(met.at(Stage::Context).meetings ==
          Meetings{std::nullopt, Meeting::Product, Meeting::ByRows});
    CHECK(met.at(Stage::Context).signs == Signs{"", "×"});
    CHECK(met.at(Stage::Activated).signs == Signs{"", "⊙"});
    CHECK(met.at(Stage::AttentionWeights).meetings.contains(Meeting::ByRows));
    // ALiBi reads no matrix, only the distance. T5's bias is looked up in a table.
    CHECK(met.at(Stage::PositionBias).meetings.contains(std::nullopt));
    CHECK(met.at(Stage::PositionBias).meetings.contains(Meeting::LookUp));
}

TEST_CASE("whole matrices meet in the same way") {
    checkMeetings(allMeetings(false));
}

namespace {

bool isNear(double a, double b) {
    return a == b || std::abs(a - b) <= 2e-5 * std::max({1.0, std::abs(a), std::abs(b)});
}

double sum(const std::vector<double> &numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

void check(const Trace &trace, const Selection &place, float value) {
    const OpenedArithmetic opened = openedArithmetic(trace, place);
    REQUIRE(!opened.lines.empty());
    // The last line must end in the value.
    const Line &last = opened.lines.back();
    const auto isResult = [](const Piece &piece) { return piece.kind == Piece::Kind::Result; };
    const auto result = std::find_if(last.rbegin(), last.rend(), isResult);
    REQUIRE(result != last.rend());
    CHECK(result->text == resultText(static_cast<double>(value)));
    for (const OpenedRow &row : opened.rows)
        CHECK(std::ssize(row.numbers) == opened.columnCount());
    if (opened.stressed)
        CHECK((*opened.stressed >= 0 && *opened.stressed < opened.columnCount()));
    if (opened.rows.empty())
        return;
    const Derivation cell = derivationsOf(trace, place).back();
    const std::vector<double> &made = opened.rows.back().numbers;
    if (!opened.adds) { // elementwise: the row has the value in its own column
        REQUIRE(opened.stressed);
        CHECK(made[static_cast<std::size_t>(*opened.stressed)] == static_cast<double>(value));
    } else if (cell.find(Quantity::Maximum)) {
        // A sink adds an exponential to the sum, but has no column.
        const double ofSink =
            cell.find(Quantity::Sink)
                ? std::exp((cell.number(Quantity::Sink) - cell.number(Quantity::Maximum)) /
                           static_cast<double>(trace.model().config.temperature))
                : 0;
        CHECK(isNear(made[static_cast<std::size_t>(*opened.stressed)] / (sum(made) + ofSink),
                     static_cast<double>(value)));
    } else if (cell.find(Quantity::Deviation)) {
        CHECK(
            isNear(sum(made) / static_cast<double>(made.size()), cell.number(Quantity::Variance)));
    } else {
        REQUIRE(opened.rows.size() == 3);
        for (std::size_t i = 0; i < made.size(); ++i)
            CHECK(made[i] == opened.rows[0].numbers[i] * opened.rows[1].numbers[i]);
        CHECK(
            isNear(sum(made) + cell.find(Quantity::Bias).value_or(0), static_cast<double>(value)));
    }
}

} // namespace

TEST_CASE("every number of every stage can be opened") {
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces(), expertTraces())) {
        CAPTURE(named.name);
        forEachCell(*named.trace, [&](const Selection &place, float value) {
            CAPTURE(infoOf(place.stage).name);
            CAPTURE(place.layer);
            check(*named.trace, place, value);
        });
    }
}

TEST_CASE("a row opens its largest number, and no selection opens that of the first row") {
    const NamedTrace named = explainedTraces().front();
    Selection selection;
    selection.stage = Stage::Scores;
    selection.query = 2;
    auto cell = openedCell(*named.trace, selection);
    REQUIRE(cell);
    const SharedMatrix scores = named.trace->matrix(Stage::Scores, {}, 0, 0);
    for (const float score : scores.row(2))
        CHECK(std::abs(score) <= std::abs(scores(2, *cell->key)));
    CHECK(cell->query == 2);
    selection.key = 1; // a selected key is kept
    CHECK(openedCell(*named.trace, selection)->key == 1);
    selection.query.reset();
    selection.key.reset();
    CHECK(openedCell(*named.trace, selection)->query == 0);
    selection.stage = Stage::Key; // each row of this stage belongs to a key
    selection.key = 3;
    cell = openedCell(*named.trace, selection);
    REQUIRE(cell);
    CHECK(cell->key == 3);
    CHECK(cell->dimension.has_value());
}

TEST_CASE("small numbers get the decimals that they need") {
    const auto decimals = [](std::vector<double> numbers) {
        OpenedArithmetic opened;
        opened.rows.push_back({"", {}, Role::Residual, false, std::move(numbers)});
        return decimalsOf(opened).front();
    };
    CHECK(decimals({3.4, 0.001}) == 2);
    CHECK(decimals({0.05, -0.02}) == 3);
    CHECK(decimals({-0.004}) == 4);
    CHECK(decimals({0, -INFINITY}) == 2);
}

TEST_CASE("printed factors give the printed products") {
    const auto decimals = [](double left, double right) {
        OpenedArithmetic opened;
        opened.adds = true;
        opened.rows.push_back({"", {}, Role::Residual, false, {left, 1}});
        opened.rows.push_back({"·", {}, Role::Residual, false, {right, 1}});
        opened.rows.push_back({"=", {}, Role::Residual, true, {left * right, 1}});
        return decimalsOf(opened);
    };
    CHECK(decimals(0.5, 0.25) == std::vector{2, 2, 2});
    CHECK(decimals(-8.1, 0.1036) == std::vector{3, 3, 2}); // −8.10 · 0.10 would not give −0.84
    // Even five decimals, 4096.12346 · 2.50000, do not give 10240.33, so the product has fewer.
    CHECK(decimals(4096.1234567, 2.500004) == std::vector{5, 5, 1});
}
