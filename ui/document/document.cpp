#include "ui/document/document.h"

#include "core/formats/files/file_stamp.h"
#include "core/lesson/question.h"
#include "ui/compute/stage_worker.h"
#include "ui/document/change_state.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/step_view.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/one_line.h"

#include <cassert>

namespace headlight::ui {

Document::Document(QObject *parent) : QObject(parent) {
    connect(&m_runner, &TraceRunner::finished, this, &Document::takeTrace);
    connect(&m_runner, &TraceRunner::failed, this, &Document::takeFailure);
    connect(&m_comparison, &Comparison::changed, this,
            [this] { emit changed(ComparisonChanged{}); });
}

void Document::open(OpenedSource opened) {
    m_read = m_session = std::make_shared<const core::Session>(std::move(opened.session));
    m_bare.reset();
    m_source = opened.source;
    m_course = opened.course;
    m_seed = opened.seed;
    m_importedFiles = std::move(opened.importedFiles);
    m_undoStack.clear();
    m_base.reset();
    m_state = std::move(opened.state);
    m_state.edits = editsOf(m_state, nullptr);
    ++m_newestMark.state;
    m_savedEdit = ++m_newestMark.edit;
    m_mark = m_newestMark;
    m_savedWithEdits = isEdited();
    m_toldModified = false;
    m_trace.reset();
    m_recomputed.clear();
    m_shownState = {};
    m_wanted.reset();
    m_changedFile.reset();
    m_selection = fittingSelection(opened.selection, m_state);
    m_requestedView = opened.view;
    m_birth = opened.birth;
    m_modelView = opened.modelView;
    m_answers = {};
    m_asksQuestions = true;
    m_isNewStep = false;
    // The view must not reveal the answer to an open question, unless the session restores the
    // user's own view.
    if (askedQuestion() && !m_session->now) {
        m_selection = selectionOfStep();
        m_requestedView = viewOfStep(*m_session, m_state.lessonStep, true);
    }
    m_wantsGlances |= m_requestedView == QString::fromUtf8(core::idOf(core::View::Model));
    m_computable = std::move(opened.computable);
    assert(isCapture() || (m_computable && m_computable->model() == m_state.model &&
                           m_computable->input() == m_state.input));
    ++m_revision;
    compute();
    emit changed(SessionChanged{});
    announceStep();
}

void Document::addImportedFile(const QString &path) {
    m_importedFiles.push_back(bytesOf(path));
}

void Document::select(core::Selection selection) {
    selection = fittingSelection(selection, m_state);
    if (!isReady(m_trace, selection)) {
        if (m_wanted == selection && !m_failure)
            return; // already being computed; a held key must not restart it
        if (showNeighbour(selection))
            return;
        m_neighbours.forget(); // frees its memory and its thread for the selected layer
        m_wanted = selection;
        TraceRequest wanted = request();
        if (!traceIsStale())
            wanted.trace = m_trace;
        m_runner.request(std::move(wanted));
        emit changed(PreparationStarted{});
        return;
    }
    const bool wasPreparing = std::exchange(m_wanted, std::nullopt).has_value();
    if (wasPreparing && !traceIsStale())
        m_runner.cancel();
    const core::Selection before = std::exchange(m_selection, selection);
    if (before != m_selection)
        emit changed(SelectionChanged{before});
    if (wasPreparing)
        emit changed(PreparationEnded{});
}

bool Document::showNeighbour(const core::Selection &selection) {
    if (traceIsStale())
        return false;
    const core::TracePointer ready = m_neighbours.exchange(m_trace, DetailRequest::of(selection));
    if (!ready)
        return false;
    m_runner.cancel(); // it may be preparing another layer
    m_wanted = selection;
    takeTrace(m_revision, ready);
    return true;
}

void Document::wantNeighbours() {
    if (m_trace && !traceIsStale() && !isPreparing())
        m_neighbours.want(m_trace, DetailRequest::of(m_selection));
}

core::Selection Document::selectionInTrace() const {
    return m_trace && traceIsStale()
               ? fittingSelection(m_selection, m_trace->model(), m_trace->input())
               : m_selection;
}

bool Document::isEdited() const {
    return m_state.edits.any() ||
           !m_state.softmax.hasNumbersOf(softmaxAt(*m_session, m_state.lessonStep));
}

bool Document::isModified() const {
    return m_mark.edit != m_savedEdit && (differsFromRead() || m_savedWithEdits);
}

void Document::setSaved(const QString &source) {
    m_source = source;
    m_savedEdit = m_mark.edit;
    m_savedWithEdits = differsFromRead();
    m_undoStack.setClean();
    m_toldModified = false;
    emit changed(SavedChanged{});
}

void Document::setUnsaved() {
    m_savedEdit = 0; // no edit has this number
    m_savedWithEdits = true;
    m_undoStack.resetClean();
    m_toldModified = true;
    emit changed(SavedChanged{});
}

Snapshot Document::snapshot(const QString &view) const {
    return {m_read, m_state, m_selection, view, m_seed, m_birth, m_modelView};
}

void Document::setMark(const StateMark &mark) {
    m_mark = mark;
    if (!traceIsStale()) {
        m_shownState = m_state;
        m_shownMark = m_mark.state;
    }
    if (isModified() != std::exchange(m_toldModified, isModified()))
        emit changed(SavedChanged{});
}

StateMark Document::setState(Change made, std::optional<StateMark> mark, ChangedParts parts) {
    DocumentState state = made.state();
    const bool isOtherLesson = state.lesson != m_state.lesson;
    const bool wasAsking = askedQuestion() != nullptr;
    if (isOtherLesson) {
        m_session = sessionWith(state.lesson);
        m_base.reset();
    }
    state.edits = editsOf(state, isOtherLesson ? nullptr : &m_state);
    const bool areOtherEdits = state.edits != m_state.edits;
    const StateChanged change{std::move(parts), state.lessonStep != m_state.lessonStep,
                              areOtherEdits || state.softmax != m_state.softmax, isOtherLesson};
    const bool mustCompute = state.model != m_state.model || state.input != m_state.input;
    const bool isOnlyPairs = state.pairs != m_state.pairs && !mustCompute && !change.edits &&
                             !change.step && !isOtherLesson;
    m_state = std::move(state);
    if (change.lesson)
        forgetAnswers(wasAsking);
    if (change.step && !m_asksQuestions)
        m_answers.tell(m_state.lessonStep, {});
    const core::Selection before =
        std::exchange(m_selection, fittingSelection(m_selection, m_state));
    if (m_wanted)
        m_wanted = fittingSelection(*m_wanted, m_state);
    if (mustCompute) {
        m_computable = made.computable();
        ++m_revision;
        compute();
    }
    emit changed(change);
    if (before != m_selection)
        emit changed(SelectionChanged{before});
    if (change.step)
        showStep();
    if (!mark) {
        // Going to another lesson step is not an edit, unless the step overrides the user's edits.
        // A change of token pairs is not an edit either, because pairs are not saved.
        const bool isOnlyAStep = change.step && !areOtherEdits && !isOtherLesson;
        mark = {isOnlyAStep || isOnlyPairs ? m_mark.edit : ++m_newestMark.edit,
                ++m_newestMark.state};
    }
    setMark(*mark);
    m_isNewStep |= change.step;
    passUnanswerable();
    return *mark;
}

std::shared_ptr<const core::Session> Document::sessionWith(const LessonDraftPointer &draft) {
    if (draft == m_state.lesson)
        return m_session;
    if (!draft)
        return m_read;
    if (!m_bare) { // avoids a copy of the file's text on each key press
        core::Session bare = *m_read;
        bare.json = {};
        m_bare = std::make_shared<const core::Session>(std::move(bare));
    }
    core::Session session = *m_bare;
    session.title = draft->title;
    session.lesson = draft->lesson;
    return std::make_shared<const core::Session>(std::move(session));
}

/// The edited lesson may have different questions or steps. A question that the author is still
/// writing is not asked right away.
void Document::forgetAnswers(bool wasAsking) {
    m_answers = {};
    if (!wasAsking)
        m_answers.tell(m_state.lessonStep, {});
}

core::Selection Document::selectionOfStep() {
    return ui::selectionOfStep(*m_session, baseAt(m_state.lessonStep), m_state,
                               askedQuestion() != nullptr);
}

const core::LessonStep *Document::lessonStep() const {
    return m_session->lesson
               ? &m_session->lesson->steps[static_cast<std::size_t>(m_state.lessonStep)]
               : nullptr;
}

const core::Question *Document::askedQuestion() const {
    const core::LessonStep *const step = lessonStep();
    return step && step->question && !m_answers.isTold(m_state.lessonStep) ? &*step->question
                                                                           : nullptr;
}

void Document::answer(std::optional<std::size_t> answer) {
    const core::Question *const question = askedQuestion();
    if (!question || (answer && *answer >= question->answers.size()))
        return;
    m_answers.tell(m_state.lessonStep, answer);
    emit changed(AnswersChanged{});
    showStep();
}

/// Skips the question of a new step if the user's edits, such as another text, leave it without a
/// right answer.
void Document::passUnanswerable() {
    if (traceIsStale() || !std::exchange(m_isNewStep, false) || m_state.lesson || !isEdited())
        return;
    if (const core::Question *question = askedQuestion())
        if (!core::rightAnswer(*question, *m_trace))
            answer({});
}

void Document::askAgain() {
    m_answers.askAgain(m_state.lessonStep);
    emit changed(AnswersChanged{});
    showStep();
}

void Document::setAsksQuestions(bool asks) {
    if (m_asksQuestions == asks)
        return;
    m_asksQuestions = asks;
    if (!asks)
        answer({});
}

void Document::giveHint() {
    m_answers.giveHint(m_state.lessonStep);
    emit changed(AnswersChanged{});
}

core::Outcome Document::showSolution() {
    const core::Result<core::Session> solved = core::solved(*m_session, m_state.lessonStep);
    if (!solved)
        return solved.error();
    DocumentState state = m_state;
    state.model = solved->model;
    state.input = solved->input;
    return push(std::move(state), tr("Show the solution"));
}

void Document::showStep() {
    if (!m_session->lesson)
        return;
    select(selectionOfStep());
    m_requestedView = viewOfStep(*m_session, m_state.lessonStep, askedQuestion() != nullptr);
    announceStep();
}

/// Announces the step's view after the session was opened or a lesson step was reached.
void Document::announceStep() {
    if (m_session->lesson) {
        m_comparison.show(ComparisonSide::Now);
        emit changed(StepShown{lookOfStep(*m_session, m_state.lessonStep)});
    }
    if (!requestedView().isEmpty())
        emit changed(ViewRequested{});
}

const DocumentState &Document::baseAt(core::Index step) {
    if (!m_base || m_base->lessonStep != step)
        m_base = ui::baseAt(*m_session, step);
    m_base->lesson = m_state.lesson;
    m_base->pairs = m_state.pairs; // pairs belong to compared texts and are not edits of the model
    return *m_base;
}

ChangedParts Document::editsOf(const DocumentState &state, const DocumentState *known) {
    return differenceBetween(baseAt(state.lessonStep), state,
                             known && known->lessonStep == state.lessonStep ? known : nullptr);
}

core::Outcome Document::apply(core::Result<Change> made, int gesture) {
    if (!made)
        return made.error();
    StateDelta delta(m_state, made->state());
    if (delta.empty())
        return core::Done{};
    if (isCapture() && delta.parts().any()) // only view options can change in a capture
        return core::captureError();
    m_undoStack.push(new ChangeState(*this, *std::move(made), std::move(delta), gesture));
    return core::Done{};
}

edits::TextId Document::textId(InputSide side) const {
    return {side == InputSide::Source ? m_session->sourceMinimumLength : m_session->minimumLength,
            m_selection.sequence, side};
}

core::Outcome Document::goToStep(core::Index step) {
    if (!m_session->lesson)
        return core::Error{"this session is not a lesson", "", ""};
    core::Result<DocumentState> next = stateAtStep(*m_session, step, m_state);
    if (!next)
        return next.error();
    const auto &title = m_session->lesson->steps[static_cast<std::size_t>(step)].title;
    return push(*std::move(next), tr("Step: %1").arg(oneLine(title)));
}

core::Outcome Document::resetEdits() {
    // The user's text may lack a token that the step shows.
    const bool isAsShown =
        m_session->lesson && m_selection == fittingSelection(selectionOfStep(), m_state);
    core::Outcome outcome = push(baseAt(m_state.lessonStep), tr("Reset"));
    if (outcome && isAsShown)
        select(selectionOfStep());
    return outcome;
}

void Document::cancelComputation() {
    if (!traceIsStale() && !isPreparing())
        return;
    m_runner.cancel();
    m_wanted.reset();
    if (!traceIsStale())
        emit changed(ComputationFailed{
            {messageOf(tr("the layer was not computed")), "", messageOf(tr("select it again"))}});
    else if (!m_trace)
        emit changed(ComputationFailed{
            *(m_failure = {messageOf(tr("the computation was cancelled")), "", ""})});
    else
        emit changed(ComputationCancelled{goBackToShownState(Why::Cancelled)});
}

void Document::takeFailure(quint64 revision, core::Error error) {
    if (revision != m_revision)
        return;
    const bool isFile = core::isChangedFile(error);
    if (isFile)
        setChangedFile(error);
    QString words;
    if (!traceIsStale())
        m_wanted.reset(); // keeps the previous selection
    else if (isFile && m_trace)
        // The text and the figure must show the same forward pass.
        words = goBackToShownState(Why::FileChanged);
    else
        m_failure = error;
    emit changed(ComputationFailed{std::move(error), words});
}

void Document::setChangedFile(std::optional<core::Error> change) {
    const auto told = [](const std::optional<core::Error> &error) {
        return error ? error->text() : std::string();
    };
    const std::string before = told(m_changedFile);
    m_changedFile = std::move(change);
    if (told(m_changedFile) != before)
        emit changed(FilesChanged{});
}

namespace {

/// Describes how many steps were undone. A negative number means that steps were redone.
QString wordsOfGoingBack(int steps, bool isCancelled) {
    if (!isCancelled)
        return steps == 1 ? Document::tr("Not computed: the last step was undone; Redo repeats it")
               : steps > 1
                   ? Document::tr("Not computed: the last %n steps were undone; Redo repeats them",
                                  nullptr, steps)
               : steps == -1
                   ? Document::tr("Not computed: the undone step was redone")
                   : Document::tr("Not computed: the %n undone steps were redone", nullptr, -steps);
    return steps == 1  ? Document::tr("Cancelled: the last step was undone; Redo repeats it")
           : steps > 1 ? Document::tr("Cancelled: the last %n steps were undone; Redo repeats them",
                                      nullptr, steps)
           : steps == -1
               ? Document::tr("Cancelled: the undone step was redone")
               : Document::tr("Cancelled: the %n undone steps were redone", nullptr, -steps);
}

} // namespace

/// Returns the undo index at which the document has that state. Unset if the state lies within a
/// merged step (typing or a drag) or was replaced by a later edit.
std::optional<int> Document::undoIndexOf(quint64 stateMark) const {
    for (int index = 0; index < m_undoStack.count(); ++index) {
        const auto *step = static_cast<const ChangeState *>(m_undoStack.command(index));
        if (step->before().state == stateMark)
            return index;
        if (step->after().state == stateMark)
            return index + 1;
    }
    return std::nullopt;
}

QString Document::goBackToShownState(Why why) {
    const DocumentState shown = m_shownState;
    QString words;
    if (const std::optional<int> index = undoIndexOf(m_shownMark)) {
        words = wordsOfGoingBack(m_undoStack.index() - *index, why == Why::Cancelled);
        m_undoStack.setIndex(*index);
    } else {
        words = why == Why::Cancelled ? tr("Cancelled: the last computed state was restored; Undo "
                                           "brings your change back")
                                      : tr("Not computed: the last computed state was restored; "
                                           "Undo brings your change back");
        (void)push(shown, tr("Restore the last computed state"))
            .ok(); // it was computed before, so it is valid
    }
    // The trace belongs to this state, so nothing has to be computed.
    m_runner.cancel();
    m_wanted.reset();
    m_state = shown;
    m_traceRevision = m_revision;
    m_failure.reset();
    setMark(m_mark);
    emit changed(TraceChanged{});
    return words;
}

void Document::compute() {
    m_failure.reset();
    m_neighbours.forget();
    m_passGlances = m_wantsGlances && m_computable
                        ? std::make_shared<core::PassGlances>(m_selection.sequence)
                        : nullptr;
    m_runner.request(request());
}

std::shared_ptr<const core::PassGlances> Document::passGlancesOf(const core::Trace &trace) const {
    for (const std::shared_ptr<const core::PassGlances> &pass :
         {passGlances(), m_comparison.passGlances()})
        if (const auto glances = pass ? pass->glances() : nullptr;
            glances && &glances->trace->plan() == &trace.plan())
            return pass;
    return nullptr;
}

TraceRequest Document::request() const {
    return {m_revision,
            m_computable,
            m_trace,
            DetailRequest::of(requestedSelection()),
            isCapture() ? m_session->capture->trace : nullptr,
            m_passGlances};
}

bool Document::isReady(const core::TracePointer &trace, const core::Selection &selection) {
    return !trace || ui::isReady(*trace, DetailRequest::of(selection));
}

void Document::takeTrace(quint64 revision, const core::TracePointer &trace) {
    if (revision != m_revision)
        return;
    const core::Selection look = requestedSelection();
    if (!isReady(trace, look)) { // another layer was selected after the request
        TraceRequest wanted = request();
        wanted.trace = trace;
        return m_runner.request(std::move(wanted));
    }
    if (m_isNewStep)
        m_recomputed.clear();
    else if (m_trace && traceIsStale())
        m_recomputed.show(*trace, *m_trace);
    m_trace = trace;
    m_traceRevision = revision;
    m_shownState = m_state;
    m_shownMark = m_mark.state;
    m_wanted.reset();
    const core::Selection before = std::exchange(m_selection, look);
    emit changed(TraceChanged{});
    if (before != m_selection)
        emit changed(SelectionChanged{before});
    passUnanswerable();
}

} // namespace headlight::ui
