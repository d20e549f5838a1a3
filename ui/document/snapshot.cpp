#include "ui/document/snapshot.h"

#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/pretrained_session.h"
#include "core/formats/session/writing/writer.h"
#include "core/transformer/plan/model_stages.h"
#include "ui/document/fitting_selection.h"

#include <filesystem>

namespace headlight::ui {

namespace {

/// Returns the selected dimension if the selected stage has it. The selection keeps a dimension of
/// another stage, but a file must not contain it.
std::optional<core::Index> dimensionOf(const core::Selection &selection,
                                       const DocumentState &state) {
    const core::Plan plan = core::planOf(state.model, core::Extent(state.input));
    const auto step = plan.find({selection.stage, selection.attention()});
    if (!step)
        return std::nullopt;
    const core::Config &config = state.model.config;
    const core::Index count =
        core::infoOf(selection.stage).overKeys()
            ? std::max(config.headSize, config.valueWidth()) // width of the row's vectors
            : plan[*step].shape.last(0);
    return selection.dimension && *selection.dimension < count ? selection.dimension : std::nullopt;
}

/// Returns the complete view as a patch. Empty if the session shows this view by default.
core::SelectionPatch patchFor(const Snapshot &snapshot, const core::Session &session) {
    const core::SelectionPatch &shown = shownAt(session, snapshot.state.lessonStep);
    const core::Selection asked = shown.applied(session.view.applied({}));
    const core::Selection own = fittingSelection(asked, snapshot.state);
    core::Selection selection = snapshot.selection;
    selection.dimension = dimensionOf(selection, snapshot.state);
    core::SelectionPatch patch;
    if (snapshot.selection != own) {
        patch = patchOf(selection);
        // A patch is read without its context, so the fields that it omits must mean the model's
        // main attention, even if the session or step shows another one.
        if (selection.stack == asked.stack && selection.stack == snapshot.state.model.mainStack())
            patch.stack.reset();
        if (selection.block == asked.block && selection.block == core::Block::SelfAttention)
            patch.block.reset();
        if (selection.opened == asked.opened)
            patch.opened.reset();
    }
    if (snapshot.state.softmax != softmaxAt(session, snapshot.state.lessonStep))
        patch.softmax = snapshot.state.softmax;
    const std::string view = snapshot.view.toStdString();
    if (!view.empty() && shown.view.value_or(session.view.view.value_or("")) != view)
        patch.view = view;
    return patch;
}

/// Returns the session or the lesson's step without user edits.
core::Session baseOf(const core::Session &session, core::Index step) {
    if (!session.lesson)
        return session;
    core::Result<core::Session> atStep = core::atStep(session, step);
    return atStep ? *std::move(atStep) : session;
}

} // namespace

core::SelectionPatch placeOf(const core::Selection &selection, const DocumentState &state) {
    core::Selection written = selection;
    written.dimension = dimensionOf(selection, state);
    core::SelectionPatch place = core::patchOf(written);
    const core::Model &model = state.model;
    if (written.stack == model.mainStack())
        place.stack.reset();
    if (written.block == core::Block::SelfAttention && model.hasAttention(written.attention()))
        place.block.reset();
    if (!written.opened)
        place.opened.reset();
    return place;
}

std::string Snapshot::bytes(const std::string &folder) const {
    core::Session named = *session;
    if (session->capture) {
        named.json = core::withCaptureFrom(named, folder);
        return core::writeSession(named,
                                  {0, {}, patchFor(*this, named), {}, nullptr, {}, modelView});
    }
    if (state.lesson) {
        named.json = core::withLesson(*session, state.lesson->title, state.lesson->lesson);
        named.title = state.lesson->title;
        named.lesson = state.lesson->lesson;
    }
    if (session->pretrained)
        named.json = core::withModelFrom(named, folder);
    return core::writeSession(
        named, {state.lessonStep,
                core::differenceOf(baseOf(named, state.lessonStep), state.model, state.input),
                patchFor(*this, named), seed,
                state.training != session->training ? state.training : nullptr,
                state.training ? birth : core::BirthState(), modelView});
}

Snapshot Snapshot::atFirstStep() const {
    core::Session drafted = *session;
    if (state.lesson)
        drafted.lesson = state.lesson->lesson;
    if (!drafted.lesson)
        return *this;
    Snapshot first = *this;
    if (state.lessonStep != 0) {
        core::Result<DocumentState> atFirst = stateAtStep(drafted, 0, state);
        if (!atFirst)
            return *this; // a draft whose first step cannot be read
        first.state = *std::move(atFirst);
    }
    first.selection =
        fittingSelection(shownAt(drafted, 0).applied(drafted.view.applied({})), first.state);
    first.view.clear(); // the step determines the tab
    return first;
}

std::string Snapshot::carriedBytes() const {
    const std::string *const path = session->capture      ? &session->capture->path
                                    : session->pretrained ? &session->pretrained->path
                                                          : nullptr;
    if (!path) {
        Snapshot carried = *this;
        carried.birth = {}; // a figure does not show the replay position
        const bool isOwn = state.training != session->training;
        if (session->training && session->training->ownText) {
            auto base = std::make_shared<core::Session>(*session);
            base->json = core::withoutOwnText(base->json);
            carried.session = std::move(base);
        }
        if (state.training && isOwn) { // training cannot resume from a figure
            core::TrainingRun run = *state.training;
            run.firstMoment = run.secondMoment = {};
            run.ownText = nullptr;
            carried.state.training = std::make_shared<const core::TrainingRun>(std::move(run));
        }
        return carried.bytes();
    }
    std::error_code ignored;
    return bytes(std::filesystem::absolute(*path, ignored).parent_path().string());
}

} // namespace headlight::ui
