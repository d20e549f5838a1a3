// Writes handouts as HTML and as plain text.
#include "ui/figures/worksheet/handout_text.h"

#include "ui/text/symbol_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace headlight::ui {

namespace {

constexpr qsizetype kMaxLetters = 80; // per line of plain text

struct HandoutFileWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Handout)
};

using LineKind = HandoutLine::Kind;

/// Omits text that is struck out, because it is not true.
QString withoutStruckOut(QString html) {
    static const QRegularExpression struckOut("<s>.*?</s> ?");
    return html.remove(struckOut);
}

QString htmlOf(const HandoutLine &line) {
    const QString text = symbolsInHtml(withoutStruckOut(line.html));
    switch (line.kind) {
    case LineKind::Facts:
        return QStringLiteral("<p class=\"facts\">%1</p>").arg(text);
    case LineKind::Heading:
        return QStringLiteral("<h2>%1</h2>").arg(text);
    case LineKind::Text:
        return QStringLiteral("<p>%1</p>").arg(text);
    case LineKind::Item:
        return QStringLiteral("<p class=\"item\">%1</p>").arg(text);
    case LineKind::Question:
        return QStringLiteral("<p class=\"question\">%1</p>").arg(text);
    case LineKind::Right:
        return QStringLiteral("<p class=\"answer right\">✓ %1</p>").arg(text);
    case LineKind::Wrong:
        return QStringLiteral("<p class=\"answer\">✗ %1</p>").arg(text);
    }
    return {};
}

QString plainTextOf(const HandoutLine &line) {
    static const QRegularExpression tag("<[^>]*>");
    QString text = withoutStruckOut(line.html).remove(tag);
    for (const auto &[entity, sign] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"),
                                       std::pair("&quot;", "\""), std::pair("&amp;", "&")})
        text.replace(QLatin1String(entity), QLatin1String(sign));
    return plainSymbols(text);
}

/// Breaks a text between words. All lines except the first are indented by the length of `begin`.
QString brokenText(const QString &begin, const QString &text) {
    QString broken = begin, line = begin;
    const QString indent(begin.size(), ' ');
    for (const QString &word : text.split(' ', Qt::SkipEmptyParts)) {
        const bool isFirst = line.trimmed().isEmpty() || line == begin;
        if (!isFirst && line.size() + 1 + word.size() > kMaxLetters) {
            broken += '\n' + indent;
            line = indent;
        } else if (!isFirst) {
            broken += ' ';
            line += ' ';
        }
        broken += word;
        line += word;
    }
    return broken + '\n';
}

QString textOf(const HandoutLine &line) {
    const QString text = plainTextOf(line);
    switch (line.kind) {
    case LineKind::Facts:
        return text + '\n';
    case LineKind::Heading:
        return '\n' + text + '\n' + QString(text.size(), '-') + '\n';
    case LineKind::Text:
    case LineKind::Question:
        return brokenText({}, text);
    case LineKind::Item:
        return brokenText(QStringLiteral("- "), text);
    case LineKind::Right:
        return brokenText(QStringLiteral("  ✓ "), text);
    case LineKind::Wrong:
        return brokenText(QStringLiteral("  ✗ "), text);
    }
    return {};
}

} // namespace

QString handoutsAsHtml(const QList<HandoutText> &handouts) {
    const QString title =
        handouts.size() == 1 ? handouts.first().title : HandoutFileWords::tr("Teacher's pack");
    QString html =
        QStringLiteral("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
                       "<title>%1</title>\n<style>\n"
                       "body { font: 16px/1.45 sans-serif; max-width: 46em; margin: 2em auto; "
                       "padding: 0 1em; color: #1f2328; background: #ffffff }\n"
                       "h1 { font-size: 1.5em } h2 { font-size: 1.1em; margin-bottom: 0.3em }\n"
                       "p { margin: 0.4em 0 } .facts { color: #57606a }\n"
                       ".item { padding-left: 1.2em } .answer { padding-left: 1.2em; color: "
                       "#57606a } .right { color: #1f2328; font-weight: 600 }\n"
                       "section { break-after: page }\n"
                       "@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: "
                       "#0d1117 } .facts, .answer { color: #9da7b1 } .right { color: #e6edf3 } }\n"
                       "</style>\n</head>\n<body>\n")
            .arg(plainSymbols(title).toHtmlEscaped());
    for (const HandoutText &handout : handouts) {
        html += QStringLiteral("<section>\n<h1>%1</h1>\n")
                    .arg(symbolsInHtml(handout.title.toHtmlEscaped()));
        for (const HandoutLine &line : handout.lines)
            html += htmlOf(line) + '\n';
        html += QStringLiteral("</section>\n");
    }
    return html + QStringLiteral("</body>\n</html>\n");
}

QString handoutsAsText(const QList<HandoutText> &handouts) {
    QString text;
    for (const HandoutText &handout : handouts) {
        const QString title = plainSymbols(handout.title);
        text += (text.isEmpty() ? QString() : QStringLiteral("\n\n")) + title + '\n' +
                QString(title.size(), '=') + '\n';
        for (const HandoutLine &line : handout.lines)
            text += textOf(line);
    }
    return text;
}

} // namespace headlight::ui
