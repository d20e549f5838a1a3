#include "ui/document/training_session.h"

#include "core/formats/session/writing/writer.h"
#include "core/selection/view.h"
#include "core/training/tasks/batch_of.h"
#include "core/training/tasks/own_text.h"
#include "ui/document/fitting_selection.h"

namespace headlight::ui {

namespace {

/// Selects the last layer's attention weights from the last token to the first.
core::SelectionPatch trainingView(const core::Model &model, const core::Input &input) {
    core::SelectionPatch view;
    view.view = core::idOf(core::View::Training);
    view.layer = model.layerCount() - 1;
    view.head = 0;
    view.stage = core::Stage::AttentionWeights;
    view.query = (*input.batch)[0].length - 1;
    view.key = 0;
    return view;
}

} // namespace

core::Result<OpenedSource> makeTrainingSession(const core::Recipe &recipe,
                                               const core::TaskPointer &task,
                                               std::optional<core::Ablation> against) {
    if (core::Outcome valid = core::validate(recipe); !valid)
        return valid.error();
    const core::TaskInfo &info = task->info();
    const core::Result<core::Model> model =
        core::initialModel(info, recipe.architecture, recipe.seed);
    if (!model)
        return model.error();
    const core::Example example = core::examplesOf(*task, core::Split::HeldOut, 0, 0, 1).front();
    const core::Result<core::Input> input =
        core::inputOf(example, *model, core::masksOf(info, recipe.architecture));
    if (!input)
        return input.error();
    core::TrainingRun run;
    run.recipe = recipe;
    if (against) {
        const core::Result<core::AblatedRunPointer> ablated =
            core::firstAblatedRun(recipe, *against, info);
        if (!ablated)
            return ablated.error();
        run.ablated = *ablated;
    }
    const auto written = [&] {
        return core::writeNewSession({info.title.text()}, *model, *input, 0,
                                     trainingView(*model, *input), 0, &run);
    };
    core::Result<core::Session> session = core::readSession(written());
    if (!session)
        return session.error();
    if (core::keptTextOf(*task)) { // no need to read it again
        run.ownText = task;
        session->json = written();
        session->training = std::make_shared<const core::TrainingRun>(std::move(run));
    }
    OpenedSource opened;
    opened.session = *std::move(session);
    opened.state = {opened.session.model, opened.session.input, 0, {}, opened.session.training};
    opened.selection = fittingSelection(opened.session.view.applied({}), opened.state);
    opened.view = QString::fromStdString(*opened.session.view.view);
    return withComputable(std::move(opened));
}

} // namespace headlight::ui
