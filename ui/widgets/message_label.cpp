#include "ui/widgets/message_label.h"

#include <QPainter>
#include <QStyle>
#include <QTextLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kToolTipWidth = 60; // average characters; Qt does not wrap a plain tooltip

/// Returns the lines of a text at this width, px, with the spaces and line breaks at their ends.
QStringList wrappedWords(const QString &text, const QFont &font, int width) {
    QString words = text;
    QTextLayout layout(words.replace(u'\n', QChar(QChar::LineSeparator)), font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine())
        line.setLineWidth(std::max(1, width));
    layout.endLayout();
    QStringList lines;
    for (int line = 0; line < layout.lineCount(); ++line) {
        const int begin = layout.lineAt(line).textStart();
        const bool isLast = line + 1 == layout.lineCount();
        lines << text.mid(begin, isLast ? -1 : layout.lineAt(line + 1).textStart() - begin);
    }
    return lines;
}

} // namespace

MessageLabel::MessageLabel(int lines, QWidget *parent) : QLabel(parent), m_lines(lines) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void MessageLabel::showMessage(const QString &text) {
    if (text == this->text())
        return;
    setText(text);
    QStringList lines =
        wrappedWords(text, font(), kToolTipWidth * fontMetrics().averageCharWidth());
    setToolTip(lines.replaceInStrings(QStringLiteral("\n"), QString()).join('\n'));
}

void MessageLabel::setKeepsSpace(bool keeps) {
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(keeps);
    setSizePolicy(policy);
}

QStringList MessageLabel::shownLines() const {
    const int width = contentsRect().width();
    QStringList lines = wrappedWords(text(), font(), width);
    if (lines.size() > m_lines) {
        const QString rest = lines.mid(m_lines - 1).join(QString()).replace(u'\n', u' ');
        lines = lines.mid(0, m_lines - 1);
        lines << fontMetrics().elidedText(rest, Qt::ElideRight, width);
    }
    return lines.replaceInStrings(QStringLiteral("\n"), QString());
}

QSize MessageLabel::minimumSizeHint() const {
    const QMargins margins = contentsMargins();
    return {0, m_lines * fontMetrics().lineSpacing() + margins.top() + margins.bottom()};
}

void MessageLabel::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const auto side = QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft | Qt::AlignVCenter);
    QRect line = contentsRect();
    line.setHeight(fontMetrics().lineSpacing());
    const QStringList lines = shownLines();
    for (const QString &words : lines) {
        style()->drawItemText(&painter, line, static_cast<int>(side), palette(), isEnabled(), words,
                              foregroundRole());
        line.translate(0, line.height());
    }
}

} // namespace headlight::ui
