#include "ui/widgets/elided_combo_box.h"

#include <QStylePainter>

namespace headlight::ui {

namespace {

constexpr int kAir = 4; // px

} // namespace

QSize ElidedComboBox::sizeHint() const {
    return QComboBox::sizeHint() + QSize(kAir, 0);
}

int ElidedComboBox::widthOfText() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QSize text(fontMetrics().horizontalAdvance(currentText()), fontMetrics().height());
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option, text, this).width() + 2 * kAir;
}

void ElidedComboBox::paintEvent(QPaintEvent *) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect available =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText =
        option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, available.width() - kAir);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace headlight::ui
