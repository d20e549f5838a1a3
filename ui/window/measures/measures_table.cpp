#include "ui/window/measures/measures_table.h"

#include "ui/figures/model/head_numbers.h"
#include "ui/figures/model/model_figure.h"
#include "ui/text/measure_text.h"
#include "ui/text/sentences.h"

#include <algorithm>

namespace headlight::ui {

void MeasuresTable::show(const core::Model &model, const std::vector<core::HeadOfTrace> &heads,
                         bool hasSimilarity, bool isChange) {
    beginResetModel();
    m_isChange = isChange;
    m_measures.assign(core::kNamedMeasures.begin(), core::kNamedMeasures.end());
    if (hasSimilarity)
        m_measures.push_back(core::kSimilarity);
    m_table = core::measuresAsTable(heads, m_measures);
    if (m_isChange) // a file of changes must not look like a file of measures
        for (std::string &column : m_table.columns)
            column += "_change";
    m_names.clear();
    for (const core::HeadOfTrace &head : heads)
        m_names << headNameOf(model, core::HeadId{head.attention, head.head});
    endResetModel();
}

void MeasuresTable::clear() {
    beginResetModel();
    m_table = {};
    m_measures.clear();
    m_names.clear();
    endResetModel();
}

QString MeasuresTable::valueText(const std::optional<double> &value) const {
    return m_isChange ? changeOfMeasureText(value) : measureText(value);
}

core::HeadId MeasuresTable::headAt(int row) const {
    return {at(row).attention, at(row).head};
}

QString MeasuresTable::text(const QList<int> &rows) const {
    QStringList heading{tr("head")};
    for (const core::NamedMeasure &measure : m_measures)
        heading << (m_isChange ? tr("change of %1").arg(shortTitleOf(measure))
                               : shortTitleOf(measure));
    QStringList lines{heading.join(QLatin1Char('\t'))};
    for (const int row : rows) {
        QStringList fields{m_names[row]};
        for (const std::optional<double> &number : at(row).numbers)
            fields << (number ? QString::fromStdString(core::jsonNumberOf(number)) : QString());
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

int MeasuresTable::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int MeasuresTable::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_measures.size());
}

QVariant MeasuresTable::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QString &name = m_names[index.row()];
    if (index.column() == 0)
        switch (role) {
        case Qt::DisplayRole:
            return name;
        case kSortRole:
            return index.row();
        default:
            return {};
        }
    const auto column = static_cast<std::size_t>(index.column() - 1);
    const std::optional<double> &number = at(index.row()).numbers[column];
    switch (role) {
    case Qt::DisplayRole:
        return valueText(number);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return m_isChange
                   ? tr("%1: change of the %2 %3")
                         .arg(name, titleOf(m_measures[column]), valueText(number))
                   : tr("%1: %2 %3").arg(name, titleOf(m_measures[column]), valueText(number));
    case kSortRole:
        return number ? QVariant(*number) : QVariant();
    default:
        return {};
    }
}

QVariant MeasuresTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section == 0)
        return role == Qt::DisplayRole ? QVariant(tr("head")) : QVariant();
    const core::NamedMeasure &measure = m_measures[static_cast<std::size_t>(section - 1)];
    switch (role) {
    case Qt::DisplayRole:
        return m_isChange ? tr("Δ %1").arg(shortTitleOf(measure)) : shortTitleOf(measure);
    case Qt::ToolTipRole: {
        const QString explained =
            sentences({definitionOf(measure), tr("See %1.").arg(referenceOf(measure))});
        return m_isChange ? tr("Change of the %1, current − A: %2").arg(titleOf(measure), explained)
                          : tr("%1: %2").arg(titleOf(measure), explained);
    }
    default:
        return {};
    }
}

bool SortedMeasures::lessThan(const QModelIndex &left, const QModelIndex &right) const {
    const bool exists = left.data(sortRole()).isValid();
    if (exists != right.data(sortRole()).isValid())
        return exists == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace headlight::ui
