// What the inspector says is what forward() computed.
#include "core/analysis/weighting.h"
#include "tests/core/explained_traces.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool near(double a, double b, double tolerance = 2e-5) {
    return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

/// The weight by the numbers that the explanation gives, whatever the what-if.
void checkWeight(const PairExplanation &pair) {
    if (pair.isUniform) {
        CHECK(pair.weight == (pair.hiddenBy ? 0 : 1.0f / static_cast<float>(pair.visible)));
        return;
    }
    const float made = pair.unmaskedWeight.value_or(pair.weight);
    if (pair.rowMaximum) {
        CHECK(pair.number() <= *pair.rowMaximum);
        CHECK(near(pair.exponential / pair.sum, made, 1e-6));
    } else if (!pair.softmax && pair.number() != -kInfinity) {
        CHECK(near(pair.number() / pair.temperature, made, 1e-6));
    } else {
        CHECK(made == 0);
    }
    if (pair.unmaskedWeight)
        CHECK(pair.weight == (pair.hiddenBy ? 0 : *pair.unmaskedWeight));
}

void checkPair(const Trace &trace, const Selection &place, float value) {
    const auto explained = explainPair(trace, place);
    REQUIRE(explained.ok());
    const PairExplanation &pair = *explained;
    const Config &config = trace.model().config;
    const auto set = trace.input().interventions.scoreAt(place.sequence, place.site(), place.head,
                                                         *place.query, *place.key);
    CHECK(pair.setByHand == set.has_value());
    if (set)
        CHECK(pair.score == *set);
    else
        CHECK(near(sumOf(pair.terms), pair.score));
    CHECK(pair.scaled == pair.score * pair.scale);
    CHECK(near(pair.biased, pair.scaled + (pair.position ? pair.position->value : 0)));
    if (pair.position && pair.position->slope)
        CHECK(near(pair.position->value,
                   -*pair.position->slope * static_cast<float>(std::abs(pair.position->distance))));
    CHECK(pair.masked.has_value() != config.masking.afterSoftmax);
    CHECK(pair.unmaskedWeight.has_value() == config.masking.afterSoftmax);
    if (pair.masked)
        CHECK(*pair.masked == (pair.hiddenBy ? config.masking.value : pair.biased));
    CHECK(pair.rowMaximum.has_value() == (pair.sum > 0));
    checkWeight(pair);
    for (const Term &term : pair.contribution)
        CHECK(term.left == pair.weight);
    switch (place.stage) {
    case Stage::Scores:
        CHECK(value == pair.score);
        break;
    case Stage::ScaledScores:
        CHECK(value == pair.scaled);
        break;
    case Stage::PositionBias:
        CHECK(value == pair.position->value);
        break;
    case Stage::BiasedScores:
        CHECK(value == pair.biased);
        break;
    case Stage::MaskedScores:
        CHECK(value == pair.masked);
        break;
    case Stage::UnmaskedWeights:
        CHECK(value == pair.unmaskedWeight);
        break;
    default:
        CHECK(value == pair.weight);
    }
}

void checkVector(const Trace &trace, const Selection &place, float value) {
    const auto explained = explainVector(trace, place);
    REQUIRE(explained.ok());
    REQUIRE(explained->cell);
    const CellExplanation &cell = *explained->cell;
    CHECK(cell.value == value);
    CHECK(explained->values[static_cast<std::size_t>(*place.dimension)] == value);
    CHECK(near(cell.sum, value));
    double squares = 0;
    for (const float each : explained->values)
        squares += static_cast<double>(each) * static_cast<double>(each);
    CHECK(near(explained->norm * explained->norm, squares));
    if (cell.origin == Origin::Head) {
        const SharedMatrix head =
            trace.matrix(Stage::Context, place.site(), place.sequence, cell.head);
        CHECK(head(explained->row, cell.headDimension) == value);
    }
    if (place.stage == Stage::Output) {
        double sum = static_cast<double>(cell.bias.value_or(0));
        for (const double part : cell.heads)
            sum += part;
        CHECK(static_cast<Index>(cell.heads.size()) == trace.model().config.heads);
        CHECK(near(sum, value));
    }
}

} // namespace

TEST_CASE("every cell of every stage is explained by numbers that give its value") {
    auto traces = explainedTraces();
    for (const NamedTrace &block : blockTraces())
        traces.push_back(block);
    for (const NamedTrace &named : traces) {
        CAPTURE(named.name);
        std::set<std::string> seen;
        forEachCell(*named.trace, [&](const Selection &place, float value) {
            const std::string stage = stageName(place.stage, place.site());
            CAPTURE(stage);
            seen.insert(stage);
            const auto found = valueAt(*named.trace, place);
            REQUIRE(found.ok());
            CHECK(*found == value);
            if (infoOf(place.stage).overKeys())
                checkPair(*named.trace, place, value);
            else
                checkVector(*named.trace, place, value);
        });
        for (const std::string &name : named.trace->names())
            CHECK_MESSAGE(seen.contains(name), name);
    }
}

TEST_CASE("rows: the contributions of all keys are the context, and the entropy is theirs") {
    for (const NamedTrace &named : explainedTraces()) {
        CAPTURE(named.name);
        const Trace &trace = *named.trace;
        for (Index b = 0; b < trace.batch().count(); ++b)
            for (Index i = 0; i < trace.batch().length(); ++i) {
                Selection place{.sequence = b,
                                .layer = 0,
                                .head = 1,
                                .stage = Stage::Weights,
                                .query = i,
                                .key = {},
                                .dimension = {}};
                const auto row = explainRow(trace, place);
                REQUIRE(row.ok());
                const Weighting weighting = weightingOf(trace, 0, 1);
                CHECK(row->seesNothing == (trace.mask(b).seesNothing(i) && weighting.hidesWholly));
                CHECK(row->largestAt.has_value() != row->seesNothing);
                std::vector<double> context(3);
                double entropy = 0;
                for (Index j = 0; j < trace.batch().length(); ++j) {
                    place.key = j;
                    const auto pair = explainPair(trace, place);
                    REQUIRE(pair.ok());
                    CHECK((row->seesNothing || pair->weight <= row->largest));
                    if (pair->weight > 0)
                        entropy -= pair->weight * std::log(static_cast<double>(pair->weight));
                    for (std::size_t n = 0; n < 3; ++n)
                        context[n] += pair->contribution[n].product();
                }
                CHECK(near(row->entropy, entropy));
                CHECK(near(row->entropyBits(), entropy / std::log(2.0)));
                if (weighting.sumsToOne && weighting.hidesWholly)
                    CHECK(row->entropy <=
                          std::log(static_cast<double>(std::max<Index>(1, row->visible))) + 1e-6);
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
    const auto origin = [](const Trace &trace, Stage stage, Index layer) {
        return explainVector(trace, {.sequence = 0,
                                     .layer = layer,
                                     .head = 0,
                                     .stage = stage,
                                     .query = 2,
                                     .key = {},
                                     .dimension = 1})
            ->cell->origin;
    };
    CHECK(origin(*traces[0].trace, Stage::Embeddings, 0) == Origin::Vector);
    CHECK(origin(*traces[0].trace, Stage::Positioned, 0) == Origin::Same);
    CHECK(origin(*traces[1].trace, Stage::EmbeddingSum, 0) == Origin::Sum);
    CHECK(origin(*traces[1].trace, Stage::Positioned, 0) == Origin::Same);
    CHECK(origin(*traces[2].trace, Stage::LayerInput, 0) == Origin::Same);
    CHECK(origin(*traces[2].trace, Stage::LayerInput, 1) == Origin::Same);
    CHECK(origin(*traces[2].trace, Stage::LayerOutput, 1) == Origin::Same);
    CHECK(origin(*traces[2].trace, Stage::Concatenated, 1) == Origin::Head);
    CHECK(origin(*traces[3].trace, Stage::Context, 2) == Origin::Weighted);
    CHECK(origin(*traces[3].trace, Stage::Output, 2) == Origin::Linear);
    const auto ofHead = [&](std::size_t which) {
        return explainVector(*traces[which].trace, {.sequence = 0,
                                                    .layer = 0,
                                                    .head = 1,
                                                    .stage = Stage::Context,
                                                    .query = 2,
                                                    .key = {},
                                                    .dimension = 1})
            ->cell->origin;
    };
    CHECK(ofHead(4) == Origin::Silenced);
    CHECK(ofHead(5) == Origin::Mean);
    CHECK(ofHead(6) == Origin::Weighted);
}

TEST_CASE("keys and values are the key's, and impossible places are errors") {
    const TracePointer held = explainedTraces()[0].trace;
    const Trace &trace = *held;
    Selection place{.sequence = 0,
                    .layer = 0,
                    .head = 0,
                    .stage = Stage::Key,
                    .query = 1,
                    .key = 3,
                    .dimension = {}};
    CHECK(explainVector(trace, place)->row == 3);
    CHECK(!explainVector(trace, place)->cell);
    place.key.reset();
    CHECK(!explainVector(trace, place).ok()); // no key is chosen, whatever the query
    place.key = 3;
    place.stage = Stage::Query;
    CHECK(explainVector(trace, place)->row == 1);
    CHECK(!valueAt(trace, place).ok()); // no dimension
    place.stage = Stage::EmbeddingSum;  // the model adds no positions
    CHECK(!explainVector(trace, place).ok());
    CHECK(!explainRow(trace, place).ok());
    place.stage = Stage::Weights;
    for (const auto &change : std::vector<std::function<void(Selection &)>>{
             [](Selection &s) { s.sequence = 3; }, [](Selection &s) { s.layer = 1; },
             [](Selection &s) { s.head = -1; }, [](Selection &s) { s.query = 5; },
             [](Selection &s) { s.key = 5; }, [](Selection &s) { s.query.reset(); },
             [](Selection &s) { s.key.reset(); }}) {
        Selection wrong = place;
        change(wrong);
        const auto pair = explainPair(trace, wrong);
        REQUIRE(!pair.ok());
        CHECK(!pair.error().text().empty());
        CHECK(!valueAt(trace, wrong).ok());
    }
}
