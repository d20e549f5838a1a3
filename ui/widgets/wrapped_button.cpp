#include "ui/widgets/wrapped_button.h"

#include <QStyleOptionButton>
#include <QStylePainter>
#include <QTextLayout>

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
    const double available = std::max(1, width - frame().width());
    QTextLayout layout(text, font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(available);
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
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
