#include "ui/figures/line_spans.h"

namespace headlight::ui {

namespace {

using Kind = core::Piece::Kind;

QString textOf(const core::Piece &piece, const LineNames &names) {
    switch (piece.kind) {
    case Kind::RowName:
        return names.row(piece.index);
    case Kind::ColumnName:
        return names.column(piece.index);
    case Kind::Words: {
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
        const bool isSymbol = piece.kind == Kind::Symbol || piece.kind == Kind::Beneath;
        const bool inColour = isSymbol || piece.kind == Kind::Number ||
                              (!piece.isAside && (piece.kind == Kind::RowName ||
                                                  piece.kind == Kind::ColumnName));
        QColor colour = style.text;
        if (piece.isAside)
            colour = style.mutedText;
        else if (piece.kind == Kind::Result)
            colour = style.selection;
        else if (inColour)
            colour = style.colourOf(piece.role);
        spans.append({text, colour, isSymbol || piece.kind == Kind::Result,
                      piece.kind == Kind::Beneath ? Span::Place::Subscript : Span::Place::Line});
    }
    return spans;
}

} // namespace headlight::ui
