// What is open: a session, its present state, the trace of it, and the one selection. No widget is
// known here.
#pragma once

#include "ui/compute/trace_runner.h"
#include "ui/document/answers.h"
#include "ui/document/change.h"
#include "ui/document/change_event.h"
#include "ui/document/comparison.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/snapshot.h"
#include "ui/document/source.h"

#include <QObject>
#include <QUndoStack>

namespace headlight::ui {

class Document : public QObject {
    Q_OBJECT
  public:
    explicit Document(QObject *parent = nullptr);

    /// Shows another source; the undo list starts anew.
    void open(OpenedSource opened);

    const core::Session &session() const { return *m_session; }
    /// The lesson's id or the file's path.
    const QString &source() const { return m_source; }
    /// That it is a lesson of; null: of none.
    const OpenCoursePointer &course() const { return m_course; }
    /// That the source's random numbers were made with, where it was given one.
    std::optional<quint64> seed() const { return m_seed; }
    const DocumentState &state() const { return m_state; }
    /// The session as it was read; session() has the lesson as it was edited since.
    const core::Session &sessionAsRead() const { return *m_read; }
    /// Files besides the source that were read into the document since it was opened: word vectors,
    /// a text to learn from.
    const std::vector<std::string> &importedFiles() const { return m_importedFiles; }
    void addImportedFile(const QString &path);
    /// The state is not as the session, or its present step, has it without the person's edits.
    bool isEdited() const;

    /// The newest trace; null before the first. While traceIsStale() it belongs to an older state.
    const core::TracePointer &trace() const { return m_trace; }
    /// What is shown was computed elsewhere: nothing can be changed.
    bool isCapture() const { return m_session->capture.has_value(); }
    bool traceIsStale() const { return m_traceRevision != m_revision; }
    /// Why there is no trace of the present state, and none is coming; none: there is, or it is
    /// computed.
    const std::optional<core::Error> &failure() const { return m_failure; }
    /// What somebody else did to a file that it was opened from: what is shown is out of date, and
    /// nothing can be computed of that file until it is opened again. None: nothing is known.
    const std::optional<core::Error> &changedFile() const { return m_changedFile; }
    void setChangedFile(std::optional<core::Error> change);
    /// Something is computed for it, or for side A, even if nobody waits for it any more.
    bool isBusy() const { return m_runner.isBusy() || m_comparison.isBusy(); }
    /// How far what is computed for it has come.
    core::Progress::Layers progress() const { return m_runner.progress(); }
    /// A selection waits until what it shows is made.
    bool isPreparing() const { return m_wanted.has_value(); }

    const core::Selection &selection() const { return m_selection; }
    /// Whatever lies outside the present batch, heads or width is brought inside, or taken away.
    /// Of a long input, whose trace does not hold all layers at once, another layer is selected
    /// once it is made.
    void select(core::Selection selection);
    /// The tab that the lesson's step, or the session when it was opened, asks for; empty: none.
    const QString &requestedView() const { return m_requestedView; }

    /// The lesson's present step; null: this is no lesson.
    const core::LessonStep *lessonStep() const;
    /// That the step asks before it tells the rest; null: nothing, it was answered, or nobody could
    /// answer it after what was changed before the step was come to.
    const core::Question *askedQuestion() const;
    const Answers &answers() const { return m_answers; }
    /// One of the question's answers; none: it is told without. Then the step is shown.
    void answer(std::optional<std::size_t> answer);
    void askAgain();
    void giveHint();
    /// Whether a step that is come to asks its question; else it is told at once, until askAgain().
    void setAsksQuestions(bool asks);

    QUndoStack &undoStack() { return m_undoStack; }

    /// With which other run this one is compared; none at first. What changes of it is told by
    /// changed(ComparisonChanged).
    Comparison &comparison() { return m_comparison; }
    const Comparison &comparison() const { return m_comparison; }

    /// The person has edited something since it was opened or saved. Where one looks, and how far a
    /// lesson is read, is no edit.
    bool isModified() const;
    /// It stands in a file, from which it also gets its name.
    void setSaved(const QString &source);
    /// It stands in no file yet: new, or recovered.
    void setUnsaved();
    /// What would be saved now, with the tab that is shown.
    Snapshot snapshot(const QString &view) const;

    // What a person can do. Each is one undo step, and on an error nothing has happened.
    /// Anything: one of the edits in ui/document/edits/. Those of one gesture (a drag, typing) that
    /// follow each other are one undo step. Errors: the edit's own; the engine could not compute
    /// it.
    core::Outcome apply(core::Result<Change> made, int gesture = kNoGesture);
    static constexpr int kNoGesture = -1;
    /// For the edits of one drag.
    int newGesture() { return ++m_gesture; }
    /// The selected sequence, for edits::setText().
    edits::TextId textId(InputSide side = InputSide::Own) const;
    core::Outcome goToStep(core::Index step);
    /// Lays the solution of the step's exercise over the step. Errors: it has none.
    core::Outcome showSolution();
    /// Takes back everything the person changed of the lesson's step or of the session.
    core::Outcome resetEdits();
    /// Stops a computation that takes too long, and goes back to the state whose trace is shown:
    /// over several undo steps, or forward after an undo. What was left can be done again. Before
    /// the first trace there is nothing to go back to.
    void cancelComputation();

  signals:
    void changed(const headlight::ui::ChangeEvent &event);

  private:
    friend class ChangeState;
    /// `parts`: in which it differs from the present one.
    void setState(DocumentState state, const StateMark &mark, ChangedParts parts);
    void setMark(const StateMark &mark);
    enum class Why { Cancelled, FileChanged };
    /// Says what was taken back.
    QString goBackToShownState(Why why);
    void takeFailure(quint64 revision, core::Error error);
    std::optional<int> undoIndexOf(quint64 stateMark) const;
    /// The session, or the lesson at a step, without the person's edits.
    const DocumentState &baseAt(core::Index step);
    /// What was read, with the lesson as it was edited.
    std::shared_ptr<const core::Session> sessionWith(const LessonDraftPointer &draft);
    bool differsFromRead() const { return isEdited() || m_state.lesson; }
    ChangedParts editsOfChange(const DocumentState &state);
    void forgetAnswers(bool wasAsking);
    /// In what the state differs from that. `known`: a state of which its edits are true already;
    /// null: none.
    ChangedParts editsOf(const DocumentState &state, const DocumentState *known);
    core::Outcome push(DocumentState state, const QString &words) {
        return apply(Change{std::move(state), {words, {}, {}}});
    }
    void compute();
    static bool isReady(const core::TracePointer &trace, const core::Selection &selection);
    TraceRequest request() const;
    void takeTrace(quint64 revision, const core::TracePointer &trace);
    /// What of it is not in the person's text is as near as can be.
    core::Selection selectionOfStep();
    void showStep();
    void announceStep();
    void passUnanswerable();

    std::shared_ptr<const core::Session> m_read = std::make_shared<core::Session>();
    std::shared_ptr<const core::Session> m_session = m_read;
    std::shared_ptr<const core::Session> m_bare; // m_read without its text; null until it is needed
    QString m_source;
    OpenCoursePointer m_course;
    std::optional<quint64> m_seed;
    std::vector<std::string> m_importedFiles;
    DocumentState m_state;
    std::optional<DocumentState> m_base; // of the step that was asked for last
    StateMark m_mark, m_newestMark;
    quint64 m_savedEdit = 1;
    bool m_savedWithEdits = false; // else a state without any edits is as good as saved
    bool m_toldModified = false;
    core::TracePointer m_trace;
    core::Selection m_selection;
    std::optional<core::Selection> m_wanted; // waits for its layer
    QString m_requestedView;
    Answers m_answers;
    bool m_asksQuestions = true;
    bool m_isNewStep = false; // it was come to, and its numbers are not there yet
    QUndoStack m_undoStack;
    int m_gesture = 1;
    quint64 m_revision = 0;
    quint64 m_traceRevision = 0;
    DocumentState m_shownState; // that of m_trace
    quint64 m_shownMark = 0;
    std::optional<core::Error> m_failure, m_changedFile;
    TraceRunner m_runner;
    Comparison m_comparison{*this};
};

} // namespace headlight::ui
