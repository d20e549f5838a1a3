#include "ui/document/comparison.h"

#include "ui/document/document.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/state/fitting_input.h"
#include "ui/text/ablation_text.h"
#include "ui/text/capture_text.h"
#include "ui/text/core_message.h"
#include "ui/text/one_line.h"
#include "ui/text/step_number.h"
#include "ui/text/token_names.h"

#include <QFileInfo>

namespace headlight::ui {

namespace {

/// Returns the side whose text A replaces. The option --text replaces the same side.
InputSide textSideOf(const core::Input &input) {
    return input.source ? InputSide::Source : InputSide::Own;
}

/// Returns the state with A's text, using the tokens that A already has.
core::Result<Change> withTextOf(const core::Input &a, const DocumentState &now) {
    core::BatchPointer core::Input::*which =
        textSideOf(now.input) == InputSide::Source ? &core::Input::source : &core::Input::batch;
    Edit edit{now, {}};
    edit.state.input.*which = a.*which;
    dropWhatDoesNotFit(edit.state.input);
    return checked(std::move(edit));
}

} // namespace

Comparison::Comparison(Document &document) : m_document(document) {
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event))
            documentOpened();
        if (is<StateChanged>(event)) {
            followAblatedRun();
            followDocument();
            const bool areOtherPairs = m_pairs != m_document.state().pairs;
            m_pairs = m_document.state().pairs;
            if (areOtherPairs && hasA())
                emit changed();
        }
    });
    connect(&m_aligner, &TokenAligner::made, this, &Comparison::changed);
    connect(&m_maker, &StageWorker::made, this, &Comparison::changed);
    connect(&m_maker, &StageWorker::failed, this, &Comparison::failed);
}

void Comparison::pin() {
    // If the trace is stale, A computes its own.
    take({m_document.session(), m_document.source(), m_document.state(), m_document.computable(),
          m_document.selection(), m_document.seed()},
         m_document.traceIsStale() ? nullptr : m_document.trace());
    m_followsSequence = true;
    emit changed();
}

void Comparison::compareWith(const OpenedSource &opened) {
    take({opened.session, opened.source, opened.state, opened.computable, opened.selection,
          opened.seed},
         nullptr);
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

core::Outcome Comparison::compareWithText(const QString &text) {
    if (m_document.isCapture())
        return core::Error{messageOf(readOnlyReason()), "", ""};
    const bool isFollowing = followsDocument();
    const core::Index sequence = m_document.selection().sequence;
    if (core::Outcome taken = takeText(text, isFollowing ? m_a->selection.sequence : sequence);
        !taken)
        return taken;
    if (!isFollowing)
        m_shown = ComparisonSide::Difference;
    emit changed();
    return core::Done{};
}

/// Sets side A to the document's state with another text. Keeps showing the trace of the previous
/// text until the new one is available.
core::Outcome Comparison::takeText(const QString &text, core::Index sequence) {
    const DocumentState &now = m_document.state();
    edits::TextId place = m_document.textId(textSideOf(now.input));
    place.sequence = sequence;
    core::Result<Change> made = isOfSameTexts(text, sequence) ? withTextOf(m_a->state.input, now)
                                                              : edits::setText(now, place, text);
    if (!made)
        return made.error();
    if (!m_followed)
        unpin();
    core::Selection selection = m_document.selection();
    selection.sequence = sequence;
    m_a = SideA{m_document.session(), {},  made->state(), made->computable(), selection,
                m_document.seed(),    text};
    m_followed = {now.model, now.input};
    m_followsSequence = false;
    ++m_revision;
    compute();
    return core::Done{};
}

/// True if A already has this text, and neither the document's texts nor how they are tokenized
/// have changed since A was set.
bool Comparison::isOfSameTexts(const QString &text, core::Index sequence) const {
    if (!m_followed || m_a->text != text || m_a->selection.sequence != sequence)
        return false;
    const core::Model &was = m_followed->model, &is = m_document.state().model;
    const core::Input &before = m_followed->input, &now = m_document.state().input;
    return was.reader == is.reader && was.vocabulary == is.vocabulary &&
           was.sourceVocabulary == is.sourceVocabulary && was.hasEncoder() == is.hasEncoder() &&
           before.batch == now.batch && before.source == now.source;
}

core::Index Comparison::sequenceOfA() const {
    if (m_a && !m_followsSequence)
        return m_a->selection.sequence;
    return m_sequence.value_or(m_document.selection().sequence);
}

core::Outcome Comparison::setTextOfA(const QString &text) {
    if (!m_a || m_followed || m_ablated)
        return compareWithText(text);
    if (m_a->session.capture)
        return core::Error{messageOf(tr("A is a capture, so it cannot process another text")), "",
                           messageOf(tr("compare with a model"))};
    const core::Index sequence = sequenceOfA();
    if (sequence >= m_a->state.input.batch->count())
        return core::Error{messageOf(tr("A has no %1").arg(sentenceName(sequence))), "",
                           messageOf(tr("select another sentence"))};
    const InputSide side = textSideOf(m_a->state.input);
    const core::Session &session = m_a->session;
    core::Result<Change> made = edits::setText(
        m_a->state,
        {side == InputSide::Source ? session.sourceMinimumLength : session.minimumLength, sequence,
         side},
        text);
    if (!made)
        return made.error();
    m_a->state = made->state();
    m_a->computable = made->computable();
    m_a->text = text;
    m_a->selection.sequence = sequence;
    m_followsSequence = false;
    ++m_revision;
    compute();
    emit changed();
    return core::Done{};
}

/// Repeats the document's edits in A.
void Comparison::followDocument() {
    const DocumentState &now = m_document.state();
    if (!m_followed || (m_followed->model == now.model && m_followed->input == now.input))
        return;
    const core::BatchPointer &batch = now.input.batch;
    const core::Index sequence = m_a->selection.sequence;
    if (m_document.isCapture() || !batch || sequence >= batch->count())
        return unpin();
    if (const core::Outcome taken = takeText(*m_a->text, sequence); !taken) {
        unpin();
        emit failed(taken.error());
    }
}

/// Updates A after each training step and whenever the document's input changes.
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
    const core::Result<core::Computable> computable =
        core::Computable::of(state.model, state.input);
    m_a = SideA{m_document.session(),   m_document.source(), std::move(state), {},
                m_document.selection(), m_document.seed()};
    m_followsSequence = true;
    ++m_revision;
    if (!computable)
        return takeFailure(m_revision, computable.error());
    m_a->computable = *computable;
    compute();
}

void Comparison::unpin() {
    if (!hasA())
        return;
    ++m_revision; // drops results that are still being computed
    if (m_runner)
        m_runner->cancel();
    m_a.reset();
    m_sequence.reset();
    m_ablated.reset();
    m_followed.reset();
    m_trace.reset();
    m_passGlances.reset();
    m_aligner.cancel();
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
    return withPartners(comparedByPosition());
}

Compared Comparison::comparedAsComputed() const {
    Compared compared = comparedByPosition();
    if (m_a && !compared.a)
        compared.a = m_trace;
    return withPartners(std::move(compared));
}

Compared Comparison::withPartners(Compared compared) const {
    if (!compared.a)
        return compared;
    const core::TokenPartnersPointer partners = partnersOf(compared);
    if (!partners && m_aligner.isBusy())
        compared.a = nullptr; // until the partners are known
    else if (partners && !partners->isByPosition())
        compared.partners = partners;
    return compared;
}

core::TokenPartnersPointer Comparison::partners() const {
    return partnersOf(comparedByPosition());
}

core::TokenPartnersPointer Comparison::partnersOf(const Compared &compared) const {
    const core::TracePointer &now = m_document.trace();
    if (!compared.a || !now)
        return nullptr;
    const core::Index sequence = m_document.selectionInTrace().sequence;
    const TokenAligner::Texts texts{now->input(), compared.a->input(), sequence,
                                    compared.sequence.value_or(sequence), m_document.state().pairs};
    if (sequence >= now->batch().count() || texts.aSequence >= compared.a->batch().count())
        return nullptr;
    return m_aligner.partnersOf(texts, now->model());
}

Compared Comparison::comparedByPosition() const {
    if (m_sequence)
        return {m_shown, m_document.trace(), m_sequence, sentenceName(*m_sequence),
                m_document.state().training};
    if (!m_a)
        return {};
    const auto sequence = m_followsSequence ? std::nullopt : std::optional(m_a->selection.sequence);
    const core::Selection look =
        m_trace ? fittingSelection(m_document.selection(), m_trace->model(), m_trace->input())
                : m_document.selection();
    return {m_shown, m_maker.traceWith(m_trace, DetailRequest::of(look)), sequence,
            m_ablated ? nameOf(m_ablated->ablation) : nameOf(*m_a), m_a->state.training};
}

void Comparison::take(SideA a, const core::TracePointer &trace) {
    m_sequence.reset();
    m_ablated.reset();
    m_followed.reset();
    m_a = std::move(a);
    m_trace = trace;
    m_passGlances = trace ? m_document.passGlances() : nullptr;
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
    TraceRequest request{m_revision, m_a->computable, m_trace ? m_trace : m_document.trace(),
                         DetailRequest::of(fittingSelection(m_document.selection(), m_a->state))};
    m_passGlances.reset();
    if (m_a->session.capture) {
        request.trace = m_a->session.capture->trace;
    } else if (m_document.wantsGlances()) {
        request.observer = std::make_shared<core::PassGlances>(sequenceOfA());
        m_passGlances = std::static_pointer_cast<const core::PassGlances>(request.observer);
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

/// A sequence of the old batch is dropped with the batch. A pinned A does not change and no longer
/// follows the selected sequence, which belongs to another batch.
void Comparison::documentOpened() {
    if (m_sequence || m_ablated || m_followed)
        unpin();
    m_followsSequence = false;
    if (const auto &run = m_document.state().training; run && run->ablated && !m_a)
        compareWithAblated();
}

QString nameOf(const SideA &a) {
    constexpr qsizetype kMaxLength = 40;
    const QString text = a.text ? a.text->simplified() : QString();
    const QString quoted = QStringLiteral("“%1”").arg(
        text.size() > kMaxLength ? text.left(kMaxLength - 1) + "…" : text);
    if (a.text && a.source.isEmpty())
        return quoted;
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
    if (a.text)
        parts << quoted;
    return parts.join(QStringLiteral(", "));
}

} // namespace headlight::ui
