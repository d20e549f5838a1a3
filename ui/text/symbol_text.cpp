#include "ui/text/symbol_text.h"

#include <QRegularExpression>

namespace headlight::ui {

namespace {

const QRegularExpression &marked() {
    static const QRegularExpression symbol(QStringLiteral(
        "(?<![A-Za-z0-9_])([WbdQKVZRXHOUE][′°]?|a(?=_[ij]))_([A-Za-z0-9])(?![A-Za-z0-9_])"));
    return symbol;
}

/// Returns the Unicode subscript of a character, or the character itself if there is none.
QChar beneathSign(QChar c) {
    static const QString plain = QStringLiteral("0123456789aehijklmnoprstuvx");
    static const QString signs = QStringLiteral("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ");
    const qsizetype at = plain.indexOf(c);
    return at < 0 ? c : signs[at];
}

} // namespace

QList<SymbolPiece> symbolPieces(const QString &text) {
    QList<SymbolPiece> pieces;
    qsizetype at = 0;
    for (auto matches = marked().globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        pieces << SymbolPiece{text.mid(at, match.capturedEnd(1) - at), false}
               << SymbolPiece{match.captured(2), true};
        at = match.capturedEnd();
    }
    if (at < text.size() || pieces.isEmpty())
        pieces << SymbolPiece{text.mid(at), false};
    return pieces;
}

QString plainBeneath(const QString &text) {
    QString plain = text;
    for (QChar &c : plain)
        c = beneathSign(c);
    return plain;
}

QString plainSymbols(const QString &text) {
    QString plain;
    for (const SymbolPiece &piece : symbolPieces(text))
        plain += piece.isBeneath ? plainBeneath(piece.text) : piece.text;
    return plain;
}

QString symbolsInHtml(const QString &html) {
    QString set = html;
    return set.replace(marked(), QStringLiteral("\\1<sub>\\2</sub>"));
}

} // namespace headlight::ui
