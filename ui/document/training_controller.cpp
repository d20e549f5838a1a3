#include "ui/document/training_controller.h"

#include "core/training/tasks/own_text.h"
#include "ui/document/document.h"
#include "ui/text/capture_text.h"
#include "ui/text/core_message.h"

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr int kMinWait = 33; // ms between two updates of the view: 30 per second
// Updating the view takes at most 1/14 of the time between two updates. Even with this load on
// another core, training keeps more than 90 % of its speed.
constexpr qint64 kShareOfTime = 14;
constexpr qint64 kMaxWait = 4000; // ms; not longer, because only displayed steps are saved

/// Returns the history up to the run's step. When training resumes from an earlier checkpoint,
/// later points belong to another run.
core::History until(core::Index step, const core::History &history) {
    core::History before;
    for (const core::HistoryPoint &point : history) {
        if (point.step > step)
            break;
        before.push_back(point);
        if (point.step == step) { // the step is trained again, so keep only its measurements
            before.back() = core::HistoryPoint();
            before.back().step = step;
            before.back().heldOut = point.heldOut;
            before.back().heads = point.heads;
            if (!point.heldOut && point.heads.empty())
                before.pop_back();
        }
    }
    return before;
}

core::AblatedRunPointer until(core::Index step, const core::AblatedRunPointer &ablated) {
    if (!ablated)
        return nullptr;
    auto before = std::make_shared<core::AblatedRun>(*ablated);
    before->state.history = until(std::max(step, ablated->state.step), ablated->state.history);
    return before;
}

/// Checks that the initial parameters have the same names and shapes as the current ones, which
/// they will replace.
core::Outcome takesThePlaceOf(const core::Model &now, const core::Model &first) {
    for (const core::ParameterId &id : core::allParameters(now.parameters)) {
        const core::Parameter &old = parameterOf(now.parameters, id);
        const core::Parameter fresh = hasPlaceFor(first.parameters, id)
                                          ? parameterOf(first.parameters, id)
                                          : core::Parameter();
        if (!old != !fresh ||
            (old && (old->rows() != fresh->rows() || old->columns() != fresh->columns())))
            return core::Error{
                messageOf(TrainingController::tr(
                    "the model and the recipe's initial model have different parameters")),
                core::nameOf(id), messageOf(TrainingController::tr("start a new run"))};
    }
    return core::Done{};
}

} // namespace

TrainingController::TrainingController(Document &document, QObject *parent)
    : QObject(parent),
      m_document(document),
      m_own(document.state().training),
      m_ownWeights(document.state().model.parameters),
      m_computed(m_own),
      m_computedWeights(m_ownWeights) {
    if (m_own)
        m_checkpoints.add(*m_own, m_ownWeights);
    m_wait.setSingleShot(true);
    connect(&m_wait, &QTimer::timeout, &m_runner, &TrainingRunner::wantCheckpoint);
    connect(&document, &Document::changed, this, &TrainingController::documentChanged);
    connect(&m_runner, &TrainingRunner::passed, this, [this](const TrainingCheckpoint &checkpoint) {
        m_checkpoints.add(*checkpoint.run, checkpoint.weights);
    });
    connect(&m_runner, &TrainingRunner::reached, this, &TrainingController::take);
    connect(&m_runner, &TrainingRunner::stopped, this,
            [this](const TrainingCheckpoint &checkpoint) {
                measureRate();
                take(checkpoint);
            });
    connect(&m_runner, &TrainingRunner::refused, this, [this](const core::Error &error) {
        emit failed(error);
        emit changed();
    });
    connect(&m_runner, &TrainingRunner::diverged, this,
            [this](const core::Error &error, const TrainingCheckpoint &checkpoint) {
                applyDivergence(checkpoint);
                goBackToShown();
                emit diverged(error);
                emit changed();
            });
    connect(&m_runner, &TrainingRunner::ablatedDiverged, this,
            &TrainingController::ablatedDiverged);
}

TrainingController &TrainingController::of(Document &document) {
    auto *made = document.findChild<TrainingController *>(QString(), Qt::FindDirectChildrenOnly);
    return made ? *made : *new TrainingController(document, &document);
}

QString TrainingController::unavailableReason() const {
    if (m_document.isCapture())
        return readOnlyReason();
    const core::TrainingRunPointer &run = m_document.state().training;
    if (!run)
        return tr("This session has no training task. Choose Training › New run… to add one");
    if (lacksText())
        return tr("This session does not contain its training text. Choose it with Training › Text "
                  "file…");
    if (!task())
        return tr("This version of Headlight does not have the task “%1”")
            .arg(QString::fromStdString(run->recipe.task));
    return {};
}

core::TrainingRunPointer TrainingController::run() const {
    return m_document.state().training;
}

void TrainingController::setTask(core::TaskPointer task) {
    m_task = std::move(task);
    emit changed();
}

core::TaskPointer TrainingController::task() const {
    const core::TrainingRunPointer &run = m_document.state().training;
    if (!run)
        return nullptr;
    if (run->ownText)
        return run->ownText;
    return m_task && m_task->info().id == run->recipe.task ? m_task
                                                           : core::findTask(run->recipe.task);
}

bool TrainingController::lacksText() const {
    const core::TrainingRunPointer &run = m_document.state().training;
    return run && !task() && core::findTextUnits(run->recipe.task);
}

bool TrainingController::isDone() const {
    const core::TrainingRunPointer &run = m_document.state().training;
    return run && run->step >= run->recipe.steps;
}

core::Outcome TrainingController::start() {
    return go(std::numeric_limits<core::Index>::max());
}

core::Outcome TrainingController::oneBatch() {
    return go(1);
}

core::Outcome TrainingController::go(core::Index steps) {
    if (const QString why = unavailableReason(); !why.isEmpty())
        return core::Error{messageOf(why), "", {}};
    const DocumentState &state = m_document.state();
    if (isDone())
        return core::Error{
            messageOf(tr("all %1 steps of the recipe are done").arg(state.training->recipe.steps)),
            "", messageOf(tr("restart from the seed, or start a new run"))};
    core::TrainingState from = core::stateOf(*state.training, state.model);
    from.history = until(from.step, from.history);
    from.ablated = until(from.step, from.ablated);
    if (!from.ownText && core::keptTextOf(*task()))
        from.ownText = task();                       // the session contains the text from now on
    if (m_gesture == 0 || state.training != m_own) { // otherwise the same run continues
        m_gesture = m_document.newGesture();
        m_begun = from.step;
    }
    m_checkpoints.add(*state.training, state.model.parameters);
    m_own = state.training;
    m_ownWeights = state.model.parameters;
    m_stepsLeft = steps;
    m_isPausing = false;
    m_running.start();
    m_runner.start(std::move(from), task(), steps);
    m_wait.start(kMinWait);
    emit changed();
    return core::Done{};
}

void TrainingController::pause() {
    m_wait.stop();
    m_runner.stop();
    m_isPausing = true;
    emit changed();
}

core::Outcome TrainingController::beginAgain() {
    if (const QString why = unavailableReason(); !why.isEmpty())
        return core::Error{messageOf(why), "", {}};
    const core::Recipe &recipe = m_document.state().training->recipe;
    const core::Result<core::Model> first =
        core::initialModel(task()->info(), recipe.architecture, recipe.seed);
    if (!first)
        return first.error();
    if (const core::Outcome takes = takesThePlaceOf(m_document.state().model, *first); !takes)
        return takes.error();
    core::TrainingRun run;
    run.recipe = recipe;
    run.ownText = m_document.state().training->ownText;
    if (const core::AblatedRunPointer &ablated = m_document.state().training->ablated) {
        const core::Result<core::AblatedRunPointer> again =
            core::firstAblatedRun(recipe, ablated->ablation, task()->info());
        if (!again)
            return again.error();
        run.ablated = *again;
    }
    m_runner.cancel();
    m_wait.stop();
    m_isShowing = false;
    m_checkpoints.clear();
    m_gesture = m_document.newGesture();
    m_begun = 0;
    apply(first->parameters, std::make_shared<const core::TrainingRun>(std::move(run)),
          tr("Restart from the seed"));
    m_checkpoints.add(*m_own, m_ownWeights);
    m_gesture = 0; // the next training is a separate undo step
    emit changed();
    return core::Done{};
}

void TrainingController::adopt(core::TrainingState state, std::optional<core::Input> input) {
    const core::TrainingRunPointer run = m_document.state().training;
    if (!run)
        return;
    m_runner.cancel();
    m_wait.stop();
    m_isShowing = false;
    m_gesture = m_document.newGesture();
    m_begun = run->step;
    const core::ModelParameters weights = state.model.parameters;
    apply(weights, std::make_shared<const core::TrainingRun>(core::runOf(std::move(state))), {},
          std::move(input));
    m_checkpoints.add(*m_own, m_ownWeights);
    m_gesture = 0; // further training is a separate undo step
    emit changed();
}

void TrainingController::apply(const core::ModelParameters &weights, core::TrainingRunPointer run,
                               const QString &words, std::optional<core::Input> input) {
    const core::Index step = run->step;
    m_own = run;
    m_ownWeights = weights;
    Edit edit{m_document.state(), {}};
    edit.state.model.parameters = weights;
    edit.state.training = std::move(run);
    if (input)
        edit.state.input = *std::move(input);
    if (words.isEmpty())
        edit.words = {tr("Training, step"), QString::number(m_begun), QString::number(step)};
    else
        edit.words = {words, {}, {}};
    m_isApplying = true;
    const core::Outcome outcome = m_document.apply(checked(std::move(edit)), m_gesture);
    m_isApplying = false;
    if (!outcome)
        emit failed(outcome.error());
}

/// Applies a checkpoint. Its cost is known only in shown(), after the trace is computed and
/// painted. The trainer continues meanwhile.
void TrainingController::take(const TrainingCheckpoint &checkpoint) {
    if (m_stepsLeft != std::numeric_limits<core::Index>::max())
        m_stepsLeft -= checkpoint.run->step - m_own->step;
    m_isShowing = true;
    m_showing.start();
    measureRate();
    if (checkpoint.hasDiverged) {
        applyDivergence(checkpoint);
    } else {
        m_checkpoints.add(*checkpoint.run, checkpoint.weights);
        apply(checkpoint.weights, checkpoint.run, {});
    }
    if (isComputed()) // the state is unchanged, so no trace follows
        shown();
    emit changed();
}

/// Parameters that are about to overflow cannot be shown. Keeps the last displayed ones and updates
/// the curves, including those of an ablated run that continues.
void TrainingController::applyDivergence(const TrainingCheckpoint &checkpoint) {
    core::TrainingRun run = *m_own;
    run.history = checkpoint.run->history;
    run.ablated = checkpoint.run->ablated;
    apply(m_ownWeights, std::make_shared<const core::TrainingRun>(std::move(run)), {});
}

/// True if the traces of the model and of the ablated run are up to date.
bool TrainingController::isComputed() const {
    return !m_document.traceIsStale() && !m_document.comparison().isComputing();
}

/// If the forward pass overflows, the new parameters cannot be shown. Goes back to the last
/// parameters that could be computed, and keeps the new curves.
void TrainingController::goBackToShown() {
    if (!std::exchange(m_cannotBeComputed, false) || !m_computed || m_own == m_computed)
        return;
    core::TrainingRun run = *m_computed;
    run.history = m_own->history;
    apply(m_computedWeights, std::make_shared<const core::TrainingRun>(std::move(run)), {});
}

void TrainingController::shown() {
    m_isShowing = false;
    if (isComputed()) {
        m_computed = m_own;
        m_computedWeights = m_ownWeights;
    }
    if (!isRunning())
        return;
    const qint64 cost = m_showing.elapsed();
    m_wait.start(static_cast<int>(std::clamp<qint64>(kShareOfTime * cost, kMinWait, kMaxWait)));
}

void TrainingController::measureRate() {
    const core::Index made = m_runner.stepsMade();
    const qint64 elapsed = m_running.isValid() ? m_running.nsecsElapsed() : 0;
    if (made > 0 && elapsed > 0)
        m_rate = 1e9 * static_cast<double>(made) / static_cast<double>(elapsed);
}

void TrainingController::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event)) {
        m_runner.cancel();
        m_wait.stop();
        m_isShowing = false;
        m_checkpoints.clear();
        m_gesture = 0;
        m_rate = 0;
        m_task.reset();
        m_own = m_document.state().training;
        m_ownWeights = m_document.state().model.parameters;
        m_computed = m_own;
        m_computedWeights = m_ownWeights;
        m_cannotBeComputed = false;
        if (m_own)
            m_checkpoints.add(*m_own, m_ownWeights);
        emit changed();
    }
    if (const auto *change = std::get_if<StateChanged>(&event); change && !m_isApplying)
        stateChanged(*change);
    const bool hasFailed = is<ComputationFailed>(event);
    const bool isNew = is<TraceChanged>(event) || is<ComparisonChanged>(event) || hasFailed;
    if (isNew && m_isShowing) // wait until all views have painted it
        QTimer::singleShot(0, this, [this, hasFailed] {
            if (!m_isShowing || !(hasFailed || isComputed()))
                return;
            m_cannotBeComputed = hasFailed;
            shown();
            if (!isRunning()) // otherwise the run continues or will report its divergence
                goBackToShown();
        });
}

/// Handles an edit that this class did not make.
void TrainingController::stateChanged(const StateChanged &change) {
    const DocumentState &state = m_document.state();
    if (state.training != m_own) { // undone or reset; the run stays paused there
        m_runner.cancel();
        m_wait.stop();
        m_isShowing = false;
        m_own = state.training;
        m_ownWeights = state.model.parameters;
        return emit changed();
    }
    const bool isOther =
        !(state.model.parameters == m_ownWeights) || change.parts.has(core::StatePart::Structure) ||
        change.parts.has(core::StatePart::Scale) || change.parts.has(core::StatePart::Positions);
    if (!isOther || !m_own) // the parameters are the same, or nothing was trained
        return;
    m_ownWeights = state.model.parameters;
    m_begun = m_own->step; // further training is a separate undo step
    if (!isRunning())
        return;
    // Continue from the displayed state with the user's edits.
    const core::Index left = m_stepsLeft;
    m_runner.cancel();
    if (const core::Outcome outcome = go(left); !outcome)
        emit failed(outcome.error());
}

std::optional<std::size_t> TrainingController::shownCheckpoint() const {
    const core::TrainingRunPointer &run = m_document.state().training;
    if (m_checkpoints.isEmpty() || !run)
        return std::nullopt;
    return m_checkpoints.nearest(run->step);
}

void TrainingController::show(std::size_t index) {
    const core::TrainingRunPointer run = m_document.state().training;
    if (!run || index >= m_checkpoints.all().size())
        return;
    m_runner.cancel();
    m_wait.stop();
    m_isShowing = false;
    const Checkpoint &checkpoint = m_checkpoints.all()[index];
    core::TrainingRun then;
    then.recipe = run->recipe;
    then.ownText = run->ownText;
    then.step = checkpoint.step;
    then.firstMoment = checkpoint.firstMoment;
    then.secondMoment = checkpoint.secondMoment;
    then.history = run->history; // the complete history, so that later points stay visible
    then.ablated = run->ablated && checkpoint.ablated
                       ? ablatedRunAt(*checkpoint.ablated, *run->ablated)
                       : run->ablated;
    if (m_gesture == 0 || run != m_own) {
        m_gesture = m_document.newGesture();
        m_begun = run->step;
    }
    apply(checkpoint.weights, std::make_shared<const core::TrainingRun>(std::move(then)), {});
    emit changed();
}

std::optional<std::size_t> TrainingController::bestCheckpoint() const {
    const core::TrainingRunPointer &run = m_document.state().training;
    if (!run || m_checkpoints.isEmpty())
        return std::nullopt;
    const core::HistoryPoint *best = nullptr;
    for (const core::HistoryPoint &point : run->history)
        if (point.isStep && (!best || point.loss < best->loss))
            best = &point;
    return best ? std::optional(m_checkpoints.nearest(best->step)) : std::nullopt;
}

} // namespace headlight::ui
