// Creates resources/models. Trains each model with the recipe of its task and the first seed that
// results in right answers and readable attention. A file next to each model describes how it was
// made. A model with thresholds for its heads is trained with three seeds, and the file lists all
// three.
//
// The largest model is stored as 16-bit floats: it is rounded after its training and then measured
// again, and must still meet its thresholds. The measures of all seeds were taken before that, in
// 32 bits.
//
//     headlight_train_models FOLDER [MODEL…]      (script/train-models)
#include "core/formats/files/atomic_file.h"
#include "core/formats/json/text.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/writer.h"
#include "core/selection/view.h"
#include "core/tensor/number_formats.h"
#include "core/training/run/held_out_examples.h"
#include "core/training/run/task_measurement.h"
#include "core/training/run/trainer.h"
#include "core/training/run/training_run.h"
#include "core/training/tasks/origin_weights.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>

using namespace headlight::core;

namespace {

constexpr Index kMeasuredTogether = 64;
constexpr Index kMeasured = 4000; // number of held-out examples
/// Number of held-out examples for a model with thresholds for its heads, as in `headlight
/// measure`.
constexpr Index kMeasuredWithHeads = 1000;
constexpr std::uint64_t kSeedsWithHeads = 3;

/// Thresholds that were fixed before training: a head of each kind has at least this measure on
/// random repeated tokens, and silencing it increases the held-out loss by at least `lossRise`.
struct HeadThresholds {
    double measure = 0;
    double lossRise = 0; ///< nats
};

struct ModelToMake {
    const char *name;
    const char *task;
    const char *title;
    double accuracy;                      ///< minimum accuracy on held-out examples
    std::optional<AttentionId> attention; ///< attention module that must be readable
    double share; ///< minimum share of answers whose largest attention weight is on their origin
    std::vector<std::vector<std::string>> texts, sources; ///< texts of the session
    Index query = 0;                                      ///< the selected row
    std::optional<HeadThresholds> heads{};
    View view = View::Whole;
    NumberType numbers = NumberType::F32; ///< type of the stored parameters
    Index head = 0;                       ///< the selected head
};

std::vector<std::vector<std::string>> split(std::initializer_list<const char *> lines) {
    std::vector<std::vector<std::string>> texts;
    for (std::string line : lines) {
        texts.emplace_back();
        for (std::size_t space = 0; !line.empty(); line.erase(0, space + 1)) {
            space = std::min(line.find(' '), line.size() - 1);
            texts.back().push_back(line.substr(0, line[space] == ' ' ? space : space + 1));
        }
    }
    return texts;
}

std::vector<ModelToMake> models() {
    const AttentionId last(1);
    const AttentionId cross(0, Block::CrossAttention, Stack::Decoder);
    // All texts have the same length, so that the figure has no padding.
    return {
        {"induction",
         "repeat",
         "An induction head",
         0.99,
         last,
         0.95,
         split({"k e y b o a r d s k e y b o a r d", "s u n f l o w e r s u n f l o w e"}),
         {},
         12},
        {"which-bank",
         "which-bank",
         "Which bank?",
         0.99,
         AttentionId(0),
         0.95,
         split({"I sat on the river bank", "I sat on the money bank", "he paid at the old bank"}),
         {},
         5},
        {"it",
         "it",
         "What is “it”?",
         0.99,
         last,
         0.95,
         split({"the animal didn't cross the street because it was too tired",
                "the animal didn't cross the street because it was too crowded",
                "the wolf didn't follow the cat because it was too fast"}),
         {},
         7},
        {"number-words", "number-words", "Numbers into French", 0.98, cross, 0.9,
         split({": neuf cent quatre vingt dix neuf", ": huit cent quatre vingt dix sept"}),
         split({"nine hundred ninety nine", "eight hundred ninety seven"}), 3},
        {"sentiment",
         "sentiment",
         "Liked or not?",
         0.99,
         std::nullopt,
         0,
         split({"the film was not bad but the music was boring .",
                "the film was good although the music was not good ."}),
         {},
         10},
        {"tales",
         "tales",
         "Short tales",
         0.95,
         std::nullopt,
         0,
         split({"Mia had a big red kite . Tom found a small blue boat . Mia took her kite to the "
                "lake . Tom took his"}),
         {},
         24,
         HeadThresholds{0.5, 0.1},
         View::Output,
         NumberType::F16,
         3}, // looks at the thing that is written next
    };
}

[[noreturn]] void fail(const Error &error) {
    std::cerr << error.text() << '\n';
    std::exit(1);
}

template <typename T>
T orFail(Result<T> result) {
    if (!result)
        fail(result.error());
    return *std::move(result);
}

struct Made {
    TrainingState state;
    double accuracy = 0;
    double share = 0;                          ///< minimum over the heads (see ModelToMake::share)
    std::optional<TaskMeasurement> measured{}; ///< only with thresholds for heads
    double minutes = 0;                        ///< duration of the training
};

double lossRise(const MeasuredHead &head, const Made &made) {
    return head.silencedLoss - made.measured->heldOut.loss;
}

/// Returns the head with the largest measure.
const MeasuredHead &strongest(const Made &made, std::optional<double> MeasuredHead::*measure) {
    return *std::ranges::max_element(made.measured->heads, {}, [measure](const MeasuredHead &head) {
        return (head.*measure).value_or(0);
    });
}

constexpr std::array kKindsOfHeads{&MeasuredHead::previousToken, &MeasuredHead::induction};

bool isEnough(const Made &made, const ModelToMake &wanted) {
    const auto hasHead = [&](std::optional<double> MeasuredHead::*measure) {
        const MeasuredHead &head = strongest(made, measure);
        return (head.*measure).value_or(0) >= wanted.heads->measure &&
               lossRise(head, made) >= wanted.heads->lossRise;
    };
    return made.accuracy >= wanted.accuracy && made.share >= wanted.share &&
           (!wanted.heads || std::ranges::all_of(kKindsOfHeads, hasHead));
}

double accuracyOf(const Task &task, const Model &model, const Input &masks, Index examples) {
    const TaskInfo &info = task.info();
    auto pass = orFail(
        TrainingPass::create(model, masks, {kMeasuredTogether, info.length, info.sourceLength}));
    AlignedNumbers weights(pass.parameters().size());
    orFail(pass.parameters().read(model.parameters, weights.data()));
    HeldOutExamples heldOut(task, {}, examples);
    return heldOut.measure(pass, weights.data(), {})->accuracy;
}

/// Measures the accuracy and, with thresholds for heads, every rule and head.
void measure(const Task &task, const ModelToMake &wanted, Made &made) {
    const Recipe &recipe = made.state.recipe;
    if (wanted.heads) {
        made.measured = orFail(measureTask(task, made.state.model, recipe, kMeasuredWithHeads));
        made.accuracy = made.measured->heldOut.accuracy;
        return;
    }
    const Input masks = masksOf(task.info(), recipe.architecture);
    made.accuracy = accuracyOf(task, made.state.model, masks, kMeasured);
    if (wanted.attention)
        made.share = std::ranges::min(
            orFail(sharesOnOrigins(task, made.state.model, masks, *wanted.attention)));
}

/// Rounds the parameters to 16-bit floats, as they are written.
void roundToF16(ModelParameters &parameters) {
    for (const ParameterId &id : allParameters(parameters)) {
        Parameter &parameter = parameterOf(parameters, id);
        if (!parameter)
            continue;
        Matrix matrix = orFail(parameter->toMatrix());
        for (Index row = 0; row < matrix.rows(); ++row)
            for (float &number : matrix.view().row(row))
                number = halfToFloat(floatToHalf(number));
        parameter = makeParameter(std::move(matrix));
    }
}

Made learned(const TaskPointer &task, const ModelToMake &wanted, std::uint64_t seed) {
    Recipe recipe = task->info().recipe;
    recipe.seed = seed;
    Trainer trainer = orFail(Trainer::create(recipe, task));
    const auto begun = std::chrono::steady_clock::now();
    while (!trainer.isDone()) {
        if (trainer.isTimeToMeasure())
            orFail(trainer.measure());
        orFail(trainer.advance());
    }
    orFail(trainer.measure());
    Made made{trainer.state()};
    made.minutes =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() / 60;
    measure(*task, wanted, made);
    return made;
}

/// Reduces the curves to about a hundred points, which is enough for a plot. For a model with many
/// heads, whose measures would take as much space as a layer, keeps every second one.
void thinOut(History &history) {
    constexpr std::size_t kManyHeads = 8;
    std::erase_if(history, [](const HistoryPoint &point) { return !point.heldOut; });
    std::size_t heads = 0;
    if (!history.empty())
        for (const std::vector<HeadMeasures> &attention : history.front().heads)
            heads += attention.size();
    if (heads <= kManyHeads)
        return;
    std::size_t place = 0;
    std::erase_if(history, [&place](const HistoryPoint &) { return place++ % 2 == 1; });
}

std::string sessionOf(const Made &made, const ModelToMake &wanted, const Task &task) {
    TrainingState state = made.state;
    thinOut(state.history);
    const Model model = state.model;
    Input input = masksOf(task.info(), state.recipe.architecture);
    input.batch = orFail(Batch::ofWords(wanted.texts));
    if (!wanted.sources.empty())
        input.source = orFail(Batch::ofWords(wanted.sources));
    SelectionPatch view;
    view.view = idOf(wanted.view);
    view.stage = wanted.view == View::Output ? Stage::Probabilities : Stage::AttentionWeights;
    view.query = wanted.query;
    view.layer = wanted.attention ? wanted.attention->layer : 1;
    view.head = wanted.head;
    if (wanted.attention && wanted.attention->block == Block::CrossAttention)
        view.block = Block::CrossAttention;
    const TrainingRun run = runOf(std::move(state));
    return writeNewSession({wanted.title}, model, input, 0, view, 0, &run, wanted.numbers);
}

std::string number(double value) {
    return jsonNumber(static_cast<float>(value));
}

/// Returns the number with four decimal places, so that the file stays readable.
std::string shortNumber(double value) {
    return number(std::round(value * 1e4) / 1e4);
}

std::string headNote(const Made &made, std::optional<double> MeasuredHead::*measure) {
    const MeasuredHead &head = strongest(made, measure);
    return jsonObject({{"layer", std::to_string(head.attention.layer)},
                       {"head", std::to_string(head.head)},
                       {"measure", shortNumber((head.*measure).value_or(0))},
                       {"loss_rise", shortNumber(lossRise(head, made))}});
}

/// Returns the measurements for one seed.
std::vector<JsonMemberText> measuredNote(const Made &made) {
    return {{"examples", std::to_string(made.measured->examples)},
            {"loss", shortNumber(made.measured->heldOut.loss)},
            {"accuracy", shortNumber(made.accuracy)},
            {"previous_token_head", headNote(made, &MeasuredHead::previousToken)},
            {"induction_head", headNote(made, &MeasuredHead::induction)}};
}

/// Returns the accuracy of each rule, with chance and the bigram model for comparison.
std::string rulesNote(const Made &made) {
    std::vector<std::string> rules;
    for (const RuleAccuracy &rule : made.measured->rules)
        rules.push_back(jsonObject({{"rule", jsonText(rule.rule.text())},
                                    {"answers", std::to_string(rule.answers)},
                                    {"accuracy", shortNumber(rule.accuracy)},
                                    {"bigram", shortNumber(rule.bigram.value_or(0))}}));
    return jsonArray(rules, "\n    ");
}

/// `all`: all seeds, for a model with thresholds for its heads.
std::string noteOf(const Made &made, const ModelToMake &wanted, const std::vector<Made> &all) {
    std::vector<JsonMemberText> members{
        {"title", jsonText(wanted.title)},
        {"command",
         jsonText("headlight train " + std::string(wanted.task) + " --seed " +
                  std::to_string(made.state.recipe.seed) + " -o " + wanted.name + ".headlight")},
        {"recipe", written(made.state.recipe)}};
    if (wanted.numbers == NumberType::F16)
        members.push_back({"numbers", jsonText("F16")});
    if (made.measured) {
        std::vector<JsonMemberText> measured = measuredNote(made);
        measured.push_back({"chance", shortNumber(findTask(wanted.task)->info().chance)});
        measured.push_back({"bigram", shortNumber(made.measured->bigram.value_or(0))});
        measured.push_back({"rules", rulesNote(made)});
        members.push_back({"held_out", jsonObject(measured)});
        std::vector<std::string> seeds;
        for (const Made &each : all) {
            std::vector<JsonMemberText> seed = measuredNote(each);
            seed.insert(seed.begin(), {"seed", std::to_string(each.state.recipe.seed)});
            seeds.push_back(jsonObject(seed));
        }
        members.push_back({"seeds", jsonArray(seeds, "\n    ")});
    } else {
        members.push_back({"held_out", jsonObject({{"examples", std::to_string(kMeasured)},
                                                   {"accuracy", number(made.accuracy)}})});
    }
    if (wanted.attention)
        members.push_back({"largest_weight_on_what_the_answer_is_from",
                           jsonObject({{"layer", std::to_string(wanted.attention->layer)},
                                       {"block", jsonText(wordOf(wanted.attention->block))},
                                       {"share_of_each_head_at_least", number(made.share)}})});
    return jsonObject(members, "\n  ") + "\n";
}

void report(const Made &made, const ModelToMake &wanted) {
    std::cout << wanted.name << ", seed " << made.state.recipe.seed << ", " << made.minutes
              << " minutes: held out " << made.accuracy;
    if (!made.measured) {
        std::cout << ", largest weight on what the answer is from " << made.share << std::endl;
        return;
    }
    std::cout << ", loss " << made.measured->heldOut.loss;
    for (const auto measure : kKindsOfHeads) {
        const MeasuredHead &head = strongest(made, measure);
        std::cout << (measure == &MeasuredHead::induction ? ", induction" : ", previous token")
                  << " head " << head.attention.layer << "." << head.head << " "
                  << (head.*measure).value_or(0) << ", loss + " << lossRise(head, made);
    }
    std::cout << std::endl;
}

void make(const ModelToMake &wanted, const std::string &folder) {
    constexpr std::uint64_t kMaxSeeds = 50;
    const TaskPointer task = findTask(wanted.task);
    const std::uint64_t seeds = wanted.heads ? kSeedsWithHeads : kMaxSeeds;
    std::vector<Made> all;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        all.push_back(learned(task, wanted, seed));
        report(all.back(), wanted);
        if (!wanted.heads && isEnough(all.back(), wanted))
            break;
    }
    const auto found =
        std::ranges::find_if(all, [&](const Made &each) { return isEnough(each, wanted); });
    if (found == all.end())
        fail({{"no seed up to %1 will do", seeds}, wanted.name, "change its recipe"});
    Made made = *found;
    if (wanted.numbers == NumberType::F16) {
        roundToF16(made.state.model.parameters);
        measure(*task, wanted, made);
        report(made, wanted);
        if (!isEnough(made, wanted))
            fail({"its numbers of 16 bits miss a threshold", wanted.name, "change its recipe"});
    }
    const std::string path = folder + "/" + wanted.name;
    orFail(writeFile(path + ".headlight", sessionOf(made, wanted, *task)));
    orFail(writeFile(path + ".json", noteOf(made, wanted, all)));
}

} // namespace

int main(int count, char **words) {
    if (count < 2) {
        std::cerr << "headlight_train_models FOLDER [MODEL…]\n";
        return 2;
    }
    const std::vector<std::string> names(words + 2, words + count);
    for (const ModelToMake &wanted : models())
        if (names.empty() || std::ranges::count(names, wanted.name) > 0)
            make(wanted, words[1]);
}
