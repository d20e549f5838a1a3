// Subscripts in symbols. Source text uses "W_Q". On screen the subscript is typeset, or a Unicode
// subscript "W₁", or a plain letter "WQ".
#pragma once

#include <QList>
#include <QString>

namespace headlight::ui {

/// A piece of text. `isBeneath` is true for a subscript of the preceding symbol.
struct SymbolPiece {
    QString text;
    bool isBeneath = false;
    bool operator==(const SymbolPiece &) const = default;
};

/// Splits at an underscore between one letter or symbol and one character: "W_Q" and "d_k", but not
/// file names.
QList<SymbolPiece> symbolPieces(const QString &text);
/// Converts symbols for plain text: menus, tooltips, accessible names.
QString plainSymbols(const QString &text);
/// Replaces characters with Unicode subscripts where they exist.
QString plainBeneath(const QString &text);
/// Formats symbols in HTML text: "W_Q" becomes "W<sub>Q</sub>".
QString symbolsInHtml(const QString &html);

} // namespace headlight::ui
