// The texts that a window shows or exposes to screen readers.
#pragma once

#include "tests/support/painting_record.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QRegularExpression>
#include <QWidget>

namespace headlight::test {

/// Returns labels, the cells of tables and lists, and accessible descriptions.
inline QStringList shownTexts(const QWidget &window) {
    constexpr int kMost = 40; // maximum rows and columns of a table
    QStringList texts{window.accessibleDescription()};
    for (const QWidget *widget : window.findChildren<QWidget *>())
        texts << widget->accessibleDescription();
    for (const QLabel *label : window.findChildren<QLabel *>())
        texts << label->text();
    for (const QAbstractItemView *list : window.findChildren<QAbstractItemView *>()) {
        const QAbstractItemModel *model = list->model();
        const QModelIndex root = list->rootIndex();
        for (int row = 0; model && row < std::min(model->rowCount(root), kMost); ++row)
            for (int column = 0; column < std::min(model->columnCount(root), kMost); ++column)
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
