#include "ui/figures/text/line_spans.h"

#include "ui/figures/text/symbol_spans.h"

namespace headlight::ui {

namespace {

using PieceKind = core::Piece::Kind;

QString textOf(const core::Piece &piece, const LineNames &names) {
    switch (piece.kind) {
    case PieceKind::RowName:
        return names.row(piece.index);
    case PieceKind::ColumnName:
        return names.column(piece.index);
    case PieceKind::Words: {
        const QString words = wordsOf(piece.note, piece.arguments);
        const bool isNote = piece.isAside && piece.note != core::Note::Sequence;
        return isNote ? names.note.arg(words) : words;
    }
    default:
        return QString::fromStdString(piece.text);
    }
}

} // namespace

Spans spansOf(const core::Line &line, const LineNames &names, const FigureStyle &style) {
    Spans spans;
    for (const core::Piece &piece : line) {
        const QString text = textOf(piece, names);
        if (text.isEmpty())
            continue;
        const bool isSymbol = piece.kind == PieceKind::Symbol || piece.kind == PieceKind::Beneath;
        const bool inColour = isSymbol || piece.kind == PieceKind::Number ||
                              (!piece.isAside && (piece.kind == PieceKind::RowName ||
                                                  piece.kind == PieceKind::ColumnName));
        QColor colour = style.text;
        if (piece.isAside)
            colour = style.mutedText;
        else if (piece.kind == PieceKind::Result)
            colour = style.selection;
        else if (inColour)
            colour = style.colourOf(piece.role);
        const qsizetype first = spans.size();
        const bool isBold = isSymbol || piece.kind == PieceKind::Result;
        if (piece.kind == PieceKind::Symbol || piece.kind == PieceKind::Words)
            spans += symbolSpans(text, colour,
                                 isBold); // may have subscripts: "Z·W_O", "column 3 of W_Q"
        else
            spans.append(
                {text, colour, isBold,
                 piece.kind == PieceKind::Beneath ? Span::Place::Subscript : Span::Place::Line});
        for (qsizetype i = first; i < spans.size(); ++i) {
            spans[i].term = piece.term;
            spans[i].termValue = piece.termValue;
            spans[i].termSize = piece.termSize;
            spans[i].vector = piece.vector;
            spans[i].element = piece.element;
            spans[i].origin = piece.origin;
        }
    }
    return spans;
}

} // namespace headlight::ui
