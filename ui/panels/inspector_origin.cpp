// The inspector's sections about one number of a vector: its lines, and its terms as bars.
#include "ui/panels/inspector_origin.h"

#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/panels/derivation_letters.h"
#include "ui/panels/derivation_lines.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/symbol_text.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Derivation;
using core::Expression;
using Kind = Expression::Kind;

struct InspectorOriginText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// True for a number looked up in a table. Its only term is the number itself.
bool isLookedUp(const Expression &sum) {
    return sum.is(Kind::Sum) && sum.of[0].of[0].is(Kind::Number);
}

} // namespace

InspectorSection originSection(const core::Trace &trace, const core::Selection &selection,
                               const std::vector<Derivation> &derivations) {
    InspectorSection section = derivationSection(trace, derivations);
    if (selection.stage == core::Stage::HeadOutputs)
        section.words =
            (trace.model().attentionParameters(selection.attention()).outputBias
                 ? InspectorOriginText::tr("Head %1's share of the output, which is the sum of all "
                                           "heads' shares and the bias.")
                 : InspectorOriginText::tr(
                       "Head %1's share of the output, which is the sum of all heads' shares."))
                .arg(selection.head);
    return section;
}

InspectorSection termsSection(const core::Trace &trace, const core::Selection &selection,
                              const std::vector<Derivation> &derivations,
                              const FigureStyle &style) {
    InspectorSection section;
    const auto found = std::ranges::find_if(derivations, [](const Derivation &one) {
        return !one.terms.empty() && !isLookedUp(*core::outerSum(one.expression));
    });
    if (found == derivations.end())
        return section;
    const Derivation &cell = *found;
    const Expression &sum = *core::outerSum(cell.expression);
    if (sum.is(Kind::Sum) && sum.of[0].of[1].is(Kind::Read)) {
        section.heading = InspectorOriginText::tr("%1 ⊙ %2 BY KEY")
                              .arg(symbolLink("A", style.accent), symbolLink("V", style.value));
        section.series = {cell.terms,
                          QStringLiteral("w"),
                          QStringLiteral("v"),
                          InspectorOriginText::tr("key"),
                          keyTokens(trace, selection),
                          {},
                          true};
    } else if (sum.is(Kind::Mean) && core::outerSum(sum.of[0])) {
        section.heading =
            InspectorOriginText::tr("MEAN OF %1").arg(termLink("A · V", "context", style.context));
        section.series = {cell.terms,
                          QStringLiteral("z"),
                          QStringLiteral("1/n"),
                          InspectorOriginText::tr("token"),
                          queryTokens(trace, selection),
                          {},
                          true};
    } else if (sum.is(Kind::Mean)) {
        if (cell.terms.size() < 2)
            return section;
        section.heading = InspectorOriginText::tr("BY TOKEN");
        section.series = {cell.terms,
                          QStringLiteral("x"),
                          QStringLiteral("1/n"),
                          InspectorOriginText::tr("token"),
                          tokensOf(trace.batch(), selection.sequence),
                          {},
                          true};
    } else if (cell.matrix) {
        const DerivationLetters letters(trace, cell, false);
        const QString input = letters.inputSymbol(), matrix = letters.matrixSymbol(false);
        const QString marked = letters.matrixSymbol(true);
        section.heading = InspectorOriginText::tr("%1 ⊙ %2 BY DIMENSION")
                              .arg(symbolLink(input, style.text), symbolLink(marked, style.text));
        section.series = {cell.terms, plainSymbols(input).toLower(),
                          matrix,     InspectorOriginText::tr("dimension"),
                          {},         {},
                          true};
    }
    return section;
}

InspectorSection headsSection(const Derivation &cell) {
    InspectorSection section;
    section.heading = InspectorOriginText::tr("BY HEAD");
    for (const double part : cell.sumsOfHeads())
        section.series.terms.push_back({static_cast<float>(part), 1});
    section.series.leftName = InspectorOriginText::tr("part");
    section.series.quantity = InspectorOriginText::tr("part of the sum");
    section.series.indexName = InspectorOriginText::tr("head");
    return section;
}

} // namespace headlight::ui
