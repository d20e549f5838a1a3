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

} // namespace headlight::ui
