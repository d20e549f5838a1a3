#include "ui/document/document.h"

#include "core/tokenizers/word_tokenizer.h"
#include "core/transformer/forward.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/mask_words.h"

namespace headlight::ui {

Document::Document(QObject *parent) : QObject(parent) {
    connect(&m_runner, &TraceRunner::finished, this, &Document::takeTrace);
    connect(&m_runner, &TraceRunner::failed, this, [this](quint64 revision, core::Error error) {
        if (revision == m_revision)
            emit changed(ComputationFailed{std::move(error)});
    });
    connect(&m_comparison, &Comparison::changed, this,
            [this] { emit changed(ComparisonChanged{}); });
}

void Document::open(OpenedSource opened) {
    m_session = std::move(opened.session);
    m_source = opened.source;
    m_seed = opened.seed;
    m_undoStack.clear();
    m_state = std::move(opened.state);
    m_trace.reset();
    m_selection = fittingSelection(opened.selection, m_state);
    ++m_revision;
    compute();
    emit changed(SessionChanged{});
    if (!requestedView().isEmpty())
        emit changed(ViewRequested{});
}

void Document::select(core::Selection selection) {
    selection = fittingSelection(selection, m_state);
    if (selection == m_selection)
        return;
    const core::Selection before = std::exchange(m_selection, selection);
    emit changed(SelectionChanged{before});
}

QString Document::requestedView() const {
    const core::SelectionPatch *show = &m_session.view;
    if (m_session.lesson)
        show = &m_session.lesson->steps[static_cast<std::size_t>(m_state.lessonStep)].show;
    return QString::fromStdString(show->view.value_or(""));
}

void Document::setState(const DocumentState &state) {
    const bool stepChanged = state.lessonStep != m_state.lessonStep;
    const bool mustCompute = state.model != m_state.model || state.input != m_state.input;
    m_state = state;
    if (mustCompute) {
        ++m_revision;
        compute();
    }
    const core::Selection before =
        std::exchange(m_selection, fittingSelection(m_selection, m_state));
    emit changed(StateChanged{});
    if (before != m_selection)
        emit changed(SelectionChanged{before});
    if (stepChanged)
        applySelectionOfStep();
}

void Document::applySelectionOfStep() {
    if (m_session.lesson) {
        const auto step = static_cast<std::size_t>(m_state.lessonStep);
        select(m_session.lesson->steps[step].show.applied(m_selection));
    }
    if (!requestedView().isEmpty())
        emit changed(ViewRequested{});
}

PersonsEdits Document::editsOf(const DocumentState &state) const {
    DocumentState base{m_session.model, m_session.input, 0, {}};
    if (m_session.lesson)
        if (core::Result<DocumentState> atStep = stateAtStep(m_session, state.lessonStep, base))
            base = *std::move(atStep);
    core::Session before;
    before.model = std::move(base.model);
    before.input = std::move(base.input);
    const core::StatePatch now = core::differenceOf(before, state.model, state.input);
    PersonsEdits edits{now.batch.has_value(),       now.masks.has_value(),
                       now.positions.has_value(),   now.scale.has_value(),
                       now.temperature.has_value(), now.softmax.has_value(),
                       now.masking.has_value(),     now.interventions.has_value(),
                       !now.words.empty(),          {}};
    for (const core::ParameterPatch &patch : now.parameters)
        edits.parameters.push_back(patch.id);
    return edits;
}

core::Outcome Document::apply(Change change, int gesture) {
    change.state.edits = editsOf(change.state);
    if (change.state == m_state)
        return core::Done{};
    if (core::Outcome fits = core::fits(change.state.model, change.state.input); !fits)
        return fits;
    m_undoStack.push(new ChangeState(*this, std::move(change), gesture));
    return core::Done{};
}

core::Outcome Document::setText(const QString &text) {
    const std::string utf8 = text.toStdString();
    core::Result<std::vector<std::string>> words = core::splitIntoWords(utf8);
    if (!words)
        return words.error();
    std::vector<std::vector<std::string>> tokens;
    std::vector<std::string> texts;
    for (const core::Sequence &sequence : m_state.input.batch->sequences()) {
        tokens.emplace_back(sequence.tokens.begin(), sequence.tokens.begin() + sequence.length);
        texts.push_back(sequence.text);
    }
    const auto index = static_cast<std::size_t>(m_selection.sequence);
    tokens[index] = *std::move(words);
    texts[index] = utf8;
    core::Result<core::BatchPointer> batch =
        core::Batch::create(std::move(tokens), m_session.minimumLength, std::move(texts));
    if (!batch)
        return batch.error();
    DocumentState next = m_state;
    next.input.batch =
        core::withEmbeddingsOf(*std::move(batch), *m_state.input.batch, m_selection.sequence);
    next.edits.batch = true;
    return push(std::move(next), tr("Text: %1").arg(text.simplified()), m_typing);
}

core::Outcome Document::setMasks(core::MaskLayers masks) {
    DocumentState next = m_state;
    next.input.masks = std::move(masks);
    next.edits.masks = true;
    QStringList names;
    for (const core::MaskLayer &layer : next.input.masks)
        names << maskName(layer);
    return push(std::move(next),
                names.isEmpty() ? tr("No mask") : tr("Mask: %1").arg(names.join(tr(" and "))));
}

core::Outcome Document::setScale(core::Scale scale) {
    DocumentState next = m_state;
    next.model.config.scale = scale;
    next.edits.scale = true;
    const QString words = scale.kind == core::Scale::Kind::Off ? tr("Scores not scaled")
                          : scale.kind == core::Scale::Kind::Number
                              ? tr("Scores divided by %1").arg(static_cast<double>(scale.number))
                              : tr("Scores divided by the square root of d");
    return push(std::move(next), words);
}

core::Outcome Document::setPositions(core::Positions positions) {
    DocumentState next = m_state;
    next.model.config.positions = positions;
    next.edits.positions = true;
    return push(std::move(next),
                positions == core::Positions::None ? tr("Positions off") : tr("Positions on"));
}

core::Outcome Document::goToStep(core::Index step) {
    if (!m_session.lesson)
        return core::Error{"this session is not a lesson", "", ""};
    core::Result<DocumentState> next = stateAtStep(m_session, step, m_state);
    if (!next)
        return next.error();
    const auto &title = m_session.lesson->steps[static_cast<std::size_t>(step)].title;
    return push(*std::move(next), tr("Step: %1").arg(QString::fromStdString(title)));
}

core::Outcome Document::resetEdits() {
    DocumentState base{m_session.model, m_session.input, 0, {}};
    if (m_session.lesson) {
        core::Result<DocumentState> atStep = stateAtStep(m_session, m_state.lessonStep, base);
        if (!atStep)
            return atStep.error();
        base = *std::move(atStep);
    }
    return push(std::move(base), tr("Reset"));
}

void Document::cancelComputation() {
    if (!traceIsStale())
        return;
    m_runner.cancel();
    if (m_trace && m_undoStack.canUndo())
        m_undoStack.undo();
    else
        emit changed(ComputationFailed{{"the computation was cancelled", "", ""}});
}

void Document::compute() {
    m_runner.request({m_revision, m_state.model, m_state.input, m_trace});
}

void Document::takeTrace(quint64 revision, const core::TracePointer &trace) {
    if (revision != m_revision)
        return;
    m_trace = trace;
    m_traceRevision = revision;
    emit changed(TraceChanged{});
}

} // namespace headlight::ui
