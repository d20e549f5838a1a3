// Thumbnails of matrices that are computed one head at a time: each number is the strongest of its
// block, as if the whole matrix were read.
#include "core/analysis/head_glances.h"
#include "core/analysis/head_sampler.h"
#include "core_test.h"
#include "random_transformers.h"
#include "tests/support/large_model.h"

namespace {

/// Returns the strongest visible number, by a plain loop; none if all cells are hidden.
std::optional<float> strongestOf(const SharedMatrix &matrix, const Mask &mask, BlockOfCells rows,
                                 BlockOfCells columns) {
    std::optional<float> strongest;
    for (Index row = rows.first; row < rows.end; ++row)
        for (Index column = columns.first; column < columns.end; ++column)
            if (!mask.hidden(row, column) &&
                (!strongest || std::abs(matrix(row, column)) > std::abs(*strongest)))
                strongest = matrix(row, column);
    return strongest;
}

} // namespace

TEST_CASE("blocks cover all cells, each once") {
    for (const Index cells : {1, 2, 7, 64, 1000})
        for (Index blocks = 1; blocks <= std::min<Index>(cells, 70); ++blocks) {
            Index end = 0;
            for (Index block = 0; block < blocks; ++block) {
                const BlockOfCells one = blockOf(block, blocks, cells);
                CHECK(one.first == end);
                CHECK(one.end > one.first);
                end = one.end;
            }
            CHECK(end == cells);
        }
}

TEST_CASE("many heads together take little memory") {
    CHECK(sampleSide(1) == 256);
    CHECK(sampleSide(64) == 256);
    for (const Index heads : {1, 12, 64, 1000, 100000})
        CHECK(heads * sampleSide(heads) * sampleSide(heads) * 4 <= Index(32) << 20);
}

TEST_CASE("a sample has the strongest number of every block") {
    int hidden = 0, samples = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        const auto whole = forward(model, input);
        const auto trace = forward(model, input, nullptr, {}, Detail::Heads);
        if (!whole)
            continue;
        for (const Stage stage : {Stage::Scores, Stage::AttentionWeights}) {
            const AttentionId attention(0, Block::SelfAttention, model.mainStack());
            if (!(*trace)->isByHead(stage, attention))
                continue;
            const Index sequence = between(random, 0, (*trace)->batch().count() - 1);
            const Index side = between(random, 1, 9);
            const HeadSampler sampler(**trace, {stage, attention}, sequence, side);
            CHECK(sampler.isOf(**trace));
            CHECK_FALSE(sampler.isOf(**whole));
            const Mask &mask = (*whole)->mask(sequence, attention);
            for (Index head = 0; head < model.headsOf(attention); ++head) {
                const auto sample = valueOf(sampler.of(head, {}));
                const SharedMatrix matrix = (*whole)->matrix(stage, attention, sequence, head);
                CHECK(sample.ofRows == matrix.rows);
                CHECK(sample.ofColumns == matrix.columns);
                const SharedMatrix &numbers = sample.numbers;
                CHECK(numbers.rows == std::min(side, matrix.rows));
                CHECK(numbers.columns == std::min(side, matrix.columns));
                for (Index row = 0; row < numbers.rows; ++row)
                    for (Index column = 0; column < numbers.columns; ++column) {
                        const auto expected =
                            strongestOf(matrix, mask, blockOf(row, numbers.rows, matrix.rows),
                                        blockOf(column, numbers.columns, matrix.columns));
                        const bool isHidden =
                            sampler.hidden() && sampler.hidden()->hidden(row, column);
                        CHECK(isHidden == !expected);
                        hidden += isHidden;
                        if (expected)
                            CHECK(numbers(row, column) == *expected);
                    }
                ++samples;
            }
        }
    }
    CHECK(samples > 100);
    CHECK(hidden > 100);
}

TEST_CASE("sampling can be stopped, and keeps none of the trace's numbers") {
    Random random(3);
    const Model model = randomTransformer(random);
    const Input input = randomTransformerInput(random, model);
    const auto trace = *forward(model, input, nullptr, {}, Detail::Heads);
    const AttentionId attention(0, Block::SelfAttention, model.mainStack());
    REQUIRE(trace->isByHead(Stage::AttentionWeights, attention));
    SharedMatrix made = trace->matrix(Stage::AttentionWeights, attention, 0, 0);
    const std::weak_ptr<const void> numbers = made.storage();
    const HeadSampler sampler(*trace, {Stage::AttentionWeights, attention}, 0);
    made = {};
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(sampler.of(0, stop.get_token()).ok());
    REQUIRE(sampler.of(0, {}).ok());
    CHECK(numbers.use_count() == 1); // only the trace holds the numbers
}

/// The rows are reduced in several blocks.
TEST_CASE("a glance at a long text matches the complete matrices") {
    const Model model = headlight::test::largeModel(16, 2);
    const Input input{headlight::test::wordBatch(1100), {CausalMask{}, WindowMask{700}}};
    const TracePointer whole = valueOf(forward(model, input, nullptr, {}, Detail::Everything));
    const TracePointer byHead = valueOf(forward(model, input, nullptr, {}, Detail::Heads));
    for (const AttentionId attention : attentionsWithWeights(*byHead)) {
        REQUIRE(byHead->isByHead(Stage::AttentionWeights, attention));
        const HeadGlances made = valueOf(glanceAt(*byHead, attention, 0, 128));
        const HeadGlances expected = valueOf(glanceAt(*whole, attention, 0, 128));
        REQUIRE(made.heads.size() == expected.heads.size());
        for (std::size_t head = 0; head < made.heads.size(); ++head) {
            CHECK(made.heads[head].measures.entropy);
            CHECK(made.heads[head].measures == expected.heads[head].measures);
            const SharedMatrix &ours = made.heads[head].sample.numbers;
            const SharedMatrix &theirs = expected.heads[head].sample.numbers;
            REQUIRE(ours.rows == theirs.rows);
            for (Index row = 0; row < ours.rows; ++row)
                CHECK(std::ranges::equal(ours.row(row), theirs.row(row)));
        }
    }
}

TEST_CASE("a glance at one head at a time matches a glance at all heads, and no matrix is kept") {
    Random random(144);
    int heads = 0;
    for (int trial = 0; trial < 100; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        const auto whole = forward(model, input, nullptr, {}, Detail::Everything);
        if (!whole) // the values overflow
            continue;
        const TracePointer byHead = valueOf(forward(model, input, nullptr, {}, Detail::Heads));
        for (const AttentionId attention : attentionsWithWeights(*byHead)) {
            const HeadGlances made = valueOf(glanceAt(*byHead, attention, 0, 3));
            const HeadGlances expected = valueOf(glanceAt(**whole, attention, 0, 3));
            REQUIRE(made.heads.size() == expected.heads.size());
            for (std::size_t head = 0; head < made.heads.size(); ++head) {
                CHECK(made.heads[head].measures == expected.heads[head].measures);
                CHECK_FALSE(byHead->isReady(Stage::AttentionWeights, attention, 0,
                                            static_cast<Index>(head)));
                ++heads;
            }
        }
        std::stop_source stop;
        stop.request_stop();
        for (const AttentionId attention : attentionsWithWeights(*byHead))
            CHECK_FALSE(glanceAt(*byHead, attention, 0, 3, stop.get_token()).ok());
    }
    CHECK(heads > 200);
}
