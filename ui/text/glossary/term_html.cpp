#include "ui/text/glossary/term_html.h"

#include "ui/text/symbol_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace headlight::ui {

namespace {

/// In characters. Qt does not wrap tooltips that are plain text.
constexpr qsizetype kTipWidth = 56;

struct TermText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Glossary)
};

QString withScheme(const QString &id) {
    return QStringLiteral("glossary:") + id;
}

} // namespace

QString tipOf(const GlossaryEntry &entry) {
    QString tip;
    qsizetype column = 0;
    for (const QString &word : plainTipOf(entry).split(QLatin1Char(' '))) {
        const bool isNewLine = column + word.size() > kTipWidth;
        if (!tip.isEmpty())
            tip += isNewLine ? QLatin1Char('\n') : QLatin1Char(' ');
        column = (isNewLine ? 0 : column + 1) + word.size();
        tip += word;
    }
    return tip;
}

QString tipOf(const GlossaryEntry &entry, const QString &before) {
    return before.isEmpty() ? tipOf(entry) : before + QLatin1Char('\n') + tipOf(entry);
}

QString plainTipOf(const GlossaryEntry &entry) {
    return plainSymbols(TermText::tr("%1: %2").arg(entry.term, entry.text));
}

QString termLink(const QString &html, const QString &id, const QColor &colour) {
    return QStringLiteral("<a href='%1' style='color:%2;text-decoration:none'>%3</a>")
        .arg(withScheme(id), colour.name(), html);
}

QString symbolLink(const QString &symbol, const QColor &colour) {
    const QString html = symbolsInHtml(symbol.toHtmlEscaped());
    const auto entry = entryOfSymbol(symbol);
    return entry ? termLink(html, entry->id, colour)
                 : QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), html);
}

QString withTermLinks(const QString &html, const QColor &colour) {
    // Matches a word, or a symbol with its subscript. Entities and numbers do not match.
    static const QRegularExpression word(
        QStringLiteral("&[a-z]+;|([\\p{L}][\\p{L}′°ᵀ₀-₉]*)(?:<sub>(\\w)</sub>)?"));
    QString linked;
    qsizetype at = 0;
    for (auto matches = word.globalMatch(html); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        linked += html.mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        const QString letter = match.captured(1), beneath = match.captured(2);
        auto entry = letter.isEmpty() ? std::nullopt
                     : beneath.isEmpty()
                         ? entryOfSymbol(letter)
                         : entryOfSymbol(QStringLiteral("%1_%2").arg(letter, beneath));
        if (!entry && letter.size() > 2)
            entry = entryOfTerm(letter);
        linked += entry ? termLink(match.captured(), entry->id, colour) : match.captured();
    }
    return linked + html.mid(at);
}

QString withSymbolLinks(const QString &html, const QColor &colour) {
    QString linked;
    const QList<SymbolPiece> pieces = symbolPieces(html);
    for (qsizetype i = 0; i < pieces.size(); ++i) {
        if (i + 1 == pieces.size() || !pieces[i + 1].isBeneath) {
            linked += pieces[i].text;
            continue;
        }
        // The subscript belongs to the preceding letter and its sign: "Q′".
        const QString &before = pieces[i].text;
        const qsizetype letter = before.size() - (before.back().isLetter() ? 1 : 2);
        linked +=
            before.left(letter) +
            symbolLink(QStringLiteral("%1_%2").arg(before.mid(letter), pieces[i + 1].text), colour);
        ++i;
    }
    return linked;
}

QString termOfLink(const QString &link) {
    const QString scheme = withScheme({});
    return link.startsWith(scheme) ? link.mid(scheme.size()) : QString();
}

} // namespace headlight::ui
