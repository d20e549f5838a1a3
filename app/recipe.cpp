#include "app/recipe.h"

#include "app/options.h"
#include "ui/document/shell_word.h"

#include <algorithm>

namespace headlight::app {

namespace {

/// An option with its value, or the source.
struct Piece {
    QString option; ///< its long name; empty: the source
    QStringList words;

    /// Only a source can look like an option and be none: it stood behind "--", and must again.
    bool needsDashes() const { return option.isEmpty() && words.first().startsWith('-'); }
};

/// None where the word is not one of the options.
const Option *optionOf(const QString &word) {
    for (const Option &option : allOptions())
        if (word == QString("--%1").arg(option.name) ||
            word.startsWith(QString("--%1=").arg(option.name)) ||
            (option.letter && word.startsWith(QString("-%1").arg(option.letter))))
            return &option;
    return nullptr;
}

QList<Piece> piecesOf(const QStringList &words) {
    QList<Piece> pieces;
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            for (++i; i < words.size(); ++i)
                pieces << Piece{{}, {words[i]}};
            break;
        }
        const Option *option = optionOf(words[i]);
        Piece piece{option ? option->name : "", {words[i]}};
        const bool isWhole = !option || !option->value || words[i].contains('=') ||
                             (!words[i].startsWith("--") && words[i].size() > 2); // -oFILE
        if (!isWhole && i + 1 < words.size())
            piece.words << words[++i]; // its value, whatever it looks like
        pieces << piece;
    }
    return pieces;
}

QStringList wordsOf(const QList<Piece> &pieces) {
    QStringList words;
    for (const Piece &piece : pieces)
        if (!piece.needsDashes())
            words << piece.words;
    QStringList behind;
    for (const Piece &piece : pieces)
        if (piece.needsDashes())
            behind << piece.words;
    return behind.isEmpty() ? words : words + QStringList{"--"} + behind;
}

} // namespace

QStringList withoutOutput(const QStringList &words) {
    QList<Piece> pieces = piecesOf(words);
    pieces.removeIf(
        [](const Piece &piece) { return piece.option == "output" || piece.option == "format"; });
    return wordsOf(pieces);
}

QString recipeOf(const QStringList &words, const QString &format) {
    QList<Piece> pieces = piecesOf(withoutOutput(words));
    pieces << Piece{"output", {"-o", "figure." + format}};
    QStringList command{"headlight", "figure"};
    for (const QString &word : wordsOf(pieces))
        command << ui::shellWord(word);
    return command.join(' ');
}

QStringList laidOver(const QStringList &carried, const QStringList &typed, const QString &format) {
    const QList<Piece> above = piecesOf(withoutOutput(typed));
    QList<Piece> pieces;
    for (Piece &piece : piecesOf(carried)) {
        const bool isTyped = std::any_of(above.begin(), above.end(), [&piece](const Piece &each) {
            return !piece.option.isEmpty() && each.option == piece.option;
        });
        const QString name = piece.option.isEmpty() ? piece.words.first() : QString();
        if (name == "figure.png" || name == "figure.svg" || name == "figure.pdf")
            piece.words = {"figure." + format};
        if (!isTyped)
            pieces << piece;
    }
    for (const Piece &piece : above)
        if (!piece.option.isEmpty())
            pieces << piece;
    return wordsOf(pieces);
}

QStringList withSource(const QStringList &words, const QString &source) {
    QList<Piece> pieces = piecesOf(words);
    for (Piece &piece : pieces)
        if (piece.option.isEmpty())
            piece.words = {source};
    return wordsOf(pieces);
}

} // namespace headlight::app
