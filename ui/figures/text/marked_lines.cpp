#include "ui/figures/text/marked_lines.h"

#include "ui/figures/text/symbol_spans.h"

#include <QRegularExpression>

namespace headlight::ui {

namespace {

QString withoutEntities(QString text) {
    for (const auto &[entity, sign] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"),
                                       std::pair("&quot;", "\""), std::pair("&amp;", "&")})
        text.replace(QLatin1String(entity), QLatin1String(sign));
    return text;
}

/// Breaks words into lines. A word may consist of several spans.
class Lines {
  public:
    Lines(const QFont &font, double width) : m_font(font), m_width(width) {}

    void add(const Spans &spans) { m_word += spans; }
    void endWord() {
        if (m_word.isEmpty())
            return;
        const double space = m_line.isEmpty() ? 0 : textWidth(QStringLiteral(" "), m_font);
        const double word = spansWidth(m_word, m_font);
        if (!m_line.isEmpty() && m_used + space + word > m_width)
            endLine();
        if (!m_line.isEmpty()) {
            m_line.last().text += QLatin1Char(' ');
            m_used += space;
        }
        m_line += m_word;
        m_used += word;
        m_word.clear();
    }
    QList<Spans> take() {
        endWord();
        endLine();
        return m_lines;
    }

  private:
    void endLine() {
        if (!m_line.isEmpty())
            m_lines << m_line;
        m_line.clear();
        m_used = 0;
    }

    QFont m_font;
    double m_width;
    double m_used = 0;
    Spans m_word, m_line;
    QList<Spans> m_lines;
};

} // namespace

QList<Spans> markedLines(const std::string &html, const QFont &font, double width,
                         const QColor &colour) {
    static const QRegularExpression tag("<(/?)(em|strong|s)>");
    const QString text = QString::fromStdString(html);
    Lines lines(font, width);
    int stressed = 0, struckOut = 0;
    const auto say = [&](QStringView words) {
        if (struckOut > 0)
            return;
        const QStringList parts = withoutEntities(words.toString()).split(' ');
        for (qsizetype i = 0; i < parts.size(); ++i) {
            if (i > 0)
                lines.endWord();
            if (!parts[i].isEmpty())
                lines.add(symbolSpans(parts[i], colour, stressed > 0));
        }
    };
    qsizetype place = 0;
    for (const QRegularExpressionMatch &match : tag.globalMatch(text)) {
        say(QStringView(text).mid(place, match.capturedStart() - place));
        (match.captured(2) == "s" ? struckOut : stressed) += match.captured(1).isEmpty() ? 1 : -1;
        place = match.capturedEnd();
    }
    say(QStringView(text).mid(place));
    return lines.take();
}

} // namespace headlight::ui
