// The glossary's entries, in three files by where in the computation they come.
#pragma once

#include "ui/words/glossary/glossary.h"

#include <QCoreApplication>

namespace headlight::ui {

struct GlossaryWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Glossary)
};

std::vector<GlossaryEntry> entriesOfTheInput();
std::vector<GlossaryEntry> entriesOfAttention();
std::vector<GlossaryEntry> entriesOfTheRest();

} // namespace headlight::ui
