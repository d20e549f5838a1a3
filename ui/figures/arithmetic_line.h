// What every line of arithmetic is made of: the trace's numbers at the selected row and column, in
// the colours of their roles.
#pragma once

#include "core/transformer/selection.h"
#include "core/transformer/trace.h"
#include "ui/figures/style.h"
#include "ui/figures/text.h"

#include <span>

namespace headlight::ui {

class ArithmeticLine {
  public:
    ArithmeticLine(const core::Trace &trace, const core::Selection &selection,
                   const FigureStyle &style);

  protected:
    using Index = core::Index;
    using MatrixView = core::MatrixView;
    using SharedMatrix = core::SharedMatrix;
    using Role = core::Role;
    using Stage = core::Stage;

    /// A stage of the selection's own part; of its head, or of another.
    SharedMatrix matrix(Stage stage, std::optional<Index> head = {}) const;
    SharedMatrix matrix(core::StageAt at) const;
    bool has(Stage stage) const { return m_trace.has(stage, m_selection.site()); }
    const core::Config &config() const { return m_trace.model().config; }
    QString token(Index index) const; ///< of a row
    QString key(Index index) const;   ///< attended to

    void plain(const QString &text);
    void muted(const QString &text);
    void number(const QString &text, Role role);
    void highlighted(const QString &text);
    void equals(float result);
    /// A letter with what stands beneath it: W_Q.
    void letter(const QString &text, const QString &beneath, Role role);
    /// A negative number that something stands before.
    static QString inBrackets(float value);
    void product(float a, Role roleOfA, float b, Role roleOfB);
    /// "( 0.11 0.42 )", the selected column stressed.
    void vector(std::span<const float> numbers, Role role, std::optional<Index> stressed = {});
    /// "mat → cat:  ", "mat [3]:  ".
    void place();
    /// The numbers as they are.
    void values(const MatrixView &own, Role role);
    /// The number of the selected cell, or the row.
    void vectorOrNumber(const MatrixView &from, Role role, bool result = false);

    /// A linear map: columns of a weight matrix, or parts of a bias, from `firstColumn` on.
    struct Projection {
        const core::Matrix *weight = nullptr;
        const core::Matrix *bias = nullptr;
        QString letter;
        Index firstColumn = 0;
        bool transposed = false; ///< tied embeddings: y = x·Eᵀ
    };
    void linear(const MatrixView &input, Role inputRole, const Projection &by, Role role,
                const MatrixView &own);

    const core::Trace &m_trace;
    const core::Selection &m_selection;
    const FigureStyle &m_style;
    Index m_row;
    std::optional<Index> m_column;
    Spans m_spans;
};

/// A term: two decimals; an exact zero is "0", what rounds to it "0.00".
QString termText(float value);
/// A result: four decimals, and "0" likewise.
QString resultText(float value);

} // namespace headlight::ui
