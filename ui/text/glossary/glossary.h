// The glossary: one table of the terms and symbols, with short definitions.
#pragma once

#include "core/transformer/names/stage.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headlight::ui {

/// Symbols and text use the notation of symbolPieces(): "W_Q".
struct GlossaryEntry {
    QString id;                      ///< "softmax"; never translated
    QString term;                    ///< translated, as used elsewhere in the program
    QStringList symbols;             ///< as written in formulas and figures
    QString text;                    ///< one or two sentences
    std::vector<core::Stage> stages; ///< stages that the entry explains
    QStringList otherNames{};        ///< synonyms in other texts
};

/// Returns the entries in the order of the computation, from the input text to the output.
std::vector<GlossaryEntry> glossary();

/// Returns the entry of a stage. Every stage has one.
GlossaryEntry entryOf(core::Stage stage);
/// Returns the entry of a symbol: "Kᵀ", "W_Q", plain "WQ", or "S′". Empty if unknown.
std::optional<GlossaryEntry> entryOfSymbol(const QString &symbol);
/// Finds an entry by id, term or synonym, in the singular or plural forms that lessons use. Empty
/// if unknown.
std::optional<GlossaryEntry> entryOfTerm(const QString &term);
/// Returns the symbols in a part of a formula, such as "σ(H)" or "X + O".
QStringList symbolsIn(const QString &piece);

} // namespace headlight::ui
