// The texts that a window shows or exposes to screen readers.
#pragma once

#include "tests/support/painting_record.h"

#include <QtWidgets>

namespace headlight::test {

/// Returns every text of one widget: on it, in its lists, its tooltips and its accessible texts.
inline QStringList textsOf(const QWidget &widget) {
    QStringList all{widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(),
                    widget.windowTitle()};
    if (const auto *label = qobject_cast<const QLabel *>(&widget))
        all << label->text();
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
        all << button->text();
    if (const auto *line = qobject_cast<const QLineEdit *>(&widget))
        all << line->placeholderText();
    if (const auto *text = qobject_cast<const QTextEdit *>(&widget))
        all << text->toPlainText().split('\n');
    if (const auto *box = qobject_cast<const QComboBox *>(&widget))
        for (int i = 0; i < box->count(); ++i)
            all << box->itemText(i) << box->itemData(i, Qt::ToolTipRole).toString();
    if (const auto *list = qobject_cast<const QListWidget *>(&widget))
        for (int i = 0; i < list->count(); ++i)
            all << list->item(i)->text();
    if (const auto *bar = qobject_cast<const QTabBar *>(&widget))
        for (int i = 0; i < bar->count(); ++i)
            all << bar->tabText(i) << bar->tabToolTip(i);
    return all;
}

/// Returns every text of a window, including closed and hidden parts, and actions.
inline QStringList allTextsOf(const QWidget &window) {
    QStringList all = textsOf(window);
    for (const QWidget *widget : window.findChildren<QWidget *>())
        all << textsOf(*widget);
    for (const QAction *action : window.findChildren<QAction *>())
        all << action->text() << action->toolTip() << action->statusTip();
    return all;
}

/// Returns the visible controls that lack an accessible name or a tooltip.
inline QStringList namelessIn(const QWidget &window, bool alsoToolTips = true) {
    QStringList lacking;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        const bool isControl = qobject_cast<const QAbstractButton *>(widget) ||
                               qobject_cast<const QComboBox *>(widget) ||
                               qobject_cast<const QLineEdit *>(widget) ||
                               qobject_cast<const QPlainTextEdit *>(widget) ||
                               qobject_cast<const QAbstractSpinBox *>(widget) ||
                               qobject_cast<const QAbstractSlider *>(widget);
        if (!isControl || !widget->isVisible() || widget->focusPolicy() == Qt::NoFocus ||
            widget->objectName().startsWith("qt_"))
            continue;
        const auto *button = qobject_cast<const QAbstractButton *>(widget);
        if (widget->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
            lacking << "name of " + widget->objectName() + widget->metaObject()->className();
        if (alsoToolTips && widget->toolTip().isEmpty())
            lacking << "tooltip of " + widget->objectName() + widget->metaObject()->className();
    }
    return lacking;
}

/// Returns labels, the cells of tables and lists, and accessible descriptions.
inline QStringList shownTexts(const QWidget &window) {
    constexpr int kMax = 40; // maximum rows and columns of a table
    QStringList texts{window.accessibleDescription()};
    for (const QWidget *widget : window.findChildren<QWidget *>())
        texts << widget->accessibleDescription();
    for (const QLabel *label : window.findChildren<QLabel *>())
        texts << label->text();
    for (const QAbstractItemView *list : window.findChildren<QAbstractItemView *>()) {
        const QAbstractItemModel *model = list->model();
        const QModelIndex root = list->rootIndex();
        for (int row = 0; model && row < std::min(model->rowCount(root), kMax); ++row)
            for (int column = 0; column < std::min(model->columnCount(root), kMax); ++column)
                for (const int role : {Qt::DisplayRole, Qt::AccessibleDescriptionRole})
                    texts << model->index(row, column, root).data(role).toString();
    }
    return texts;
}

/// Returns every text that the window and its children paint.
inline QStringList paintedTexts(QWidget &window) {
    PaintingRecord record;
    RecordingDevice device(record, window.size());
    window.render(&device);
    QStringList texts;
    for (const PaintingRecord::Text &each : record.texts)
        texts << each.text;
    return texts;
}

/// Returns the first text that shows NaN as a number, or an empty string. A warning about a file
/// may say that one of its numbers is NaN.
inline QString notANumberIn(const QStringList &texts) {
    static const QRegularExpression nan("(?<!the number is )\\bnan\\b",
                                        QRegularExpression::CaseInsensitiveOption);
    for (const QString &each : texts)
        if (each.contains(nan))
            return each;
    return {};
}

} // namespace headlight::test
