// Generation gives the same tokens as full forward passes, computes one row per step, and can be
// stopped.
#include "core/generation/end_token.h"
#include "core/generation/generator.h"
#include "core/generation/next_token.h"
#include "core_test.h"
#include "transformer/random_transformers.h"
#include "transformer/reference_model.h"

namespace {

constexpr Index kMaxTokens = 12;

std::vector<Index> idsOf(Generator &generator) {
    std::vector<Index> ids;
    for (;;) {
        const auto token = valueOf(generator.next());
        if (!token)
            return ids;
        ids.push_back(token->id);
    }
}

Result<std::vector<Index>> generated(const Model &model, const Input &input,
                                     const GenerationOptions &options) {
    auto generator = makeGenerator(model, input, options);
    if (!generator)
        return generator.error();
    return idsOf(*generator);
}

/// Generates with a full forward pass per token, from the last row of the logits. Takes a batch of
/// one sequence without padding. Stops when the text no longer fits.
std::vector<Index> slowly(const Model &model, Input input, const GenerationOptions &options) {
    std::vector<Index> ids;
    std::vector<std::string> tokens = textsOf((*input.batch)[0].tokens);
    for (Index n = 0; n < options.maximum; ++n) {
        const auto trace = forward(model, input, nullptr, {}, Detail::Everything);
        if (!trace)
            break;
        const SharedMatrix logits = (*trace)->matrix(Stage::Logits, {}, 0, 0);
        const ChosenToken chosen = chooseToken(logits.row(logits.rows - 1), options.sampling,
                                               logits.rows, model.vocabulary->idOf("[PAD]"));
        ids.push_back(chosen.id);
        tokens.push_back(model.vocabulary->word(chosen.id));
        std::vector<Index> types = (*input.batch)[0].tokenTypes;
        input.batch = *Batch::ofWords({tokens});
        if (!types.empty()) {
            types.push_back(types.back());
            input.batch = input.batch->withTokenTypes(0, types);
        }
    }
    return ids;
}

/// Generates until the text no longer fits.
std::vector<Index> untilFull(const Model &model, const Input &input,
                             const GenerationOptions &options) {
    auto generator = valueOf(makeGenerator(model, input, options));
    std::vector<Index> ids;
    for (auto token = generator.next(); token && *token; token = generator.next())
        ids.push_back((*token)->id);
    return ids;
}

Model languageModel(Index layers = 2) {
    Random random(8);
    Config config = languageConfig(16, 4, 4);
    config.keyValueHeads = 2;
    config.norm = {NormKind::RootMeanSquare, NormPosition::Before, 1e-5f, true, false};
    config.positions = Positions::Rotary;
    config.feedForward = {24, Activation::Silu, true};
    return drawnDecoder(random, config, smallVocabulary(), layers);
}

/// Returns how many numbers all computed stages have in one row, without stages over keys.
Index oneRowOfAll(const Model &model, const Input &input) {
    Index numbers = 0;
    const Plan plan = planOf(model, input);
    for (const Step &step : plan.steps())
        if (step.isOwn() && !step.isAside && !infoOf(step.at.stage).overKeys())
            numbers += step.heads() * step.shape.last(0);
    return numbers;
}

} // namespace

TEST_CASE("generation gives the same tokens as passes from scratch, for any model") {
    Random random(20261122);
    int compared = 0, refused = 0;
    Index tokens = 0;
    for (int trial = 0; trial < 500; ++trial) {
        CAPTURE(trial);
        Model model = randomTransformer(random);
        if (oneIn(random, 2))
            model.config.outputLayer.kind = OutputLayerKind::Language;
        Input input = randomTransformerInput(random, model);
        input.batch = input.batch->only(0);
        if (input.source)
            input.source = input.source->only(0);
        if (oneIn(random, 2))
            input.masks.insert(input.masks.begin(), CausalMask{});
        if (oneIn(random, 4))
            input.interventions = randomTransformerInterventions(random, model, input);
        GenerationOptions options{.maximum = kMaxTokens};
        if (oneIn(random, 2))
            options.sampling = {static_cast<float>(3 * random.uniform()), between(random, 0, 5),
                                random.next()};
        if (!Computable::of(model, input))
            continue;
        if (const auto generator = makeGenerator(model, input, options); !generator) {
            CHECK(model.config.outputLayer.kind != OutputLayerKind::Language);
            ++refused;
            continue;
        }
        const std::vector<Index> ids = untilFull(model, input, options);
        REQUIRE(ids == slowly(model, input, options));
        ++compared;
        tokens += std::ssize(ids);
    }
    CHECK(compared > 100);
    CHECK(refused > 50);
    CHECK(tokens > 1000);
}

TEST_CASE("a token of a causal text takes one row per step") {
    for (const Index layers : {0, 1, 3}) {
        CAPTURE(layers);
        const Model model = languageModel(layers);
        auto generator = valueOf(makeGenerator(model, causalText(20), {.maximum = 30}));
        REQUIRE(generator.next().ok());
        while (generator.count() < 30) {
            REQUIRE(generator.next().ok());
            CHECK(generator.numbersMade() == oneRowOfAll(model, generator.input()));
        }
    }
}

TEST_CASE("the encoder and the keys of its output are computed only once") {
    const auto document =
        readReference(referenceFiles("transformer").front().parent_path() / "marian.json");
    const Model model = transformerFrom(document.at("model"));
    const Input input = transformerInputFrom(document, model);
    auto generator = valueOf(makeGenerator(model, input, {.maximum = 12}));
    REQUIRE(generator.next().ok());
    const Input alone = generator.input();
    Index numbers = 0;
    const Plan plan = planOf(model, alone);
    for (const Step &step : plan.steps()) {
        const bool ofSource =
            step.at.attention.stack == Stack::Encoder ||
            (step.at.attention.block == Block::CrossAttention && infoOf(step.at.stage).ofKeys());
        if (step.isOwn() && !step.isAside && !infoOf(step.at.stage).overKeys() && !ofSource)
            numbers += step.heads() * step.shape.last(0);
    }
    while (generator.count() < 12) {
        REQUIRE(generator.next().ok());
        CHECK(generator.numbersMade() == numbers);
    }
}

TEST_CASE("only keys, values and what the output layer reads are kept") {
    const Model model = languageModel();
    auto generator = makeGenerator(model, causalText(9), {.maximum = 3});
    REQUIRE(idsOf(*generator).size() == 3);
    Index kept = 0;
    for (StepId id = 0; id < generator->trace()->plan().size(); ++id)
        if (generator->trace()->plan()[id].isOwn() && !generator->trace()->numbers(id).isNull())
            ++kept;
    CHECK(kept == 2 * 2 + 1);
    const Index tokens = generator->trace()->batch().length();
    CHECK(tokens == 9 + 2); // the last token has not been fed back
}

TEST_CASE("a text is the same in two parts, and the second part reuses the trace of the first") {
    const Model model = languageModel();
    const Sampling sampling{.temperature = 1.5f, .topK = 8, .seed = 4};
    const auto whole = generated(model, causalText(5), {.maximum = 20, .sampling = sampling});
    auto first = makeGenerator(model, causalText(5), {.maximum = 9, .sampling = sampling});
    std::vector<Index> ids = idsOf(*first);
    auto second =
        makeGenerator(model, first->input(), {.maximum = 11, .sampling = sampling}, first->trace());
    REQUIRE(second.ok());
    const auto token = valueOf(second->next());
    CHECK(second->numbersMade() == oneRowOfAll(model, second->input()));
    ids.push_back(token->id);
    const std::vector<Index> rest = idsOf(*second);
    ids.insert(ids.end(), rest.begin(), rest.end());
    CHECK(ids == *whole);
    CHECK(ids.size() == 20);
}

TEST_CASE("a batch's other sequences, and padding, change nothing") {
    const Model model = languageModel();
    Input input = inputOf({"w3 w4", "w1 w2 w3 w4 w5 w6", "w7"}, {CausalMask{}, PaddingMask{}});
    input.masks.emplace_back(CellMask{{{Index(1), 1, 0, false}, {Index(0), 1, 0, false}}});
    input.interventions.setScore({1, 0, 0, 3, 0, 2.f});
    input.interventions.setScore({2, 0, 0, 0, 0, 3.f});
    Input alone = inputOf({"w1 w2 w3 w4 w5 w6"}, {CausalMask{}, PaddingMask{}});
    alone.masks.emplace_back(CellMask{{{std::nullopt, 1, 0, false}}});
    alone.interventions.setScore({0, 0, 0, 3, 0, 2.f});
    const GenerationOptions options{.sequence = 1, .maximum = kMaxTokens};
    CHECK(*generated(model, input, options) == slowly(model, alone, options));
    CHECK_FALSE(makeGenerator(model, input, {.sequence = 3}).ok());
    CHECK_FALSE(makeGenerator(model, input, {.sequence = -1}).ok());
}

TEST_CASE("details of a generated token") {
    const Model model = languageModel();
    const Input input = causalText(7);
    auto generator =
        makeGenerator(model, input, {.sampling = {.temperature = 2, .seed = 1}, .likeliest = 4});
    const auto token = valueOf(generator->next());
    const TracePointer trace = traceOf(model, input);
    const SharedMatrix probabilities = trace->matrix(Stage::Probabilities, {}, 0, 0);
    CHECK(token->text == model.vocabulary->word(token->id));
    CHECK(token->probability == probabilities(6, token->id));
    CHECK(token->chance < 1);
    const std::vector<TopToken> expected = topTokens(*trace, 0, 6, 4);
    REQUIRE(token->likeliest.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(token->likeliest[i].word == expected[i].word);
        CHECK(token->likeliest[i].probability == expected[i].probability);
    }
    CHECK(generator->input().batch->length() == 8);
    CHECK((*generator->input().batch)[0].tokens.back().text == token->text);
}

TEST_CASE("generation ends at the end token, and at the maximum") {
    const Model model = languageModel();
    const Sampling sampling{.temperature = 2, .topK = 0, .seed = 5};
    const auto ids = generated(model, causalText(7), {.maximum = 15, .sampling = sampling});
    REQUIRE(ids->size() == 15);
    // The end token is the first one that differs from the token at the beginning.
    const auto place = std::ranges::find_if(*ids, [&](Index id) { return id != ids->front(); });
    REQUIRE(place != ids->end());
    auto generator =
        makeGenerator(model, causalText(7), {.maximum = 15, .sampling = sampling, .end = *place});
    const std::vector<Index> ended = idsOf(*generator);
    CHECK(ended == std::vector(ids->begin(), place + 1));
    CHECK_FALSE(*generator->next());
    CHECK(generated(model, causalText(7), {.maximum = 0})->empty());
    CHECK_FALSE(makeGenerator(model, causalText(7), {.maximum = -1}).ok());
    CHECK_FALSE(makeGenerator(model, causalText(7), {.end = model.vocabulary->size()}).ok());
}

TEST_CASE("the end token is found by its name") {
    const auto endOf = [](std::vector<std::string> words) {
        return endTokenOf(**Vocabulary::create(std::move(words)));
    };
    CHECK(endOf({"a", "[SEP]", "</s>"}) == 2);
    CHECK(endOf({"a", "[SEP]"}) == 1);
    CHECK(endOf({"<|endoftext|>", "</s>"}) == 0);
    CHECK_FALSE(endOf({"a", "b"}));
    CHECK_FALSE(endOf({"[UNK]", "b"})); // [UNK] does not end a text
}

TEST_CASE("[PAD] is never chosen") {
    Model model = languageModel();
    Matrix bias(1, model.vocabulary->size());
    bias(0, 0) = 1000;
    model.parameters.outputLayer.outputBias = makeParameter(std::move(bias));
    CHECK_FALSE(std::ranges::count(*generated(model, causalText(5), {.maximum = 10}), 0));
    CHECK_FALSE(std::ranges::count(
        *generated(model, causalText(5), {.maximum = 10, .sampling = {.temperature = 5}}), 0));
}

TEST_CASE("generation can be stopped between tokens and inside a pass, and resumes there") {
    const Model model = languageModel();
    const auto ids = generated(model, causalText(30), {.maximum = 5});
    auto generator = makeGenerator(model, causalText(30), {.maximum = 5});
    CHECK((*generator->next())->id == ids->at(0));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = generator->next(stop.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().what == "cancelled");
    CHECK(generator->count() == 1);
    CHECK(idsOf(*generator) == std::vector(ids->begin() + 1, ids->end()));
}

TEST_CASE("a text that becomes too long for the model gives an error") {
    Model model = languageModel();
    model.config.positions = Positions::Learned;
    Random random(2);
    model.parameters.main.positions = randomMatrix(random, 10, 16);
    auto generator = valueOf(makeGenerator(model, causalText(8), {.maximum = 10}));
    for (int i = 0; i < 3; ++i) // the last position still predicts one token
        REQUIRE(generator.next().ok());
    const auto full = generator.next();
    REQUIRE_FALSE(full.ok());
    CHECK(full.error().text() == "batch: 11 tokens are more than the model has learned positions "
                                 "for; use at most 10 tokens");
    CHECK(generator.count() == 3);
}

TEST_CASE("models that do not predict the next token are refused with a reason") {
    const auto refusalOf = [](OutputLayerKind kind) {
        Model model = languageModel();
        model.config.outputLayer.kind = kind;
        const Outcome outcome = canWrite(model);
        return outcome ? std::string() : outcome.error().what.text();
    };
    CHECK(refusalOf(OutputLayerKind::None) == "it has no output layer, so it predicts no words");
    CHECK(refusalOf(OutputLayerKind::MaskedLanguage) ==
          "it predicts masked words, not the next one");
    CHECK(refusalOf(OutputLayerKind::Classifier) ==
          "it predicts the class of a text, not the next word");
    Model headless = languageModel();
    headless.config.outputLayer.kind = OutputLayerKind::None;
    headless.parameters.outputLayer = {};
    CHECK(makeGenerator(headless, causalText(3), {}).error().what.text() ==
          refusalOf(OutputLayerKind::None));
    Model silent = languageModel();
    silent.vocabulary = nullptr;
    CHECK(makeGenerator(silent, causalText(3), {}).error().where == "model.vocabulary");
    Input own = causalText(3);
    own.batch = own.batch->withEmbeddings(0, makeParameter(Matrix(3, 16)));
    CHECK(makeGenerator(languageModel(), own, {}).error().what ==
          "the sequence has its own vectors, and a new token would have none");
}

TEST_CASE("PyTorch generates the same in float64") {
    const auto folder = referenceFiles("transformer").front().parent_path();
    const auto expected = readReference(folder.parent_path() / "generation.json");
    CHECK(expected.size() >= 15);
    for (const auto &[name, of] : expected.items()) {
        CAPTURE(name);
        const auto document = readReference(folder / (name + ".json"));
        const Model model = transformerFrom(document.at("model"));
        const auto theirs = of.at("ids").get<std::vector<Index>>();
        CHECK(untilFull(model, transformerInputFrom(document, model),
                        {.maximum = std::ssize(theirs)}) == theirs);
    }
}
