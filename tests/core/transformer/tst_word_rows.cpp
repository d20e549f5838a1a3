// Stages over words that are computed one row at a time: the rows equal those of complete stages,
// and only some of them are in memory.
#include "core/analysis/head_ablation.h"
#include "core/analysis/output_row_id.h"
#include "core/analysis/top_tokens.h"
#include "core/explain/arithmetic.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/transformer/plan/trace_bytes.h"
#include "core_test.h"
#include "random_transformers.h"
#include "tests/support/large_model.h"

namespace {

using headlight::test::manyWordsModel;
using headlight::test::wordBatch;

Input causalWords(Index length) {
    return {wordBatch(length), {CausalMask{}}};
}

std::string writtenLine(const Line &line) {
    std::string text;
    for (const Piece &piece : line)
        text += piece.text + "|";
    return text;
}

/// Compares all rows of one stage over words with the rows of a trace that has the complete stage.
void checkRows(Random &random, const Trace &rows, const Trace &whole, StepId id) {
    const Step &step = whole.plan()[id];
    CAPTURE(stageName(step.at.stage));
    REQUIRE(rows.isByRow(id));
    CHECK(rows.made(id).isNull());
    CHECK(rows.matrix(id, 0, 0).empty());
    CHECK(rows.isReady(step.at.stage)); // there is no matrix to wait for
    for (Index b = 0; b < step.sequences(); ++b) {
        const SharedMatrix expected = whole.matrix(id, b, 0);
        REQUIRE_FALSE(expected.empty());
        const Index row = between(random, 0, expected.rows - 1);
        const SharedMatrix one = rows.rows(id, b, 0, {row, 1});
        REQUIRE(haveSameBits(one, expected.view().rowBlock(row, 1)));
        CHECK(rows.isRowReady(step.at.stage, b, row));
        const Index count = between(random, 1, expected.rows - row);
        const SharedMatrix some = rows.rows(id, b, 0, {row, count});
        REQUIRE(haveSameBits(some, expected.view().rowBlock(row, count)));
        Index seen = 0;
        const Outcome read = rows.inBlocks(id, b, 0, [&](Index first, MatrixView block) -> Outcome {
            REQUIRE(first == seen);
            REQUIRE(haveSameBits(block, expected.view().rowBlock(first, block.rows)));
            seen += block.rows;
            return Done{};
        });
        CHECK(read.ok());
        CHECK(seen == expected.rows);
    }
}

} // namespace

TEST_CASE("one row of words at a time gives the same as all at once") {
    Random random(50257);
    int compared = 0;
    for (int trial = 0; trial < 400; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        const auto whole = forward(model, input, nullptr, {}, Detail::Everything);
        if (!whole) // the values overflow
            continue;
        const TracePointer rows = valueOf(forward(model, input, nullptr, {}, Detail::Rows));
        for (StepId id = 0; id < rows->plan().size(); ++id) {
            const Step &step = rows->plan()[id];
            if (!step.isNamed())
                continue;
            if (infoOf(step.at.stage).overWords()) {
                checkRows(random, *rows, **whole, id);
                ++compared;
            } else {
                CHECK_FALSE(rows->isByRow(id));
            }
        }
    }
    CHECK(compared > 100);
}

TEST_CASE("a row is computed with the same row of the other stages over words, and no other row") {
    const Model model = manyWordsModel(50);
    const TracePointer trace = valueOf(forward(model, causalWords(9), nullptr, {}, Detail::Rows));
    CHECK_FALSE(trace->isRowReady(Stage::Logits, 0, 2));
    CHECK_FALSE(isOutputReady(*trace, {0, 2}));
    const StepId probabilities = *trace->plan().find({Stage::Probabilities, {}});
    REQUIRE_FALSE(trace->rows(probabilities, 0, 0, {2, 1}).empty());
    CHECK(trace->isRowReady(Stage::Probabilities, 0, 2));
    CHECK(trace->isRowReady(Stage::Logits, 0, 2));
    CHECK(isOutputReady(*trace, {0, 2}));
    CHECK_FALSE(trace->isRowReady(Stage::Logits, 0, 3));
    CHECK(valueOf(outputRow(*trace, 0, 2)).made == 2 * 50); // without the rows after it

    const Result<SharedMatrix> all = trace->madeMatrix(probabilities, 0, 0);
    REQUIRE_FALSE(all.ok());
    CHECK(all.error().where == "probabilities");
    const auto back = runBackward(trace, nextTokenTargetsOf(*trace));
    REQUIRE_FALSE(back.ok());
    CHECK(back.error().where == "logits");

    std::stop_source stop;
    stop.request_stop();
    const auto stopped = trace->madeRows(probabilities, 0, 0, {4, 1}, stop.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().what == "cancelled");
    CHECK_FALSE(trace->isRowReady(Stage::Logits, 0, 4));
}

TEST_CASE("the cache and the blocks hold only some rows of a large vocabulary") {
    constexpr Index kTokens = 600, kWords = 20000;
    constexpr Index kRow = kWords * static_cast<Index>(sizeof(float));
    static_assert(2 * kTokens * kRow > 2 * kRowsBytes);
    const Model model = manyWordsModel(kWords);
    const TracePointer trace =
        valueOf(forward(model, causalWords(kTokens), nullptr, {}, Detail::Rows));
    const StepId logits = *trace->plan().find({Stage::Logits, {}});
    for (Index row = 0; row < kTokens; ++row)
        REQUIRE_FALSE(trace->rows(logits, 0, 0, {row, 1}).empty());
    Index kept = 0;
    for (Index row = 0; row < kTokens; ++row)
        kept += trace->isRowReady(Stage::Logits, 0, row) ? 1 : 0;
    CHECK(kept > 100);
    CHECK(kept * 2 * kRow <= kRowsBytes);                    // logits and probabilities
    CHECK(trace->isRowReady(Stage::Logits, 0, kTokens - 1)); // the most recent one

    int blocks = 0;
    const Outcome read = trace->inBlocks(logits, 0, 0, [&](Index, MatrixView rows) -> Outcome {
        CHECK(rows.rows * kRow <= kRowsBytes);
        ++blocks;
        return Done{};
    });
    CHECK(read.ok());
    CHECK(blocks == 2);
    const Outcome ended = trace->inBlocks(logits, 0, 0, [](Index, MatrixView) -> Outcome {
        return Error{"enough", "", ""};
    });
    REQUIRE_FALSE(ended.ok());
    CHECK(ended.error().what == "enough");
}

TEST_CASE("the loss of a long text, block by block, matches that of all logits") {
    const Model model = manyWordsModel(20000);
    const Computable computable = valueOf(Computable::of(model, causalWords(600)));
    const AblationTarget target{.place = {0, 450}, .only = std::pair(AttentionId{}, Index(1))};
    const auto resultOf = [&](Detail detail) {
        return valueOf(
            ablateHeads(computable, valueOf(forward(computable, nullptr, {}, detail)), target));
    };
    const AblatedHeads whole = resultOf(Detail::Everything), rows = resultOf(Detail::Rows);
    REQUIRE(whole.loss);
    CHECK(rows.loss == whole.loss);
    CHECK(rows.logit == whole.logit);
    CHECK(rows.probability == whole.probability);
    CHECK(rows.top == whole.top);
    REQUIRE(rows.heads.size() == 1);
    CHECK(rows.heads[0].lossDifference == whole.heads[0].lossDifference);
}

TEST_CASE("a text of 2,048 tokens has an answer with 66,000 words") {
    const Model model = manyWordsModel();
    const TracePointer trace = valueOf(forward(model, causalWords(2048)));
    REQUIRE(trace->isByRow(Stage::Logits));
    CHECK(trace->isByHead(Stage::AttentionWeights));
    // The first tokens do not depend on later ones.
    const TracePointer start =
        valueOf(forward(model, causalWords(30), nullptr, {}, Detail::Everything));
    const OutputRowPointer made = valueOf(readOutput(*trace, {0, 29}));
    const OutputRowPointer expected = valueOf(readOutput(*start, {0, 29}));
    CHECK(made->logits == expected->logits);
    CHECK(made->probabilities == expected->probabilities);
    const std::vector<TopToken> words = topTokens(*trace, 0, 29, 5),
                                same = topTokens(*start, 0, 29, 5);
    REQUIRE(words.size() == 5);
    for (std::size_t i = 0; i < words.size(); ++i) {
        CHECK(words[i].word == same[i].word);
        CHECK(words[i].probability == same[i].probability);
    }
    CHECK_FALSE(readOutput(*trace, {0, 2048}).ok());
    Selection cell;
    cell.query = 29;
    cell.dimension = 65999;
    for (const Stage stage : {Stage::Logits, Stage::Probabilities}) {
        cell.stage = stage;
        CHECK(writtenLine(arithmeticOf(*trace, cell)) == writtenLine(arithmeticOf(*start, cell)));
    }
}
