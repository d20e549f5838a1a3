#include "app/commands.h"
#include "app/interrupt.h"
#include "app/training_progress.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/formats/files/atomic_file.h"
#include "core/formats/session/writing/writer.h"
#include "core/training/run/ablation_result.h"
#include "core/training/run/ablation_study.h"
#include "core/training/tasks/own_text.h"
#include "ui/document/training_session.h"
#include "ui/text/ablation_text.h"
#include "ui/text/file_path.h"
#include "ui/text/sentences.h"

#include <limits>

namespace headlight::app {

namespace {

using Clock = std::chrono::steady_clock;

/// If the program is killed, at most about 20 seconds are lost: this interval, one step, one
/// measurement and the save.
constexpr std::chrono::seconds kBetweenSaves(15);

/// Replaces the name of a recipe field with its option: "recipe.architecture.heads" becomes
/// "--heads".
core::Error byOption(core::Error error) {
    if (error.where.starts_with("recipe."))
        error.where = "--" + error.where.substr(error.where.rfind('.') + 1);
    return error;
}

/// Returns the task with this id. A task on the user's own text reads `textFile` or, if that is
/// empty, uses the text of `run`.
core::Result<core::TaskPointer> taskFor(const std::string &id, const core::TrainingRunPointer &run,
                                        const QString &textFile, std::stop_token stop) {
    if (const auto units = core::findTextUnits(id)) {
        if (textFile.isEmpty() && run && run->ownText)
            return run->ownText;
        if (textFile.isEmpty())
            return errorOf(Words::tr("the session does not contain the training text"),
                           "--text-file", Words::tr("use the same file as before"));
        return core::readOwnTextTask(ui::bytesOf(textFile), *units, std::move(stop));
    }
    if (!textFile.isEmpty())
        return errorOf(Words::tr("the run's task, %1, reads no text").arg(id.c_str()),
                       "--text-file", Words::tr("leave it out"));
    if (core::TaskPointer task = core::findTask(id))
        return task;
    return errorOf(Words::tr("there is no task %1").arg(id.c_str()), "",
                   Words::tr("headlight tasks lists them"));
}

core::Result<ui::OpenedSource> firstSession(const TrainRequest &request,
                                            const core::TaskPointer &task) {
    core::Recipe recipe = task->info().recipe;
    for (const RecipeChange &change : request.changes)
        change.apply(recipe);
    return ui::makeTrainingSession(recipe, task, request.race);
}

core::Result<ui::OpenedSource> sessionWithRun(const QString &file, std::stop_token stop) {
    ui::SourceRequest request;
    request.source = file;
    core::Result<ui::OpenedSource> opened = ui::openSource(request, std::move(stop));
    if (opened && !opened->state.training)
        return errorOf(Words::tr("it has no training run to resume"), ui::bytesOf(file).c_str(),
                       Words::tr("use a session with a training run, or a task"));
    return opened;
}

/// A run in progress, the session that it comes from, and its output file.
struct Training {
    ui::OpenedSource opened;
    core::AblationStudy study;
    QString output;
    /// The measured state with the lowest held-out loss. Saved if the run diverges, because the
    /// last state is then useless.
    core::TrainingState best{};
    double minLoss = std::numeric_limits<double>::infinity();
    bool isDiverged = false;

    std::string text() const { return textOf(study.state()); }
    std::string textOf(core::TrainingState state) const {
        const core::Model model = state.model;
        const core::TrainingRun run = core::runOf(std::move(state));
        const core::Session &session = opened.session;
        return core::writeNewSession(session, model, opened.state.input, session.minimumLength,
                                     session.view, session.sourceMinimumLength, &run);
    }
    int save(core::TrainingState state) const {
        return writeOutput(output, textOf(std::move(state)));
    }
    /// False for standard output, which receives the session only once, at the end.
    bool isFile() const { return output != "-"; }
};

core::Result<Training> begin(const Arguments &arguments, const std::stop_token &stop) {
    const TrainRequest &request = arguments.train;
    core::TaskPointer task;
    core::Result<ui::OpenedSource> opened = core::cancelled();
    if (request.task.isEmpty()) {
        opened = sessionWithRun(request.resume, stop);
        if (!opened)
            return opened.error();
        core::TrainingRun run = *opened->state.training;
        for (const RecipeChange &change : request.changes)
            change.apply(run.recipe);
        opened->state.training = std::make_shared<const core::TrainingRun>(std::move(run));
    }
    const std::string id =
        opened ? opened->state.training->recipe.task : request.task.toStdString();
    core::Result<core::TaskPointer> found =
        taskFor(id, opened ? opened->state.training : nullptr, request.textFile, stop);
    if (!found)
        return found.error();
    if (!opened)
        opened = firstSession(request, *found);
    if (!opened)
        return opened.error();
    const core::Model &model = opened->state.model;
    if (!request.textFile.isEmpty() && model.vocabulary &&
        model.vocabulary->words() != (*found)->info().words)
        return errorOf(
            Words::tr("its words are not those of the text that the model was built for"),
            ui::bytesOf(request.textFile).c_str(), Words::tr("use the same file"));
    core::TrainingState state = core::stateOf(*opened->state.training, model);
    if (core::keptTextOf(**found))
        state.ownText = *found;
    core::Result<core::AblationStudy> study = core::AblationStudy::create(std::move(state), *found);
    if (!study)
        return study.error();
    if (study->isDone())
        return errorOf(Words::tr("all %1 steps are done").arg(study->recipe().steps), "",
                       Words::tr("set the number of steps with --steps"));
    Training training{*std::move(opened), *std::move(study), arguments.output};
    training.best = training.study.state();
    if (const core::History &history = training.best.history;
        !history.empty() && history.back().step == training.best.step && history.back().heldOut)
        training.minLoss = history.back().heldOut->loss; // the state was already measured
    return training;
}

/// Checks that the file can be written, before the run starts.
core::Outcome canWrite(const QString &output) {
    if (output == "-")
        return core::Done{};
    const core::Result<core::AtomicFile> file = core::AtomicFile::open(ui::bytesOf(output));
    return file ? core::Outcome(core::Done{}) : core::Outcome(file.error());
}

core::Outcome measure(Training &training, const std::stop_token &stop) {
    if (core::Outcome measured = training.study.measure(stop); !measured)
        return measured;
    const core::History &history = training.study.run().history();
    if (!history.empty() && history.back().heldOut &&
        history.back().heldOut->loss < training.minLoss) {
        training.minLoss = history.back().heldOut->loss;
        training.best = training.study.state();
    }
    return core::Done{};
}

/// Runs one training step, after a measurement if one is due.
core::Outcome goOn(Training &training, const std::stop_token &stop) {
    if (training.study.run().isTimeToMeasure())
        if (core::Outcome measured = measure(training, stop); !measured)
            return measured;
    return training.study.advance(stop);
}

/// Trains until all steps are done. Errors: those of AblationStudy::advance(); the output cannot be
/// written; the main run diverged, even if the ablated run is done.
core::Outcome train(Training &training, const std::stop_token &stop) {
    core::AblationStudy &study = training.study;
    TrainingProgress progress(study);
    Clock::time_point saved = Clock::now();
    core::Outcome made = core::Done{};
    while (made && !study.isDone()) {
        made = goOn(training, stop);
        if (!made) {
            training.isDiverged = !core::isCancelled(made.error());
            break;
        }
        progress.show();
        if (!training.isFile() || Clock::now() - saved < kBetweenSaves)
            continue;
        made = core::writeFile(ui::bytesOf(training.output), training.text());
        saved = Clock::now();
    }
    if (made)
        made = measure(training, stop);
    progress.end();
    return made && study.divergence() ? core::Outcome(*study.divergence()) : made;
}

/// Prints the claim in the literature about the ablation, and the result of this study.
void sayOutcome(const core::AblationStudy &study) {
    const core::TrainingState state = study.state();
    const auto result = core::resultOf(core::runOf(state), state.model);
    if (!result)
        return;
    const core::Ablation ablation = state.ablated->ablation;
    say(ui::sentences(QStringList(ui::claimOf(ablation)) +
                      ui::outcomeOf(*result, ablation, state.recipe.architecture))
            .toStdString());
}

} // namespace

int runTrain(const Arguments &arguments, std::stop_token stop) {
    if (const core::Outcome allowed = mayWrite(arguments); !allowed)
        return fail(allowed.error());
    core::Result<Training> training = begin(arguments, stop);
    if (!training)
        return core::isCancelled(training.error()) ? kInterrupted
                                                   : fail(byOption(training.error()));
    if (const core::Outcome can = canWrite(arguments.output); !can)
        return fail(can.error());
    const core::Outcome made = train(*training, stop);
    core::TrainingState kept = training->isDiverged ? training->best : training->study.state();
    const core::Index step = kept.step;
    if (const int saved = training->save(std::move(kept)); saved != 0)
        return saved;
    sayOutcome(training->study);
    if (made)
        return 0;
    if (training->isDiverged && training->isFile())
        say(Words::tr("%1 contains the best recorded state, from step %2")
                .arg(arguments.output)
                .arg(step)
                .toStdString());
    if (!core::isCancelled(made.error()))
        return fail(made.error());
    if (training->isFile())
        say(Words::tr("continue with headlight train --resume %1")
                .arg(arguments.output)
                .toStdString());
    return kInterrupted;
}

} // namespace headlight::app
