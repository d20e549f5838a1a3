// The stages of a verified trace as a table: a row for each stage, with its largest difference and
// the cell where it occurs.
#pragma once

#include "core/checks/verification.h"
#include "core/selection/selection.h"

#include <QAbstractTableModel>

namespace headlight::ui {

class VerificationTable : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Stage, Place, Difference, Alone, Cell, Ours, Theirs };
    static constexpr int kColumns = 7;
    /// Role of the values by which a column is sorted.
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows the result for a trace. The trace's tokens name the cells.
    void show(core::TracePointer trace, core::Verification verification);
    void clear();

    const core::Verification &verification() const { return m_verification; }
    /// True if each stage was also computed alone, from the trace's values of earlier stages.
    bool hasAlone() const;
    /// Returns the selection moved to the row's stage and, if it has one, its cell.
    core::Selection selectionAt(int row, core::Selection selection) const;
    /// Returns the rows with their headings, separated by tabs and with all digits.
    QString text(const QList<int> &rows) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    const core::StageVerification &at(int row) const {
        return m_verification.stages[static_cast<std::size_t>(row)];
    }
    QString textOf(int row, Column column) const;
    QString placeOf(core::StageId at) const;
    QString cellOf(int row) const;
    QVariant sortValueOf(int row, Column column) const;

    core::TracePointer m_trace;
    core::Verification m_verification;
};

} // namespace headlight::ui
