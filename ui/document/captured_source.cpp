#include "ui/document/captured_source.h"

#include "core/cancelled.h"
#include "core/checks/capture_check.h"
#include "core/formats/capture/capture.h"

namespace headlight::ui {

namespace {

/// Rejects options that need a model.
core::Outcome refuseComputation(const SourceRequest &request) {
    const std::pair<const char *, bool> asked[] = {
        {"--text", request.text.has_value()},
        {"--target-text", request.targetText.has_value()},
        {"--token-ids", request.tokenIds.has_value()},
        {"--random-repeats", request.randomRepeats.has_value()},
        {"--target-token-ids", request.targetTokenIds.has_value()},
        {"--mask", request.mask != SourceRequest::Mask::Own},
        {"--positions", request.positions.has_value()},
        {"--scaling", request.scale.has_value()},
        {"--silence", !request.silencedHeads.empty()},
        {"--scale-head", !request.scaledHeads.empty()},
        {"--vectors", request.vectors.has_value()},
        {"--seed", request.seed.has_value()},
        {"--step", request.step.has_value()},
    };
    for (const auto &[option, isAsked] : asked)
        if (isAsked)
            return core::Error{"a capture has no model, so it cannot compute anything else", option,
                               "leave it out"};
    return core::Done{};
}

/// Selects the first captured stage of attention weights or, if there is none, the first captured
/// stage.
void selectWhatThereIs(const core::Trace &trace, core::Selection &selection) {
    std::optional<core::StageId> first;
    for (const core::Step &step : trace.plan().steps())
        if (!first || (step.at.stage == core::Stage::AttentionWeights &&
                       first->stage != core::Stage::AttentionWeights))
            first = step.at;
    if (!first)
        return;
    selection.stage = first->stage;
    selection.setAttention(first->attention);
}

/// Adds warnings about invalid values. Skipped for a large capture, whose values are read on
/// demand.
core::Outcome addProblems(core::Session &session, const std::stop_token &stop) {
    const core::Capture &capture = *session.capture->content;
    if (session.capture->trace->source())
        return core::Done{};
    for (const core::Error &problem : core::problemsOf(capture, stop)) {
        if (core::isCancelled(problem))
            return problem;
        session.warnings.push_back({problem.what, problem.where, problem.remedy, {}});
    }
    return core::Done{};
}

} // namespace

core::Result<OpenedSource> openCaptured(const SourceRequest &request, core::Session session,
                                        const QString &source, std::stop_token stop) {
    if (core::Outcome outcome = refuseComputation(request); !outcome)
        return outcome.error();
    if (core::Outcome outcome = addProblems(session, stop); !outcome)
        return outcome.error();
    OpenedSource opened;
    opened.session = std::move(session);
    opened.source = source;
    opened.state = {opened.session.model, opened.session.input, 0, {}};
    selectWhatThereIs(*opened.session.capture->trace, opened.selection);
    applyView(opened.session.view, opened);
    if (opened.session.now)
        applyView(opened.session.now->show, opened);
    if (core::Outcome outcome = applySelection(request, opened); !outcome)
        return outcome.error();
    return opened;
}

} // namespace headlight::ui
