// Matrices of a tensor or a trace stay valid while a pointer to them exists, even after the trace
// has computed other layers.
#include "core/analysis/row_measures.h"
#include "core/analysis/vector_space.h"
#include "core/explain/derivation.h"
#include "core_test.h"
#include "tests/core/explained_traces.h"

namespace {

// A temporary must not return a view of its numbers.
template <typename T>
concept GivesView = requires(T &&numbers) {
    std::forward<T>(numbers).view();
};
template <typename T>
concept GivesViewOfPlace = requires(T &&numbers) {
    std::forward<T>(numbers).view(Index(0));
};
template <typename T>
concept GivesRow = requires(T &&numbers) {
    std::forward<T>(numbers).row(Index(0));
};
static_assert(GivesView<Matrix &> && GivesView<const Matrix &> && !GivesView<Matrix>);
static_assert(GivesView<SharedMatrix &> && !GivesView<SharedMatrix>);
static_assert(GivesRow<SharedMatrix &> && !GivesRow<SharedMatrix>);
static_assert(GivesViewOfPlace<Tensor &> && !GivesViewOfPlace<Tensor>);
static_assert(std::is_convertible_v<SharedMatrix &, MatrixView>);
static_assert(!std::is_convertible_v<SharedMatrix, MatrixView>);
static_assert(!std::is_reference_v<decltype(Tensor().values())>);
static_assert(!std::is_reference_v<decltype(Tensor().shape())>);

Index layersOf(const Trace &trace) {
    return static_cast<Index>(trace.model().parameters.main.layers.size());
}

TracePointer endsOf(const Trace &whole) {
    const auto ends = valueOf(forward(whole.model(), whole.input(), nullptr, {}, Detail::Ends));
    REQUIRE_FALSE(ends->isWhole());
    return ends;
}

/// Makes the trace compute every layer, and overwrites the memory that this frees.
std::vector<std::unique_ptr<std::vector<float>>> turnOver(const Trace &trace, std::size_t numbers) {
    std::vector<std::unique_ptr<std::vector<float>>> taken;
    for (Index layer = 0; layer < layersOf(trace); ++layer) {
        CHECK_FALSE(trace.stage(Stage::Query, {layer}).isNull());
        for (int i = 0; i < 8; ++i)
            taken.push_back(std::make_unique<std::vector<float>>(numbers, -777.0f));
    }
    return taken;
}

void checkSame(MatrixView a, MatrixView b) {
    REQUIRE(a.rows == b.rows);
    REQUIRE(a.columns == b.columns);
    for (Index row = 0; row < a.rows; ++row)
        for (Index column = 0; column < a.columns; ++column)
            REQUIRE(a(row, column) == b(row, column));
}

} // namespace

TEST_CASE("a matrix outlives the stage that was computed on demand") {
    for (const auto &[name, whole] : explainedTraces()) {
        CAPTURE(name);
        if (layersOf(*whole) < 2)
            continue;
        const TracePointer trace = endsOf(*whole);
        for (const Stage stage : {Stage::Query, Stage::Value, Stage::Scores,
                                  Stage::AttentionWeights, Stage::HeadOutputs}) {
            const Tensor tensor = trace->stage(stage, {0});
            if (tensor.isNull())
                continue; // the model does not have this stage
            const SharedMatrix expected = whole->matrix(stage, {0}, 0, 1);
            const SharedMatrix kept = trace->matrix(stage, {0}, 0, 1);
            const SharedMatrix ofTensor = trace->stage(stage, {0}).matrix(0, 1);
            const auto taken = turnOver(*trace, tensor.values().size());
            checkSame(kept, expected);
            checkSame(ofTensor, expected);
        }
        const auto vectors = vectorsOf(*trace, VectorSpace::QueryKey, {0, 0, 1});
        const auto taken = turnOver(*trace, 64);
        for (const SpaceVector &vector : vectors)
            CHECK(std::vector<float>(vector.numbers.begin(), vector.numbers.end()) ==
                  vectorAt(*whole, {0, 0, 1}, vector.stage, vector.token));
    }
}

TEST_CASE("explanations of a lazy trace match those of a complete one") {
    for (const auto &[name, whole] : explainedTraces()) {
        CAPTURE(name);
        const TracePointer trace = endsOf(*whole);
        Selection place;
        place.query = 1;
        place.key = 0;
        for (place.layer = layersOf(*whole) - 1; place.layer >= 0; --place.layer) {
            const auto row = measuresOf(*trace, place), rowOfWhole = measuresOf(*whole, place);
            REQUIRE(row.has_value() == rowOfWhole.has_value());
            if (row) {
                CHECK(row->weightSum == rowOfWhole->weightSum);
                CHECK(row->entropy == rowOfWhole->entropy);
                CHECK(row->largest == rowOfWhole->largest);
            }
            const auto pair = derivationsOf(*trace, place), ofWhole = derivationsOf(*whole, place);
            REQUIRE(pair.size() == ofWhole.size());
            for (std::size_t i = 0; i < pair.size(); ++i) {
                CHECK(pair[i].value == ofWhole[i].value);
                CHECK(pair[i].numbers == ofWhole[i].numbers);
                CHECK(pair[i].terms.size() == ofWhole[i].terms.size());
            }
        }
    }
}
