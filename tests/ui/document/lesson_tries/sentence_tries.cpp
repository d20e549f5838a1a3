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

/// True if the head of layer 0 gives its largest weight to the word before in most rows.
bool readsTheWordBefore(const core::Trace &trace, core::Index head) {
    const core::SharedMatrix weights =
        trace.stage(core::Stage::AttentionWeights, core::AttentionId(0)).matrix(0, head);
    core::Index found = 0;
    for (core::Index row = 1; row < weights.rows; ++row) {
        const std::span<const float> shares = weights.row(row);
        found += std::ranges::max_element(shares) - shares.begin() == row - 1 ? 1 : 0;
    }
    return 2 * found > weights.rows - 1;
}

/// True if only head 1 of layer 0 in the model of the tales reads the word before.
bool onlyOneReadsTheWordBefore(const Document &, const core::Trace &) {
    const core::TracePointer trace = passOf("tales");
    for (core::Index head = 0; head < 4; ++head)
        if (readsTheWordBefore(*trace, head) != (head == 1))
            return false;
    return true;
}

/// True if the model of the tales needs its positions to read the word before and to say *boat*.
bool needsPositions(const Document &, const core::Trace &) {
    Document tales;
    tales.open(opened("tales"));
    if (!settled(tales))
        return false;
    const Promise saysBoat = holds("most logits 0 his boat");
    const bool before = readsTheWordBefore(*tales.trace(), 1) && saysBoat(tales, *tales.trace());
    done(setPositions(tales, core::Positions::None));
    return settled(tales) && before && !readsTheWordBefore(*tales.trace(), 1) &&
           !saysBoat(tales, *tales.trace());
}

} // namespace

std::vector<Try> triesOfSentences() {
    return {
        Try("sentence", 3, "money and river swapped",
            typed("She visited the river bank, near the money bank."),
            {"in dimension 8 both banks have"}),
        Try("sentence", 5, "another sentence", typed("Attention is all you need"),
            {"nobody before"}),
        Try("sentence", 5, "a sentence that hides one word",
            typed("To be, or not to be, that is the question: to bank on a river bank"),
            {"nobody before"}),
        Try("sentence", 8, "a word that stands twice",
            typed("The cat saw that the dog saw the cat"), {"A word means the same in both places"},
            {}, holds("distance weights 0 0 saw with weights 0 0 saw#2 < 0.1")),
        Try("sentence", 10, "other queries", nothing, {"furthest to the right"}),
        Try("look-ahead", 2, "a longer sentence", typed("We drink hot coffee every single morning"),
            {"The second token sees two"}),
        Try("look-ahead", 4, "point at a cell", nothing, {"tea sees the words up to itself"}),
        Try("look-ahead", 7, "−1e9, and a cell painted",
            inTurn({hiddenBy(-1e9f), edited([](const Document &document) {
                        return ui::edits::paintMaskCells(document.state(), 0, {{2, 0}}, true);
                    })}),
            {"green by hand"}),
        Try("cat", 1, "other words in the same places", typed("A dog slept under the box"),
            {"every token but the first"}),
        Try("cat", 3, "mat and cat swapped", typed("The mat sat on the cat"), {"gives"}),
        Try("cat", 5, "back and forth", nothing, {"For on"}),
        Try("cat", 6, "the other head",
            [](Document &document) {
                headSet(0, core::HeadState::On)(document);
                headSet(1, core::HeadState::Zero)(document);
            },
            {"Head 0 is not silenced now"}, {"Here head 0 is silenced", "nobody else writes it"}),
        Try("cat", 6, "all tokens equally", headSet(0, core::HeadState::Uniform),
            {"Head 0 is not silenced now"}, {"Here head 0 is silenced"}),

        Try("heads", 2, "a friend and a lender", typed("The friend can be a lender."),
            {"Meaning plays no part"}, {},
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
        Try("heads", 9, "the heads of Short tales", nothing, {"made by hand"}, {},
            onlyOneReadsTheWordBefore),
        Try("long-range", 10, "Short tales without positions", nothing,
            {"Nothing forces a model to learn that"}, {}, needsPositions),
        Try("look-ahead", 7, "−1e9 alone", hiddenBy(-1e9f), {}, {"Here every key is hidden"},
            holds("weights 0 0 green I = 0.17 & weights 0 0 green green = 0.17 & weights 0 0 green "
                  "[PAD]#2 = 0.17")),
    };
}

} // namespace headlight::test
