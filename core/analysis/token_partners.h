// The partners of the tokens of two compared texts, looked up in both directions, and matrices of A
// rearranged to match the current text.
#pragma once

#include "core/analysis/difference.h"
#include "core/analysis/text_comparison.h"

#include <memory>
#include <optional>

namespace headlight::core {

/// Pairs that the user made, each list with the two texts that it belongs to. Null: none.
using OwnPairsPointer = std::shared_ptr<const std::vector<AlignedText>>;

class TokenPartners {
  public:
    /// Positions in texts().
    static constexpr std::size_t kMainText = 0, kSourceText = 1;

    /// `texts`: the main text and, if both sides read one, the source. Their pairs are in order.
    /// `isByPosition`: see isByPosition().
    TokenPartners(std::vector<AlignedText> texts, bool isByPosition);

    const std::vector<AlignedText> &texts() const { return m_texts; }
    /// True if both sides have equal shapes and each token has the same position as its partner.
    /// Matrices can then be compared as they are.
    bool isByPosition() const { return m_isByPosition; }
    /// True if the text is in texts().
    bool has(std::optional<std::size_t> text) const { return text && *text < m_texts.size(); }
    /// Returns the partner in A of a token of the current text. Unset if it has none or does not
    /// exist.
    std::optional<Index> inA(std::size_t text, Index now) const;
    /// Returns the partner in the current text of a token of A.
    std::optional<Index> inNow(std::size_t text, Index a) const;

  private:
    /// Partners by token; −1: none.
    struct Partners {
        std::vector<Index> inA, inNow;
    };
    std::vector<AlignedText> m_texts;
    std::vector<Partners> m_partners; // one for each of m_texts
    bool m_isByPosition = false;
};

using TokenPartnersPointer = std::shared_ptr<const TokenPartners>;

/// Returns the partners of the two sequences. Uses the user's pairs if they belong to these texts.
/// Otherwise tokens of texts of equal length are partners by position, and texts of different
/// lengths are aligned (alignedTokens()). The sequences must exist. After a stop, pairs are
/// missing.
TokenPartnersPointer partnersOf(const Input &now, Index nowSequence, const Input &a,
                                Index aSequence, const Model &model,
                                const OwnPairsPointer &own = nullptr,
                                const std::stop_token &stop = {});

/// Returns `known` or, if it is null, the partners of the two sides without the user's pairs.
TokenPartnersPointer partnersOf(const ComparedSide &now, const ComparedSide &a,
                                const TokenPartnersPointer &known = nullptr,
                                const std::stop_token &stop = {});

/// The texts whose tokens are the rows and the columns of a stage, as positions in
/// TokenPartners::texts(). Unset if they are sequences, dimensions or words instead.
struct StageTexts {
    std::optional<std::size_t> rows{}, columns{};
};
StageTexts stageTexts(const Trace &trace, StageId stage);

/// Returns the batch whose tokens are the rows of the stage.
const Batch &batchOfRows(const Trace &trace, StageId stage);

/// Computes current − A as difference() does. With partners, A's rows and columns are first brought
/// into the order of the current side. Cells without a partner are marked like cells that are
/// hidden on one side. Error: matrices without partners have different shapes.
Result<Difference> difference(MatrixView now, MatrixView a, const TokenPartners *partners,
                              const StageTexts &texts,
                              Index words = std::numeric_limits<Index>::max());

/// Returns A's matrix with the rows and columns of the current side. NaN where a row or a column
/// has no partner.
Matrix inOrderOfNow(MatrixView a, const TokenPartners &partners, const StageTexts &texts,
                    Index rows, Index columns);

/// A pair of tokens of two compared texts that the user sets or removes.
struct PairEdit {
    Index now = 0;
    std::optional<Index> a{}; ///< unset: the token has no partner
    bool operator==(const PairEdit &) const = default;
};

/// Applies the edits one after another. Error: there is no such token.
Result<AlignedText> withPairEdits(AlignedText text, const std::vector<PairEdit> &edits);

/// Returns the edits that turn the pairs that partnersOf() would find automatically into the text's
/// pairs.
std::vector<PairEdit> pairEditsOf(const AlignedText &text);

} // namespace headlight::core
