#include "ui/document/text_generation.h"

#include "core/generation/end_token.h"
#include "core/generation/next_token.h"
#include "ui/document/document.h"
#include "ui/document/edits/generation_edits.h"
#include "ui/text/capture_text.h"
#include "ui/text/core_message.h"
#include "ui/text/token_names.h"

namespace headlight::ui {

namespace {

/// Shortens the text for its entry in the undo list.
QString beginningOf(const QString &words) {
    constexpr qsizetype kMax = 60;
    return words.size() <= kMax ? words : words.left(kMax) + QStringLiteral("… ");
}

} // namespace

TextGeneration::TextGeneration(Document &document, QObject *parent)
    : QObject(parent), m_document(document) {
    connect(&document, &Document::changed, this, &TextGeneration::documentChanged);
    connect(&m_reader, &OutputReader::made, this, &TextGeneration::go);
    connect(&m_reader, &OutputReader::failed, this, &TextGeneration::fail);
}

QString TextGeneration::unavailableReason() const {
    if (m_document.isCapture())
        return readOnlyReason();
    const core::Outcome can = core::canWrite(m_document.state().model);
    return can ? QString() : translated(can.error());
}

core::Outcome TextGeneration::start(core::Index count, const core::Sampling &sampling) {
    if (const QString why = unavailableReason(); !why.isEmpty())
        return core::Error{messageOf(why), "", {}};
    if (core::Outcome outcome = core::validate(sampling); !outcome)
        return outcome;
    if (const auto &failure = m_document.failure()) // no trace, so nothing can be generated
        return *failure;
    stop();
    m_reader.forgetFailures();
    m_sampling = sampling;
    m_sequence = m_document.selection().sequence;
    m_left = m_count = count;
    m_gesture = m_document.newGesture();
    m_soFar.clear();
    m_own = m_document.state().input.batch;
    emit changed();
    go();
    return core::Done{};
}

void TextGeneration::stop() {
    if (!isWriting())
        return;
    m_left = 0;
    emit changed();
}

void TextGeneration::fail(const core::Error &error) {
    if (!isWriting())
        return;
    stop();
    emit failed(error);
}

void TextGeneration::documentChanged(const ChangeEvent &event) {
    if (!isWriting())
        return;
    const bool isOver = is<SessionChanged>(event) || is<ComputationFailed>(event) ||
                        is<ComputationCancelled>(event) ||
                        m_own.lock() != m_document.state().input.batch;
    if (isOver)
        return stop();           // the text was edited elsewhere, or its trace failed
    if (is<TraceChanged>(event)) // queued, so that all other listeners handle the event first
        QMetaObject::invokeMethod(this, &TextGeneration::go, Qt::QueuedConnection);
}

void TextGeneration::go() {
    if (!isWriting() || m_document.traceIsStale() || !m_document.trace())
        return;
    const core::Trace &trace = *m_document.trace();
    const core::Index length = trace.batch()[m_sequence].length;
    const core::OutputRowPointer row = m_reader.rowOf(m_document.trace(), {m_sequence, length - 1});
    if (!row) {
        if (const core::Error *why = m_reader.failure(m_document.trace(), {m_sequence, length - 1}))
            fail(*why);
        return; // failed, or the logits are still being read
    }
    const core::Result<core::NextToken> next =
        core::nextToken(trace.model(), *row, m_sampling, length);
    if (!next)
        return fail(next.error());
    write(next->id);
}

void TextGeneration::write(core::Index id) {
    const DocumentState &state = m_document.state();
    const core::VocabularyPointer words = state.model.vocabulary;
    core::Result<Change> change = edits::writeToken(
        state, {m_document.session().minimumLength, m_sequence}, id, beginningOf(m_soFar));
    if (!change)
        return fail(change.error());
    m_own = change->state().input.batch; // set before apply() announces the change
    if (core::Outcome outcome = m_document.apply(std::move(change), m_gesture); !outcome)
        return fail(outcome.error());
    m_soFar += tokenText(words->word(id)) + QLatin1Char(' ');
    --m_left;
    core::Selection selection = m_document.selection();
    selection.query = (*m_document.state().input.batch)[m_sequence].length - 1;
    if (selection.stack == m_document.state().model.mainStack() && selection.sequence == m_sequence)
        m_document.select(selection);
    const bool isEnd = id == core::endTokenOf(*words);
    if (isEnd)
        m_left = 0;
    emit changed();
    if (isEnd)
        emit ended();
}

} // namespace headlight::ui
