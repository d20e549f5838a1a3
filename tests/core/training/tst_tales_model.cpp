// The model of the tales in resources/models, and the measurement of a model on its task.
#include "core/formats/session/data/session.h"
#include "core/training/run/task_measurement.h"
#include "core/training/tasks/batch_of.h"
#include "core/training/tasks/tale_words.h"
#include "core/transformer/run/forward.h"
#include "core_test.h"

namespace {

const std::filesystem::path kModels = std::filesystem::path(HEADLIGHT_LESSONS) / "../models";

std::string fileOf(const std::string &name) {
    std::ifstream file(kModels / name, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

struct Trained {
    Session session;
    TaskPointer task;
    const Recipe &recipe() const { return session.training->recipe; }
};

Trained trained(const std::string &name) {
    Trained model{test::valueOf(readSession(fileOf(name + ".headlight"))), nullptr};
    REQUIRE(model.session.training);
    model.task = findTask(model.recipe().task);
    REQUIRE(model.task);
    return model;
}

const MeasuredHead &strongest(const TaskMeasurement &measured,
                              std::optional<double> MeasuredHead::*measure) {
    return *std::ranges::max_element(
        measured.heads, {}, [measure](const MeasuredHead &head) { return *(head.*measure); });
}

/// Computes the mean −ln p of the targets with the engine, with a head silenced by an intervention.
double lossOf(const Trained &trained, const std::vector<Example> &examples,
              const MeasuredHead *silenced) {
    double sum = 0;
    Index targets = 0;
    const Input masks = masksOf(trained.task->info(), trained.recipe().architecture);
    for (const Example &example : examples) {
        Input input = test::valueOf(inputOf(example, trained.session.model, masks));
        if (silenced)
            input.interventions.setHead(silenced->attention, silenced->head, HeadState::Zero);
        const TracePointer trace = test::valueOf(forward(trained.session.model, input));
        const SharedMatrix probabilities = trace->matrix(Stage::Probabilities, {}, 0, 0);
        for (std::size_t i = 0; i < example.answers.size(); ++i)
            if (example.answers[i] != kLeftOut) {
                sum -= std::log(
                    static_cast<double>(probabilities(static_cast<Index>(i), example.answers[i])));
                ++targets;
            }
    }
    return sum / static_cast<double>(targets);
}

} // namespace

TEST_CASE("the model of the tales reaches its thresholds, and the note next to it describes it") {
    const Trained tales = trained("tales");
    const auto note = nlohmann::json::parse(fileOf("tales.json"));
    const Index examples = note["held_out"]["examples"];
    const TaskMeasurement measured =
        test::valueOf(measureTask(*tales.task, tales.session.model, tales.recipe(), examples));
    CHECK(measured.heldOut.accuracy >= 0.95);
    CHECK(measured.heldOut.accuracy ==
          doctest::Approx(note["held_out"]["accuracy"].get<double>()).epsilon(1e-4));
    CHECK(*measured.bigram ==
          doctest::Approx(note["held_out"]["bigram"].get<double>()).epsilon(1e-4));
    CHECK(*measured.bigram < 0.3);
    REQUIRE(measured.rules.size() == note["held_out"]["rules"].size());
    Index answers = 0;
    for (std::size_t i = 0; i < measured.rules.size(); ++i) {
        const auto &said = note["held_out"]["rules"][i];
        CAPTURE(measured.rules[i].rule.text());
        CHECK(said["rule"] == measured.rules[i].rule.text());
        CHECK(said["answers"] == measured.rules[i].answers);
        CHECK(measured.rules[i].accuracy ==
              doctest::Approx(said["accuracy"].get<double>()).epsilon(5e-3));
        answers += measured.rules[i].answers;
    }
    CHECK(answers == measured.answers);
    for (const auto &[name, measure] :
         {std::pair("previous_token_head", &MeasuredHead::previousToken),
          std::pair("induction_head", &MeasuredHead::induction)}) {
        CAPTURE(name);
        const MeasuredHead &head = strongest(measured, measure);
        const auto &said = note["held_out"][name];
        CHECK(*(head.*measure) >= 0.5);
        CHECK(head.silencedLoss - measured.heldOut.loss >= 0.1);
        CHECK(said["layer"] == head.attention.layer);
        CHECK(said["head"] == head.head);
        CHECK(*(head.*measure) == doctest::Approx(said["measure"].get<double>()).epsilon(1e-3));
    }
    CHECK(note["seeds"].size() == 3);
    // The last step of the lesson "Whose kite is it?" counts the heads.
    const auto enough = std::ranges::count_if(
        measured.heads, [](const MeasuredHead &head) { return head.silencedAccuracy > 0.9; });
    const auto few = std::ranges::find_if(
        measured.heads, [](const MeasuredHead &head) { return head.silencedAccuracy < 0.5; });
    REQUIRE(few != measured.heads.end());
    CHECK(few->attention.layer == 0);
    CHECK(few->head == 1);
    CHECK(enough == 9);
    CHECK(examples == 1000);
    const std::string lesson = fileOf("../lessons/learned/whose-kite.headlight");
    CHECK(lesson.find(
              "On 1000 other stories, over nine tenths of the determined words stay right without "
              "any one of nine heads, but fewer than half without head 1 of layer 0") !=
          std::string::npos);
}

TEST_CASE("the model of the tales never chooses padding, and ends a tale with [EOS]") {
    const Trained tales = trained("tales");
    const Input masks = masksOf(tales.task->info(), tales.recipe().architecture);
    for (const Example &example : examplesOf(*tales.task, Split::HeldOut, 0, 0, 40)) {
        const TracePointer trace = test::valueOf(forward(
            tales.session.model, test::valueOf(inputOf(example, tales.session.model, masks))));
        const SharedMatrix probabilities = trace->matrix(Stage::Probabilities, {}, 0, 0);
        for (Index row = 0; row < probabilities.rows; ++row)
            REQUIRE(probabilities(row, 0) < 1e-3f);
        const auto last = probabilities.row(probabilities.rows - 1);
        CHECK(std::ranges::max_element(last) - last.begin() == taleWords().end);
    }
}

TEST_CASE("silencing a head in the measurement equals the engine's intervention") {
    const Trained induction = trained("induction");
    const auto examples = examplesOf(*induction.task, Split::HeldOut, 0, 0, 30);
    const TaskMeasurement measured = test::valueOf(
        measureTask(*induction.task, induction.session.model, induction.recipe(), 30));
    CHECK(measured.heldOut.loss == doctest::Approx(lossOf(induction, examples, nullptr)));
    REQUIRE(measured.heads.size() == 4);
    std::set<int> different;
    for (const MeasuredHead &head : measured.heads) {
        CAPTURE(head.attention.layer);
        CAPTURE(head.head);
        CHECK(head.silencedLoss == doctest::Approx(lossOf(induction, examples, &head)));
        different.insert(static_cast<int>(1000 * head.silencedLoss));
    }
    CHECK(different.size() == 4);
    // The model has an induction head in layer 1 and a previous-token head in layer 0.
    CHECK(*strongest(measured, &MeasuredHead::induction).induction > 0.5);
    CHECK(strongest(measured, &MeasuredHead::induction).attention.layer == 1);
    CHECK(strongest(measured, &MeasuredHead::previousToken).attention.layer == 0);
}

TEST_CASE("the bigram model predicts what most often follows a word in the training examples") {
    const TaskPointer task = findTask("tales");
    const auto model =
        test::valueOf(initialModel(task->info(), task->info().recipe.architecture, 1));
    const TaskMeasurement measured =
        test::valueOf(measureTask(*task, model, task->info().recipe, 50));
    std::map<Index, std::map<Index, Index>> counts;
    for (const Example &example : examplesOf(*task, Split::Train, 1, 0, kBigramExamples))
        for (std::size_t i = 0; i < example.answers.size(); ++i)
            ++counts[example.tokens[i]][example.answers[i]];
    Index right = 0, all = 0;
    for (const Example &example : examplesOf(*task, Split::HeldOut, 0, 0, 50))
        for (std::size_t i = 0; i < example.answers.size(); ++i) {
            if (example.rules[i] == kLeftOut)
                continue;
            ++all;
            Index best = 0, most = 0;
            for (const auto &[word, count] : counts[example.tokens[i]])
                if (count > most)
                    best = word, most = count;
            right += best == example.answers[i] ? 1 : 0;
        }
    CHECK(measured.answers == all);
    CHECK(*measured.bigram ==
          doctest::Approx(static_cast<double>(right) / static_cast<double>(all)));
}

TEST_CASE("tasks that do not ask for the next token have no bigram model and no measured heads") {
    const Trained it = trained("it");
    const TaskMeasurement measured =
        test::valueOf(measureTask(*it.task, it.session.model, it.recipe(), 200));
    CHECK(measured.heldOut.accuracy > 0.98);
    CHECK(measured.answers == 200);
    CHECK_FALSE(measured.bigram);
    CHECK(measured.rules.empty());
    CHECK(measured.heads.empty());
}
