// Symbols with something beneath the line. The program and lessons write "W_Q"; what a person reads
// is set: beneath the line where that can be, else by a subscript sign, "W₁", or right behind,
// "WQ".
#pragma once

#include <QList>
#include <QString>

namespace headlight::ui {

/// A piece of a text; `isBeneath`: of the symbol before it.
struct SymbolPiece {
    QString text;
    bool isBeneath = false;
    bool operator==(const SymbolPiece &) const = default;
};

/// Only what is a letter of formulas with one sign behind the underscore: "W_Q" and "d_k", not the
/// names of files.
QList<SymbolPiece> symbolPieces(const QString &text);
/// For what shows plain text: menus, tooltips, names for screen readers.
QString plainSymbols(const QString &text);
/// What stands beneath the line, where it can only stand behind its symbol.
QString plainBeneath(const QString &text);
/// Of HTML, whose text it sets: "W<sub>Q</sub>".
QString symbolsInHtml(const QString &html);

} // namespace headlight::ui
