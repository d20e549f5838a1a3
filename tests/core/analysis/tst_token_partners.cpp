// The partners of two texts' tokens, and A's numbers rearranged to match the current text,
// whichever text is longer.
#include "core/analysis/token_partners.h"
#include "tests/core/core_test.h"
#include "tests/core/fixture.h"

#include <cmath>

namespace {

TokenPartnersPointer partnersIn(const TracePointer &now, const TracePointer &a,
                                const OwnPairsPointer &own = nullptr) {
    return partnersOf(now->input(), 0, a->input(), 0, now->model(), own);
}

TracePointer tracedText(const std::string &text) {
    return traceOf(smallModel(2), inputOf({text}, {CausalMask{}}));
}

/// Returns current − A for the weights of layer 0, head 0.
Difference weightsDifference(const TracePointer &now, const TracePointer &a,
                             const TokenPartners *partners) {
    const StageId stage{Stage::AttentionWeights, {}};
    const SharedMatrix left = now->matrix(stage.stage, {}, 0, 0);
    const SharedMatrix right = a->matrix(stage.stage, {}, 0, 0);
    return valueOf(difference(left.view(), right.view(), partners, stageTexts(*now, stage)));
}

} // namespace

TEST_CASE("texts of equal length are partners by position") {
    const TracePointer now = tracedText("a b c"), a = tracedText("a x c");
    const TokenPartnersPointer partners = partnersIn(now, a);
    CHECK(partners->isByPosition());
    CHECK(partners->inA(0, 1) == 1);
    CHECK_FALSE(partners->inA(0, 3));
    CHECK_FALSE(partners->inA(0, -1));
    CHECK_FALSE(partners->inA(TokenPartners::kSourceText, 0));
}

TEST_CASE("texts of different lengths are partners by their words, both ways") {
    const TracePointer shorter = tracedText("a b c"), longer = tracedText("x a b y c");
    for (const bool isLonger : {false, true}) {
        const TracePointer &now = isLonger ? longer : shorter, &a = isLonger ? shorter : longer;
        const TokenPartnersPointer partners = partnersIn(now, a);
        CHECK_FALSE(partners->isByPosition());
        CHECK(partners->texts()[0].pairs.size() == 3);
        CHECK(partners->inA(0, isLonger ? 4 : 2) == (isLonger ? 2 : 4));
        CHECK(partners->inNow(0, isLonger ? 2 : 4) == (isLonger ? 4 : 2));
        CHECK_FALSE((isLonger ? partners->inA(0, 0) : partners->inNow(0, 0)));
    }
}

TEST_CASE("the mark of a word's beginning does not separate partners") {
    const Input now = inputOf({"The \u0120cat \u0120sat"}), a = inputOf({"▁Then ▁the ▁cat ▁sat"});
    const TokenPartnersPointer partners = partnersOf(now, 0, a, 0, smallModel(1));
    CHECK(partners->inA(0, 1) == 2);
    CHECK(partners->inA(0, 2) == 3);
    CHECK_FALSE(partners->inA(0, 0)); // "The" is not "the"
}

TEST_CASE("a difference has the current shape and no number without a partner") {
    const TracePointer shorter = tracedText("a b c"), longer = tracedText("x a b y c");
    for (const bool isLonger : {false, true}) {
        const TracePointer &now = isLonger ? longer : shorter, &a = isLonger ? shorter : longer;
        const TokenPartnersPointer partners = partnersIn(now, a);
        const Difference change = weightsDifference(now, a, partners.get());
        const SharedMatrix left = now->matrix(Stage::AttentionWeights, {}, 0, 0);
        const SharedMatrix right = a->matrix(Stage::AttentionWeights, {}, 0, 0);
        REQUIRE(change.values.rows() == left.rows);
        REQUIRE(change.values.columns() == left.columns);
        Index missing = 0;
        for (Index row = 0; row < left.rows; ++row)
            for (Index column = 0; column < left.columns; ++column) {
                const auto cell = static_cast<std::size_t>(row * left.columns + column);
                const auto rowOfA = partners->inA(0, row), columnOfA = partners->inA(0, column);
                const bool isThere = rowOfA && columnOfA;
                missing += isThere ? 0 : 1;
                CHECK(change.hiddenOnOneSide[cell] == !isThere);
                CHECK(change.values(row, column) ==
                      (isThere ? left(row, column) - right(*rowOfA, *columnOfA) : 0));
            }
        CHECK(missing == (isLonger ? 25 - 9 : 0));
    }
}

TEST_CASE("padding of a batch has no partner") {
    const Model model = smallModel(2);
    const TracePointer batch = traceOf(model, inputOf({"a b", "a x b c"}, {PaddingMask{}}));
    const auto partners = partnersOf(batch->input(), 0, batch->input(), 1, model);
    CHECK_FALSE(partners->isByPosition());
    CHECK(partners->inA(0, 1) == 2);
    CHECK_FALSE(partners->inA(0, 2)); // padding of the current sequence
    const auto back = partnersOf(batch->input(), 1, batch->input(), 0, model);
    CHECK(back->inA(0, 2) == 1);
    CHECK_FALSE(back->inA(0, 3));
}

TEST_CASE("equal sequences of batches of different lengths keep their shapes apart") {
    const Model model = smallModel(2);
    const TracePointer alone = tracedText("a b");
    const TracePointer batch = traceOf(model, inputOf({"a b", "a x b c"}, {PaddingMask{}}));
    const TokenPartnersPointer partners = partnersIn(alone, batch);
    CHECK_FALSE(partners->isByPosition()); // 2 × 2 and 4 × 4
    CHECK(partners->inA(0, 1) == 1);
    CHECK(weightsDifference(alone, batch, partners.get()).values.rows() == 2);
    CHECK(weightsDifference(batch, alone, partnersIn(batch, alone).get()).values.rows() == 4);
}

TEST_CASE("the partners of two sides are found unless they are known") {
    const Model model = smallModel(2);
    const TracePointer batch = traceOf(model, inputOf({"a b", "a x b c"}, {PaddingMask{}}));
    const ComparedSide now{*batch, 1}, a{*batch, 0};
    const TokenPartnersPointer found = partnersOf(now, a);
    CHECK(found->texts() == partnersOf(batch->input(), 1, batch->input(), 0, model)->texts());
    CHECK(found->inA(0, 2) == 1);
    const TokenPartnersPointer known = partnersIn(tracedText("a b"), tracedText("b a"));
    CHECK(partnersOf(now, a, known) == known);
}

TEST_CASE("the user's pairs count for their texts only") {
    const TracePointer now = tracedText("a b c"), a = tracedText("c b");
    AlignedText own = partnersIn(now, a)->texts()[0];
    own.pairs = {{2, 0}};
    const auto pairs = std::make_shared<const std::vector<AlignedText>>(1, own);
    CHECK(partnersIn(now, a, pairs)->texts()[0].pairs == own.pairs);
    CHECK(partnersIn(now, tracedText("c b d"), pairs)->isByPosition());
    CHECK(partnersIn(a, now, pairs)->texts()[0].pairs != own.pairs);
}

TEST_CASE("edits of pairs, and the edits that recreate given pairs") {
    const TracePointer now = tracedText("a b c d"), a = tracedText("b c x");
    const AlignedText found = partnersIn(now, a)->texts()[0];
    CHECK(found.pairs == AlignedPairs{{1, 0}, {2, 1}});
    CHECK(pairEditsOf(found).empty());
    for (const std::vector<PairEdit> &edits : {std::vector<PairEdit>{{0, 0}},
                                               {{3, 2}},
                                               {{1, {}}},
                                               {{0, 2}},
                                               {{1, {}}, {2, 0}, {3, 2}}}) {
        const AlignedText own = valueOf(withPairEdits(found, edits));
        CHECK(own.pairs != found.pairs);
        CHECK(isOrdered(own.pairs, 4, 3));
        CHECK(valueOf(withPairEdits(found, pairEditsOf(own))).pairs == own.pairs);
    }
    CHECK_FALSE(withPairEdits(found, {{4, 0}}).ok());
    CHECK_FALSE(withPairEdits(found, {{0, 3}}).ok());
    CHECK_FALSE(withPairEdits(found, {{-1, {}}}).ok());
}
