// The inspector's texts: numbers, tokens and lines of arithmetic.
#pragma once

#include "core/explain/derivation.h"
#include "core/format_number.h"
#include "ui/figures/base/style.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace headlight::ui {

/// Formats with three decimals. An exact zero is "0". A value that would round to zero keeps its
/// first digits: "0.412", "0", "4.1e−05", "−∞".
QString shownNumber(double value);

/// Returns a token as bold HTML, elided to fit next to a few words, with its text direction
/// isolated.
QString tokenHtml(const QString &token, const FigureStyle &style);

/// Wraps inline HTML in a colour.
QString coloured(const QString &html, const QColor &colour);

/// A line of arithmetic: score = q·k = 3.412.
struct InspectorLine {
    QString name;         ///< "score"
    QString expression;   ///< plain text: "q·k"; may be empty
    QString value;        ///< "3.412"
    QString exact;        ///< value with all digits, for copying
    bool current = false; ///< true for the selected number
    QString html{};       ///< expression with typeset symbols; empty: use the plain text
    bool isTerm = true;   ///< false if the name comes from the text and gets no links
    QString term{};       ///< glossary id of the name; empty: link the terms found in it
};

/// Formats lines in three columns. If `stacked` is true, the expression is below the name.
QString linesHtml(const QList<InspectorLine> &lines, const FigureStyle &style, bool stacked);
/// Returns how many characters the three columns need side by side.
qsizetype lineCharacters(const QList<InspectorLine> &lines);

/// Numbers painted as bars: products, or single numbers if `rightName` is empty.
struct TermSeries {
    std::vector<core::Term> terms;
    QString leftName, rightName; ///< "q", "k"
    QString indexName;           ///< "dimension", "key", "head"
    QStringList labels;          ///< names of the terms; empty: their indices
    std::optional<core::Index> current;
    bool sums = true;   ///< true if the sum of the terms is meaningful
    QString quantity{}; ///< kind of number; empty: use leftName and rightName

    bool empty() const { return terms.empty(); }
    bool allZero() const;
    double value(std::size_t index) const { return terms[index].product(); }
    QString label(std::size_t index) const;
    /// Returns what the bars show, for example "q × k" or "attention weights".
    QString quantityName() const;
    /// Returns "dimension 3: 0.51 × −0.9 = −0.459".
    QString words(std::size_t index) const;
    /// Returns "Σ of 16 = 3.412". If the terms are not summed, returns the largest value, and also
    /// the smallest if that is negative.
    QString summary() const;
    /// Returns one tab-separated term per line, with all digits, after a header line.
    QString table() const;
};

} // namespace headlight::ui
