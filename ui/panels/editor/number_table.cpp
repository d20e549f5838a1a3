#include "ui/panels/editor/number_table.h"

#include "core/parse_number.h"
#include "core/tensor/shape.h"
#include "core/transformer/model/parameter_differences.h"
#include "ui/text/cell_numbers.h"
#include "ui/text/number_text.h"

#include <QBrush>

#include <cmath>

namespace headlight::ui {

using core::Index;

namespace {

constexpr qsizetype kMaxHeaderLength = 10;

/// Shortens a label, because a styled header would cut it without an ellipsis. The tooltip has the
/// whole label.
QString shortened(const QString &label) {
    if (label.size() <= kMaxHeaderLength)
        return label;
    const bool pair = label.at(kMaxHeaderLength - 2).isHighSurrogate();
    return label.left(kMaxHeaderLength - (pair ? 2 : 1)) + QChar(0x2026);
}

} // namespace

NumberTable::NumberTable(Document &document, QObject *parent)
    : QAbstractTableModel(parent), m_document(document), m_style(FigureStyle::light()) {
    connect(&m_maker, &StageWorker::made, this, [this] {
        update();
        emit wasMade();
    });
    connect(&m_maker, &StageWorker::failed, this, &NumberTable::failed);
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        // The values can no longer be read, or can be read again.
        if (is<FilesChanged>(event) && rowCount() > 0 && columnCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    });
}

/// Returns a trace that holds the displayed scores; null while they are computed.
core::TracePointer NumberTable::traceForTarget() {
    const auto *scores = std::get_if<ScoresId>(&m_target);
    if (!scores)
        return m_maker.traceWith(nullptr, {});
    return m_maker.traceWith(
        m_document.trace(),
        {{core::Stage::Scores, scores->attention()}, scores->sequence, scores->head});
}

void NumberTable::setTarget(const EditorTarget &target) {
    if (target == m_target)
        return update();
    beginResetModel();
    m_target = target;
    m_numbers = {};
    endResetModel();
    update();
}

void NumberTable::setStyle(const FigureStyle &style) {
    m_style = style;
    if (rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void NumberTable::update() {
    const DocumentState &state = m_document.state();
    if (!state.input.batch)
        return;
    const core::TracePointer trace = traceForTarget();
    m_isBeingMade = std::holds_alternative<ScoresId>(m_target) && m_document.trace() && !trace;
    if (m_isBeingMade) // keep the previous numbers until the scores are computed
        return;
    MatrixNumbers now = numbersOf(state, trace, m_target);
    const bool sameShape =
        now.view.rows == m_numbers.view.rows && now.view.columns == m_numbers.view.columns;
    if (!sameShape)
        beginResetModel();
    const MatrixNumbers before = std::exchange(m_numbers, std::move(now));
    const bool relabelled = updateLabels();
    if (!sameShape) {
        m_summary = core::BlockSummary(m_numbers.view);
        m_interventions = state.input.interventions;
        endResetModel();
        emit numbersChanged();
        return;
    }
    if (relabelled && rowCount() > 0 && columnCount() > 0) {
        emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    if (before.owner != m_numbers.owner || m_interventions != state.input.interventions)
        tellChangedCells(before.view);
}

bool NumberTable::updateLabels() {
    const DocumentState &state = m_document.state();
    Labelled labelled{m_target,
                      state.input.batch,
                      state.input.source,
                      state.model.vocabulary,
                      state.model.sourceVocabulary,
                      state.model.parameters.encoder.embeddings != nullptr,
                      m_numbers.view.rows,
                      m_numbers.view.columns};
    if (labelled == m_labelled)
        return false;
    m_labelled = std::move(labelled);
    const QStringList rows = rowLabelsOf(state, m_target, m_numbers.view.rows);
    const QStringList columns = columnLabelsOf(state, m_target, m_numbers.view.columns);
    const bool differ = rows != m_rowLabels || columns != m_columnLabels;
    m_rowLabels = rows;
    m_columnLabels = columns;
    return differ;
}

void NumberTable::tellChangedCells(const core::ParameterBlock &before) {
    const core::ParameterBlock &now = m_numbers.view;
    const float largest = m_summary.largest();
    std::vector<core::RowDifference> changed;
    if (!now.empty())
        changed = rowsThatDiffer(before, now);
    std::vector<Index> rows;
    for (const core::RowDifference &row : changed)
        rows.push_back(row.row);
    m_summary.update(now, rows);
    const bool recoloured =
        largest != m_summary.largest() || m_interventions != m_document.state().input.interventions;
    m_interventions = m_document.state().input.interventions;
    if (now.empty())
        return;
    if (recoloured) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        emit numbersChanged();
        return;
    }
    for (const core::RowDifference &row : changed)
        emit dataChanged(index(static_cast<int>(row.row), static_cast<int>(row.first)),
                         index(static_cast<int>(row.row), static_cast<int>(row.last)));
    if (!changed.empty())
        emit numbersChanged();
}

bool NumberTable::apply(const core::Result<Change> &change, int gesture) {
    if (!change) {
        emit failed(change.error());
        return false;
    }
    const core::Outcome outcome = m_document.apply(*change, gesture);
    if (!outcome)
        emit failed(outcome.error());
    return outcome.ok();
}

bool NumberTable::setCells(const std::vector<edits::CellValue> &cells, int gesture) {
    return apply(ui::setCells(m_document.state(), m_target, cells), gesture);
}

bool NumberTable::setCells(const QModelIndexList &indexes, const QString &text) {
    const core::Result<float> number = core::parseNumber(text.toStdString());
    if (!number) {
        emit failed(number.error());
        return false;
    }
    std::vector<edits::CellValue> cells;
    for (const QModelIndex &index : indexes)
        cells.push_back({index.row(), index.column(), *number});
    return setCells(cells);
}

bool NumberTable::paste(const QModelIndex &first, const QString &text,
                        std::optional<core::Commas> commas) {
    const std::string block = text.toStdString();
    const auto table = commas ? core::parseTable(block, *commas) : core::parseTable(block);
    if (!table) {
        emit failed({{"the clipboard has no block of numbers: %1", table.error().what},
                     table.error().where,
                     table.error().remedy});
        return false;
    }
    const Index rows = static_cast<Index>(table->size());
    const Index columns = static_cast<Index>(table->front().size());
    const core::Shape limit{m_numbers.view.rows - first.row(),
                            m_numbers.view.columns - first.column()};
    if (!first.isValid() || rows > limit[0] || columns > limit[1]) {
        emit failed({{"a block of %1 numbers does not fit", core::Shape{rows, columns}.text()},
                     nameOf(m_target, m_document.state()).toStdString(),
                     {"only %1 fit, starting at the selected cell", limit.text()}});
        return false;
    }
    std::vector<edits::CellValue> cells;
    for (Index row = 0; row < rows; ++row)
        for (Index column = 0; column < columns; ++column)
            cells.push_back(
                {first.row() + row, first.column() + column,
                 (*table)[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]});
    return setCells(cells);
}

int NumberTable::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_numbers.view.rows);
}

int NumberTable::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_numbers.view.columns);
}

QVariant NumberTable::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const float value = number(index);
    if (std::isnan(value))
        return dataOfUnreadable(role);
    switch (role) {
    case Qt::DisplayRole: {
        NumberRange range; // all cells use the format of the largest number
        range.add(static_cast<double>(largest()));
        return CellNumbers::usual(range).text(static_cast<double>(value));
    }
    case Qt::EditRole:
        return fullText(value);
    case Qt::ToolTipRole:
        return toolTip(index);
    case Qt::AccessibleTextRole:
        return fullText(value);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignCenter);
    case Qt::BackgroundRole: {
        const double ends = largest() > 0 ? static_cast<double>(largest()) : 1;
        const double at = 0.5 + 0.5 * static_cast<double>(value) / ends;
        // In a dark theme, tone down bright cells as in the figures.
        return QBrush(QColor(m_style.isDark ? tonedDown(m_style.signedMap, at)
                                            : colourOf(m_style.signedMap, at)));
    }
    case Qt::ForegroundRole: {
        const QColor behind = data(index, Qt::BackgroundRole).value<QBrush>().color();
        return QBrush(wantsDarkText(behind.rgb()) ? Qt::black : Qt::white);
    }
    case Qt::FontRole:
        if (isSetByHand(m_document.state(), m_target, index.row(), index.column())) {
            QFont font = m_style.font(FigureStyle::Text::Label, true);
            font.setUnderline(true);
            return font;
        }
        return m_style.font(FigureStyle::Text::Label);
    default:
        return {};
    }
}

QVariant NumberTable::dataOfUnreadable(int role) const {
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return QStringLiteral("?");
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("This number cannot be read from its file");
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignCenter);
    case Qt::FontRole:
        return m_style.font(FigureStyle::Text::Label);
    default:
        return {};
    }
}

QString NumberTable::toolTip(const QModelIndex &index) const {
    const QString place =
        tr("row %1, column %2")
            .arg(m_rowLabels.value(index.row()), m_columnLabels.value(index.column()));
    const QString text = QStringLiteral("%1: %2").arg(place, fullText(number(index)));
    return isSetByHand(m_document.state(), m_target, index.row(), index.column())
               ? tr("%1 (overridden)").arg(text)
               : text;
}

QVariant NumberTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    const QString label =
        (orientation == Qt::Vertical ? m_rowLabels : m_columnLabels).value(section);
    return role == Qt::ToolTipRole ? label : shortened(label);
}

Qt::ItemFlags NumberTable::flags(const QModelIndex &index) const {
    return index.isValid() ? QAbstractTableModel::flags(index) | Qt::ItemIsEditable
                           : Qt::NoItemFlags;
}

bool NumberTable::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    // Keep an unchanged number, because its text may have fewer digits.
    if (value.toString() == data(index, Qt::EditRole).toString())
        return true;
    return setCells({index}, value.toString());
}

} // namespace headlight::ui
