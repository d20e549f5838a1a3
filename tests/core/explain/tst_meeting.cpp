// How matrices meet is read from what a number is.
#include "core/explain/meaning.h"
#include "core/explain/meeting.h"
#include "core/explain/sources.h"
#include "tests/core/explained_traces.h"

#include <map>
#include <set>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

using Meetings = std::set<std::optional<Meeting>>;
using Signs = std::set<std::string>;

struct Met {
    Meetings meetings;
    Signs signs;
};

/// How every stage of all models meets, for one number or the whole matrix.
std::map<Stage, Met> allMeetings(bool ofNumbers) {
    std::map<Stage, Met> met;
    auto traces = explainedTraces();
    std::ranges::move(blockTraces(), std::back_inserter(traces));
    for (const NamedTrace &named : traces)
        forEachCell(*named.trace, [&](const Selection &place, float) {
            const Trace &trace = *named.trace;
            Slice made = *asSlice(trace.plan(), *regionOf(trace.plan(), place));
            if (trace.plan()[made.step].renames)
                return;
            if (place.stage == Stage::PositionBias) // a copy of what all layers share
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
    // Some sequences come with their own vectors.
    CHECK(met.at(Stage::Embeddings).meetings == Meetings{Meeting::LookUp, std::nullopt});
    CHECK(met.at(Stage::Scores).meetings == Meetings{Meeting::Product}); // also those set by hand
    CHECK(met.at(Stage::Scores).signs == Signs{""});                     // K is transposed
    // A silenced head reads nothing, and its mean is over the rows.
    CHECK(met.at(Stage::Context).meetings ==
          Meetings{std::nullopt, Meeting::Product, Meeting::ByRows});
    CHECK(met.at(Stage::Context).signs == Signs{"", "×"});
    CHECK(met.at(Stage::Activated).signs == Signs{"", "⊙"});
    CHECK(met.at(Stage::AttentionWeights).meetings.contains(Meeting::ByRows));
    // ALiBi reads nothing but the distance, T5's bias a table.
    CHECK(met.at(Stage::PositionBias).meetings == Meetings{std::nullopt, Meeting::LookUp});
}

TEST_CASE("whole matrices meet in the same way") {
    checkMeetings(allMeetings(false));
}
