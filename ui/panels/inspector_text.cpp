#include "ui/panels/inspector_text.h"

#include "ui/figures/text/text.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct InspectorTextText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::InspectorText)
};

QString exactText(double value) {
    return QString::fromStdString(core::exact(static_cast<float>(value)));
}

} // namespace

QString shownNumber(double value) {
    const double size = std::abs(value);
    if (value == 0 || !std::isfinite(value) || (size >= 0.0005 && size < 99999.5))
        return numberText(value, 3);
    return QString::fromStdString(core::scientific(value, 1)).remove(QLatin1Char('+'));
}

QString tokenHtml(const QString &token, const FigureStyle &style) {
    const QString shown =
        elided(token, style.font(FigureStyle::Text::Body, true), style.scaled(150));
    // Uses a first strong isolate, because a right-to-left token must not change the direction of
    // the sentence.
    return QStringLiteral("<b>") + QChar(0x2068) + shown.toHtmlEscaped() + QChar(0x2069) +
           QStringLiteral("</b>");
}

QString coloured(const QString &html, const QColor &colour) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), html);
}

qsizetype lineCharacters(const QList<InspectorLine> &lines) {
    qsizetype name = 0, expression = 0, value = 0;
    for (const InspectorLine &line : lines) {
        name = std::max(name, line.name.size());
        expression = std::max(expression, line.expression.size());
        value = std::max(value, line.value.size() + 2);
    }
    return name + expression + value + 3; // spaces between columns
}

QString linesHtml(const QList<InspectorLine> &lines, const FigureStyle &style, bool stacked) {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='1' width='100%'>");
    for (const InspectorLine &line : lines) {
        const QString plainName = line.name.toHtmlEscaped();
        const QString name =
            !line.term.isEmpty()
                ? termLink(plainName, line.term, style.mutedText)
                : coloured(line.isTerm ? withTermLinks(plainName, style.mutedText) : plainName,
                           style.mutedText);
        QString value = QStringLiteral("=&nbsp;") + line.value.toHtmlEscaped();
        if (line.current)
            value = coloured(QStringLiteral("<b>%1</b>").arg(value), style.accent);
        QString expression = line.html.isEmpty() ? line.expression.toHtmlEscaped() : line.html;
        if (line.isTerm)
            expression = withTermLinks(expression, style.text);
        const QString end = QStringLiteral("<td align='right'>%1</td>").arg(value);
        if (stacked) {
            html += QStringLiteral("<tr><td>%1</td>%2</tr>").arg(name, end);
            if (!expression.isEmpty())
                html += QStringLiteral("<tr><td colspan='2'>&nbsp;%1</td></tr>").arg(expression);
        } else {
            html += QStringLiteral("<tr><td>%1&nbsp;</td><td>%2</td>%3</tr>")
                        .arg(name, expression, end);
        }
    }
    return html + QStringLiteral("</table>");
}

QString TermSeries::label(std::size_t index) const {
    const auto at = static_cast<qsizetype>(index);
    return at < labels.size() ? labels[at] : QString::number(index);
}

QString TermSeries::quantityName() const {
    if (!quantity.isEmpty())
        return quantity;
    return rightName.isEmpty() ? leftName : QStringLiteral("%1 × %2").arg(leftName, rightName);
}

QString TermSeries::words(std::size_t index) const {
    const core::Term &term = terms[index];
    const QString name = InspectorTextText::tr("%1 %2").arg(indexName, label(index));
    if (rightName.isEmpty())
        return InspectorTextText::tr("%1: %2").arg(name, shownNumber(term.product()));
    return InspectorTextText::tr("%1: %2 × %3 = %4")
        .arg(name, shownNumber(term.left), shownNumber(term.right), shownNumber(term.product()));
}

bool TermSeries::allZero() const {
    return std::all_of(terms.begin(), terms.end(),
                       [](const core::Term &term) { return term.product() == 0; });
}

QString TermSeries::summary() const {
    if (allZero())
        return InspectorTextText::tr("all %1 are exactly 0").arg(terms.size());
    if (!sums) {
        std::optional<std::size_t> largest, smallest;
        for (std::size_t i = 0; i < terms.size(); ++i)
            if (std::isfinite(value(i))) {
                largest = !largest || value(i) > value(*largest) ? i : *largest;
                smallest = !smallest || value(i) < value(*smallest) ? i : *smallest;
            }
        if (!largest)
            return {};
        const QString most = InspectorTextText::tr("largest: %1 %2, %3")
                                 .arg(indexName, label(*largest), shownNumber(value(*largest)));
        return value(*smallest) < 0 && largest != smallest
                   ? InspectorTextText::tr("%1; smallest: %2, %3")
                         .arg(most, label(*smallest), shownNumber(value(*smallest)))
                   : most;
    }
    return InspectorTextText::tr("Σ of %1 = %2")
        .arg(terms.size())
        .arg(shownNumber(core::sumOf(terms)));
}

QString TermSeries::table() const {
    const bool products = !rightName.isEmpty();
    QString text = indexName + '\t' + leftName;
    if (products)
        text += '\t' + rightName + '\t' + leftName + QStringLiteral(" × ") + rightName;
    text += '\n';
    for (std::size_t i = 0; i < terms.size(); ++i) {
        text += label(i) + '\t' + exactText(terms[i].left);
        if (products)
            text += '\t' + exactText(terms[i].right) + '\t' + exactText(terms[i].product());
        text += '\n';
    }
    return text;
}

} // namespace headlight::ui
