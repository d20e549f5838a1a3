#include "ui/document/comparison.h"

#include "ui/document/document.h"
#include "ui/text/ablation_text.h"
#include "ui/text/one_line.h"
#include "ui/text/step_number.h"

#include <QFileInfo>

namespace headlight::ui {

Comparison::Comparison(Document &document) : m_document(document) {
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event))
            documentOpened();
        if (is<StateChanged>(event))
            followAblatedRun();
    });
    connect(&m_maker, &StageWorker::made, this, &Comparison::changed);
    connect(&m_maker, &StageWorker::failed, this, &Comparison::failed);
}

void Comparison::pin() {
    // If the state is newer than the trace, A's trace is computed.
    take({m_document.session(), m_document.source(), m_document.state(), m_document.selection(),
          m_document.seed()},
         m_document.traceIsStale() ? nullptr : m_document.trace());
    m_followsSequence = true;
    emit changed();
}

void Comparison::compareWith(const OpenedSource &opened) {
    take({opened.session, opened.source, opened.state, opened.selection, opened.seed}, nullptr);
    m_followsSequence = false;
    m_shown = ComparisonSide::Difference;
    emit changed();
}

void Comparison::compareWithSequence(core::Index sequence) {
    unpin();
    m_sequence = sequence;
    show(ComparisonSide::Difference);
}

void Comparison::compareWithAblated() {
    unpin();
    m_ablated = m_document.state().training->ablated;
    takeAblatedRun();
    emit changed();
}

/// Updates A after each training step and whenever the document's text changes.
void Comparison::followAblatedRun() {
    if (!m_ablated)
        return;
    const core::TrainingRunPointer &run = m_document.state().training;
    const core::AblatedRunPointer now = run ? run->ablated : nullptr;
    if (now == m_ablated && m_document.state().input == m_ablatedInput)
        return;
    if (!now)
        return unpin();
    m_ablated = now;
    takeAblatedRun();
}

/// Keeps showing A's previous trace until the new one is available.
void Comparison::takeAblatedRun() {
    m_ablatedInput = m_document.state().input;
    DocumentState state = m_document.state();
    state.model = m_ablated->state.model;
    state.input = core::ablatedInput(m_ablated->ablation, m_ablatedInput);
    state.training = std::make_shared<const core::TrainingRun>(core::runOf(m_ablated->state));
    m_a = SideA{m_document.session(), m_document.source(), std::move(state), m_document.selection(),
                m_document.seed()};
    m_followsSequence = true;
    ++m_revision;
    compute();
}

void Comparison::unpin() {
    if (!hasA())
        return;
    ++m_revision; // drops results that are still being computed
    m_a.reset();
    m_sequence.reset();
    m_ablated.reset();
    m_trace.reset();
    m_shown = ComparisonSide::Now;
    emit changed();
}

void Comparison::show(ComparisonSide shown) {
    if (!hasA() || shown == m_shown)
        return;
    m_shown = shown;
    emit changed();
}

Compared Comparison::compared() const {
    if (m_sequence)
        return {m_shown, m_document.trace(), m_sequence, tr("sequence %1").arg(*m_sequence),
                m_document.state().training};
    if (!m_a)
        return {};
    const auto sequence = m_followsSequence ? std::nullopt : std::optional(m_a->selection.sequence);
    const core::Selection &look = m_document.selection();
    return {m_shown, m_maker.traceWith(m_trace, DetailRequest::of(look)), sequence,
            m_ablated ? nameOf(m_ablated->ablation) : nameOf(*m_a), m_a->state.training};
}

void Comparison::take(SideA a, const core::TracePointer &trace) {
    m_sequence.reset();
    m_ablated.reset();
    m_a = std::move(a);
    m_trace = trace;
    ++m_revision;
    if (m_trace)
        m_traceRevision = m_revision;
    else
        compute();
}

void Comparison::compute() {
    if (!m_runner) {
        m_runner = std::make_unique<TraceRunner>();
        connect(m_runner.get(), &TraceRunner::finished, this,
                [this](quint64 revision, const core::TracePointer &trace) {
                    if (revision != m_revision)
                        return;
                    m_trace = trace;
                    m_traceRevision = revision;
                    emit changed();
                });
        connect(m_runner.get(), &TraceRunner::failed, this, &Comparison::takeFailure);
    }
    TraceRequest request{
        m_revision, {}, m_document.trace(), DetailRequest::of(m_document.selection())};
    if (m_a->session.capture) {
        request.trace = m_a->session.capture->trace;
    } else {
        core::Result<core::Computable> computable =
            core::Computable::of(m_a->state.model, m_a->state.input);
        if (!computable)
            return takeFailure(m_revision, computable.error());
        request.computable = *std::move(computable);
    }
    m_runner->request(std::move(request));
}

void Comparison::takeFailure(quint64 revision, const core::Error &error) {
    if (revision != m_revision)
        return;
    if (m_ablated) { // training is about to overflow, so keep the last trace
        m_traceRevision = revision;
        return emit changed();
    }
    unpin();
    emit failed(error);
}

/// A sequence of the old batch is dropped with the batch. A pinned A stays as it was and no longer
/// follows the selected sequence, which belongs to another batch.
void Comparison::documentOpened() {
    if (m_sequence || m_ablated)
        unpin();
    m_followsSequence = false;
    if (const auto &run = m_document.state().training; run && run->ablated && !m_a)
        compareWithAblated();
}

QString nameOf(const SideA &a) {
    const bool isLesson = kindOfSource(a.source) == SourceKind::Lesson;
    QString name = isLesson ? a.source : QFileInfo(a.source).fileName();
    if (name.isEmpty()) // not saved yet
        name = oneLine(a.session.title);
    QStringList parts{name};
    if (a.session.lesson)
        parts << Comparison::tr("step %1").arg(stepNumber(a.state.lessonStep));
    if (a.state.training) // a trained state is named by its training step instead of "edited"
        parts << Comparison::tr("training step %1").arg(a.state.training->step);
    else if (a.state.edits.any())
        parts << Comparison::tr("edited");
    return parts.join(QStringLiteral(", "));
}

} // namespace headlight::ui
