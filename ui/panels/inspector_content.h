// The inspector's content as a value, which the panel lays out and tests read.
#pragma once

#include "ui/compare/compared.h"
#include "ui/panels/inspector_text.h"

namespace headlight::ui {

/// A heading with text, arithmetic and bars below it. Each of them may be missing.
struct InspectorSection {
    QString heading; ///< heading, HTML
    QString words;   ///< text, HTML
    QList<InspectorLine> lines;
    TermSeries series;
    bool isOfText = false; ///< true: about the text, not the model; shown on request
};

struct InspectorContent {
    QString headline; ///< HTML: the token that attends and the token attended to
    QString title;    ///< the headline as plain text, not elided
    QString place;    ///< plain text: "query 4 · key 3 · head 0"
    QList<InspectorSection> sections;
    bool isEmpty = true; ///< true if nothing is selected; the headline is then a hint

    /// Returns the lines of every section as "name<tab>value" with all digits, and the series as
    /// tables.
    QString allTerms() const;
};

/// Returns the content for the selection. Null trace: still being computed.
InspectorContent inspect(const core::Trace *trace, const core::Selection &selection,
                         const FigureStyle &style);

/// Returns a section with the selected value on both sides of a comparison. Empty if there is no
/// comparison or no selected cell.
std::optional<InspectorSection> inspectComparison(const core::Trace &trace,
                                                  const core::Selection &selection,
                                                  const Compared &compared);

/// Returns the content for a stage over keys. This is a pair, or the row if no key is selected.
InspectorContent inspectPair(const core::Trace &trace, const core::Selection &selection,
                             const FigureStyle &style);
/// Returns the content for a stage whose columns are dimensions.
InspectorContent inspectVector(const core::Trace &trace, const core::Selection &selection,
                               const FigureStyle &style);

/// Describes which key and value head this head shares, and with which other heads. Empty if this
/// head shares none.
QString sharedWords(const core::Trace &trace, const core::Selection &selection);

/// Returns "head 1 · layer 0 · sequence 2". Omits a part if the model has only one of its kind.
QStringList placeText(const core::Trace &trace, const core::Selection &selection, bool perHead);

/// Formats a value of the trace as a line.
InspectorLine lineOf(const QString &name, const QString &expression, float value,
                     bool current = false);
/// Formats a double that was computed from the trace.
InspectorLine lineOf(const QString &name, const QString &expression, double value,
                     bool current = false);
/// Formats a quantity of a derivation, as a float if a float represents it exactly.
InspectorLine lineOf(const QString &name, const QString &expression, const core::Derivation &cell,
                     core::Quantity quantity);

} // namespace headlight::ui
