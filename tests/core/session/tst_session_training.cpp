// A session with the training run of its model's parameters: exact round trip, and errors if the
// run does not fit.
#include "core/checks/session_check.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"
#include "core/random.h"
#include "core/tensor/number_formats.h"
#include "core/training/recipe/recipe.h"
#include "core/training/tasks/batch_of.h"
#include "core/training/tasks/own_text.h"
#include "core/training/tasks/task.h"
#include "core_test.h"
#include "support.h"

namespace {

/// Returns random parameters whose numbers need all their digits when written as text.
ModelParameters drawnLike(const ModelParameters &weights, std::uint64_t seed) {
    Random random(seed);
    ModelParameters drawn = weights;
    for (const ParameterId &id : allParameters(weights)) {
        const Parameter &parameter = parameterOf(weights, id);
        if (!parameter)
            continue;
        Matrix matrix(parameter->rows(), parameter->columns());
        for (Index row = 0; row < matrix.rows(); ++row)
            for (float &number : matrix.view().row(row))
                number = static_cast<float>(random.normal() * 1e-3);
        parameterOf(drawn, id) = makeParameter(std::move(matrix));
    }
    return drawn;
}

TrainingRun someRun(const Model &model) {
    TrainingRun run;
    run.recipe.task = "repeat";
    run.recipe.architecture = {
        1,     2,     2,    0, Activation::Silu, Positions::Rotary, NormKind::RootMeanSquare,
        false, false, false};
    run.recipe.optimizer = {
        OptimizerKind::Sgd, 0.1f, 0.8f, 0.95f, 1e-7f, 0.5f, 0.0f, 0.0f, 7, false};
    run.recipe.batch = 5;
    run.recipe.steps = 900;
    run.recipe.seed = std::uint64_t(1) << 53;
    run.step = 3;
    run.firstMoment = drawnLike(model.parameters, 1);
    run.secondMoment = drawnLike(model.parameters, 2);
    const auto point = [](Index step, double loss, double accuracy, double rate, double length) {
        HistoryPoint made;
        made.step = step;
        made.isStep = true;
        made.loss = loss;
        made.accuracy = accuracy;
        made.learningRate = rate;
        made.gradientLength = length;
        return made;
    };
    run.history = {point(0, 1.0 / 3, 0, 1e-5, 2.5), point(1, 0.1 + 0.2, 0.25, 2e-5, 1e-300),
                   point(2, 0.2, 0.5, 3e-5, 1), HistoryPoint()};
    run.history[1].heldOut = HeldOut{std::log(7.0), 1.0 / 7};
    run.history[3].step = 3; // a measurement after the last step
    run.history[3].heldOut = HeldOut{0.125, 1};
    // The second head has no measure, which is written as null, not 0.
    run.history[3].heads = {{{0.1, 2.0 / 3, 0.0, 1.0, 0.25, 0.125}, {}}};
    return run;
}

void checkSame(const ModelParameters &a, const ModelParameters &b) {
    for (const ParameterId &id : allParameters(a))
        CHECK(sameNumbers(parameterOf(a, id), parameterOf(b, id)));
}

/// Compares every bit, since the text of a double is exact.
void checkSame(const TrainingRun &a, const TrainingRun &b) {
    CHECK(written(a) == written(b));
    CHECK(a.recipe == b.recipe);
    CHECK(a.step == b.step);
    checkSame(a.firstMoment, b.firstMoment);
    checkSame(a.secondMoment, b.secondMoment);
    REQUIRE(a.history.size() == b.history.size());
    for (std::size_t i = 0; i < a.history.size(); ++i) {
        CHECK(a.history[i].step == b.history[i].step);
        CHECK(a.history[i].isStep == b.history[i].isStep);
        CHECK(a.history[i].loss == b.history[i].loss);
        CHECK(a.history[i].accuracy == b.history[i].accuracy);
        CHECK(a.history[i].learningRate == b.history[i].learningRate);
        CHECK(a.history[i].gradientLength == b.history[i].gradientLength);
        CHECK(a.history[i].heldOut == b.history[i].heldOut);
        CHECK(a.history[i].heads == b.history[i].heads);
    }
}

Session plain() {
    Json json = smallSession();
    json.erase("now");
    json.erase("lesson");
    return read(json.dump());
}

std::string writtenWith(const Session &session, const TrainingRun &run) {
    return writeNewSession(session, session.model, session.input, session.minimumLength,
                           session.view, 0, &run);
}

/// Returns a trained session for tests to change.
Json trainedDocument() {
    const Session session = plain();
    return Json::parse(writtenWith(session, someRun(session.model)));
}

std::string errorOf(Json document, const char *pointer, const Json &value) {
    document[Json::json_pointer(std::string("/training") + pointer)] = value;
    const auto session = readSession(document.dump());
    return session ? "" : session.error().text();
}

/// Checks changes of a trained session, one at a time, and the places of their errors.
auto changesOf(const Json &good) {
    return [&good](const char *pointer, const Json &value, const std::string &where) {
        const std::string error = errorOf(good, pointer, value);
        CAPTURE(pointer);
        CAPTURE(error);
        CHECK(error.starts_with("training" + where));
    };
}

/// Returns the first example of the run's task, which is not trained on, as an input.
Input exampleFor(const TaskPointer &task, const Recipe &recipe, const Model &model) {
    const Example example = examplesOf(*task, Split::HeldOut, 0, 0, 1).front();
    return *inputOf(example, model, masksOf(task->info(), recipe.architecture));
}

} // namespace

TEST_CASE("a run is written and read to the last bit") {
    const Session session = plain();
    const TrainingRun run = someRun(session.model);
    const std::string written = writtenWith(session, run);
    CHECK(written.find("\"headlight\": 2") != std::string::npos);
    const Session again = read(written);
    CHECK(again.warnings.empty());
    REQUIRE(again.training);
    checkSame(*again.training, run);
    for (const ParameterId &id : allParameters(session.model.parameters))
        CHECK(sameNumbers(parameterOf(again.model.parameters, id),
                          parameterOf(session.model.parameters, id)));
    CHECK(writtenWith(again, *again.training) == written);
    CHECK(checkSession(written).empty());
}

TEST_CASE("training since then is in `now`, and Reset returns to the file's own run") {
    const Session session = read(trainedDocument().dump());
    auto further = std::make_shared<TrainingRun>(*session.training);
    further->step = 4;
    further->firstMoment = drawnLike(session.model.parameters, 9);
    SavedState now;
    now.training = further;
    const std::string written = writeSession(session, now);
    const Session again = read(written);
    REQUIRE(again.now);
    REQUIRE(again.now->training);
    checkSame(*again.now->training, *further);
    checkSame(*again.training, *session.training);
    CHECK(writeSession(again, *again.now) == written);
    CHECK(writeSession(again, {}) == session.json); // without `now`, the original bytes are written

    // A session without a run gets one, and file version 2.
    const Session untrained = plain();
    const Session begun = read(writeSession(untrained, now));
    CHECK_FALSE(begun.training);
    checkSame(*begun.now->training, *further);
    CHECK(begun.json.find("\"headlight\":2") != std::string::npos);
}

TEST_CASE("a run without moments starts over, and a short recipe has the default values") {
    Json document = trainedDocument();
    document["training"] = Json::parse(R"({"recipe": {"task": "sort"}})");
    const Session session = read(document.dump());
    REQUIRE(session.training);
    Recipe usual;
    usual.task = "sort";
    CHECK(session.training->recipe == usual);
    CHECK(session.training->step == 0);
    CHECK(session.training->history.empty());
    CHECK_FALSE(session.training->firstMoment.main.layers.at(0).selfAttention.query);
}

TEST_CASE("mismatches are reported at their field") {
    const Json good = trainedDocument();
    const auto says = changesOf(good);
    CHECK(errorOf(good, "/step", 4).empty());
    says("", 1, ":");
    says("/recipe", Json::object(), ".recipe.task:");
    says("/first_moment", Json::object(), ".first_moment.layers.0.self_attention.query:");
    says("/first_moment/layers.0.self_attention.query", Json::parse("[[1, 2]]"),
         ".first_moment.layers.0.self_attention.query:");
    says("/first_moment/layers.0.self_attention.query",
         Json::parse(R"({"base64": "AACAfwAAgH8AAIB/AACAfw==", "rows": 2, "columns": 2})"),
         ".first_moment.layers.0.self_attention.query.base64:"); // infinity
    says("/second_moment/final_norm_gain", Json::parse("[1, 2]"),
         ".second_moment.final_norm_gain:"); // a parameter that the model does not have
    says("/history/step", Json::parse("[0, 1, 1]"), ".history.step[2]:");
    says("/history/step", std::vector<int>(4001, 0), ".history.step:");
    says("/history/loss", Json::parse("[1, 2]"), ".history.loss:");
    says("/history/loss/1", "x", ".history.loss[1]:");
    says("/history/held_out/step", Json::parse("[2]"), ".history.held_out.loss:");
    says("/history/held_out/accuracy", Json::parse("[]"), ".history.held_out.accuracy:");
    says("/history/heads/measures", Json::parse("[]"), ".history.heads.measures:");
    says("/history/heads/measures/0", Json::parse("[]"), ".history.heads.measures[0]:");
    says("/history/heads/measures/0/0", Json::parse("[[1,2,3,4,5,6]]"),
         ".history.heads.measures[0][0]:");
    says("/history/heads/measures/0/0/1", Json::parse(R"([1, "x", 3, 4, 5, 6])"),
         ".history.heads.measures[0][0][1][1]:");
    Json without = good;
    without["training"].erase("first_moment");
    CHECK(readSession(without.dump()).error().where == "training.first_moment");
    // All errors are listed.
    Json several = good;
    several["training"]["recipe"]["batch"] = 0;
    several["training"]["history"]["loss"] = 1;
    CHECK(checkSession(several.dump()).size() == 2);
}

TEST_CASE("moments count among the numbers of a session") {
    // 2 × 256 MB of moments, described in a few bytes, are refused before any is allocated.
    Json document = Json::parse(R"({"headlight": 2, "batch": {"sequences": [{"text": "a"}]},
        "model": {"width": 8192, "heads": 1, "head_size": 1, "layers": [{"self_attention": {
            "query": {"identity": 1}, "key": {"identity": 1}, "value": {"identity": 1},
            "output": {"constant": 0}}, "feed_forward": {
            "hidden": {"constant": 0}, "output": {"constant": 0}}}],
            "feed_forward": {"width": 2100}},
        "training": {"recipe": {"task": "repeat"}, "first_moment": {}}})");
    Json moment;
    for (const char *name : {"query", "key", "value", "output"})
        moment[std::string("layers.0.self_attention.") + name] = {{"constant", 0}};
    for (const char *name : {"hidden", "output"})
        moment[std::string("layers.0.feed_forward.") + name] = {{"constant", 0}};
    document["training"]["first_moment"] = moment;
    const auto session = readSession(document.dump());
    REQUIRE_FALSE(session);
    CHECK(session.error().text().find("256 MB") != std::string::npos);
}

TEST_CASE("if no file can store a number, its point of the history is dropped, but not the run") {
    const Session session = plain();
    TrainingRun run = someRun(session.model);
    run.history[1].gradientLength = std::numeric_limits<double>::infinity();
    const Session again = read(writtenWith(session, run));
    REQUIRE(again.training->history.size() == 3);
    CHECK(again.training->history[1].step == 2);
}

namespace {

/// Returns an ablation study after its first steps, with made-up numbers, as Headlight could have
/// written it.
TrainingRun someRace(const Model &model, const Recipe &recipe, Ablation which) {
    TrainingRun run;
    run.recipe = recipe;
    run.step = 2;
    run.firstMoment = drawnLike(model.parameters, 1);
    run.secondMoment = drawnLike(model.parameters, 5);
    AblatedRun ablated = **firstAblatedRun(recipe, which, findTask(recipe.task)->info());
    ablated.state.model.parameters = drawnLike(ablated.state.model.parameters, 2);
    ablated.state.step = 1;
    ablated.state.firstMoment = drawnLike(ablated.state.model.parameters, 3);
    ablated.state.secondMoment = drawnLike(ablated.state.model.parameters, 4);
    HistoryPoint &point = ablated.state.history.emplace_back();
    point.isStep = true;
    point.loss = 1.0 / 3;
    point.heldOut = HeldOut{0.1, 2.0 / 3, 1.0 / 7};
    run.ablated = std::make_shared<const AblatedRun>(std::move(ablated));
    return run;
}

Recipe racingRecipe() {
    Recipe recipe;
    recipe.task = "sort";
    recipe.architecture.layers = 1;
    recipe.architecture.width = 4;
    recipe.architecture.feedForward = 8;
    return recipe;
}

std::string writtenRace(const TrainingRun &run, const Model &model) {
    const Input input = exampleFor(findTask(run.recipe.task), run.recipe, model);
    return writeNewSession({"A race"}, model, input, 0, {}, 0, &run);
}

Model modelOf(const Recipe &recipe) {
    return *initialModel(findTask(recipe.task)->info(), recipe.architecture, recipe.seed);
}

} // namespace

TEST_CASE("the parameters of a trained model can be written as 16-bit floats") {
    const Recipe recipe = racingRecipe();
    Model model = modelOf(recipe);
    model.parameters = drawnLike(model.parameters, 4);
    TrainingRun run;
    run.recipe = recipe;
    run.firstMoment = drawnLike(model.parameters, 5);
    run.secondMoment = drawnLike(model.parameters, 6);
    const Input input = exampleFor(findTask(recipe.task), recipe, model);
    const std::string whole = writeNewSession({}, model, input, 0, {}, 0, &run);
    const std::string half = writeNewSession({}, model, input, 0, {}, 0, &run, NumberType::F16);
    CHECK(half.size() < whole.size());
    const Session session = read(half);
    for (const ParameterId &id : allParameters(model.parameters)) {
        const Parameter &before = parameterOf(model.parameters, id);
        const Parameter &after = parameterOf(session.model.parameters, id);
        REQUIRE((before != nullptr) == (after != nullptr));
        if (!before)
            continue;
        CAPTURE(nameOf(id));
        REQUIRE(after->rows() == before->rows());
        REQUIRE(after->columns() == before->columns());
        for (Index row = 0; row < before->rows(); ++row)
            for (Index column = 0; column < before->columns(); ++column)
                REQUIRE((*after)(row, column) == halfToFloat(floatToHalf((*before)(row, column))));
    }
    checkSame(session.training->firstMoment, run.firstMoment); // these stay floats of 32 bits
    checkSame(session.training->secondMoment, run.secondMoment);
}

TEST_CASE("a trained model of 25 000 numbers takes less than 400 KB") {
    Recipe recipe;
    recipe.task = "repeat";
    Model model = modelOf(recipe);
    model.parameters = drawnLike(model.parameters, 4);
    TrainingRun run;
    run.recipe = recipe;
    for (Index step = 0; step < 700; ++step) {
        HistoryPoint &point = run.history.emplace_back();
        point.step = step;
        point.isStep = true;
        point.loss = 1.0 / static_cast<double>(step + 3);
        point.learningRate = 1e-3 / 7;
        point.gradientLength = 0.3;
    }
    CHECK(parameterCount(model) > 24000);
    const std::string written = writtenRace(run, model);
    CHECK(written.size() < 400'000);
    // An unchanged session is saved with the same text. The user's changes are stored separately.
    const Session opened = read(written);
    CHECK(writeSession(opened, {}) == written);
    SavedState now;
    now.show.head = 1;
    CHECK(writeSession(opened, now).size() < written.size() + 100);
}

TEST_CASE("an ablation study is written and read with both runs, to the last bit") {
    const Recipe recipe = racingRecipe();
    const Model model = modelOf(recipe);
    for (const Ablation which : kAblations) {
        CAPTURE(idOf(which));
        const TrainingRun run = someRace(model, recipe, which);
        const std::string written = writtenRace(run, model);
        const Session again = read(written);
        CHECK(again.warnings.empty());
        REQUIRE(again.training);
        checkSame(*again.training, run);
        REQUIRE(again.training->ablated);
        const AblatedRun &ablated = *again.training->ablated, &was = *run.ablated;
        CHECK(ablated.ablation == which);
        CHECK(ablated.state.recipe == was.state.recipe);
        CHECK(ablated.state.step == 1);
        CHECK(ablated.state.model.config == was.state.model.config);
        checkSame(was.state.model.parameters, ablated.state.model.parameters);
        checkSame(was.state.firstMoment, ablated.state.firstMoment);
        checkSame(was.state.secondMoment, ablated.state.secondMoment);
        REQUIRE(ablated.state.history.size() == 1);
        CHECK(ablated.state.history[0].heldOut == was.state.history[0].heldOut);
    }
}

TEST_CASE("an ablated run that does not fit is reported at its field") {
    const Recipe recipe = racingRecipe();
    const Model model = modelOf(recipe);
    const Json good = Json::parse(writtenRace(someRace(model, recipe, Ablation::NoNorm), model));
    CHECK(errorOf(good, "/rival/step", 2).empty());
    const auto says = changesOf(good);
    says("/rival", 1, ".rival:");
    says("/rival/switch", "all", ".rival.switch:");
    says("/rival/switch", "four-heads",
         ".rival."); // this ablation keeps the norm, whose parameters are missing
    says("/rival/step", -1, ".rival.step:");
    says("/rival/parameters", Json::object(), ".rival.parameters.token_embeddings:");
    says("/rival/parameters/final_norm_gain", Json::parse("[1, 2, 3, 4]"),
         ".rival.parameters.final_norm_gain:");
    says("/rival/first_moment", Json::object(), ".rival.first_moment.token_embeddings:");
    says("/rival/history/loss", Json::parse("[]"), ".rival.history.loss:");
    says("/rival/history/held_out/written", Json::parse("[1, 2]"),
         ".rival.history.held_out.written:");
    // An ablation that the recipe already includes is refused, and so is a huge model in a small
    // file.
    says("/recipe/architecture/norm", "none", ".rival.switch:");
    says("/recipe/architecture/width", 16384, ".rival:");
    says("/recipe/architecture/layers", 256, ".rival:");
    says("/recipe/architecture/feed_forward", 65536, ".rival:");
    // The ablated run of another program's task is unknown.
    Json other = good;
    other["training"]["recipe"]["task"] = "of another program";
    const Session session = read(other.dump());
    REQUIRE(session.training);
    CHECK_FALSE(session.training->ablated);
}

namespace {

std::string ownLines() {
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += "line " + std::to_string(i) + " of \"a text\".\n";
    return text;
}

/// Returns a run that trains on these lines, at its first step.
TrainingRun ownRun(const TaskPointer &task) {
    TrainingRun run;
    run.recipe = task->info().recipe;
    run.recipe.architecture.width = 8;
    run.recipe.architecture.feedForward = 0;
    run.ownText = task;
    return run;
}

std::string ownDocument() {
    const TaskPointer task = *ownTextTask(ownLines(), TextUnits::Characters);
    const TrainingRun run = ownRun(task);
    const Model model = *initialModel(task->info(), run.recipe.architecture, 1);
    return writeNewSession({"a text"}, model, exampleFor(task, run.recipe, model), 0, {}, 0, &run);
}

} // namespace

TEST_CASE("a user's own text is stored in the session, once") {
    const auto session = readSession(ownDocument());
    REQUIRE(session.ok());
    REQUIRE(session->training->ownText);
    const Task &task = *session->training->ownText;
    CHECK(task.info().id == "characters");
    REQUIRE(keptTextOf(task));
    CHECK(*keptTextOf(task) == ownLines());
    // A later checkpoint of the run uses the session's text.
    TrainingRun later = *session->training;
    later.step = 7;
    const SavedState now{0, {}, {}, {}, std::make_shared<const TrainingRun>(later)};
    const std::string written = writeSession(*session, now);
    CHECK(written.size() < session->json.size() + ownLines().size());
    const auto again = valueOf(readSession(written));
    REQUIRE(again.now->training->ownText);
    CHECK(again.now->training->step == 7);
    CHECK(keptTextOf(*again.now->training->ownText));
    // If the session has no text, the checkpoint stores it.
    const std::string without = withoutOwnText(session->json);
    CHECK(without.find("line 7 of") == std::string::npos);
    const auto bare = valueOf(readSession(without));
    CHECK_FALSE(bare.training->ownText);
    const auto given = valueOf(readSession(writeSession(bare, now)));
    CHECK_FALSE(given.training->ownText);
    CHECK(given.now->training->ownText);
}

TEST_CASE("an invalid text in a session is refused") {
    const Json good = Json::parse(ownDocument());
    const auto refusal = [&good](const Json &text, const char *task = "characters") {
        Json changed = good;
        changed["training"]["text"] = text;
        changed["training"]["recipe"]["task"] = task;
        const auto session = readSession(changed.dump());
        return session ? std::string() : session.error().text();
    };
    CHECK(refusal(ownLines()).empty());
    for (const Json &bad :
         {Json(1), Json(""), Json("a"), Json(std::string(1000, 'a')),
          Json(ownLines() + std::string(1, '\0')), Json(std::string(kMaxKeptTextBytes + 1, 'a'))}) {
        const std::string said = refusal(bad);
        CHECK(said.starts_with("training.text:"));
    }
    CHECK(refusal(ownLines(), "repeat").starts_with("training.text:"));
    // The text does not match the model's vocabulary, so it is dropped, and the session still
    // opens.
    Json other = good;
    other["training"]["text"] = ownLines() + "Ψ";
    const auto session = valueOf(readSession(other.dump()));
    CHECK_FALSE(session.training->ownText);
    REQUIRE(session.warnings.size() == 1);
    CHECK(session.warnings[0].where == "training.text");
}
