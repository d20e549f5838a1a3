#include "ui/widgets/wrapped_button.h"

#include "ui/text/broken_lines.h"

#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr qsizetype kMaxLines = 3; // maximum if a brief text is set

} // namespace

WrappedButton::WrappedButton(const QString &text, QWidget *parent) : QPushButton(text, parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QSize WrappedButton::frame() const {
    QStyleOptionButton option;
    initStyleOption(&option);
    return style()->sizeFromContents(QStyle::CT_PushButton, &option, QSize(200, 100), this) -
           QSize(200, 100);
}

void WrappedButton::setBriefText(const QString &text) {
    m_brief = text;
    updateGeometry();
}

QStringList WrappedButton::linesIn(int width) const {
    const QStringList lines = linesOf(text(), width);
    return lines.size() > kMaxLines && !m_brief.isEmpty() ? linesOf(m_brief, width) : lines;
}

QStringList WrappedButton::linesOf(const QString &text, int width) const {
    return brokenLines(text, font(), width - frame().width());
}

int WrappedButton::heightForWidth(int width) const {
    const auto count = static_cast<int>(std::max<qsizetype>(1, linesIn(width).size()));
    return count * fontMetrics().lineSpacing() + frame().height();
}

QSize WrappedButton::sizeHint() const {
    const QSize whole = QPushButton::sizeHint();
    const int width = std::min(whole.width(), 12 * fontMetrics().height());
    return {width, std::max(whole.height(), heightForWidth(width))};
}

QSize WrappedButton::minimumSizeHint() const {
    return {4 * fontMetrics().height(), QPushButton::minimumSizeHint().height()};
}

void WrappedButton::paintEvent(QPaintEvent *) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text = lines().join('\n');
    painter.drawControl(QStyle::CE_PushButton, option);
}

} // namespace headlight::ui
