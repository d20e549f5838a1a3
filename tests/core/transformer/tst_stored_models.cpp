// Models with parameters in files, in half precision or transposed compute exactly the same as with
// floats in memory.
#include "core_test.h"
#include "loss.h"
#include "random_transformers.h"
#include "stored_parameters.h"

#include "core/tensor/product.h"
#include "core/transformer/run/step_parameter.h"

namespace {

void checkSameBits(const Parameter &a, const Parameter &b) {
    REQUIRE((a != nullptr) == (b != nullptr));
    CHECK(sameNumbers(a, b));
}

void checkSameTrace(const Trace &is, const Trace &wanted) {
    REQUIRE(is.names() == wanted.names());
    for (const std::string &name : wanted.names()) {
        CAPTURE(name);
        CHECK(is.stage(name).values() == wanted.stage(name).values());
    }
}

struct StoredModel {
    Model plain;
    Model stored;
};

/// Returns the model with parameters rounded to random types: once stored in those types, once as
/// floats.
StoredModel storedModel(Random &random, StoredParameters &storage, const Model &model) {
    StoredModel both{model, model};
    for (const ParameterId &id : allParameters(model.parameters)) {
        Parameter &plain = parameterOf(both.plain.parameters, id);
        if (!plain)
            continue;
        const auto type = static_cast<NumberType>(between(random, 0, 2));
        Matrix numbers = *plain->toMatrix();
        for (Index row = 0; row < numbers.rows(); ++row)
            for (float &number : numbers.view().row(row))
                number = roundedTo(type, number);
        plain = makeParameter(numbers);
        parameterOf(both.stored.parameters, id) = storage.storeAnyhow(numbers, type);
    }
    return both;
}

/// Checks products of one size with a matrix in every kind of storage.
void checkProducts(Random &random, StoredParameters &storage, Index rows, Index columns,
                   Index tokens) {
    const ParameterId id{};
    for (const NumberType type : {NumberType::F32, NumberType::F16, NumberType::BF16}) {
        Matrix numbers(rows, columns);
        for (Index row = 0; row < rows; ++row)
            for (float &number : numbers.view().row(row))
                number = roundedTo(type, static_cast<float>(random.normal()));
        Matrix x(tokens, rows), y(tokens, columns);
        for (const MutableMatrixView &some : {x.view(), y.view()})
            for (Index row = 0; row < some.rows; ++row)
                for (float &number : some.row(row))
                    number = static_cast<float>(random.normal());
        Matrix wanted(tokens, columns), wantedTurned(tokens, rows);
        multiply(x.view(), numbers.view(), wanted.view());
        multiplyTransposed(y.view(), numbers.view(), wantedTurned.view());
        for (int layout = 0; layout <= 4; ++layout) {
            CAPTURE(static_cast<int>(type));
            CAPTURE(layout);
            const StepParameter stored(storage.store(numbers, type,
                                                     layout % 2 ? Lies::InFile : Lies::InMemory,
                                                     layout, layout == 1 ? 0 : 3),
                                       id);
            Matrix made(tokens, columns), madeTurned(tokens, rows);
            multiply(x.view(), stored, made.view(), {});
            multiplyTransposed(y.view(), stored, madeTurned.view(), {});
            CHECK(made == wanted);
            CHECK(madeTurned == wantedTurned);
        }
    }
}

Model smallLanguageModel(Random &random) {
    Model model = drawnDecoder(random, languageConfig(8, 4, 8));
    model.parameters.outputLayer.output = nullptr; // tied to the embeddings
    return model;
}

} // namespace

TEST_CASE("random models give the same trace and the same gradients however they are stored") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        StoredParameters storage(random, freshFolder("models"));
        const auto [plain, stored] = storedModel(random, storage, randomTransformer(random));
        Input input = randomTransformerInput(random, plain);
        input.interventions = randomTransformerInterventions(random, plain, input);
        const auto wanted = forward(plain, input);
        const auto is = forward(stored, input);
        REQUIRE(is.ok() == wanted.ok());
        if (!wanted)
            continue;
        checkSameTrace(**is, **wanted);
        // The other model's trace is reused completely.
        const auto again = valueOf(forward(stored, input, *wanted));
        CHECK(again->recomputedNumbers() == 0);

        Loss loss;
        loss.seeds.push_back(randomSeed(random, **wanted, (*wanted)->names().back()));
        const auto wantedSlopes = backward(**wanted, loss.seeds, true);
        const auto slopes = backward(**is, loss.seeds, true);
        REQUIRE(slopes.ok() == wantedSlopes.ok());
        if (!slopes)
            continue;
        for (const ParameterId &id : allParameters(plain.parameters)) {
            CAPTURE(nameOf(id));
            checkSameBits(parameterOf((*slopes)->parameters, id),
                          parameterOf((*wantedSlopes)->parameters, id));
        }
        for (const std::string &name : (*wantedSlopes)->stageNames())
            CHECK((*slopes)->stage(name).values() == (*wantedSlopes)->stage(name).values());
    }
}

TEST_CASE("large products are computed piece by piece, with the same bits") {
    Random random(4);
    StoredParameters storage(random, freshFolder("products"));
    checkProducts(random, storage, 5, 7, 3);
    checkProducts(random, storage, 300, 4500, 1); // both products are split by columns and by depth
    checkProducts(random, storage, 1100, 1030, 40);
    checkProducts(random, storage, 4500, 300, 2);
}

TEST_CASE("a sequence's own vectors may be stored in any way, too") {
    Random random(6);
    StoredParameters storage(random, freshFolder("vectors"));
    const Model model = smallLanguageModel(random);
    const Input input = inputOf({"w1 w2 w3"});
    Matrix vectors(3, 8);
    for (Index row = 0; row < 3; ++row)
        for (float &number : vectors.view().row(row))
            number = roundedTo(NumberType::BF16, static_cast<float>(random.normal()));
    Input plain = input, stored = input;
    plain.batch = input.batch->withEmbeddings(0, makeParameter(vectors));
    stored.batch = input.batch->withEmbeddings(
        0, storage.store(vectors, NumberType::BF16, Lies::InFile, 2, 2));
    checkSameTrace(*traceOf(model, stored), *traceOf(model, plain));
}

TEST_CASE("a truncated file makes every pass fail") {
    Random random(9);
    StoredParameters storage(random, freshFolder("cut"));
    Model model = smallLanguageModel(random);
    Parameter &hidden = model.parameters.main.layers[1].selfAttention.query;
    hidden = storage.store(*hidden->toMatrix(), NumberType::F32, Lies::InFile, 1, 0);
    const std::string path = storage.files().back().string();
    const Input input = inputOf({"w1 w2 w3 w4"});
    const TracePointer trace = traceOf(model, input);
    std::filesystem::resize_file(path, 20);
    const auto checkError = [&](const Error &error) {
        CHECK(error.what.text().find("truncated") != std::string::npos);
        CHECK(error.where == path);
        CHECK_FALSE(error.remedy.empty());
    };
    const auto failed = forward(model, input);
    REQUIRE_FALSE(failed.ok());
    checkError(failed.error());
    const auto ends = forward(model, input, nullptr, {}, Detail::Ends);
    REQUIRE_FALSE(ends.ok());
    checkError(ends.error());
    const auto slopes = backward(*trace, {randomSeed(random, *trace, "logits")}, false);
    REQUIRE_FALSE(slopes.ok());
    checkError(slopes.error());
    CHECK(slopes.error().what.text().find("layers.1.self_attention.query") != std::string::npos);
    // A pass must fail even if the edited stages do not read the file. Otherwise only a later pass
    // would fail, and it would be unclear whose numbers are shown.
    Model edited = model;
    Parameter &output = edited.parameters.main.layers[1].selfAttention.output;
    output = withCells(output, {{0, 0, 3.0f}});
    const auto after = forward(edited, input, trace);
    REQUIRE_FALSE(after.ok());
    checkError(after.error());
}

TEST_CASE("stages that are computed on demand are missing if the file is") {
    Random random(10);
    StoredParameters storage(random, freshFolder("demand"));
    Model model = smallLanguageModel(random);
    Parameter &query = model.parameters.main.layers[0].selfAttention.query;
    query = storage.store(*query->toMatrix(), NumberType::F16, Lies::InFile, 0, 0);
    const auto trace = valueOf(forward(model, inputOf({"w1 w2"}), nullptr, {}, Detail::Ends));
    std::filesystem::resize_file(storage.files().back(), 6);
    CHECK(trace->stage("layers.0.self_attention.query").isNull());
    const auto prepared = trace->prepared(Stage::Query);
    REQUIRE_FALSE(prepared.ok());
    CHECK(prepared.error().where == storage.files().back().string());
}

TEST_CASE("random edits give the results of a model with these numbers from scratch") {
    Index fewer = 0;
    for (std::uint64_t seed = 100; seed <= 175; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        StoredParameters storage(random, freshFolder("edited"));
        Model model = storedModel(random, storage, randomTransformer(random)).stored;
        const Input input = randomTransformerInput(random, model);
        auto trace = forward(model, input);
        if (!trace)
            continue;
        for (int edit = 0; edit < 8; ++edit) {
            const std::vector<ParameterId> ids = allParameters(model.parameters);
            Parameter &parameter = parameterOf(model.parameters, ids[random.next() % ids.size()]);
            if (!parameter)
                continue;
            std::vector<CellEdit> cells;
            for (Index count = between(random, 1, 3); count > 0; --count)
                cells.push_back(
                    {static_cast<std::uint32_t>(between(random, 0, parameter->rows() - 1)),
                     static_cast<std::uint32_t>(between(random, 0, parameter->columns() - 1)),
                     static_cast<float>(random.normal())});
            parameter = withCells(parameter, std::move(cells));
            const auto after = forward(model, input, *trace);
            const auto scratch = forward(model, input);
            REQUIRE(after.ok() == scratch.ok());
            if (!after)
                break;
            checkSameTrace(**after, **scratch);
            fewer += (*after)->recomputedNumbers() < (*scratch)->recomputedNumbers();
            trace = after;
        }
    }
    CHECK(fewer > 100);
}

TEST_CASE("an edit of a matrix that no head owns recomputes only its columns") {
    Random random(14);
    Model model = smallLanguageModel(random);
    model.config.feedForward = {32, Activation::Gelu, false};
    for (LayerParameters &layer : model.parameters.main.layers) {
        layer.feedForward.hidden = randomMatrix(random, 8, 32);
        layer.feedForward.output = randomMatrix(random, 32, 8);
    }
    const Input input = inputOf({"w1 w2 w3"});
    const TracePointer before = traceOf(model, input);
    Model edited = model;
    Parameter &hidden = edited.parameters.main.layers[1].feedForward.hidden;
    hidden = withCells(hidden, {{3, 7, 4.0f}});
    const TracePointer after = traceOf(edited, input, before);
    checkSameTrace(*after, *traceOf(edited, input));
    const Tensor is = after->stage("layers.1.feed_forward.hidden");
    const Tensor was = before->stage("layers.1.feed_forward.hidden");
    for (Index row = 0; row < 3; ++row)
        for (Index column = 0; column < 32; ++column)
            CHECK((is.view(0)(row, column) == was.view(0)(row, column)) == (column != 7));
    // The tied matrix at a word that is not in the text changes its logit and every probability.
    edited = model;
    edited.parameters.main.embeddings =
        withCells(edited.parameters.main.embeddings, {{9, 1, 5.0f}});
    const TracePointer tied = traceOf(edited, input, before);
    checkSameTrace(*tied, *traceOf(edited, input));
    const Index words = model.vocabulary->size();
    CHECK(tied->recomputedNumbers() == 3 * 8 + 3 * 1 + 3 * words);
}

TEST_CASE("an edit recomputes the head whose columns it is in, and undoing it recomputes nothing") {
    Random random(12);
    const Model model = smallLanguageModel(random);
    const Input input = inputOf({"w1 w2 w3"});
    const TracePointer before = traceOf(model, input);
    for (std::uint32_t head = 0; head < 4; ++head) {
        Model edited = model;
        Parameter &query = edited.parameters.main.layers[1].selfAttention.query;
        query = withCells(query, {{3, head * 8 + 2, 4.0f}});
        REQUIRE(query->hasBaseOf(*model.parameters.main.layers[1].selfAttention.query));
        const TracePointer after = traceOf(edited, input, before);
        CHECK(after->recomputedHeads() == 1);
        checkSameTrace(*after, *traceOf(edited, input));
        query = withCells(
            query, {{3, head * 8 + 2,
                     (*model.parameters.main.layers[1].selfAttention.query)(3, head * 8 + 2)}});
        CHECK(traceOf(edited, input, before)->recomputed().empty());
    }
    // The tied matrix at a word that is not in the text changes only the word's own logit.
    Model edited = model;
    edited.parameters.main.embeddings =
        withCells(edited.parameters.main.embeddings, {{9, 1, 5.0f}});
    const TracePointer after = traceOf(edited, input, before);
    CHECK(after->recomputedHeads() == 0);
    checkSameTrace(*after, *traceOf(edited, input));
}
