#include "app/compared_source.h"

#include "app/words.h"
#include "ui/document/comparison.h"

namespace headlight::app {

namespace {

/// Replaces an option in an error by its counterpart for side A.
core::Error ofA(core::Error error) {
    for (const char *option : {"--step", "--sequence"})
        if (error.where == option)
            error.where = "--compare-" + error.where.substr(2);
    if (error.where.empty())
        error.where = "--compare";
    return error;
}

} // namespace

core::Result<ui::Compared> comparedWith(const Arguments &arguments, const SourceAndTrace &now,
                                        std::stop_token stop) {
    if (!arguments.shown)
        return ui::Compared{};
    const std::optional<core::Index> sequence = arguments.compare.sequence;
    if (arguments.compare.source.isEmpty()) {
        const core::Index count = now.trace->batch().count();
        if (*sequence >= count)
            return core::Error{{"%1 is out of range", *sequence},
                               "--compare-sequence",
                               count == 1 ? core::Message("only 0 exists here")
                                          : core::Message("give 0 to %1", count - 1)};
        return ui::Compared{*arguments.shown, now.trace, sequence,
                            Words::tr("sequence %1").arg(*sequence), now.opened.state.training};
    }
    Arguments other;
    other.command = Command::Figure;
    other.request = arguments.compare;
    other.output = arguments.output;
    const core::Result<SourceAndTrace> a = openAndTrace(other, std::move(stop));
    if (!a)
        return ofA(a.error());
    const ui::OpenedSource &opened = a->opened;
    const ui::SideA side{opened.session, opened.source, opened.state, opened.selection,
                         opened.seed};
    return ui::Compared{*arguments.shown, a->trace, opened.selection.sequence, ui::nameOf(side),
                        opened.state.training};
}

} // namespace headlight::app
