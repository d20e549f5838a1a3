// What a person can read in a window, or have read aloud.
#pragma once

#include "tests/support/painting_record.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QRegularExpression>
#include <QWidget>

namespace headlight::test {

/// Labels, the cells of tables and lists, and the descriptions that a screen reader says.
inline QStringList shownTexts(const QWidget &window) {
    constexpr int kMost = 40; // rows and columns of a table
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

/// Every text that the window paints, whichever of its widgets does it.
inline QStringList paintedTexts(QWidget &window) {
    PaintingRecord record;
    RecordingDevice device(record, window.size());
    window.render(&device);
    QStringList texts;
    for (const PaintingRecord::Text &each : record.texts)
        texts << each.text;
    return texts;
}

/// The first text that has a NaN in it; empty: none.
inline QString notANumberIn(const QStringList &texts) {
    static const QRegularExpression nan("\\bnan\\b", QRegularExpression::CaseInsensitiveOption);
    for (const QString &each : texts)
        if (each.contains(nan))
            return each;
    return {};
}

} // namespace headlight::test
