// Glossary entries for the measures of heads.
#include "ui/text/glossary/entries.h"
#include "ui/text/measure_text.h"
#include "ui/text/sentences.h"

namespace headlight::ui {

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

} // namespace headlight::ui
