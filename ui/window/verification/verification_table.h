// The stages of a verified trace as a table: a row for each, with its largest difference and the
// cell that has it.
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
    /// The role of the value that a column is sorted by.
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows the result for a trace, whose tokens name the cells.
    void show(core::TracePointer trace, core::Verification verification);
    void clear();

    const core::Verification &verification() const { return m_verification; }
    /// True if the stages were also compared alone.
    bool hasAlone() const;
    /// Returns the selection moved to the row's stage and to its cell, if it has one.
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
