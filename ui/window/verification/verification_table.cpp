#include "ui/window/verification/verification_table.h"

#include "core/format_number.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"
#include "ui/text/token_names.h"

#include <QFont>

#include <cmath>

namespace headlight::ui {

namespace {

using core::StageVerification;

QString nameOf(core::StageId at) {
    return QString::fromStdString(core::stageName(at.stage, at.attention));
}

/// Returns "2.7·10⁻⁷"; "0" if there is no difference, "∞" if the stages cannot be compared.
QString differenceText(double difference) {
    return difference == 0 || std::isinf(difference) ? numberText(difference, 0)
                                                     : powerText(difference, 1);
}

/// Returns a 64-bit number with enough digits to distinguish it from the 32-bit one.
QString digitsIn64Bits(double number) {
    constexpr int kDigits = 11;
    return QString::fromStdString(core::significant(number, kDigits));
}

/// Returns the text of a number for pasting into another program.
QString plainNumber(double number) {
    return QString::fromStdString(core::exactDouble(number));
}

} // namespace

void VerificationTable::show(core::TracePointer trace, core::Verification verification) {
    beginResetModel();
    m_trace = std::move(trace);
    m_verification = std::move(verification);
    endResetModel();
}

void VerificationTable::clear() {
    show(nullptr, {});
}

bool VerificationTable::hasAlone() const {
    return !m_verification.stages.empty() && m_verification.stages.front().alone;
}

core::Selection VerificationTable::selectionAt(int row, core::Selection selection) const {
    const StageVerification &stage = at(row);
    const core::StageInfo &info = core::infoOf(stage.at.stage);
    // Stages of the output layer belong to no attention module.
    const core::AttentionId attention =
        info.part == core::Part::OutputLayer
            ? core::AttentionId(selection.layer, selection.block, m_trace->model().mainStack())
            : stage.at.attention;
    selection = atStage(selection, {stage.at.stage, attention});
    selection.opened = false;
    if (stage.cell.empty())
        return selection;
    selection.sequence = stage.cell.front();
    if (stage.cell.size() == 2) // the cell's row is a sequence
        return atCell(selection, stage.cell[0], stage.cell[1]);
    if (info.perHead) {
        const auto step = m_trace->plan().find(stage.at);
        const core::Index groups = step ? m_trace->plan()[*step].heads() : 1;
        const core::Index heads = m_trace->model().headsOf(stage.at.attention);
        // The first query head that reads this group of keys or values.
        selection.head = stage.cell[1] * heads / groups;
    }
    return atCell(selection, stage.cell[stage.cell.size() - 2], stage.cell.back());
}

QString VerificationTable::placeOf(core::StageId at) const {
    const core::Model &model = m_trace->model();
    const auto inStack = [&](QStringList words) {
        if (const QString stack = titleOf(at.attention.stack); !stack.isEmpty())
            words.prepend(stack);
        return enumerated(words);
    };
    switch (core::infoOf(at.stage).part) {
    case core::Part::Embedding:
        return inStack({tr("before the layers")});
    case core::Part::Final:
        return inStack({tr("after the layers")});
    case core::Part::OutputLayer:
        return tr("output layer");
    case core::Part::Attention:
        if (const QString name = attentionName(model, at.attention); !name.isEmpty())
            return name;
        return tr("attention");
    case core::Part::Layer:
    case core::Part::FeedForward:
        break;
    }
    const QString layer = tr("layer %1").arg(at.attention.layer);
    return core::infoOf(at.stage).part == core::Part::Layer ? inStack({layer})
                                                            : inStack({layer, tr("feed-forward")});
}

QString VerificationTable::cellOf(int row) const {
    const StageVerification &stage = at(row);
    if (stage.cell.empty())
        return std::isinf(stage.difference) ? tr("not the same stage") : QString();
    const core::StageInfo &info = core::infoOf(stage.at.stage);
    const core::Selection selection = selectionAt(row, {});
    const core::Index column = stage.cell.back();
    const core::Index line = stage.cell[stage.cell.size() - 2];
    QStringList words;
    if (m_trace->batch().count() > 1)
        words << sentenceName(selection.sequence);
    if (info.perHead && m_trace->model().headsOf(stage.at.attention) > 1)
        words << tr("head %1").arg(selection.head);
    if (info.overKeys())
        words << tr("%1 → %2").arg(rowNameWithId(*m_trace, selection, line),
                                   keyNameWithId(*m_trace, selection, column));
    else if (info.rowsAreDistances())
        words << tr("distance %1").arg(rowNames(*m_trace, selection).value(line));
    else if (!info.rowsAreSequences())
        words << rowNameWithId(*m_trace, selection, line);
    if (info.columns == core::Columns::Words)
        words << tr("word “%1”").arg(wordNameWithId(m_trace->model(), column));
    else if (info.columns == core::Columns::Classes)
        words << tr("class %1").arg(column);
    else if (info.overDistances())
        words << tr("distance %1").arg(columnNames(*m_trace, selection, 0).value(column));
    else if (!info.overKeys())
        words << tr("dimension %1").arg(column);
    return enumerated(words);
}

QString VerificationTable::textOf(int row, Column column) const {
    const StageVerification &stage = at(row);
    switch (column) {
    case Stage:
        return titleOf(m_trace->model(), stage.at.stage);
    case Place:
        return placeOf(stage.at);
    case Difference:
        return differenceText(stage.difference);
    case Alone:
        return stage.alone ? differenceText(*stage.alone) : QString();
    case Cell:
        return cellOf(row);
    case Ours:
        return stage.cell.empty() ? QString() : fullText(static_cast<float>(stage.ours));
    case Theirs:
        return stage.cell.empty() ? QString() : digitsIn64Bits(stage.theirs);
    }
    return {};
}

QVariant VerificationTable::sortValueOf(int row, Column column) const {
    const StageVerification &stage = at(row);
    switch (column) {
    case Difference:
        return stage.difference;
    case Alone:
        return stage.alone.value_or(0);
    case Ours:
        return stage.ours;
    case Theirs:
        return stage.theirs;
    case Stage:
    case Place:
    case Cell:
        break;
    }
    return textOf(row, column);
}

int VerificationTable::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_verification.stages.size());
}

int VerificationTable::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant VerificationTable::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto column = static_cast<Column>(index.column());
    const StageVerification &stage = at(index.row());
    const bool isNumber =
        column == Difference || column == Alone || column == Ours || column == Theirs;
    switch (role) {
    case Qt::DisplayRole:
        return textOf(index.row(), column);
    case kSortRole:
        return sortValueOf(index.row(), column);
    case Qt::TextAlignmentRole:
        return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole: {
        if (stage.isWithin())
            return {};
        QFont font;
        font.setBold(true);
        return font;
    }
    case Qt::ToolTipRole:
        return tr("%1, as files and the command line name it. Its largest number is %2.")
            .arg(nameOf(stage.at), digitsText(stage.size));
    case Qt::AccessibleTextRole:
        if (column == Difference && !stage.isWithin())
            return tr("%1, more than %2")
                .arg(textOf(index.row(), column), powerText(core::kVerifiedWithin, 0));
        return textOf(index.row(), column);
    default:
        return {};
    }
}

QVariant VerificationTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return {};
    static const char *const names[kColumns] = {QT_TR_NOOP("Stage"),      QT_TR_NOOP("Part"),
                                                QT_TR_NOOP("Difference"), QT_TR_NOOP("Alone"),
                                                QT_TR_NOOP("Cell"),       QT_TR_NOOP("In 32 bits"),
                                                QT_TR_NOOP("In 64 bits")};
    static const char *const words[kColumns] = {
        QT_TR_NOOP("Click to sort; a double click on a row shows it in Close-up"),
        QT_TR_NOOP("Position of the stage in the model"),
        QT_TR_NOOP("The largest difference, divided by the stage's largest number"),
        QT_TR_NOOP("The largest difference if the stage is computed from the window's 32-bit "
                   "stages: shows a fault, but not accumulated rounding"),
        QT_TR_NOOP("The number that differs most"),
        QT_TR_NOOP("The number that the window shows"),
        QT_TR_NOOP("That number, recomputed in 64 bits")};
    if (role == Qt::DisplayRole)
        return tr(names[section]);
    if (role == Qt::TextAlignmentRole)
        return section == Stage || section == Place || section == Cell
                   ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                   : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::ToolTipRole ? QVariant(tr(words[section])) : QVariant();
}

QString VerificationTable::text(const QList<int> &rows) const {
    QStringList lines;
    QStringList headings{tr("name in files")};
    for (int column = 0; column < kColumns; ++column)
        if (column != Alone || hasAlone())
            headings << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    lines << headings.join(QLatin1Char('\t'));
    for (const int row : rows) {
        const StageVerification &stage = at(row);
        QStringList fields{nameOf(stage.at), textOf(row, Stage), textOf(row, Place),
                           plainNumber(stage.difference)};
        if (hasAlone())
            fields << plainNumber(*stage.alone);
        fields << textOf(row, Cell);
        fields << (stage.cell.empty()
                       ? QStringList{{}, {}}
                       : QStringList{plainNumber(stage.ours), plainNumber(stage.theirs)});
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join('\n') + '\n';
}

} // namespace headlight::ui
