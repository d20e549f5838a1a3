#include "ui/widgets/elided_button.h"

#include <QStyleOptionButton>
#include <QStylePainter>

namespace headlight::ui {

namespace {

constexpr int kMenuArrow = 14; // px at the end of a button with a menu (theme.cpp)

} // namespace

ElidedButton::ElidedButton(const QString &text, QWidget *parent) : QPushButton(text, parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // may be narrower than its text
}

QSize ElidedButton::minimumSizeHint() const {
    return {2 * fontMetrics().height(), QPushButton::minimumSizeHint().height()};
}

void ElidedButton::setBriefText(const QString &text) {
    m_brief = text;
    update();
}

QString ElidedButton::shownText() const {
    QStyleOptionButton option;
    initStyleOption(&option);
    const int available =
        style()->subElementRect(QStyle::SE_PushButtonContents, &option, this).width() -
        (menu() ? kMenuArrow : 0);
    const bool fits = option.fontMetrics.horizontalAdvance(option.text) <= available;
    return option.fontMetrics.elidedText(fits || m_brief.isEmpty() ? option.text : m_brief,
                                         Qt::ElideRight, available);
}

void ElidedButton::paintEvent(QPaintEvent *) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text = shownText();
    painter.drawControl(QStyle::CE_PushButton, option);
}

} // namespace headlight::ui
