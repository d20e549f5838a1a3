#include "ui/document/source.h"

#include "core/formats/figure_session.h"
#include "core/transformer/forward.h"
#include "ui/document/edits/word_edits.h"
#include "ui/document/fitting_input.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/lesson_catalogue.h"

#include <QFileInfo>

#include <algorithm>

namespace headlight::ui {

namespace {

core::Result<core::Session> readSource(const SourceRequest &request, const QString &source) {
    switch (kindOfSource(source)) {
    case SourceKind::Session:
        return core::readSessionFile(source.toStdString(), request.seed);
    case SourceKind::Figure: {
        const core::Result<core::FigureSession> figure = core::readFigureFile(source.toStdString());
        if (!figure)
            return figure.error();
        core::Result<core::Session> session = core::readSession(figure->session, request.seed);
        if (!session)
            return core::Error{session.error().what,
                               source.toStdString() + ": " + session.error().where,
                               session.error().remedy};
        return session;
    }
    case SourceKind::ModelFolder:
        return core::Error{"it is a folder, and this version opens lessons and sessions only",
                           source.toStdString(), "give a lesson or a .headlight file"};
    case SourceKind::Safetensors:
        return core::Error{"captures and traces cannot be opened in the window by this version",
                           source.toStdString(), "`headlight figure` paints what they hold"};
    case SourceKind::Lesson:
    case SourceKind::Unknown:
        break;
    }
    return readLesson(source, request.seed);
}

core::MaskLayers layersOf(SourceRequest::Mask mask) {
    using Mask = SourceRequest::Mask;
    core::MaskLayers layers;
    if (mask == Mask::Causal || mask == Mask::CausalAndPadding)
        layers.emplace_back(std::in_place_type<core::CausalMask>);
    if (mask == Mask::Padding || mask == Mask::CausalAndPadding)
        layers.emplace_back(std::in_place_type<core::PaddingMask>);
    return layers;
}

/// An option's index within `lowest` … count − 1, or an error that names the option.
core::Outcome inRange(const char *option, std::optional<core::Index> index, core::Index count,
                      core::Index lowest = 0) {
    if (!index || (*index >= lowest && *index < count))
        return core::Done{};
    return core::Error{std::to_string(*index) + " is out of range", option,
                       count == 1 ? "only 0 exists here"
                                  : "give 0 to " + std::to_string(count - 1)};
}

constexpr core::Index kNone = -1; // a cell's index that is taken away

core::Index widestOf(const core::Config &config) {
    return std::max(config.width, config.concatenatedWidth());
}

core::Outcome applyVectors(const QString &path, OpenedSource &opened, const std::stop_token &stop) {
    if (!opened.state.model.embeddings)
        return core::Error{"this source has no words", "--vectors", "leave it out"};
    const core::Result<core::WordVectors> vectors =
        core::readWordVectors(path.toStdString(), edits::wordsOf(opened.session, opened.state),
                              opened.state.model.embeddings->given().ignoreCase, {}, stop);
    if (!vectors)
        return vectors.error();
    core::Result<Change> change = edits::setWordVectors(opened.state, *vectors, path);
    if (!change)
        return change.error();
    opened.state = std::move((*change).state);
    opened.state.edits.words = true;
    return core::Done{};
}

/// Text, mask, positions and scaling of the request, laid over the state as if the person had just
/// typed and clicked them.
core::Outcome applyEdits(const SourceRequest &request, OpenedSource &opened,
                         const std::stop_token &stop) {
    if (request.text) {
        core::Result<core::Session> retold = core::withText(opened.session, *request.text);
        if (!retold)
            return core::Error{retold.error().what, "--text", retold.error().remedy};
        opened.state.input.batch = retold->input.batch;
        opened.state.edits.batch = true;
        dropWhatDoesNotFit(opened.state.input);
    }
    if (request.mask != SourceRequest::Mask::Own) {
        opened.state.input.masks = layersOf(request.mask);
        opened.state.edits.masks = true;
    }
    if (request.positions) {
        opened.state.model.config.positions = *request.positions;
        opened.state.edits.positions = true;
    }
    if (request.scale) {
        opened.state.model.config.scale = *request.scale;
        opened.state.edits.scale = true;
    }
    return request.vectors ? applyVectors(*request.vectors, opened, stop) : core::Done{};
}

void look(const core::SelectionPatch &show, OpenedSource &opened) {
    opened.selection = show.applied(opened.selection);
    if (show.view)
        opened.view = QString::fromStdString(*show.view);
}

/// What a person changed where they left this session.
PersonsEdits editsOf(const core::StatePatch &set) {
    PersonsEdits edits{.batch = set.batch || set.text || set.source || set.sourceText,
                       .masks = set.masks || set.encoderMasks || set.crossMasks,
                       .positions = set.positions.has_value(),
                       .scale = set.scale.has_value(),
                       .temperature = set.temperature.has_value(),
                       .softmax = set.softmax.has_value(),
                       .masking = set.masking.has_value(),
                       .interventions = set.interventions.has_value(),
                       .words = !set.words.empty(),
                       .parameters = {}};
    for (const core::ParameterPatch &patch : set.parameters)
        edits.parameters.push_back(patch.id);
    std::sort(edits.parameters.begin(), edits.parameters.end());
    edits.parameters.erase(std::unique(edits.parameters.begin(), edits.parameters.end()),
                           edits.parameters.end());
    return edits;
}

/// The step that is asked for, as going there from where the person left the session; else that
/// place itself; else the first step.
core::Outcome goToState(const SourceRequest &request, OpenedSource &opened) {
    const core::Session &session = opened.session;
    if (!session.lesson && request.step)
        return core::Error{"this session is not a lesson and has no steps", "--step",
                           "leave it out"};
    const core::SavedState now = session.now.value_or(core::SavedState());
    const auto go = [&](core::Index step) -> core::Outcome {
        core::Result<DocumentState> atStep = stateAtStep(session, step, opened.state);
        if (!atStep)
            return request.step ? core::Error{atStep.error().what, "--step", atStep.error().remedy}
                                : atStep.error();
        opened.state = *std::move(atStep);
        return core::Done{};
    };
    if (session.lesson)
        if (core::Outcome outcome = go(now.step); !outcome)
            return outcome;
    if (session.now) {
        core::Session below = session;
        below.model = opened.state.model;
        below.input = opened.state.input;
        core::Result<core::Session> left = core::patched(std::move(below), now.set);
        if (!left)
            return left.error();
        opened.state.model = left->model;
        opened.state.input = left->input;
        opened.state.edits = editsOf(now.set);
    }
    const core::Index step = request.step.value_or(now.step);
    if (step != now.step)
        if (core::Outcome outcome = go(step); !outcome)
            return outcome;
    if (session.lesson)
        look(session.lesson->steps[static_cast<std::size_t>(step)].show, opened);
    if (session.now && step == now.step)
        look(now.show, opened);
    return core::Done{};
}

} // namespace

SourceKind kindOfSource(const QString &word) {
    const QFileInfo file(word);
    const bool isPath = word.contains('/') || file.exists();
    if (isPath && file.isDir())
        return SourceKind::ModelFolder;
    if (word.endsWith(".safetensors"))
        return SourceKind::Safetensors;
    for (const char *ending : {".png", ".svg", ".pdf"})
        if (word.endsWith(QLatin1String(ending), Qt::CaseInsensitive))
            return SourceKind::Figure;
    if (isPath || word.endsWith(".headlight"))
        return SourceKind::Session;
    return lessonIds().contains(word) ? SourceKind::Lesson : SourceKind::Unknown;
}

core::Outcome applySelection(const SourceRequest &request, OpenedSource &opened) {
    const core::Batch &batch = *opened.state.input.batch;
    const auto layers = static_cast<core::Index>(opened.state.model.weights.main.layers.size());
    for (const core::Outcome &outcome :
         {inRange("--sequence", request.sequence, batch.count()),
          inRange("--layer", request.layer, layers),
          inRange("--head", request.head, opened.state.model.config.heads),
          inRange("--query", request.query, batch.length(), kNone),
          inRange("--key", request.key, batch.length(), kNone),
          inRange("--dimension", request.dimension, widestOf(opened.state.model.config), kNone)})
        if (!outcome)
            return outcome;
    opened.selection = fittingSelection(opened.selection, opened.state);
    core::Selection &selection = opened.selection;
    selection.sequence = request.sequence.value_or(selection.sequence);
    selection.layer = request.layer.value_or(selection.layer);
    selection.head = request.head.value_or(selection.head);
    const auto choose = [](std::optional<core::Index> &index, std::optional<core::Index> wanted) {
        if (wanted)
            index = *wanted < 0 ? std::nullopt : wanted;
    };
    choose(selection.query, request.query);
    choose(selection.key, request.key);
    choose(selection.dimension, request.dimension);
    return core::Done{};
}

core::Result<OpenedSource> openSource(const SourceRequest &request, std::stop_token stop) {
    const QString source = request.source.isEmpty() ? lessonIds().first() : request.source;
    core::Result<core::Session> session = readSource(request, source);
    if (!session)
        return session.error();
    OpenedSource opened{*std::move(session), source, {}, {}, {}, request.seed};
    if (!opened.seed && opened.session.now)
        opened.seed = opened.session.now->seed;
    opened.state = {opened.session.model, opened.session.input, 0, {}};
    opened.selection = opened.session.view.applied({});
    opened.view = QString::fromStdString(opened.session.view.view.value_or(""));
    if (core::Outcome outcome = goToState(request, opened); !outcome)
        return outcome.error();
    if (core::Outcome outcome = applyEdits(request, opened, stop); !outcome)
        return outcome.error();
    if (core::Outcome outcome = applySelection(request, opened); !outcome)
        return outcome.error();
    if (core::Outcome fits = core::fits(opened.state.model, opened.state.input); !fits)
        return fits.error();
    return opened;
}

} // namespace headlight::ui
