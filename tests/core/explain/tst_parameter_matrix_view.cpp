// The parameter matrix that is shown with a stage: the stage is its input times the matrix plus the
// bias, in every model. Also checks how much of a large matrix is read to draw it.
#include "../block_models.h"
#include "../transformer/random_transformers.h"
#include "core/explain/parameter_matrix_view.h"
#include "core/explain/sources.h"
#include "core/selection/selected.h"
#include "core/transformer/model/parameter_sample.h"
#include "core_test.h"

namespace {

Selection at(Stage stage, Index head = 0) {
    Selection selection;
    selection.stage = stage;
    selection.head = head;
    return selection;
}

/// Storage that counts the bytes read from it.
class CountedStorage : public NumberStorage {
  public:
    explicit CountedStorage(std::uint64_t numbers) : m_size(4 * numbers) {}
    std::uint64_t size() const override { return m_size; }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        bytesRead += to.size();
        for (std::size_t i = 0; i + 3 < to.size(); i += 4) {
            const auto number = static_cast<float>((offset + i) / 4);
            std::memcpy(to.data() + i, &number, 4);
        }
        return Done{};
    }
    mutable std::uint64_t bytesRead = 0;

  private:
    std::uint64_t m_size;
};

} // namespace

TEST_CASE("queries, keys and values use the columns of their head, the output uses all rows") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}));
    const AttentionParameters &weights = trace->model().parameters.main.layers[0].selfAttention;
    const Index heads = trace->model().config.heads, size = trace->model().config.headSize;
    REQUIRE(heads > 1);
    for (Index head = 0; head < heads; ++head)
        for (const auto &[stage, parameter] :
             {std::pair(Stage::Query, weights.query), std::pair(Stage::Key, weights.key),
              std::pair(Stage::Value, weights.value)}) {
            const auto learned = valueOf(parameterMatrixView(*trace, at(stage, head)));
            CHECK(learned.block.rows == parameter->rows());
            REQUIRE(learned.block.columns == size);
            CHECK(learned.headsOfRows == 1);
            for (Index row = 0; row < parameter->rows(); ++row)
                for (Index column = 0; column < size; ++column)
                    CHECK(learned.block(row, column) == (*parameter)(row, head * size + column));
        }
    const auto output = parameterMatrixView(*trace, at(Stage::Output, 1));
    REQUIRE(output);
    CHECK(output->block.rows == weights.output->rows());
    CHECK(output->block.columns == weights.output->columns());
    CHECK(output->headsOfRows == heads);
    CHECK(output->rowsOfHead() == Rows{output->block.rows / heads, output->block.rows / heads});
    CHECK(!parameterMatrixView(*trace, at(Stage::Query, heads)));
    CHECK(!parameterMatrixView(*trace, at(Stage::Output, heads)));
    for (const Stage stage : {Stage::Embeddings, Stage::Scores, Stage::AttentionWeights,
                              Stage::Context, Stage::Concatenated})
        CHECK(!parameterMatrixView(*trace, at(stage)));
}

TEST_CASE("the logits use the output layer's matrix, or the transposed embeddings") {
    int tied = 0, own = 0;
    for (const BlockCase &block : blockCases()) {
        const TracePointer trace = traceOf(block.model, block.input);
        if (!trace->has(Stage::Logits) ||
            block.model.config.outputLayer.kind == OutputLayerKind::Classifier)
            continue;
        const AttentionId attention{block.model.layerCount() - 1, Block::SelfAttention,
                                    block.model.mainStack()};
        const bool isCapped = trace->has(Stage::UncappedLogits);
        Selection selection = at(isCapped ? Stage::UncappedLogits : Stage::Logits);
        selection.setAttention(attention);
        const auto learned = parameterMatrixView(*trace, selection);
        REQUIRE_MESSAGE(learned, block.name);
        const bool isTied = !block.model.parameters.outputLayer.output;
        CHECK(learned->transposed == isTied);
        (isTied ? tied : own) += 1;
        ParameterSample sample = sampleOf(learned->block);
        if (learned->transposed) {
            const ParameterSample turned = transposed(sample);
            REQUIRE(turned.rows == sample.columns);
            REQUIRE(turned.numbers.columns == sample.numbers.rows);
            for (Index row = 0; row < turned.numbers.rows; ++row)
                for (Index column = 0; column < turned.numbers.columns; ++column)
                    CHECK(turned.numbers(row, column) == sample.numbers(column, row));
            sample = turned;
        }
        CHECK(sample.columns == trace->stage(selection.stage, attention).shape().last(0));
    }
    CHECK(tied > 0);
    CHECK(own > 0);
}

TEST_CASE("a picture of a large matrix reads evenly spaced numbers, in either layout") {
    const Index rows = 50000, columns = 768;
    for (const bool turned : {false, true}) {
        auto storage = std::make_shared<CountedStorage>(static_cast<std::uint64_t>(rows * columns));
        const NumberLayout layout{NumberType::F32,  rows, columns, 0, turned ? 1 : columns,
                                  turned ? rows : 1};
        const auto parameter = valueOf(ParameterMatrix::create(storage, layout));
        const ParameterSample sample = sampleOf(ParameterBlock(parameter));
        CHECK(!sample.isWhole());
        REQUIRE(sample.numbers.rows == kSampledSide);
        REQUIRE(sample.numbers.columns == kSampledSide);
        CHECK(storage->bytesRead < 8'000'000); // the file has 154 MB
        for (Index row = 0; row < sample.numbers.rows; ++row)
            for (Index column = 0; column < sample.numbers.columns; ++column) {
                const Index r = sample.rowOf(row), c = sample.columnOf(column);
                CHECK(sample.numbers(row, column) ==
                      static_cast<float>(turned ? c * rows + r : r * columns + c));
            }
        CHECK(sample.rowOf(0) == 0);
        CHECK(sample.sampledColumn(0) == 0);
        CHECK(sample.sampledColumn(columns - 1) == kSampledSide - 1);
    }
}

TEST_CASE("a picture of a small matrix has every number, row by row") {
    Random random(3);
    Matrix numbers(20, 30);
    for (Index row = 0; row < 20; ++row)
        for (Index column = 0; column < 30; ++column)
            numbers(row, column) = static_cast<float>(random.normal());
    const ParameterBlock block = ParameterBlock(makeParameter(numbers)).columnBlock(10, 5);
    const ParameterSample sample = sampleOf(block);
    REQUIRE(sample.isWhole());
    const MatrixView view = sample.numbers.view();
    CHECK(view.stride == 5);
    for (Index row = 0; row < 20; ++row)
        for (Index column = 0; column < 5; ++column)
            CHECK(view(row, column) == numbers(row, 10 + column));
    CHECK(sampleOf(ParameterBlock()).numbers.empty());
}
