// Writes a derivation's expression for the inspector: "(x − μ) ÷ σ · γ + β", "score ÷ √8".
#pragma once

#include "core/explain/derivation.h"

#include <QString>

namespace headlight::ui {

class DerivationLetters {
  public:
    /// `isInputShown`: an earlier line shows the input number, so that expressions can refer to it.
    /// Both references must outlive this object.
    DerivationLetters(const core::Trace &trace, const core::Derivation &cell, bool isInputShown);

    /// Returns the expression of the value; empty if only the value itself is known.
    QString value() const;
    /// Returns how a number of the derivation is computed.
    QString of(core::Quantity quantity) const;
    /// Returns the value's sum of products, for example "x · WQ[:,3]" or "weights · V[:,3]".
    QString product() const;
    /// Like product(), but with typeset symbols. Empty if the product has no symbol to typeset.
    QString productHtml() const;
    QString write(const core::Expression &x) const;

    /// Returns the symbol of the stage that a product reads, "U" if it reads an unnamed step, or an
    /// empty text if it reads neither.
    QString inputSymbol() const;
    /// Returns the parameter matrix of a product: "W_Q", or "E" with tied embeddings. If `isMarked`
    /// is true, the symbol has an underscore.
    QString matrixSymbol(bool isMarked) const;
    bool isTransposed() const;

  private:
    bool isPair() const { return core::infoOf(m_cell.at.stage).overKeys(); }
    QString named(const core::Expression &x) const;
    QString input() const;
    QString call(const core::Expression &x) const;
    QString chosen(const core::Expression &x) const;
    QString operand(const core::Expression &x, bool isRight) const;
    QString productWith(const QString &vector, const QString &matrix) const;

    const core::Trace &m_trace;
    const core::Derivation &m_cell;
    const core::Expression *m_sum; ///< null if the value is not a sum of products
    bool m_isInputShown;
};

} // namespace headlight::ui
