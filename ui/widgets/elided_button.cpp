#include "ui/widgets/elided_button.h"

#include <QStyleOptionButton>
#include <QStylePainter>

namespace headlight::ui {

ElidedButton::ElidedButton(const QString &text, QWidget *parent) : QPushButton(text, parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // may be narrower than its text
}

QSize ElidedButton::minimumSizeHint() const {
    return {2 * fontMetrics().height(), QPushButton::minimumSizeHint().height()};
}

void ElidedButton::paintEvent(QPaintEvent *) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    const int room = style()->subElementRect(QStyle::SE_PushButtonContents, &option, this).width();
    option.text = option.fontMetrics.elidedText(option.text, Qt::ElideRight, room);
    painter.drawControl(QStyle::CE_PushButton, option);
}

} // namespace headlight::ui
