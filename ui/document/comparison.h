// Side A of a comparison with the current run. A is a pinned state, another source, another
// sequence of the same batch, the ablated run, or another text of the document's model. Edits
// change the current run only, unless A follows the document.
#pragma once

#include "core/analysis/pass_glances.h"
#include "ui/compare/compared.h"
#include "ui/compute/stage_worker.h"
#include "ui/compute/token_aligner.h"
#include "ui/document/source.h"

#include <QObject>

#include <memory>

namespace headlight::ui {

class Document;

/// A's session and state, so that A can be saved and its command shown.
struct SideA {
    core::Session session;
    QString source;
    DocumentState state;
    /// The model and the input of `state`. Unset for a capture.
    std::optional<core::Computable> computable;
    core::Selection selection;
    std::optional<quint64> seed;
    /// The text that the user set for A. Unset if A still has its own.
    std::optional<QString> text{};
};

class Comparison : public QObject {
    Q_OBJECT
  public:
    explicit Comparison(Document &document);

    /// Sets side A to the current state. Editing the document or opening another source does not
    /// change side A.
    void pin();
    /// Sets side A to another source and shows the difference. The document stays open.
    void compareWith(const OpenedSource &opened);
    /// Sets side A to another sequence of the document's batch and shows the difference. Side A
    /// follows every edit. The sequence must exist.
    void compareWithSequence(core::Index sequence);
    /// Sets side A to the document's ablated run. Side A then follows its steps and checkpoints and
    /// reads the document's input. Requires an ablated run.
    void compareWithAblated();
    /// Sets side A to the document's model with another text, and shows the difference. A follows
    /// every edit except edits of the text. With two texts, the new one replaces the source.
    /// Errors: as edits::setText(); a capture, which cannot process another text.
    core::Outcome compareWithText(const QString &text);
    /// Sets another text in A, as compareWithText() does. If A was opened or pinned, A keeps its
    /// model.
    core::Outcome setTextOfA(const QString &text);
    void unpin();
    void show(ComparisonSide shown);

    bool hasA() const { return m_a.has_value() || m_sequence.has_value(); }
    /// Unset if A is a sequence of the document's own batch, or if there is no A.
    const std::optional<SideA> &a() const { return m_a; }
    /// The sequence of the document's batch that is side A, if any.
    std::optional<core::Index> sequence() const { return m_sequence; }
    /// The sequence of A that is compared with the selected one.
    core::Index sequenceOfA() const;
    ComparisonSide shown() const { return m_shown; }
    bool isBusy() const { return (m_runner && m_runner->isBusy()) || m_aligner.isBusy(); }
    /// The overviews that A's pass collects or has collected. Null if no view wanted them before
    /// the pass, or if A is a sequence of the document's own batch.
    const std::shared_ptr<const core::PassGlances> &passGlances() const { return m_passGlances; }
    /// True if A is another text of the document's model.
    bool followsDocument() const { return m_followed.has_value(); }
    bool isAblated() const { return m_ablated != nullptr; }
    /// True if A's trace is missing or belongs to an earlier state.
    bool isComputing() const { return m_a && m_traceRevision != m_revision; }
    /// Returns the comparison for figures. Without A, nothing is compared. For a long input A's
    /// trace is null until the selected layer is computed.
    Compared compared() const;
    /// Like compared(), but returns A's trace even if the selected layer is not computed. Used for
    /// numbers that need no details, such as measures.
    Compared comparedAsComputed() const;
    /// Returns which tokens of the two sides are partners, even if they are paired only by
    /// position. Null without an A, or while A or the partners are being computed.
    core::TokenPartnersPointer partners() const;

  signals:
    /// Emitted when A, its trace, or the displayed side changes.
    void changed();
    void failed(const headlight::core::Error &error);

  private:
    void take(SideA a, const core::TracePointer &trace);
    void compute();
    void takeFailure(quint64 revision, const core::Error &error);
    void documentOpened();
    void followAblatedRun();
    void takeAblatedRun();
    void followDocument();
    core::Outcome takeText(const QString &text, core::Index sequence);
    bool isOfSameTexts(const QString &text, core::Index sequence) const;
    Compared comparedByPosition() const;
    Compared withPartners(Compared compared) const;
    core::TokenPartnersPointer partnersOf(const Compared &compared) const;

    /// The document's model and input from which A was built.
    struct Followed {
        core::Model model;
        core::Input input;
    };

    Document &m_document;
    std::optional<SideA> m_a;
    core::TracePointer m_trace;            // trace of m_a; null while it is computed
    bool m_followsSequence = false;        // true if A shows the document's selected sequence
    std::optional<core::Index> m_sequence; // set instead of m_a
    core::AblatedRunPointer m_ablated;     // the ablated run that A shows, if any
    core::Input m_ablatedInput;            // the document's input from which A's input was built
    std::optional<Followed> m_followed;    // set if A is another text of the document's model
    core::OwnPairsPointer m_pairs;         // the document's pairs when changed() was last emitted
    ComparisonSide m_shown = ComparisonSide::Now;
    quint64 m_revision = 0;
    quint64 m_traceRevision = 0;
    std::shared_ptr<const core::PassGlances> m_passGlances; // from the pass of m_a
    std::unique_ptr<TraceRunner> m_runner;                  // its thread is created on first use
    mutable StageWorker m_maker;
    mutable TokenAligner m_aligner;
};

/// Returns "bank, step 5": the lesson's id or the file's name, followed by details of the state.
/// For another text of the same model, returns the text in quotes.
QString nameOf(const SideA &a);

} // namespace headlight::ui
