// The measures of all heads as a table: a row for each head, a column for each measure.
#pragma once

#include "core/analysis/head_table.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace headlight::ui {

class MeasuresTable : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// Role of the values by which a column is sorted; invalid if a measure does not exist.
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows the heads of a model. `hasSimilarity`: adds the column of the similarity. `isChange`:
    /// the measures are changes between the two sides of a comparison.
    void show(const core::Model &model, const std::vector<core::HeadOfTrace> &heads,
              bool hasSimilarity, bool isChange = false);
    void clear();

    core::HeadId headAt(int row) const;
    /// Returns all rows in the order of the computation, as the command line writes them.
    const core::HeadTable &table() const { return m_table; }
    /// Returns the rows with their headings, separated by tabs and with all digits. A measure that
    /// does not exist is an empty field.
    QString text(const QList<int> &rows) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    const core::HeadRow &at(int row) const { return m_table.rows[static_cast<std::size_t>(row)]; }

    QString valueText(const std::optional<double> &value) const;

    core::HeadTable m_table;
    bool m_isChange = false;
    std::vector<core::NamedMeasure> m_measures;
    QStringList m_names; ///< names of the heads
};

/// Sorts heads without the measure last, in both directions.
class SortedMeasures : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

  protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
};

} // namespace headlight::ui
