// Reads `training` in a session file: the recipe of a run, its progress, and its curves.
#include "core/cancelled.h"
#include "core/formats/session/data/curves.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/training/recipe/character_reader.h"
#include "core/training/tasks/own_text.h"
#include "core/training/tasks/task.h"

#include <map>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

/// Reads a value for every element of every parameter. Empty if the field is missing.
ModelParameters readNumbers(const Field &field, const ModelParameters &weights) {
    ModelParameters read;
    read.main.layers.resize(weights.main.layers.size());
    read.encoder.layers.resize(weights.encoder.layers.size());
    if (!field.present() || !field.isObject())
        return read;
    for (const ParameterId &id : allParameters(weights)) {
        const Parameter &parameter = parameterOf(weights, id);
        const Field numbers = field.member(nameOf(id));
        if (!parameter && numbers.present())
            numbers.fail("the model has no parameter of this name", "remove it");
        if (parameter)
            parameterOf(read, id) =
                infoOf(id.which).isRow()
                    ? readRow(numbers, parameter->columns())
                    : readMatrix(numbers, parameter->rows(), parameter->columns());
    }
    return read;
}

/// Reads the numbers of one curve.
std::vector<double> readCurve(const Field &field, std::size_t count) {
    if (!field.is(Kind::Array) || field.size() != count) {
        field.expected({"a list of %1 numbers", count});
        return std::vector<double>(count);
    }
    std::vector<double> numbers;
    for (std::size_t index = 0; index < count; ++index) {
        const JsonValue &value = field.value().elements()[index];
        if (value.kind != Kind::Number)
            field.element(index).expected("a number");
        numbers.push_back(value.number);
    }
    return numbers;
}

/// Reads the steps of a curve's points, which must increase.
std::vector<Index> readSteps(const Field &field) {
    std::vector<Index> steps;
    if (!field.isArray())
        return steps;
    if (field.size() > kMaxHistory) {
        field.fail({"%1 points exceed the limit of %2", field.size(), kMaxHistory},
                   "keep fewer of them");
        return steps;
    }
    for (std::size_t index = 0; index < field.size(); ++index) {
        const Field one = field.element(index);
        const Index least = steps.empty() ? 0 : steps.back() + 1;
        const auto step = one.whole(least, kMaxSteps);
        if (!step)
            return steps;
        steps.push_back(*step);
    }
    return steps;
}

/// Points by step. Curves need not have the same steps.
using Points = std::map<Index, HistoryPoint>;

HistoryPoint &pointAt(Points &points, Index step) {
    HistoryPoint &point = points[step];
    point.step = step;
    return point;
}

void readHeldOut(const Field &field, Points &points) {
    if (!field.present() || !field.isObject())
        return;
    const std::vector<Index> steps = readSteps(field.member("step"));
    const auto losses = readCurve(field.member("loss"), steps.size());
    const auto accuracies = readCurve(field.member("accuracy"), steps.size());
    const Field written = field.member("written");
    const auto shares =
        written.present() ? readCurve(written, steps.size()) : std::vector<double>();
    for (std::size_t i = 0; i < steps.size(); ++i)
        pointAt(points, steps[i]).heldOut = {losses[i], accuracies[i],
                                             shares.empty() ? std::nullopt
                                                            : std::optional<double>(shares[i])};
}

std::optional<HeadMeasures> readMeasures(const Field &field) {
    constexpr std::size_t kMeasures = kHeadMeasures.size();
    if (!field.is(Kind::Array) || field.size() != kMeasures) {
        field.expected({"a list of %1 numbers", kMeasures});
        return std::nullopt;
    }
    const auto &values = field.value().elements();
    HeadMeasures read;
    for (std::size_t i = 0; i < kMeasures; ++i) {
        if (values[i].kind == Kind::Number) {
            read.*kHeadMeasures[i] = values[i].number;
        } else if (values[i].kind != Kind::Null) {
            field.element(i).expected("a number, or null");
            return std::nullopt;
        }
    }
    return read;
}

/// Reads one list per attention module, with one element per head.
std::optional<std::vector<std::vector<HeadMeasures>>> readHeads(const Field &field,
                                                                const Model &model) {
    const std::vector<AttentionId> attentions = model.attentions();
    if (!field.is(Kind::Array) || field.size() != attentions.size()) {
        field.expected({"a list of %1 lists, one per attention module", attentions.size()});
        return std::nullopt;
    }
    std::vector<std::vector<HeadMeasures>> read(attentions.size());
    for (std::size_t attention = 0; attention < attentions.size(); ++attention) {
        const Field heads = field.element(attention);
        const auto count = static_cast<std::size_t>(model.headsOf(attentions[attention]));
        if (!heads.is(Kind::Array) || heads.size() != count) {
            heads.expected({"a list of %1 lists, one per head", count});
            return std::nullopt;
        }
        for (std::size_t head = 0; head < count; ++head)
            read[attention].push_back(readMeasures(heads.element(head)).value_or(HeadMeasures()));
    }
    return read;
}

void readHeadCurves(const Field &field, const Model &model, Points &points) {
    if (!field.present() || !field.isObject())
        return;
    const Field measures = field.member("measures");
    const std::vector<Index> steps = readSteps(field.member("step"));
    if (!measures.is(Kind::Array) || measures.size() != steps.size())
        return measures.expected({"a list of %1 lists, one per step", steps.size()});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto heads = readHeads(measures.element(i), model);
        if (!heads)
            return;
        pointAt(points, steps[i]).heads = std::move(*heads);
    }
}

History readHistory(const Field &field, const Model &model) {
    if (!field.present() || !field.isObject())
        return {};
    Points points;
    const std::vector<Index> steps = readSteps(field.member("step"));
    for (const Index step : steps)
        pointAt(points, step).isStep = true;
    for (const Curve &curve : kCurves) {
        const auto numbers = readCurve(field.member(curve.name), steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i)
            points[steps[i]].*curve.number = numbers[i];
    }
    readHeldOut(field.member("held_out"), points);
    readHeadCurves(field.member("heads"), model, points);
    if (points.size() > kMaxHistory)
        field.fail({"%1 points exceed the limit of %2", points.size(), kMaxHistory},
                   "keep fewer of them");
    History history;
    for (auto &[step, point] : points)
        history.push_back(std::move(point));
    return history;
}

/// Reads the progress of a run or of an ablated run, which have the same form.
template <typename Run>
void readProgress(const Field &field, const Model &model, Run &run) {
    run.firstMoment = readNumbers(field.member("first_moment"), model.parameters);
    run.secondMoment = readNumbers(field.member("second_moment"), model.parameters);
    if (field.member("second_moment").present() && !field.member("first_moment").present())
        field.member("first_moment").fail("it is missing", "give both moments, or none");
    run.history = readHistory(field.member("history"), model);
}

/// Returns the built-in task, or one with the words of the model's vocabulary; nullopt for an
/// unknown task.
std::optional<TaskInfo> taskOf(const Recipe &recipe, const Model &model) {
    if (const TaskPointer task = findTask(recipe.task))
        return task->info();
    const auto units = findTextUnits(recipe.task);
    if (!units || !model.vocabulary)
        return std::nullopt;
    TaskInfo info = ownTextInfo(*units);
    info.words = model.vocabulary->words();
    return info;
}

/// Reads a task with the user's own text. Returns null if the file does not contain the text, or
/// after a problem.
TaskPointer readOwnText(const Field &field, const Recipe &recipe, const Model &model,
                        const TrainingRunPointer &before) {
    if (!field.present()) {
        const bool isSame = before && before->ownText && before->recipe.task == recipe.task;
        return isSame ? before->ownText : nullptr;
    }
    const auto text = field.text();
    if (!text)
        return nullptr;
    const auto units = findTextUnits(recipe.task);
    if (!units) {
        field.fail({"the task %1 reads no text", recipe.task}, "remove it");
        return nullptr;
    }
    if (text->size() > kMaxKeptTextBytes) {
        field.fail({"it is larger than %1 MB", kMaxKeptTextBytes >> 20},
                   "remove it; Headlight requests the file when training continues");
        return nullptr;
    }
    const Result<TaskPointer> task = ownTextTask(*text, *units, field.reading().stop.token());
    if (!task) {
        if (isCancelled(task.error()))
            throw Cancelled{};
        field.fail(task.error().what, task.error().remedy);
        return nullptr;
    }
    if (model.vocabulary && model.vocabulary->words() == (*task)->info().words)
        return *task;
    field.advice().fail("its words are not those of the text that the model was built for",
                        "use the original text when training continues");
    return nullptr;
}

/// True if the recipe describes this model. The recipe of a larger model might need more memory
/// than the file suggests.
bool isRecipeOf(const Model &model, const Architecture &architecture, const TaskInfo &task) {
    const auto layers = static_cast<std::size_t>(architecture.layers);
    return model.config.width == architecture.width &&
           model.config.feedForward.width == architecture.feedForward &&
           model.parameters.main.layers.size() == layers &&
           model.parameters.encoder.layers.size() ==
               (task.asks == TargetPositions::Translation ? layers : 0);
}

/// Returns null after a problem, or if the task is unknown.
AblatedRunPointer readAblatedRun(const Field &field, const Recipe &recipe, const Model &model) {
    if (!field.present() || !field.isObject())
        return nullptr;
    const auto task = taskOf(recipe, model);
    if (!task)
        return nullptr;
    const auto &table = Fields<AblatedRun>::table();
    const Field which = field.member("switch");
    AblatedRun read;
    if (!table.row("switch").read(which, read))
        return nullptr;
    if (!isRecipeOf(model, recipe.architecture, *task)) {
        field.fail("the recipe describes a different model than the trained one",
                   "remove \"rival\"");
        return nullptr;
    }
    const Result<AblatedRunPointer> first = firstAblatedRun(recipe, read.ablation, *task);
    if (!first) {
        which.fail(first.error().what, first.error().remedy);
        return nullptr;
    }
    auto ablated = std::make_shared<AblatedRun>(**first);
    Model &own = ablated->state.model;
    if (const Field step = field.member("step"); step.present())
        table.row("step").read(step, *ablated);
    const Field numbers = field.member("parameters");
    if (!numbers.isObject())
        return nullptr;
    own.parameters = readNumbers(numbers, own.parameters);
    readProgress(field, (*first)->state.model, ablated->state);
    return ablated;
}

} // namespace

TrainingRunPointer readTraining(const Field &field, const Model &model,
                                const TrainingRunPointer &before) {
    if (!field.isObject())
        return nullptr;
    const bool modelIsGood = field.reading().problems.empty();
    TrainingRun run;
    readInto(field, run);
    if (!modelIsGood)
        return nullptr; // shapes cannot be checked against an invalid model
    readProgress(field, model, run);
    run.ownText = readOwnText(field.member("text"), run.recipe, model, before);
    run.ablated = readAblatedRun(field.member("rival"), run.recipe, model);
    return std::make_shared<const TrainingRun>(std::move(run));
}

TextReaderPointer readerOfTask(const Field &training, const Model &model) {
    const Field recipe = training.member("recipe");
    const Field task = recipe.member("task");
    if (!task.is(Kind::String) || !model.vocabulary)
        return nullptr;
    const std::string &id = task.value().text();
    const TaskPointer known = findTask(id);
    const bool readsCharacters =
        known ? known->info().readsCharacters : findTextUnits(id) == TextUnits::Characters;
    return readsCharacters ? characterReader(model.vocabulary) : nullptr;
}

} // namespace headlight::core
