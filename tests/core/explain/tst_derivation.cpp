// Derivations match what forward() computed. tst_meaning evaluates the expressions behind them, and
// tst_printed_arithmetic the numbers that they name.
#include "core/analysis/attention_row_properties.h"
#include "core/analysis/row_measures.h"
#include "core/explain/derivation.h"
#include "core/explain/line.h"
#include "core/format_number.h"
#include "core/formats/session/data/words.h"
#include "core/operations/activation.h"
#include "core_test.h"
#include "tests/core/explained_traces.h"

namespace {

using Q = Quantity;
using Kind = Expression::Kind;

bool near(double a, double b, double tolerance = 2e-5) {
    return a == b || std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

/// True for the stages that disentangled attention adds. Each of them selects a number from a
/// separate product, so its input is not the value of the step before it.
bool isOfDistances(Stage stage) {
    return stage == Stage::ContentToPosition || stage == Stage::PositionToContent;
}

/// Checks that each step's input is the value of the step before it.
void checkChain(const std::vector<Derivation> &all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Derivation &cell = all[i];
        CAPTURE(stageName(cell.at.stage, cell.at.attention));
        const auto input = cell.find(Q::Input);
        const bool followsOther =
            isOfDistances(cell.at.stage) || (i > 0 && (all[i - 1].at.stage == Stage::PositionBias ||
                                                       isOfDistances(all[i - 1].at.stage)));
        if (i == 0 || !input || followsOther || !all[i - 1].made.column)
            continue;
        const auto before = static_cast<double>(all[i - 1].value);
        if (infoOf(cell.at.stage).role != Role::Residual)
            CHECK(*input == before);
        else if (cell.isNamed) // the second summand may be the block's output times a factor
            CHECK((*input == before || cell.find(Q::Other) == before));
    }
}

void checkDerivation(const Trace &trace, const Selection &place, float value) {
    const std::vector<Derivation> all = derivationsOf(trace, place);
    REQUIRE(!all.empty());
    const Derivation &cell = all.back();
    CHECK(cell.value == value);
    CHECK(cell.isNamed);
    CHECK(stageName(cell.at.stage, cell.at.attention) == stageName(place.stage, place.attention()));
    checkChain(all);
    if (infoOf(place.stage).overKeys()) {
        CHECK(cell.hiddenBy ==
              trace.mask(place.sequence, place.attention()).hiddenBy(*place.query, *place.key));
        const auto set = trace.input().interventions.scoreAt(place.sequence, place.attention(),
                                                             place.head, *place.query, *place.key);
        const bool isSet = all.front().isOverwritten;
        const bool begins = all.front().at.stage == Stage::Scores;
        CHECK(isSet == (begins && set.has_value()));
        if (isSet)
            CHECK(all.front().value == *set);
    }
    if (cell.hasNote(Note::MadeByHead)) {
        const SharedMatrix head = trace.matrix(Stage::Context, place.attention(), place.sequence,
                                               static_cast<Index>(cell.number(Q::Count)));
        CHECK(head(*cell.made.row, static_cast<Index>(cell.number(Q::OtherIndex))) == value);
    }
    if (place.stage == Stage::Output) {
        double sum = cell.find(Q::Bias).value_or(0);
        for (const double part : cell.sumsOfHeads())
            sum += part;
        CHECK(cell.heads == trace.model().config.heads);
        CHECK(near(sum, value));
    }
}

} // namespace

TEST_CASE("the explained models include one of each kind") {
    std::set<Activation> activations;
    std::set<NormKind> norms;
    std::set<NormPosition> places;
    std::set<Positions> positions{Positions::None};
    std::set<OutputLayerKind> outputs;
    for (const BlockCase &block : blockCases()) {
        const Config &config = block.model.config;
        activations.insert(config.feedForward.activation);
        norms.insert(config.norm.kind);
        places.insert(config.norm.place);
        positions.insert(config.positions);
        outputs.insert(config.outputLayer.kind);
    }
    CHECK(activations.size() == std::size(Words<Activation>::all));
    CHECK(norms.size() == std::size(Words<NormKind>::all));
    CHECK(places.size() == std::size(Words<NormPosition>::all));
    CHECK(positions.size() == std::size(Words<Positions>::all));
    CHECK(outputs.size() == std::size(Words<OutputLayerKind>::all));
}

TEST_CASE("every cell of every stage is explained by numbers that give its value") {
    for (const NamedTrace &named : joined(explainedTraces(), blockTraces())) {
        CAPTURE(named.name);
        std::set<std::string> seen;
        forEachCell(*named.trace, [&](const Selection &place, float value) {
            const std::string stage = stageName(place.stage, place.attention());
            CAPTURE(stage);
            seen.insert(stage);
            const auto found = valueOf(valueAt(*named.trace, place));
            CHECK(found == value);
            checkDerivation(*named.trace, place, value);
        });
        for (const std::string &name : named.trace->names())
            CHECK_MESSAGE(seen.contains(name), name);
    }
}

TEST_CASE("rows: the contributions of all keys sum to the context, and the entropy is that of the "
          "weights") {
    for (const NamedTrace &named : explainedTraces()) {
        CAPTURE(named.name);
        const Trace &trace = *named.trace;
        for (Index b = 0; b < trace.batch().count(); ++b)
            for (Index i = 0; i < trace.batch().length(); ++i) {
                Selection place{.sequence = b, .head = 1, .query = i};
                const auto row = valueOf(measuresOf(trace, place));
                const AttentionRowProperties weighting = weightingOf(trace, 0, 1);
                CHECK(row.seesNothing == (trace.mask(b).seesNothing(i) && weighting.hidesWholly));
                CHECK(row.largestAt.has_value() != row.seesNothing);
                std::vector<double> context(3);
                double entropy = 0;
                for (Index j = 0; j < trace.batch().length(); ++j) {
                    place.key = j;
                    const auto weight = static_cast<double>(*valueAt(trace, place));
                    CHECK((row.seesNothing || weight <= static_cast<double>(row.largest)));
                    if (weight > 0)
                        entropy -= weight * std::log(weight);
                    const std::vector<Term> terms = contributionOf(trace, place);
                    for (std::size_t n = 0; n < 3; ++n)
                        context[n] += terms[n].product();
                }
                CHECK(near(row.entropy, entropy));
                CHECK(near(row.entropyBits(), entropy / std::log(2.0)));
                if (weighting.sumsToOne && weighting.hidesWholly)
                    CHECK(row.entropy <=
                          std::log(static_cast<double>(std::max<Index>(1, row.visible))) + 1e-6);
                const HeadState state = trace.input().interventions.stateOf(0, 1);
                const bool silenced = state == HeadState::Zero || state == HeadState::Mean;
                for (Index n = 0; n < 3 && !silenced; ++n)
                    CHECK(near(context[static_cast<std::size_t>(n)],
                               trace.stage(Stage::Context).matrix(b, 1)(i, n)));
            }
    }
}

TEST_CASE("where a number comes from") {
    const auto traces = explainedTraces();
    const auto made = [&](std::size_t which, Stage stage, Index layer, Index head = 0) {
        return derivationsOf(
                   *traces[which].trace,
                   {.layer = layer, .head = head, .stage = stage, .query = 2, .dimension = 1})
            .back();
    };
    const auto factors = [](const Derivation &cell) {
        const Expression *sum = outerSum(cell.expression);
        REQUIRE(sum);
        REQUIRE(sum->is(Kind::Sum));
        return std::pair(sum->of[0].of[0].kind, sum->of[0].of[1].kind);
    };
    CHECK(made(0, Stage::Embeddings, 0).hasNote(Note::OneVectorForEachWord));
    CHECK(made(1, Stage::EmbeddingSum, 0).hasNote(Note::PositionsAdded));
    for (const Derivation &copy : {made(0, Stage::Positioned, 0), made(1, Stage::Positioned, 0),
                                   made(2, Stage::LayerInput, 0), made(2, Stage::LayerInput, 1),
                                   made(2, Stage::LayerOutput, 1)})
        CHECK(copy.isCopied());
    CHECK(made(2, Stage::Concatenated, 1).hasNote(Note::MadeByHead));
    CHECK_FALSE(made(2, Stage::Concatenated, 1).isCopied()); // copied, but from another position
    CHECK(factors(made(3, Stage::Context, 2)) == std::pair(Kind::Read, Kind::Read));
    CHECK(factors(made(3, Stage::Output, 2)) == std::pair(Kind::Read, Kind::Learned));
    CHECK(made(4, Stage::Context, 0, 1).hasNote(Note::HeadIsSilenced));
    CHECK(made(5, Stage::Context, 0, 1).hasNote(Note::OverRealTokens));
    CHECK(factors(made(6, Stage::Context, 0, 1)) == std::pair(Kind::Read, Kind::Read));
}

TEST_CASE("a number that an operation did not use is NaN, not 0") {
    const Derivation copied;
    for (const Quantity quantity : {Quantity::Input, Quantity::Maximum, Quantity::Mean}) {
        CHECK_FALSE(copied.find(quantity));
        CHECK(std::isnan(copied.number(quantity)));
        CHECK_FALSE(copied.whole(quantity));
        CHECK(copied.wholeText(quantity) == kNoNumber);
        CHECK(resultText(copied.number(quantity)) == kNoNumber); // the text that formulas show
    }
    Derivation counted;
    counted.numbers = {{Quantity::Count, 7.0}, {Quantity::Distance, -2.0}};
    CHECK(counted.whole(Quantity::Count) == 7);
    CHECK(counted.wholeText(Quantity::Distance) == "-2");
    CHECK(counted.number(Quantity::Count) == 7);
}

TEST_CASE("keys and values use the key's row, and impossible selections are errors") {
    const TracePointer held = explainedTraces()[0].trace;
    const Trace &trace = *held;
    Selection place{.stage = Stage::Key, .query = 1, .key = 3};
    CHECK(selectedRow(place) == 3);
    CHECK(derivationsOf(trace, place).empty()); // no dimension is selected
    place.dimension = 1;
    CHECK(derivationsOf(trace, place).back().made.row == 3);
    place.key.reset(); // no key is selected, so the row is unknown
    CHECK(!selectedRow(place));
    CHECK(derivationsOf(trace, place).empty());
    place.key = 3;
    place.stage = Stage::Query;
    CHECK(derivationsOf(trace, place).back().made.row == 1);
    place.dimension.reset();
    CHECK(!valueAt(trace, place).ok());
    place.stage = Stage::EmbeddingSum; // the model adds no positions
    CHECK(matrixAt(trace, place).empty());
    CHECK(!measuresOf(trace, place));
    place.stage = Stage::AttentionWeights;
    for (const auto &change : std::vector<std::function<void(Selection &)>>{
             [](Selection &s) { s.sequence = 3; }, [](Selection &s) { s.layer = 1; },
             [](Selection &s) { s.head = -1; }, [](Selection &s) { s.query = 5; },
             [](Selection &s) { s.key = 5; }, [](Selection &s) { s.query.reset(); },
             [](Selection &s) { s.key.reset(); }}) {
        Selection wrong = place;
        change(wrong);
        const auto value = valueAt(trace, wrong);
        REQUIRE(!value.ok());
        CHECK(!value.error().text().empty());
        CHECK(derivationsOf(trace, wrong).empty());
        CHECK(contributionOf(trace, wrong).empty());
        if (wrong.key == place.key)
            CHECK(!measuresOf(trace, wrong));
    }
}
