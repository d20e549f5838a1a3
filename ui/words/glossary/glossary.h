// What the terms and symbols mean: one table, in plain sentences.
#pragma once

#include "core/transformer/names/stage.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headlight::ui {

/// Symbols and sentences are written as symbolPieces() reads them: "W_Q".
struct GlossaryEntry {
    QString id;                      ///< "softmax": never translated
    QString term;                    ///< translated, as the program says it elsewhere
    QStringList symbols;             ///< as formulas and figures write them
    QString text;                    ///< one or two sentences
    std::vector<core::Stage> stages; ///< that it explains
    QStringList otherNames{};        ///< that texts use for the same
};

/// In the order of the computation, from the text to the answer.
std::vector<GlossaryEntry> glossary();

/// Each stage has one.
GlossaryEntry entryOf(core::Stage stage);
/// Of one symbol, "Kᵀ" or "W_Q", also as plain text, "WQ", or "S′"; none: it is not known.
std::optional<GlossaryEntry> entryOfSymbol(const QString &symbol);
/// By id, by term or by another name, in singular or plural as the lessons write it; none: it is
/// not known.
std::optional<GlossaryEntry> entryOfTerm(const QString &term);
/// The symbols that a formula's piece such as "σ(H)" or "X + O" is made of.
QStringList symbolsIn(const QString &piece);

} // namespace headlight::ui
