#include "core/analysis/heads_of_trace.h"
#include "tests/support/opened.h"
#include "tests/ui/document/lesson_tries/try.h"

namespace headlight::test {

using ui::Document;

namespace {

Act hiddenBy(float value) {
    return edited([value](const Document &document) {
        core::MaskOptions masking = document.state().model.config.masking;
        masking.value = value;
        return ui::edits::setMasking(document.state(), masking);
    });
}

/// True if head 1 of layer 0 comes first in the order by the weight on the previous token.
bool headOneComesFirst(const Document &, const core::Trace &trace) {
    const auto measures =
        core::headMeasures(trace.stage(core::Stage::AttentionWeights, core::AttentionId(0)),
                           core::measuredTextOf(trace, core::AttentionId(0), 0));
    return core::headsInOrder(measures, core::HeadOrder::PreviousToken).front() == 1;
}

} // namespace

std::vector<Try> triesOfSentences() {
    return {
        Try("sentence", 3, "money and river swapped",
            typed("She visited the river bank, near the money bank."),
            {"in dimension 8 both banks have"}),
        Try("sentence", 5, "another sentence", typed("Attention is all you need"),
            {"no token before"}),
        Try("sentence", 5, "a sentence that hides one word",
            typed("To be, or not to be, that is the question: to bank on a river bank"),
            {"no token before"}),
        Try("sentence", 8, "a word that appears twice",
            typed("The cat saw that the dog saw the cat"),
            {"A word means the same in both positions"}, {},
            holds("distance weights 0 0 saw with weights 0 0 saw#2 < 0.1")),
        Try("sentence", 10, "other queries", nothing, {"furthest to the right"}),
        Try("look-ahead", 2, "a longer sentence", typed("We drink hot coffee every single morning"),
            {"The second token sees two"}),
        Try("look-ahead", 4, "point at a cell", nothing, {"tea sees the words up to itself"}),
        Try("look-ahead", 7, "−1e9, and a cell painted",
            inTurn({hiddenBy(-1e9f), edited([](const Document &document) {
                        return ui::edits::paintMaskCells(document.state(), 0, {{2, 0}}, true);
                    })}),
            {"green by hand"}),
        Try("cat", 1, "other words in the same positions", typed("A dog slept under the box"),
            {"every token but the first"}),
        Try("cat", 3, "mat and cat swapped", typed("The mat sat on the cat"), {"gives"}),
        Try("cat", 5, "back and forth", nothing, {"For on"}),
        Try("cat", 6, "the other head",
            [](Document &document) {
                headSet(0, core::HeadState::On)(document);
                headSet(1, core::HeadState::Zero)(document);
            },
            {"Head 0 is not silenced now"}, {"Here head 0 is silenced"}),
        Try("cat", 6, "all tokens equally", headSet(0, core::HeadState::Uniform),
            {"Head 0 is not silenced now"}, {"Here head 0 is silenced"}),

        Try("two-heads", 2, "a friend and a lender", typed("The friend can be a lender."),
            {"Meaning does not matter here"}, {},
            [](const Document &after, const core::Trace &before) {
                const core::SharedMatrix a =
                    before.stage(core::Stage::AttentionWeights).matrix(0, 0);
                const core::SharedMatrix b =
                    after.trace()->stage(core::Stage::AttentionWeights).matrix(0, 0);
                for (core::Index row = 0; row < a.rows; ++row)
                    if (!std::ranges::equal(a.row(row), b.row(row)))
                        return false;
                return a.rows == b.rows;
            }),
        Try("heads", 2, "the order of the heads", nothing, {"at most 0.23 for every other head"},
            {}, headOneComesFirst),
        Try("heads", 3, "zoo in place of two words",
            typed("Max said : tower milk red zoo honey . Emma repeated : tower zoo"), {},
            {"always at the word that came next"}, holds("most logits 0 zoo#2 honey")),
        Try(
            "long-range", 5, "rotary positions again",
            [](Document &document) { done(setPositions(document, core::Positions::Rotary)); },
            {"It now expects book"}, {"ball, with"}, holds("most logits 0 her book")),
        Try("look-ahead", 7, "−1e9 alone", hiddenBy(-1e9f), {}, {"Here every key is hidden"},
            holds("weights 0 0 green I = 0.17 & weights 0 0 green green = 0.17 & weights 0 0 green "
                  "[PAD]#2 = 0.17")),
    };
}

} // namespace headlight::test
