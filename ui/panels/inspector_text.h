// The inspector's words: numbers, tokens and lines of arithmetic as text.
#pragma once

#include "core/explain/derivation.h"
#include "core/format_number.h"
#include "ui/figures/base/style.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace headlight::ui {

/// Three decimals; an exact zero is "0", and what would round to zero keeps its first digits:
/// "0.412", "0", "4.1e−05", "−∞".
QString shownNumber(double value);

/// A token as HTML, bold, elided to what fits beside a few words, its direction kept to itself.
QString tokenHtml(const QString &token, const FigureStyle &style);

/// Inline HTML in a colour.
QString coloured(const QString &html, const QColor &colour);

/// A step of the arithmetic: score = q·k = 3.412.
struct InspectorLine {
    QString name;         ///< "score"
    QString expression;   ///< plain text: "q·k"; may be empty
    QString value;        ///< "3.412"
    QString exact;        ///< the value in all its digits, for copying
    bool current = false; ///< the number that is selected
    QString html{};       ///< the expression with symbols that are set; empty: as plain text
    bool isTerm = true;   ///< its words are ours, not the text's: they lead to the glossary
    QString term{};       ///< where its name leads to; empty: to what the name says
};

/// Lines in three columns, or with the expression beneath where it is narrow.
QString linesHtml(const QList<InspectorLine> &lines, const FigureStyle &style, bool stacked);
/// How many characters the three columns need side by side.
qsizetype lineCharacters(const QList<InspectorLine> &lines);

/// Numbers to be painted as bars: products, or single numbers where `rightName` is empty.
struct TermSeries {
    std::vector<core::Term> terms;
    QString leftName, rightName; ///< "q", "k"
    QString indexName;           ///< "dimension", "key", "head"
    QStringList labels;          ///< of the terms; empty: their numbers
    std::optional<core::Index> current;
    bool sums = true;   ///< the terms add up to something
    QString quantity{}; ///< what the numbers are; empty: their names say it

    bool empty() const { return terms.empty(); }
    bool allZero() const;
    double value(std::size_t index) const { return terms[index].product(); }
    QString label(std::size_t index) const;
    /// "q × k", "attention weights".
    QString quantityName() const;
    /// "dimension 3: 0.51 × −0.9 = −0.459".
    QString words(std::size_t index) const;
    /// "Σ of 16 = 3.412"; of what is no sum the number that is farthest from 0.
    QString summary() const;
    /// One a line, in all digits, tab-separated, under a line with the names.
    QString table() const;
};

} // namespace headlight::ui
