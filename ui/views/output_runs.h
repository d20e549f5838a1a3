// The outputs to show for a position of the text: of the current run, and of side A or the run
// before the last edit.
#pragma once

#include "ui/compute/output_reader.h"
#include "ui/compute/word_ends.h"
#include "ui/document/document.h"
#include "ui/figures/output/output_content.h"

namespace headlight::ui {

class OutputRuns : public QObject {
    Q_OBJECT
  public:
    explicit OutputRuns(Document &document, QObject *parent = nullptr);

    /// Returns the available rows, and emits made() once the missing rows are computed. The trace
    /// must have an output. `isForFile`: leaves out the run before the last edit, because a file
    /// only contains what its command can reproduce.
    GivenOutput outputsOf(const core::TracePointer &trace, const core::Selection &selection,
                          const Compared &compared, bool isForFile);
    /// Returns, for each token that may come next after the document's text, the rest of its word.
    /// Empty if the selection predicts another position or if tokens are words. Also empty until
    /// the rests are computed; then emits made().
    std::vector<core::RestOfWord> restsOf(const core::Selection &selection,
                                          const std::vector<core::Index> &tokens);
    /// True while a worker reads logits.
    bool isReading() const { return m_reader.isBusy(); }

  signals:
    void made();
    void failed(const headlight::core::Error &error);

  private:
    /// The trace shown before the last undo step.
    struct Before {
        core::TracePointer trace;
        QString name;
    };

    void documentChanged(const ChangeEvent &event);
    void stepTaken(int index);
    std::optional<OutputRun> other(const core::TracePointer &trace,
                                   const core::Selection &selection, const Compared &compared);

    Document &m_document;
    OutputReader m_reader;
    WordEnds m_ends;
    core::TracePointer m_shown; // the newest trace
    Before m_before;
    int m_step = 0; // index in the undo stack
};

/// Selects the position that predicted the token. The first token of a text has none.
core::Selection atPredictedToken(const Document &document, core::Index token);

/// Replaces the token that the selected row predicts with a word of the vocabulary. Appends the
/// pieces that complete the word, in the same undo step. Then selects the row that predicts the
/// next token. Does nothing for classes. Errors: those of edits::chooseToken(); side A is shown,
/// which cannot be edited.
core::Outcome choosePredictedWord(Document &document, core::Index word,
                                  const std::vector<core::Index> &rest = {});

} // namespace headlight::ui
