#include "app/figure_command_line.h"

#include "app/options.h"
#include "core/in_quotes.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/shell_word.h"
#include "ui/document/source.h"
#include "ui/figures/files/figure_size.h"

#include <algorithm>

namespace headlight::app {

namespace {

/// A part of the command line: an option with its value, the source, or another word.
struct Piece {
    const Option *option = nullptr;
    QStringList words;
    bool isSource = false;

    QString name() const { return option ? QString(option->name) : QString(); }
    bool is(const char *other) const { return option && name() == other; }

    bool isWhole() const { return !option->value || words.size() == 2 || words[0].contains('='); }

    /// Returns the value. The option must start with two dashes.
    QString value() const { return words.size() == 2 ? words[1] : words[0].section('=', 1); }
    void setValue(const QString &value) {
        if (words.size() == 2)
            words[1] = value;
        else
            words[0] = words[0].section('=', 0, 0) + '=' + value;
    }

    /// True if "--" must precede the source, because it looks like an option.
    bool needsDashes() const { return isSource && words.first().startsWith('-'); }
};

/// Returns null if the word is not an option.
const Option *optionOf(const QString &word) {
    for (const Option &option : allOptions())
        if (option.commands.contains(Command::Figure) &&
            (word == QString("--%1").arg(option.name) ||
             word.startsWith(QString("--%1=").arg(option.name)) ||
             (option.letter && word.startsWith(QString("-%1").arg(option.letter)))))
            return &option;
    return nullptr;
}

QList<Piece> piecesOf(const QStringList &words) {
    QList<Piece> pieces;
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            for (++i; i < words.size(); ++i)
                pieces << Piece{nullptr, {words[i]}, true};
            break;
        }
        const Option *option = optionOf(words[i]);
        Piece piece{option, {words[i]}, !option && !words[i].startsWith('-')};
        const bool hasValue = !option || !option->value || words[i].contains('=') ||
                              (!words[i].startsWith("--") && words[i].size() > 2); // -oFILE
        if (!hasValue && i + 1 < words.size())
            piece.words << words[++i]; // the value, even if it looks like an option
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

bool has(const QList<Piece> &pieces, const char *option) {
    return std::any_of(pieces.begin(), pieces.end(),
                       [option](const Piece &piece) { return piece.is(option); });
}

/// False if the option makes painting slow: a huge picture or a very long text. Invalid values are
/// reported later.
bool isModest(const Piece &piece) {
    constexpr qsizetype kMaxTextLength = 4000;
    if (piece.is("caption") || piece.is("title"))
        return piece.value().size() <= kMaxTextLength;
    if (piece.is("scale"))
        return !(piece.value().toDouble() > 8);
    if (!piece.is("size"))
        return true;
    const auto size = ui::FigureSize::parse(piece.value());
    const QSizeF pixels = size ? size->inPixels() : QSizeF();
    return pixels.width() * pixels.height() <= kMaxCarriedPixels &&
           std::max(pixels.width(), pixels.height()) <= 10000;
}

/// Source names of figures that embed their own session.
const QStringList kOwnNames{"figure.png", "figure.svg", "figure.pdf"};

/// True if a received figure may set this option or source.
bool canBeCarried(const Piece &piece) {
    if (!piece.option)
        return piece.isSource; // only a name: the session is read from the figure
    if (piece.option->stored == StoredInFigure::Never || !piece.words[0].startsWith("--") ||
        !piece.isWhole())
        return false;
    if (piece.is("compare")) // a built-in lesson opens no file, unless a file has its name
        return ui::isBuiltIn(piece.value()) &&
               ui::kindOfSource(piece.value()) == ui::SourceKind::Lesson;
    return isModest(piece);
}

/// True if `typed` overrides `carried`.
bool isDisplaced(const Piece &carried, const Piece &typed) {
    struct Rule {
        const char *typed;
        QStringList carried;
    };
    static const Rule rules[] = {
        {"text", {"token-ids", "random-repeats", "align"}},
        {"token-ids", {"text", "random-repeats", "align"}},
        {"random-repeats", {"text", "token-ids", "align"}},
        {"target-text", {"target-token-ids"}},
        {"target-token-ids", {"target-text"}},
        {"compare", {"compare-step", "compare-sequence", "compare-text", "align"}},
        {"compare-text", {"compare-sequence", "align"}},
        {"compare-step", {"align"}},
        {"compare-sequence", {"compare-text", "align"}},
        {"sequence", {"align"}},
        {"pair", {"align"}},
        {"stage", {"layer", "stack", "block"}}, // a full stage name includes all three
        {"theme", {"paper", "transparent"}},
        {"paper", {"theme"}},
    };
    if (!carried.option || !typed.option)
        return false;
    if (carried.option == typed.option)
        return true;
    return std::any_of(std::begin(rules), std::end(rules), [&](const Rule &rule) {
        return typed.is(rule.typed) && rule.carried.contains(carried.name()) &&
               (!typed.is("stage") || typed.value().contains('.'));
    });
}

QString nameOf(const Piece &piece) {
    if (piece.option)
        return "--" + piece.name();
    return QString::fromStdString(core::inQuotes(piece.words.first().toStdString()));
}

} // namespace

QStringList withoutOutput(const QStringList &words) {
    QList<Piece> pieces = piecesOf(words);
    for (qsizetype i = pieces.size() - 1; i >= 0; --i) {
        const Piece &piece = pieces[i];
        const bool isRepeated =
            piece.option && !piece.is("colors") && !piece.is("silence") &&
            !piece.is("scale-head") &&
            !piece.is("pin") && // every occurrence counts, so none is dropped
            std::any_of(pieces.begin() + i + 1, pieces.end(),
                        [&piece](const Piece &later) { return later.option == piece.option; });
        if (isRepeated || piece.is("output") || piece.is("format"))
            pieces.removeAt(i);
        else if (piece.is("size") && piece.isWhole()) // "84 × 60 mm", as in error messages
            pieces[i].setValue(piece.value().remove(' ').replace(QChar(0xD7), 'x'));
    }
    return wordsOf(pieces);
}

QStringList withoutFolders(const QStringList &words) {
    QList<Piece> pieces = piecesOf(words);
    for (Piece &piece : pieces) {
        if (piece.isSource)
            piece.words = {ui::withoutFolder(piece.words.first())};
        else if ((piece.is("compare") || piece.is("vectors") || piece.is("picture") ||
                  piece.is("sound")) &&
                 piece.isWhole())
            piece.setValue(ui::withoutFolder(piece.value()));
    }
    return wordsOf(pieces);
}

QString recipeOf(const QStringList &words, const QString &format) {
    QList<Piece> pieces = piecesOf(withoutFolders(withoutOutput(words)));
    pieces << Piece{nullptr, {"-o", "figure." + format}};
    QStringList command{"headlight", "figure"};
    for (const QString &word : wordsOf(pieces))
        command << ui::shellWord(word);
    return command.join(' ');
}

MergedOptions laidOver(const QStringList &carried, const QStringList &typed,
                       const QString &format) {
    const QList<Piece> above = piecesOf(withoutOutput(typed));
    MergedOptions recipe;
    QList<Piece> pieces;
    bool hasSource = false, losesComparison = false;
    for (Piece &piece : piecesOf(carried)) {
        if (std::any_of(above.begin(), above.end(),
                        [&piece](const Piece &each) { return isDisplaced(piece, each); }))
            continue;
        if (!canBeCarried(piece) || (piece.isSource && hasSource)) {
            losesComparison |= piece.is("compare");
            recipe.leftOut << nameOf(piece);
            continue;
        }
        hasSource |= piece.isSource;
        if (piece.isSource && kOwnNames.contains(piece.words.first()))
            piece.words = {"figure." + format};
        pieces << piece;
    }
    if (losesComparison) // without --compare, these options have a different meaning
        pieces.removeIf([](const Piece &piece) {
            return piece.is("compare-step") || piece.is("compare-sequence") ||
                   piece.is("compare-text") || piece.is("align") || piece.is("show");
        });
    if (!hasSource)
        pieces.prepend(Piece{nullptr, {"figure." + format}, true});
    for (const Piece &piece : above)
        if (piece.option)
            pieces << piece;
    recipe.words = wordsOf(pieces);
    return recipe;
}

QStringList withText(const QStringList &words, const QString &text) {
    return withValue(words, "text", text);
}

QStringList withValue(const QStringList &words, const char *option, const QString &value) {
    QList<Piece> pieces = piecesOf(words);
    for (Piece &piece : pieces)
        if (piece.is(option) && piece.isWhole())
            piece.setValue(value);
    return wordsOf(pieces);
}

QStringList withOwnText(const QStringList &words, const core::ListedText &own) {
    QList<Piece> pieces = piecesOf(words);
    pieces.removeIf([](const Piece &piece) { return piece.is("texts"); });
    const auto add = [&pieces](const char *option, const std::string &value) {
        pieces << Piece{nullptr, {QString("--%1=").arg(option) + QString::fromStdString(value)}};
    };
    add("text", own.text);
    if (own.pair)
        add("pair", *own.pair);
    if (own.targetText)
        add("target-text", *own.targetText);
    return wordsOf(pieces);
}

QStringList withSource(const QStringList &words, const QString &source) {
    QList<Piece> pieces = piecesOf(words);
    for (Piece &piece : pieces)
        if (piece.isSource)
            piece.words = {source};
    return wordsOf(pieces);
}

bool says(const QStringList &words, const char *option) {
    return has(piecesOf(words), option);
}

} // namespace headlight::app
