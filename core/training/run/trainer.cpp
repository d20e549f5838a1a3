#include "core/training/run/trainer.h"

#include "core/cancelled.h"
#include "core/training/optimizer/optimizer.h"
#include "core/training/pass/training_pass.h"
#include "core/training/run/held_out_examples.h"
#include "core/training/run/history.h"
#include "core/training/run/unmasked_targets.h"
#include "core/training/tasks/batch_of.h"

#include <cmath>

namespace headlight::core {

namespace {

/// Returns the error for a null task, such as one whose text could not be read.
Error noTask() {
    return {"there is no task to train on", "recipe.task", "choose a task or a text"};
}

Error noNumber(const Message &what, Index step) {
    return {what, "step " + std::to_string(step),
            "use a smaller learning rate; the state before this step is kept"};
}

/// Checks that the model and the task have the same vocabulary, and that the logits include all
/// answers.
Outcome checkText(const Model &model, const TaskInfo &task) {
    const auto knows = [](const Vocabulary *vocabulary, const std::vector<std::string> &words) {
        return words.empty() || (vocabulary && vocabulary->words() == words);
    };
    const bool once = task.asks == TargetPositions::Class;
    const bool isClassifier = model.config.outputLayer.kind == OutputLayerKind::Classifier;
    const bool answers =
        once ? model.config.outputLayer.classes == static_cast<Index>(task.classes.size())
             : logitsOf(model.parameters) == static_cast<Index>(task.words.size());
    const bool hasSource = model.hasCrossAttention() == !task.sourceWords.empty();
    if (!hasSource || once != isClassifier || !answers ||
        !knows(model.vocabularyOf(model.mainStack()), task.words) ||
        (hasSource && model.hasCrossAttention() &&
         !knows(model.vocabularyOf(model.sourceStack()), task.sourceWords)))
        return Error{{"the model was not built for the task %1", task.id},
                     "training.recipe.task",
                     "train it on the task that its vocabulary belongs to"};
    return Done{};
}

/// Returns the same structure with null parameters.
ModelParameters withoutNumbers(ModelParameters weights) {
    for (const ParameterId &id : allParameters(weights))
        parameterOf(weights, id) = nullptr;
    return weights;
}

/// Checks that all trained parameters exist and have the shapes of the model.
Outcome checkShapes(const FlatParameters &parameters, const ModelParameters &shape,
                    const ModelParameters &weights, bool mayLack) {
    for (const FlatParameter &place : parameters.all()) {
        const Parameter given =
            hasPlaceFor(weights, place.id) ? parameterOf(weights, place.id) : nullptr;
        if (!given && mayLack)
            continue;
        const Parameter &own = parameterOf(shape, place.id);
        if (!given || given->rows() != own->rows() || given->columns() != own->columns())
            return Error{"it does not have the shape of the trained parameter", nameOf(place.id),
                         "start a new run"};
    }
    return Done{};
}

} // namespace

struct Trainer::Made {
    PassResult result{};
    double length = 0; ///< norm of the gradient
    OptimizerStepValues update{};
};

struct Trainer::Parts {
    /// Parameters and moments in the layout of the kernels.
    struct FlatNumbers {
        AlignedNumbers weights, first, second;

        explicit FlatNumbers(const FlatParameters &parameters, bool hasSecond)
            : weights(parameters.size()),
              first(parameters.size()),
              second(hasSecond ? parameters.size() : 0) {}
        ParameterSlices slices() {
            return {weights.data(), first.data(), second.size() > 0 ? second.data() : nullptr};
        }
    };

    Parts(TrainingState given, TaskPointer forTask, TrainingPass made)
        : state(std::move(given)),
          task(std::move(forTask)),
          pass(std::move(made)),
          optimizer(state.recipe.optimizer, pass.parameters()),
          numbers(pass.parameters(), hasSecond()),
          next(pass.parameters(), hasSecond()),
          gradient(pass.parameters().size()) {}

    bool hasSecond() const { return state.recipe.optimizer.kind == OptimizerKind::AdamW; }

    TrainingState state; ///< without the current parameters and moments
    TaskPointer task;
    TrainingPass pass;
    Optimizer optimizer;
    FlatNumbers numbers; ///< the current parameters and moments
    FlatNumbers next;    ///< result of the step
    AlignedNumbers gradient;
    TrainingBatch batch{};
    std::optional<HeldOutExamples> heldOut{};
};

Trainer::Trainer(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
Trainer::Trainer(Trainer &&) noexcept = default;
Trainer &Trainer::operator=(Trainer &&) noexcept = default;
Trainer::~Trainer() = default;

const Recipe &Trainer::recipe() const {
    return m_parts->state.recipe;
}
const Task &Trainer::task() const {
    return *m_parts->task;
}
Index Trainer::step() const {
    return m_parts->state.step;
}
const History &Trainer::history() const {
    return m_parts->state.history;
}

Result<Trainer> Trainer::create(const Recipe &recipe, TaskPointer task) {
    if (Outcome valid = validate(recipe); !valid)
        return valid.error();
    if (!task)
        return noTask();
    Result<Model> model = initialModel(task->info(), recipe.architecture, recipe.seed);
    if (!model)
        return model.error();
    TrainingState state;
    state.recipe = recipe;
    state.model = std::move(*model);
    return create(std::move(state), std::move(task));
}

Result<Trainer> Trainer::create(TrainingState state, TaskPointer task) {
    if (Outcome valid = validate(state.recipe); !valid)
        return valid.error();
    if (!task)
        return noTask();
    const TaskInfo &info = task->info();
    if (Outcome knows = checkText(state.model, info); !knows)
        return knows.error();
    Result<TrainingPass> pass =
        TrainingPass::create(state.model, masksOf(info, state.recipe.architecture),
                             {state.recipe.batch, info.length, info.sourceLength});
    if (!pass)
        return pass.error();
    const ModelParameters shape = state.model.parameters;
    for (const ModelParameters *moments : {&state.firstMoment, &state.secondMoment})
        if (Outcome fits = checkShapes(pass->parameters(), shape, *moments, true); !fits)
            return fits.error();
    auto parts = std::make_unique<Parts>(std::move(state), std::move(task), std::move(*pass));
    const FlatParameters &places = parts->pass.parameters();
    auto &numbers = parts->numbers;
    if (Outcome read = places.read(shape, numbers.weights.data()); !read)
        return read.error();
    if (Outcome read = places.read(parts->state.firstMoment, numbers.first.data()); !read)
        return read.error();
    if (numbers.second.size() > 0)
        if (Outcome read = places.read(parts->state.secondMoment, numbers.second.data()); !read)
            return read.error();
    return Trainer(std::move(parts));
}

Result<Trainer::Made> Trainer::makeStep(std::stop_token stop) {
    Parts &my = *m_parts;
    const Recipe &recipe = my.state.recipe;
    const std::uint64_t first =
        static_cast<std::uint64_t>(my.state.step) * static_cast<std::uint64_t>(recipe.batch);
    std::vector<Example> examples =
        examplesOf(*my.task, Split::Train, recipe.seed, first, recipe.batch);
    if (seesTargets(my.task->info(), recipe.architecture))
        leaveOutLast(examples);
    fillBatch(examples, my.task->info(), my.batch);
    const auto result = my.pass.run(my.batch, my.numbers.weights.data(), my.gradient.data(), stop);
    if (!result)
        return cancelled();
    if (!std::isfinite(result->loss))
        return noNumber("the loss became NaN or infinite", my.state.step);
    // If the calls below are stopped, only `next` is incomplete. It is then not used.
    Made made{*result, my.optimizer.lengthOf(my.gradient.data())};
    if (!std::isfinite(made.length))
        return noNumber("a gradient became NaN or infinite", my.state.step);
    made.update = updateNumbers(recipe.optimizer, my.state.step, recipe.steps, made.length);
    my.optimizer.advance(my.state.step, made.update, my.gradient.data(), my.numbers.slices(),
                         my.next.slices(), stop);
    if (stop.stop_requested())
        return cancelled();
    if (!std::isfinite(my.optimizer.lengthOf(my.next.weights.data())))
        return noNumber("a parameter became NaN or infinite", my.state.step);
    return made;
}

Outcome Trainer::advance(std::stop_token stop) {
    const Result<Made> made = makeStep(std::move(stop));
    if (!made)
        return made.error();
    Parts &my = *m_parts;
    std::swap(my.numbers, my.next);
    HistoryPoint point = takePointOf(my.state.history, my.state.step);
    point.isStep = true;
    point.loss = made->result.loss;
    point.accuracy = accuracyOf(made->result, my.task->info());
    point.learningRate = made->update.rate;
    point.gradientLength = made->length;
    addPoint(my.state.history, std::move(point));
    ++my.state.step;
    return Done{};
}

Result<WeightUpdate> Trainer::nextUpdate(const ParameterId &id, Index row, Index column,
                                         std::stop_token stop) {
    Parts &my = *m_parts;
    const FlatParameter *parameter = my.pass.parameters().find(id);
    if (!parameter || row < 0 || row >= parameter->rows.count() || column < 0 ||
        column >= parameter->columns.count())
        return Error{"there is no trained value at this position", nameOf(id),
                     "select a value of a trained matrix"};
    const Result<Made> made = makeStep(std::move(stop));
    if (!made)
        return made.error();
    const auto at = [place = parameter->place(row, column)](const AlignedNumbers &numbers) {
        return numbers.size() > 0 ? static_cast<double>(numbers.data()[place]) : 0;
    };
    WeightUpdate update;
    update.id = id;
    update.row = row;
    update.column = column;
    update.settings = recipe().optimizer;
    update.step = step();
    update.gradient = at(my.gradient);
    update.gradientLength = made->length;
    update.clipFactor = made->update.clipFactor;
    update.firstBefore = at(my.numbers.first);
    update.firstAfter = at(my.next.first);
    update.secondBefore = at(my.numbers.second);
    update.secondAfter = at(my.next.second);
    update.rate = made->update.rate;
    update.decays = parameter->decays;
    update.before = at(my.numbers.weights);
    update.after = at(my.next.weights);
    return update;
}

bool Trainer::isTimeToMeasure() const {
    const Index every = std::max(recipe().steps / 100, Index(1));
    const History &history = m_parts->state.history;
    const bool isDue = step() % every == 0 || isDone();
    return isDue && (history.empty() || history.back().step != step() || !history.back().heldOut);
}

Result<HeldOut> Trainer::measure(std::stop_token stop) {
    Parts &my = *m_parts;
    if (!my.heldOut)
        my.heldOut.emplace(*my.task, recipe().architecture);
    const auto heldOut = my.heldOut->measure(my.pass, my.numbers.weights.data(), stop);
    if (!heldOut)
        return cancelled();
    auto heads = my.heldOut->heads(model(), masksOf(my.task->info(), recipe().architecture), stop);
    if (!heads)
        return heads.error();
    HistoryPoint point = takePointOf(my.state.history, my.state.step);
    point.heldOut = *heldOut;
    point.heads = std::move(*heads);
    addPoint(my.state.history, std::move(point));
    return *heldOut;
}

Model Trainer::model() const {
    Model model = m_parts->state.model;
    model.parameters =
        m_parts->pass.parameters().toWeights(model.parameters, m_parts->numbers.weights.data());
    return model;
}

TrainingState Trainer::state() const {
    TrainingState state = m_parts->state;
    const FlatParameters &places = m_parts->pass.parameters();
    state.model = model();
    state.firstMoment =
        places.toWeights(withoutNumbers(state.model.parameters), m_parts->numbers.first.data());
    if (m_parts->hasSecond())
        state.secondMoment = places.toWeights(withoutNumbers(state.model.parameters),
                                              m_parts->numbers.second.data());
    return state;
}

Outcome Trainer::setWeights(const ModelParameters &weights) {
    const FlatParameters &places = m_parts->pass.parameters();
    if (Outcome fits = checkShapes(places, m_parts->state.model.parameters, weights, false); !fits)
        return fits.error();
    return places.read(weights, m_parts->numbers.weights.data());
}

} // namespace headlight::core
