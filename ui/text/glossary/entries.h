// The glossary's entries, split over several files in the order of computation.
#pragma once

#include "ui/text/glossary/glossary.h"

#include <QCoreApplication>

namespace headlight::ui {

struct GlossaryText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Glossary)
};

std::vector<GlossaryEntry> entriesOfTheInput();
std::vector<GlossaryEntry> entriesOfAttention();
std::vector<GlossaryEntry> entriesOfTheRest();
/// The measures of heads, from core::kEveryMeasure.
std::vector<GlossaryEntry> entriesOfMeasures();

} // namespace headlight::ui
