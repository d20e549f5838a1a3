#include "app/compared_source.h"

#include "ui/document/comparison.h"
#include "ui/text/token_names.h"

namespace headlight::app {

namespace {

/// Replaces an option in an error with its counterpart for side A.
core::Error ofA(core::Error error) {
    for (const char *option : {"--step", "--sequence"})
        if (error.where == option)
            error.where = "--compare-" + error.where.substr(2);
    if (error.where.empty())
        error.where = "--compare";
    return error;
}

} // namespace

ui::SourceRequest requestOfSameSource(const Arguments &arguments, const SourceAndTrace &now) {
    ui::SourceRequest request = arguments.request;
    request.source = now.opened.source;
    request.course = now.opened.course;
    request.content = std::make_shared<const core::Session>(now.opened.session);
    return request;
}

void setTextOfA(const Arguments &arguments, ui::SourceRequest &request) {
    request.text = arguments.compare.text;
    request.pair.reset();
    request.tokenIds.reset();
    request.randomRepeats.reset();
}

core::Error ofTextA(const Arguments &arguments, core::Error error) {
    if (error.where == "--text" && arguments.compare.text)
        error.where = "--compare-text";
    return error;
}

core::Result<core::TokenPartnersPointer> partnersOf(const Arguments &arguments,
                                                    const core::Trace &now, core::Index nowSequence,
                                                    const core::Trace &a, core::Index aSequence) {
    const auto find = [&](const core::OwnPairsPointer &own) {
        return core::partnersOf(now.input(), nowSequence, a.input(), aSequence, now.model(), own);
    };
    core::TokenPartnersPointer found = find(nullptr);
    if (arguments.pairEdits.empty())
        return found;
    core::Result<core::AlignedText> own =
        core::withPairEdits(found->texts().back(), arguments.pairEdits);
    if (!own)
        return own.error();
    return find(std::make_shared<const std::vector<core::AlignedText>>(1, *std::move(own)));
}

namespace {

/// Adds the partners of the tokens unless both sides are compared position by position.
core::Result<ui::Compared> withPartners(const Arguments &arguments, const SourceAndTrace &now,
                                        ui::Compared compared) {
    const core::Index sequence = now.opened.selection.sequence;
    const core::Result<core::TokenPartnersPointer> partners = partnersOf(
        arguments, *now.trace, sequence, *compared.a, compared.sequence.value_or(sequence));
    if (!partners)
        return partners.error();
    if (!(*partners)->isByPosition())
        compared.partners = *partners;
    return compared;
}

/// Returns the request that opens side A.
ui::SourceRequest requestOfA(const Arguments &arguments, const SourceAndTrace &now) {
    if (!arguments.compare.source.isEmpty()) {
        ui::SourceRequest request = arguments.compare;
        if (arguments.compare.text)
            setTextOfA(arguments, request);
        return request;
    }
    ui::SourceRequest request = requestOfSameSource(arguments, now);
    setTextOfA(arguments, request);
    request.sequence.reset(); // the text replaces all sequences
    request.query.reset();    // the selection belongs to the current text
    request.key.reset();
    request.dimension.reset();
    return request;
}

} // namespace

bool isOfSameTrace(const Arguments &arguments) {
    return arguments.compare.source.isEmpty() && !arguments.compare.text;
}

core::Result<ui::Compared> comparedWith(const Arguments &arguments, const SourceAndTrace &now,
                                        const ObserverOfA &observer, std::stop_token stop) {
    if (!arguments.shown)
        return ui::Compared{};
    const std::optional<core::Index> sequence = arguments.compare.sequence;
    if (isOfSameTrace(arguments)) {
        const core::Index count = now.trace->batch().count();
        if (*sequence >= count)
            return core::Error{{"%1 is out of range", *sequence},
                               "--compare-sequence",
                               count == 1 ? core::Message("only 0 exists here")
                                          : core::Message("use 0 to %1", count - 1)};
        return withPartners(arguments, now,
                            {*arguments.shown, now.trace, sequence, ui::sentenceName(*sequence),
                             now.opened.state.training});
    }
    Arguments other;
    other.command = Command::Figure;
    other.request = requestOfA(arguments, now);
    other.output = arguments.output;
    other.outputs = arguments.outputs;
    core::Result<ui::OpenedSource> read = openFor(other, stop);
    if (!read)
        return ofA(ofTextA(arguments, read.error()));
    core::WeightsObserver *const observing = observer(*read);
    const core::Result<SourceAndTrace> a = traced(*std::move(read), std::move(stop), observing);
    if (!a)
        return ofA(ofTextA(arguments, a.error()));
    const ui::OpenedSource &opened = a->opened;
    ui::SideA side{opened.session,    opened.source,    opened.state,
                   opened.computable, opened.selection, opened.seed};
    if (arguments.compare.source.isEmpty())
        side.source.clear(); // side A is named by its text instead
    if (arguments.compare.text)
        side.text = QString::fromStdString(*arguments.compare.text);
    return withPartners(arguments, now,
                        {*arguments.shown, a->trace, opened.selection.sequence, ui::nameOf(side),
                         opened.state.training});
}

} // namespace headlight::app
