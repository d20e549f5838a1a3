#include "ui/views/output_runs.h"

#include "ui/document/edits/generation_edits.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/core_message.h"

#include <algorithm>
#include <utility>

namespace headlight::ui {

OutputRuns::OutputRuns(Document &document, QObject *parent)
    : QObject(parent), m_document(document), m_step(document.undoStack().index()) {
    connect(&document, &Document::changed, this, &OutputRuns::documentChanged);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &OutputRuns::stepTaken);
    connect(&m_reader, &OutputReader::made, this, &OutputRuns::made);
    connect(&m_reader, &OutputReader::failed, this, &OutputRuns::failed);
    connect(&m_ends, &WordEnds::made, this, &OutputRuns::made);
}

std::vector<core::RestOfWord> OutputRuns::restsOf(const core::Selection &selection,
                                                  const std::vector<core::Index> &tokens) {
    const core::TracePointer &trace = m_document.trace();
    const auto &text = m_document.computable();
    if (!trace->model().reader || !trace->model().saysNext() || !text || m_document.traceIsStale())
        return {};
    const core::OutputRowId place = core::outputPlaceOf(*trace, selection);
    if (place.row + 1 != (*text->input().batch)[place.sequence].length)
        return {};
    return m_ends.restsOf(*text, trace, place.sequence, tokens);
}

void OutputRuns::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event)) {
        m_before = {};
        m_shown = nullptr;
        m_step = m_document.undoStack().index();
    }
    if (is<TraceChanged>(event)) // do not keep a trace without an output
        m_shown = core::hasOutput(*m_document.trace()) ? m_document.trace() : nullptr;
}

/// Keeps the trace from before the undo step, to compare the next trace with it.
void OutputRuns::stepTaken(int index) {
    const int before = std::exchange(m_step, index);
    if (index == before) // merged into the last step, as during a drag or typing
        return;
    const QString text = m_document.undoStack().text(std::min(index, before));
    m_before = {m_shown,
                index > before ? tr("before “%1”").arg(text) : tr("before undoing “%1”").arg(text)};
}

/// Returns side A or, without one, the run before the last edit if it changed this output.
std::optional<OutputRun> OutputRuns::other(const core::TracePointer &now,
                                           const core::Selection &selection,
                                           const Compared &compared) {
    const bool hasA = m_document.comparison().hasA();
    const core::TracePointer trace = hasA ? compared.a : m_before.trace;
    if (!trace || !core::hasOutput(*trace))
        return std::nullopt;
    const core::Selection at = hasA ? inA(compared, selection) : selection;
    if (at.sequence >= trace->batch().count())
        return std::nullopt;
    const core::OutputRowId where =
        (hasA ? outputPlaceInA(*now, selection, compared) : std::nullopt)
            .value_or(core::outputPlaceOf(*trace, at));
    const bool isSame = trace == now && where == core::outputPlaceOf(*now, selection);
    if (isSame && compared.shown == ComparisonSide::Now)
        return std::nullopt;
    if (!hasA && where != core::outputPlaceOf(*now, selection))
        return std::nullopt; // the position did not exist before
    return OutputRun{trace, where, m_reader.rowOf(trace, where),
                     hasA ? tr("A: %1").arg(compared.name) : m_before.name};
}

GivenOutput OutputRuns::outputsOf(const core::TracePointer &trace, const core::Selection &selection,
                                  const Compared &compared, bool isForFile) {
    GivenOutput given;
    given.now = m_reader.rowOf(trace, core::outputPlaceOf(*trace, selection));
    given.other = other(trace, selection, compared);
    const bool isBefore = given.other && !m_document.comparison().hasA();
    const bool isSame = given.now && given.other && given.other->numbers &&
                        given.other->numbers->probabilities == given.now->probabilities;
    if (isBefore && (isForFile || isSame))
        given.other.reset();
    return given;
}

core::Selection atPredictedToken(const Document &document, core::Index token) {
    core::Selection selection = document.selection();
    const core::Model &model = document.trace()->model();
    const core::Index row = core::rowAbout(model, token);
    if (row < 0 || aboutOf(model) == OutputContent::About::Class)
        return selection;
    const bool ofOutput = core::infoOf(selection.stage).part == core::Part::OutputLayer;
    if (!ofOutput && selection.stack != model.mainStack())
        selection = atStage(selection, {core::Stage::AttentionWeights,
                                        {0, core::Block::SelfAttention, model.mainStack()}});
    selection.query = row;
    return selection;
}

core::Outcome choosePredictedWord(Document &document, core::Index word,
                                  const std::vector<core::Index> &rest) {
    if (document.comparison().shown() == ComparisonSide::A)
        return core::Error{
            messageOf(OutputRuns::tr("A cannot be edited: show Current to change the text")), "",
            ""};
    const core::Trace &trace = *document.trace();
    const OutputContent::About about = aboutOf(trace.model());
    if (about == OutputContent::About::Class)
        return core::Done{};
    core::Index token =
        core::predictedAt(trace.model(), core::outputPlaceOf(trace, document.selectionInTrace()));
    std::vector<core::Index> pieces{word};
    pieces.insert(pieces.end(), rest.begin(), rest.end());
    const int gesture = document.newGesture();
    for (std::size_t i = 0; i < pieces.size(); ++i, ++token)
        if (core::Outcome outcome = document.apply(
                edits::chooseToken(document.state(), document.textId(), token, pieces[i]), gesture);
            !outcome)
            return outcome;
    if (about == OutputContent::About::NextToken)
        document.select(atPredictedToken(document, token));
    return core::Done{};
}

} // namespace headlight::ui
