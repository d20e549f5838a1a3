// Side A: a run that the present one is compared with. It was pinned, opened beside the document,
// is another sequence of the same batch, or the rival in a race; edits change the present run
// alone.
#pragma once

#include "ui/compare/compared.h"
#include "ui/compute/stage_worker.h"
#include "ui/document/source.h"

#include <QObject>

#include <memory>

namespace headlight::ui {

class Document;

/// A's session and state, so that it could be saved and its command be said.
struct SideA {
    core::Session session;
    QString source;
    DocumentState state;
    core::Selection selection;
    std::optional<quint64> seed;
};

class Comparison : public QObject {
    Q_OBJECT
  public:
    explicit Comparison(Document &document);

    /// The present state becomes A. It stays when the document is edited, and when another source
    /// is opened.
    void pin();
    /// Another source becomes A, without leaving the document; the difference is shown.
    void compareWith(const OpenedSource &opened);
    /// Another sequence of the document's own batch becomes A and follows every edit; the
    /// difference is shown. The sequence exists.
    void compareWithSequence(core::Index sequence);
    /// The rival that the document's model races against becomes A, and follows it step by step,
    /// moment by moment; it reads what the document reads. There is one.
    void compareWithAblated();
    void unpin();
    void show(ComparisonSide shown);

    bool hasA() const { return m_a.has_value() || m_sequence.has_value(); }
    /// None where A is a sequence of the document's own batch, or nothing.
    const std::optional<SideA> &a() const { return m_a; }
    /// Of the document's own batch.
    std::optional<core::Index> sequence() const { return m_sequence; }
    ComparisonSide shown() const { return m_shown; }
    bool isBusy() const { return m_runner && m_runner->isBusy(); }
    /// A is the rival; false: there is none, or another A.
    bool isAblated() const { return m_ablated != nullptr; }
    /// A's trace is of an earlier moment, or there is none yet.
    bool isComputing() const { return m_a && m_traceRevision != m_revision; }
    /// For figures. Without A, nothing is compared. Of a long input A's trace is none until the
    /// selected layer is made.
    Compared compared() const;

  signals:
    /// A, its trace, or what is shown of the two.
    void changed();
    void failed(const headlight::core::Error &error);

  private:
    void take(SideA a, const core::TracePointer &trace);
    void compute();
    void documentOpened();
    void followAblatedRun();
    void takeAblatedRun();

    Document &m_document;
    std::optional<SideA> m_a;
    core::TracePointer m_trace;            // of m_a; null while it is computed
    bool m_followsSequence = false;        // A is an earlier state of the same session
    std::optional<core::Index> m_sequence; // instead of m_a
    core::AblatedRunPointer m_ablated;     // that A follows
    core::Input m_ablatedInput;            // and what it read last, of the document
    ComparisonSide m_shown = ComparisonSide::Now;
    quint64 m_revision = 0;
    quint64 m_traceRevision = 0;           // of m_trace
    std::unique_ptr<TraceRunner> m_runner; // a thread that few windows need
    mutable StageWorker m_maker;
};

/// "bank, step 5": the lesson's id or the file's name, and what tells its states apart.
QString nameOf(const SideA &a);

} // namespace headlight::ui
