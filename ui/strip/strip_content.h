// Content of the words strip: the words of the selected text, and the attention weights of the
// selected word. Computes nothing, so weights that the trace does not hold are left out.
#pragma once

#include "core/selection/selection.h"
#include "ui/compare/compared.h"
#include "ui/document/state/document_state.h"
#include "ui/figures/sentence/strip_words.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace headlight::ui {

/// The words of one text. A model with two sequences has two: source and target.
struct StripSentence {
    InputSide side = InputSide::Own;
    QString title; ///< "source" or "target"; empty if there is one text
    std::shared_ptr<const StripWords> words = std::make_shared<StripWords>();
    bool isRead = true;         ///< true if its words are the keys, which get the weights
    std::vector<float> weights; ///< weights from the selected word to these words; empty: none
    std::vector<bool> hidden;   ///< words that a mask hides from the selected word; empty: none
    float share = 1;            ///< weight of each word if the visible ones had equal weights
    std::optional<core::Index> selected; ///< the selected row, if it belongs to this text
    std::optional<core::Index> pointed;  ///< the selected key, if it belongs to this text
    std::optional<core::Index> written;  ///< word that the selected row predicted, if it was chosen

    const StripWords &text() const { return *words; }
    bool isHidden(core::Index word) const {
        return !hidden.empty() && hidden[static_cast<std::size_t>(word)];
    }
};

struct StripContent {
    std::vector<StripSentence> sentences; ///< source first
    /// "%1 looks at", where %1 is the subject; or a sentence without a subject
    QString caption;
    QString subject;       ///< the selected word
    QStringList where;     ///< "layer 0", "head 1", "sentence 2 of 4", …
    core::Selection place; ///< the attention weights that tint the words, in the current run
    bool hasWeights = false;
    bool isSigned = false; ///< weights without softmax may be negative
    double largest = 1;    ///< end of the colour scale

    const StripSentence *sentence(InputSide side) const;
    /// Removes the weights and replaces the caption.
    void hideWeights(const QString &instead);
    /// Returns the caption as plain text: "sat looks at · layer 0 · head 1".
    QString captionText() const;
    /// Returns "cat, weight 0.56"; only the word if it has no weight.
    QString wordText(InputSide side, core::Index word) const;
};

/// Returns the text of a weight below its word: "0.56"; "0" if it is exactly zero.
QString weightText(float weight);
/// True if the weight is shown as zero.
bool isShownAsZero(float weight);

/// Returns the run whose words and weights the strip shows, which is A's if side A is shown. The
/// returned selection exists in that run, although A may have other texts.
ShownRun stripRun(const core::TracePointer &trace, const core::Selection &selection,
                  const Compared &compared);

/// The words of the last content, cached so that a new selection does not split the text again.
class StripTexts {
  public:
    std::shared_ptr<const StripWords> wordsOf(const core::BatchPointer &batch, core::Index sequence,
                                              InputSide side);

  private:
    struct Text {
        core::BatchPointer batch;
        core::Index sequence = 0;
        std::shared_ptr<const StripWords> words;
    };
    std::array<Text, 2> m_texts; // indexed by InputSide
};

/// Returns the words without weights, before anything is computed.
StripContent stripContentOf(const core::Input &input, core::Index sequence, StripTexts &texts);

/// `isAsked`: a question of the lesson is open, so no weights are shown. `kept`: words of earlier
/// contents.
StripContent stripContentOf(const core::TracePointer &trace, const core::Selection &selection,
                            const Compared &compared, bool isAsked = false,
                            StripTexts *kept = nullptr);

/// Returns the attention module whose weights the strip shows: the selected one, or the nearest one
/// in the trace. Unset if there is none.
std::optional<core::AttentionId> nearestWeights(const core::Trace &trace,
                                                core::AttentionId attention);

/// Returns the selection after a click on a word. The stage stays the same, unless the word belongs
/// to another stack or to the keys.
core::Selection selectionAtWord(const core::Trace &trace, const core::Selection &selection,
                                InputSide side, core::Index word);

} // namespace headlight::ui
