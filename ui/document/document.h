// The open document: a session, its current state, that state's trace, and the selection.
// Independent of widgets.
#pragma once

#include "core/analysis/pass_glances.h"
#include "ui/compute/neighbour_layers.h"
#include "ui/compute/trace_runner.h"
#include "ui/document/change_event.h"
#include "ui/document/comparison.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/recomputed_stages.h"
#include "ui/document/slow_pass.h"
#include "ui/document/snapshot.h"
#include "ui/document/source.h"
#include "ui/document/state/change.h"

#include <QObject>
#include <QUndoStack>

#include <map>
#include <optional>

namespace headlight::ui {

/// The user's answers to lesson questions, and the hints they have seen. Answers are not edits and
/// are not saved, so a reopened lesson asks its questions again.
class Answers {
  public:
    /// True if the user has answered the step's question or skipped it.
    bool isTold(core::Index step) const { return m_answers.contains(step); }
    /// Returns the index of the chosen answer. Unset if the question is unanswered or was skipped.
    std::optional<std::size_t> chosen(core::Index step) const {
        const auto found = m_answers.find(step);
        return found == m_answers.end() ? std::nullopt : found->second;
    }
    void tell(core::Index step, std::optional<std::size_t> answer) { m_answers[step] = answer; }
    void askAgain(core::Index step) { m_answers.erase(step); }

    std::size_t hints(core::Index step) const {
        const auto found = m_hints.find(step);
        return found == m_hints.end() ? 0 : found->second;
    }
    void giveHint(core::Index step) { ++m_hints[step]; }

  private:
    std::map<core::Index, std::optional<std::size_t>> m_answers; // key: the step
    std::map<core::Index, std::size_t> m_hints;
};

class Document : public QObject {
    Q_OBJECT
  public:
    explicit Document(QObject *parent = nullptr);

    /// Opens another source and clears the undo list. `opened.computable` must belong to
    /// `opened.state`.
    void open(OpenedSource opened);

    const core::Session &session() const { return *m_session; }
    /// The lesson's id or the file's path.
    const QString &source() const { return m_source; }
    /// The course that the lesson belongs to, or null.
    const OpenCoursePointer &course() const { return m_course; }
    /// The seed of the source's random numbers, if one was given.
    std::optional<quint64> seed() const { return m_seed; }
    const DocumentState &state() const { return m_state; }
    /// The model and the input of the state. Unset for a capture.
    const std::optional<core::Computable> &computable() const { return m_computable; }
    /// The session as it was read. session() contains later edits of the lesson.
    const core::Session &sessionAsRead() const { return *m_read; }
    /// Files besides the source that were read into the document since it was opened: word vectors,
    /// a training text.
    const std::vector<std::string> &importedFiles() const { return m_importedFiles; }
    void addImportedFile(const QString &path);
    /// True if the state contains user edits of the session or of its current step.
    bool isEdited() const;

    /// The newest trace; null before the first. While traceIsStale() it belongs to an older state.
    const core::TracePointer &trace() const { return m_trace; }
    /// True if the document shows a capture, which cannot be edited.
    bool isCapture() const { return m_session->capture.has_value(); }
    bool traceIsStale() const { return m_traceRevision != m_revision; }
    /// The reason why the current state has no trace and none is being computed. Unset otherwise.
    const std::optional<core::Error> &failure() const { return m_failure; }
    /// The change of a file that the document was opened from. The document is then out of date,
    /// and the file's data cannot be used until it is opened again. Unset if no change is known.
    const std::optional<core::Error> &changedFile() const { return m_changedFile; }
    void setChangedFile(std::optional<core::Error> change);
    /// True while a trace of the document or of side A is being computed, even if its result will
    /// be dropped.
    bool isBusy() const { return m_runner.isBusy() || m_comparison.isBusy(); }
    core::Progress::Layers progress() const { return m_runner.progress(); }
    /// Decides whether views show that the trace is being computed.
    const SlowPass &slowPass() const { return m_slowPass; }
    /// The stages that the last edit recomputed, while views still mark them. Going to a lesson
    /// step is not an edit.
    const RecomputedStages &recomputedStages() const { return m_recomputed; }
    /// True while a selection waits for its stage to be computed.
    bool isPreparing() const { return m_wanted.has_value(); }
    /// Returns the selection that waits for its stage, otherwise the current one. Keys for the next
    /// head or layer start from this selection, so that no key press in a series is lost.
    const core::Selection &requestedSelection() const { return m_wanted ? *m_wanted : m_selection; }
    /// Requests that all later passes collect the overviews of all heads.
    void wantGlances() { m_wantsGlances = true; }
    bool wantsGlances() const { return m_wantsGlances; }
    /// The overviews that the newest pass collects or has collected. Null if no view wanted them
    /// before the pass.
    std::shared_ptr<const core::PassGlances> passGlances() const { return m_passGlances; }
    /// Returns the overviews that were collected while this trace, the document's or side A's, was
    /// computed. Null if none were collected.
    std::shared_ptr<const core::PassGlances> passGlancesOf(const core::Trace &trace) const;
    /// Prepares the layers next to the selected one in the background, until the next edit.
    void wantNeighbours();
    /// Frees the memory of the layers next to the selected one.
    void dropNeighbours() { m_neighbours.forget(); }
    const NeighbourLayers &neighbours() const { return m_neighbours; }

    const core::Selection &selection() const { return m_selection; }
    /// Returns the selection, or the nearest one that exists in trace(). While the trace of another
    /// text or model is being computed, the selection may not exist in the current trace.
    core::Selection selectionInTrace() const;
    /// Selects the nearest position that exists in the current batch and model, and drops indices
    /// that do not exist. For a long input, whose trace holds one layer at a time, the selection
    /// changes once the layer is computed.
    void select(core::Selection selection);
    /// The tab that the lesson's step or the opened session requests; may be empty.
    const QString &requestedView() const { return m_requestedView; }

    /// Position in the replay of the training run. Like the selection, it is saved, but it is not
    /// an edit and not undone.
    const core::BirthState &birth() const { return m_birth; }
    void setBirth(const core::BirthState &birth) { m_birth = birth; }
    /// Choices made in the Model view. Like birth(), they are saved but not undone.
    const core::ModelViewState &modelView() const { return m_modelView; }
    void setModelView(const core::ModelViewState &chosen) { m_modelView = chosen; }

    /// The lesson's current step; null if the document has no lesson.
    const core::LessonStep *lessonStep() const;
    /// The step's question, if it is still open. Null if there is none, if it was answered or
    /// skipped, or if the user's edits left it without a right answer.
    const core::Question *askedQuestion() const;
    const Answers &answers() const { return m_answers; }
    /// Records the index of the chosen answer. If unset, skips the question. Then shows the step.
    void answer(std::optional<std::size_t> answer);
    void askAgain();
    void giveHint();
    /// Sets whether steps ask their questions. If not, questions are skipped until askAgain().
    void setAsksQuestions(bool asks);

    QUndoStack &undoStack() { return m_undoStack; }

    /// The comparison with another run; initially there is none. Its changes are reported by
    /// changed(ComparisonChanged).
    Comparison &comparison() { return m_comparison; }
    const Comparison &comparison() const { return m_comparison; }

    /// True if the user has edited something since the document was opened or saved. The view and
    /// the lesson step do not count.
    bool isModified() const;
    /// Marks the document as saved in this file and names it after the file.
    void setSaved(const QString &source);
    /// Marks the document as not saved in any file: new, or recovered.
    void setUnsaved();
    /// Returns the content that would be saved now, with the given tab.
    Snapshot snapshot(const QString &view) const;

    // User actions. Each is one undo step; on error the document is unchanged.
    /// Applies an edit of ui/document/edits/. Consecutive edits of one gesture (a drag, typing)
    /// are merged into one undo step. Errors: the edit's own; a capture cannot be edited.
    core::Outcome apply(core::Result<Change> made, int gesture = kNoGesture);
    static constexpr int kNoGesture = -1;
    /// Returns an id for the edits of one drag.
    int newGesture() { return ++m_gesture; }
    /// Identifies the text of the selected sequence, for edits::setText().
    edits::TextId textId(InputSide side = InputSide::Own) const;
    core::Outcome goToStep(core::Index step);
    /// Applies the solution of the step's exercise. Errors: the step has no solution.
    core::Outcome showSolution();
    /// Reverts all user edits of the lesson step or of the session.
    core::Outcome resetEdits();
    /// Cancels a slow computation and goes back to the state whose trace is shown. This may take
    /// several undo or redo steps. The cancelled state can be restored with undo or redo. Does
    /// nothing before the first trace.
    void cancelComputation();

  signals:
    void changed(const headlight::ui::ChangeEvent &event);

  private:
    friend class ChangeState;
    /// `parts`: the parts that differ from the current state. If `mark` is unset, the state is new
    /// and gets a new mark. Returns the state's mark.
    StateMark setState(Change change, std::optional<StateMark> mark, ChangedParts parts);
    void setMark(const StateMark &mark);
    enum class Why { Cancelled, FileChanged };
    /// Returns a description of the reverted edits.
    QString goBackToShownState(Why why);
    void takeFailure(quint64 revision, core::Error error);
    std::optional<int> undoIndexOf(quint64 stateMark) const;
    /// The state of the session, or of a lesson step, without user edits.
    const DocumentState &baseAt(core::Index step);
    /// Returns the session as read, with the edited lesson.
    std::shared_ptr<const core::Session> sessionWith(const LessonDraftPointer &draft);
    bool differsFromRead() const { return isEdited() || m_state.lesson; }
    void forgetAnswers(bool wasAsking);
    /// Returns the parts that the user has changed in `state`. `known` is a state with correct
    /// `edits`, to speed this up, or null.
    ChangedParts editsOf(const DocumentState &state, const DocumentState *known);
    core::Outcome push(DocumentState state, const QString &words) {
        return apply(checked({std::move(state), {words, {}, {}}}, *m_session));
    }
    void compute();
    /// Selects a position in a layer that is already prepared. Returns false if the layer is not
    /// prepared.
    bool showNeighbour(const core::Selection &selection);
    static bool isReady(const core::TracePointer &trace, const core::Selection &selection);
    TraceRequest request() const;
    void takeTrace(quint64 revision, const core::TracePointer &trace);
    /// Returns the step's selection. Positions that do not exist in the user's text are replaced by
    /// near ones.
    core::Selection selectionOfStep();
    void showStep();
    void announceStep();
    void passUnanswerable();

    std::shared_ptr<const core::Session> m_read = std::make_shared<core::Session>();
    std::shared_ptr<const core::Session> m_session = m_read;
    std::shared_ptr<const core::Session> m_bare; // m_read without its file text; lazy
    QString m_source;
    OpenCoursePointer m_course;
    std::optional<quint64> m_seed;
    std::vector<std::string> m_importedFiles;
    DocumentState m_state;
    std::optional<core::Computable> m_computable; // m_state as an input of the engine
    std::optional<DocumentState> m_base;          // base of the last requested step
    StateMark m_mark, m_newestMark;
    quint64 m_savedEdit = 1;
    bool m_savedWithEdits = false; // false: an unedited state counts as saved
    bool m_toldModified = false;
    core::TracePointer m_trace;
    core::Selection m_selection;
    std::optional<core::Selection> m_wanted; // waits until its layer is computed
    QString m_requestedView;
    core::BirthState m_birth;
    core::ModelViewState m_modelView;
    Answers m_answers;
    bool m_asksQuestions = true;
    bool m_isNewStep = false; // a step was entered and its trace is not computed yet
    QUndoStack m_undoStack;
    int m_gesture = 1;
    quint64 m_revision = 0;
    quint64 m_traceRevision = 0;
    DocumentState m_shownState; // state that m_trace was computed from
    quint64 m_shownMark = 0;
    std::optional<core::Error> m_failure, m_changedFile;
    TraceRunner m_runner;
    bool m_wantsGlances = false;
    std::shared_ptr<core::PassGlances> m_passGlances; // the running pass writes to it
    NeighbourLayers m_neighbours;
    SlowPass m_slowPass{*this}; // the first to receive changed()
    RecomputedStages m_recomputed{this};
    Comparison m_comparison{*this};
};

} // namespace headlight::ui
