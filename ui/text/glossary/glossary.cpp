#include "ui/text/glossary/glossary.h"

#include "ui/text/glossary/entries.h"
#include "ui/text/measure_text.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Cached in the language in which the program started.
const std::vector<GlossaryEntry> &everyEntry() {
    static const std::vector<GlossaryEntry> all = glossary();
    return all;
}

std::vector<GlossaryEntry> entriesOfMeasures() {
    std::vector<GlossaryEntry> entries;
    for (const core::NamedMeasure &measure : core::kEveryMeasure)
        entries.push_back({glossaryIdOf(measure),
                           GlossaryText::tr("measure: %1").arg(titleOf(measure)),
                           {},
                           sentences({definitionOf(measure),
                                      GlossaryText::tr("See %1.").arg(referenceOf(measure))}),
                           {}});
    return entries;
}

QString singular(const QString &term) {
    return term.endsWith('s') && term.size() > 3 ? term.chopped(1) : term;
}

} // namespace

std::vector<GlossaryEntry> glossary() {
    std::vector<GlossaryEntry> all = entriesOfTheInput();
    for (auto &&more : {entriesOfAttention(), entriesOfTheRest(), entriesOfMeasures()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

GlossaryEntry entryOf(core::Stage stage) {
    const std::vector<GlossaryEntry> &all = everyEntry();
    const auto found = std::ranges::find_if(all, [stage](const GlossaryEntry &entry) {
        return std::ranges::find(entry.stages, stage) != entry.stages.end();
    });
    // A test ensures that each stage has an entry.
    return found == all.end() ? GlossaryEntry() : *found;
}

std::optional<GlossaryEntry> entryOfSymbol(const QString &symbol) {
    // Removes the token and head indices and the transpose mark.
    QString letter = symbol;
    letter.remove(QStringLiteral("ᵀ"));
    letter.remove(QStringLiteral("²"));
    for (const QString &name : {symbol, letter, letter.section('_', 0, 0)})
        for (const GlossaryEntry &entry : everyEntry())
            for (const QString &known : entry.symbols)
                if (!name.isEmpty() && (known == name || plainSymbols(known) == name))
                    return entry;
    return std::nullopt;
}

std::optional<GlossaryEntry> entryOfTerm(const QString &term) {
    const auto same = [](const QString &a, const QString &b) {
        return singular(a).compare(singular(b), Qt::CaseInsensitive) == 0;
    };
    for (const GlossaryEntry &entry : everyEntry())
        if (same(entry.id, term) || same(entry.term, term) ||
            std::ranges::any_of(entry.otherNames,
                                [&](const QString &name) { return same(name, term); }))
            return entry;
    return std::nullopt;
}

QStringList symbolsIn(const QString &piece) {
    static const QRegularExpression between(QStringLiteral("[\\s+·⊙()/÷√=−]+"));
    return piece.split(between, Qt::SkipEmptyParts);
}

} // namespace headlight::ui
