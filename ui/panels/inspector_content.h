// What the inspector says of a selection, as a value: the panel only lays it out, and tests read
// it.
#pragma once

#include "ui/compare/compared.h"
#include "ui/panels/inspector_text.h"

namespace headlight::ui {

/// A heading, and beneath it words, arithmetic, bars: each may be missing.
struct InspectorSection {
    QString heading; ///< HTML
    QString words;   ///< HTML
    QList<InspectorLine> lines;
    TermSeries series;
    bool isOfText = false; ///< of the text itself and not of the model: shown on demand
};

struct InspectorContent {
    QString headline; ///< HTML: who attends to whom
    QString title;    ///< the same as plain text, nothing elided
    QString place;    ///< plain text: "query 4 · key 3 · head 0"
    QList<InspectorSection> sections;
    bool isEmpty = true; ///< nothing is selected: the headline says what to do

    /// The lines of every section as "name<tab>value", in all digits, and the series as tables.
    QString allTerms() const;
};

/// Of the selection in the trace; null trace: being computed.
InspectorContent inspect(const core::Trace *trace, const core::Selection &selection,
                         const FigureStyle &style);

/// The selected number on both sides of a comparison, as a section of its own; empty where nothing
/// is compared or no cell is selected.
std::optional<InspectorSection> inspectComparison(const core::Trace &trace,
                                                  const core::Selection &selection,
                                                  const Compared &compared);

/// Of a stage over keys: a pair, or the row where no key is selected.
InspectorContent inspectPair(const core::Trace &trace, const core::Selection &selection,
                             const FigureStyle &style);
/// Of a stage whose columns are dimensions.
InspectorContent inspectVector(const core::Trace &trace, const core::Selection &selection,
                               const FigureStyle &style);

/// Of a head that shares its keys and values: which, and with which others; else empty.
QString sharedWords(const core::Trace &trace, const core::Selection &selection);

/// "head 1 · layer 0 · sequence 2": what of it there is more than one of.
QStringList placeWords(const core::Trace &trace, const core::Selection &selection, bool perHead);

/// A number of the trace as a line.
InspectorLine lineOf(const QString &name, const QString &expression, float value,
                     bool current = false);
/// A number made from the trace's, in double.
InspectorLine lineOf(const QString &name, const QString &expression, double value,
                     bool current = false);
/// A number that a derivation has, of either kind.
InspectorLine lineOf(const QString &name, const QString &expression, const core::Derivation &cell,
                     core::Quantity quantity);

} // namespace headlight::ui
