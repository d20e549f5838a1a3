#include "app/capture_source.h"

#include "app/words.h"
#include "core/formats/capture/capture_trace.h"
#include "ui/document/file_path.h"
#include "ui/words/core_message.h"

#include <QFileInfo>

namespace headlight::app {

namespace {

/// What only a model could do.
core::Outcome refuseComputation(const Arguments &arguments) {
    const ui::SourceRequest &request = arguments.request;
    const std::pair<const char *, bool> asked[] = {
        {"--text", request.text.has_value()},
        {"--target-text", request.targetText.has_value()},
        {"--token-ids", request.tokenIds.has_value()},
        {"--target-token-ids", request.targetTokenIds.has_value()},
        {"--mask", request.mask != ui::SourceRequest::Mask::Own},
        {"--vectors", request.vectors.has_value()},
        {"--seed", request.seed.has_value()},
        {"--step", request.step.has_value()},
    };
    for (const auto &[option, isAsked] : asked)
        if (isAsked)
            return core::Error{
                ui::messageOf(Words::tr(
                    "a capture holds what was computed, and cannot compute anything else")),
                option, ui::messageOf(Words::tr("leave it out"))};
    return core::Done{};
}

/// The first stage that a figure can show, preferably the weights.
void selectWhatThereIs(const core::Trace &trace, core::Selection &selection) {
    std::optional<core::StageAt> first;
    for (const std::string &name : trace.names()) {
        const auto place = core::findStageAnywhere(name);
        const bool better = place && (!first || (place->stage == core::Stage::Weights &&
                                                 first->stage != core::Stage::Weights));
        if (better)
            first = place;
    }
    if (!first)
        return;
    selection.stage = first->stage;
    selection.setSite(first->site);
}

} // namespace

bool isCapture(const Arguments &arguments) {
    return ui::kindOfSource(arguments.request.source) == ui::SourceKind::Safetensors;
}

core::Result<OpenedCapture> openCapture(const Arguments &arguments) {
    if (core::Outcome outcome = refuseComputation(arguments); !outcome)
        return outcome.error();
    const QString &path = arguments.request.source;
    core::Result<core::Capture> capture = core::readCapture(ui::bytesOf(path));
    if (!capture)
        return capture.error();
    core::Result<core::TracePointer> trace = core::traceOf(*capture);
    if (!trace)
        return core::Error{trace.error().what, ui::bytesOf(path), trace.error().remedy};
    OpenedCapture result{*std::move(capture), *trace, {}};
    result.opened.source = path;
    result.opened.session.title = QFileInfo(path).fileName().toStdString();
    result.opened.state = {result.trace->model(), result.trace->input(), 0, {}};
    selectWhatThereIs(*result.trace, result.opened.selection);
    if (core::Outcome outcome = ui::applySelection(arguments.request, result.opened); !outcome)
        return outcome.error();
    return result;
}

} // namespace headlight::app
