// A formula put together piece by piece, each symbol in its role's colour.
#pragma once

#include "core/transformer/selection.h"
#include "core/transformer/trace.h"
#include "ui/figures/style.h"
#include "ui/figures/text.h"

namespace headlight::ui {

/// Puts a line together, each symbol in its role's colour.
class FormulaLine {
  public:
    explicit FormulaLine(const FigureStyle &style) : m_style(style) {}

    FormulaLine &symbol(const char16_t *text, core::Role role,
                        Span::Place place = Span::Place::Line) {
        m_spans.append({QString::fromUtf16(text), m_style.colourOf(role), true, place});
        return *this;
    }
    FormulaLine &sub(const QString &text, core::Role role) {
        m_spans.append({text, m_style.colourOf(role), true, Span::Place::Subscript});
        return *this;
    }
    FormulaLine &plain(const QString &text) {
        m_spans.append({text, m_style.text, false, Span::Place::Line});
        return *this;
    }
    FormulaLine &note(const QString &text) {
        m_spans.append(
            {QStringLiteral("      ") + text, m_style.mutedText, false, Span::Place::Line});
        return *this;
    }
    /// The symbol of a stage as it stands alone.
    FormulaLine &symbol(const QString &text, core::Role role) {
        m_spans.append({text, m_style.colourOf(role), true, Span::Place::Line});
        return *this;
    }
    /// W with the letter beneath.
    FormulaLine &weight(const QString &letter, core::Role role) {
        return symbol(u"W", role).sub(letter, role);
    }
    FormulaLine &bias(const QString &letter, core::Role role) {
        return plain(QStringLiteral(" + ")).symbol(u"b", role).sub(letter, role);
    }
    Spans done() const { return m_spans; }

  private:
    const FigureStyle &m_style;
    Spans m_spans;
};

/// Of embeddings, norms, residual connections, feed-forward networks and heads.
void blockFormula(FormulaLine &line, const core::Trace &trace, const core::Selection &place);

} // namespace headlight::ui
