// The models in resources/models. The note next to each file records how the model was trained. The
// answers are right, and the attention is on the tokens that determine them.
#include "core/formats/session/data/session.h"
#include "core/generation/next_token.h"
#include "core/training/run/held_out_examples.h"
#include "core/training/tasks/batch_of.h"
#include "core/training/tasks/origin_weights.h"
#include "core_test.h"

namespace {

const std::filesystem::path kFolder = std::filesystem::path(HEADLIGHT_LESSONS) / "../models";

std::string contentOf(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

struct MadeModel {
    std::string name;
    Session session;
    nlohmann::json note;
    TaskPointer task;
    Input masks{};
};

std::vector<MadeModel> madeModels() {
    std::vector<MadeModel> models;
    for (const char *name :
         {"induction", "which-bank", "it", "number-words", "sentiment", "tales"}) {
        const auto path = kFolder / (std::string(name) + ".headlight");
        auto session = readSession(contentOf(path));
        REQUIRE_MESSAGE(session.ok(), name << ": " << (session ? "" : session.error().text()));
        REQUIRE(session->training);
        CHECK(session->warnings.empty());
        MadeModel made{name, *std::move(session),
                       nlohmann::json::parse(contentOf(kFolder / (std::string(name) + ".json"))),
                       nullptr};
        made.task = findTask(made.session.training->recipe.task);
        REQUIRE(made.task);
        made.masks = masksOf(made.task->info(), made.session.training->recipe.architecture);
        models.push_back(std::move(made));
    }
    return models;
}

double accuracyOf(const MadeModel &made, Index examples) {
    const TaskInfo &info = made.task->info();
    auto pass =
        TrainingPass::create(made.session.model, made.masks, {64, info.length, info.sourceLength});
    REQUIRE(pass.ok());
    AlignedNumbers weights(pass->parameters().size());
    REQUIRE(pass->parameters().read(made.session.model.parameters, weights.data()).ok());
    HeldOutExamples heldOut(*made.task, {}, examples);
    return heldOut.measure(*pass, weights.data(), {})->accuracy;
}

std::vector<double> shares(const MadeModel &made, AttentionId attention) {
    return valueOf(sharesOnOrigins(*made.task, made.session.model, made.masks, attention, 200));
}

} // namespace

TEST_CASE("each model was trained with its task's full recipe, and the note next to it says so") {
    for (const MadeModel &made : madeModels()) {
        CAPTURE(made.name);
        const TrainingRun &run = *made.session.training;
        Recipe recipe = made.task->info().recipe;
        recipe.seed = run.recipe.seed;
        CHECK(run.recipe == recipe);
        CHECK(run.step == recipe.steps);
        CHECK(run.firstMoment.main.embeddings); // so that training can continue
        CHECK(made.note["recipe"]["task"] == recipe.task);
        CHECK(made.note["recipe"]["seed"] == recipe.seed);
        CHECK(made.note["recipe"]["steps"] == recipe.steps);
        CHECK(made.note["command"] == "headlight train " + recipe.task + " --seed " +
                                          std::to_string(recipe.seed) + " -o " + made.name +
                                          ".headlight");
        CHECK(std::filesystem::file_size(kFolder / (made.name + ".headlight")) <
              (made.name == "tales" ? 1'500'000 : 400'000));
    }
}

TEST_CASE("the parameters of the tales are 16-bit floats, those of other models 32-bit floats") {
    for (const MadeModel &made : madeModels()) {
        CAPTURE(made.name);
        const bool isHalf = made.name == "tales";
        CHECK(made.note.value("numbers", "F32") == (isHalf ? "F16" : "F32"));
        std::size_t matrices = 0;
        const std::function<void(const nlohmann::json &)> check = [&](const nlohmann::json &part) {
            if (part.contains("base64")) {
                ++matrices;
                CHECK(part.value("type", "F32") == (isHalf ? "F16" : "F32"));
            } else if (part.is_structured()) {
                for (const nlohmann::json &inner : part)
                    check(inner);
            }
        };
        check(nlohmann::json::parse(made.session.json)["model"]);
        CHECK(matrices > 10);
    }
}

TEST_CASE("each model answers held-out examples right as often as the note next to it says") {
    for (const MadeModel &made : madeModels()) {
        CAPTURE(made.name);
        const Index examples = made.note["held_out"]["examples"];
        const double accuracy = accuracyOf(made, examples);
        CHECK(accuracy >= (made.name == "tales"          ? 0.95
                           : made.name == "number-words" ? 0.98
                                                         : 0.99));
        CHECK(accuracy ==
              doctest::Approx(made.note["held_out"]["accuracy"].get<double>()).epsilon(1e-4));
    }
}

TEST_CASE("each model's attention is on the tokens that determine its answers") {
    struct Least {
        AttentionId attention;
        double share;
    };
    const AttentionId cross(0, Block::CrossAttention, Stack::Decoder);
    const std::map<std::string, Least> least{{"it", {AttentionId(1), 0.95}},
                                             {"number-words", {cross, 0.9}},
                                             {"induction", {AttentionId(1), 0.95}},
                                             {"which-bank", {AttentionId(0), 0.95}}};
    for (const MadeModel &made : madeModels()) {
        CAPTURE(made.name);
        if (const auto of = least.find(made.name); of != least.end())
            for (const double share : shares(made, of->second.attention))
                CHECK(share >= of->second.share);
        if (made.name == "it")
            for (const double share : shares(made, AttentionId(0))) // the first layer
                CHECK(share < 0.9);
    }
}

TEST_CASE("a prediction is the next token only if the task asks for that") {
    for (const MadeModel &made : madeModels()) {
        CAPTURE(made.name);
        const Model &model = made.session.model;
        const bool writes =
            made.name == "induction" || made.name == "number-words" || made.name == "tales";
        CHECK(model.saysNext() == writes);
        CHECK(canWrite(model).ok() == writes);
        CHECK(model.answersInPlace == (made.name == "it"));
        const auto first =
            initialModel(made.task->info(), made.session.training->recipe.architecture, 1);
        REQUIRE(first.ok());
        CHECK(first->saysNext() == writes);
    }
    CHECK(findTask("previous-token")->info().answersInPlace);
}

TEST_CASE("no held-out example gives no loss and no accuracy, not the best ones") {
    for (const TaskPointer &task : allTasks()) {
        const TaskInfo &info = task->info();
        CAPTURE(info.id);
        const Architecture &architecture = info.recipe.architecture;
        const auto model = valueOf(initialModel(info, architecture, 1));
        auto pass = valueOf(TrainingPass::create(model, masksOf(info, architecture),
                                                 {1, info.length, info.sourceLength}));
        AlignedNumbers weights(pass.parameters().size());
        REQUIRE(pass.parameters().read(model.parameters, weights.data()).ok());
        const auto none = HeldOutExamples(*task, architecture, 0).measure(pass, weights.data(), {});
        REQUIRE(none);
        CHECK(std::isnan(none->loss));
        CHECK(std::isnan(none->accuracy));
        const auto one =
            valueOf(HeldOutExamples(*task, architecture, 1).measure(pass, weights.data(), {}));
        CHECK(std::isfinite(one.loss));
        CHECK(std::isfinite(one.accuracy));
    }
}

TEST_CASE("a head's measure is the mean over the held-out examples that have it") {
    int partly = 0;
    for (const TaskPointer &task : allTasks()) {
        CAPTURE(task->info().id);
        const Architecture &architecture = task->info().recipe.architecture;
        const auto model = valueOf(initialModel(task->info(), architecture, 1));
        const Input masks = masksOf(task->info(), architecture);
        const AttentionId attention = model.attentions().front();
        // Sum and number of examples for each head and measure.
        std::map<std::pair<std::size_t, std::size_t>, std::pair<double, int>> sums;
        for (const Example &example : heldOutOf(*task, 4)) {
            const auto input = valueOf(inputOf(example, model, masks));
            const auto trace = valueOf(forward(model, input));
            const Sequence &read = input.queries(attention)[0];
            const auto measures =
                headMeasures(trace->stage(Stage::AttentionWeights, attention),
                             {0, read.length, earlierPlaces(repeatedSequenceIn(read)),
                              &trace->mask(0, attention), attention.block});
            for (std::size_t head = 0; head < measures.size(); ++head)
                for (std::size_t i = 0; i < kHeadMeasures.size(); ++i)
                    if (const auto value = measures[head].*kHeadMeasures[i]) {
                        sums[{head, i}].first += *value;
                        ++sums[{head, i}].second;
                    }
        }
        const auto means = valueOf(HeldOutExamples(*task, architecture, 4).heads(model, masks, {}));
        const std::vector<HeadMeasures> &heads = means.front();
        for (std::size_t head = 0; head < heads.size(); ++head)
            for (std::size_t i = 0; i < kHeadMeasures.size(); ++i) {
                const auto mean = heads[head].*kHeadMeasures[i];
                const auto &[sum, count] = sums[{head, i}];
                CAPTURE(head);
                CAPTURE(i);
                REQUIRE(mean.has_value() == (count > 0));
                if (mean)
                    CHECK(*mean == doctest::Approx(sum / count));
                partly += count > 0 && count < 4;
            }
    }
    CHECK(partly > 0); // otherwise a mean over all four examples would pass
}
