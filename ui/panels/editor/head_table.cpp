#include "ui/panels/editor/head_table.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/text/mechanism_text.h"

namespace headlight::ui {

HeadTable::HeadTable(Document &document, QObject *parent)
    : QAbstractTableModel(parent), m_document(document) {}

void HeadTable::update() {
    m_attention = m_document.selection().attention();
    const int heads = static_cast<int>(m_document.state().model.headsOf(m_attention.stack));
    if (heads != m_heads) {
        beginResetModel();
        m_heads = heads;
        endResetModel();
    } else if (heads > 0) {
        emit dataChanged(index(0, 0), index(heads - 1, kStates - 1));
    }
}

int HeadTable::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : m_heads;
}

int HeadTable::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : kStates;
}

QVariant HeadTable::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const core::HeadState now =
        m_document.state().input.interventions.stateOf(m_attention, index.row());
    const bool chosen = now == stateOf(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return chosen ? QStringLiteral("●") : QStringLiteral("○");
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignCenter);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        const QString text =
            tr("head %1: %2")
                .arg(QString::number(index.row()), headStateText(stateOf(index.column())));
        return chosen ? tr("%1, selected").arg(text) : text;
    }
    default:
        return {};
    }
}

QVariant HeadTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(tr("head %1").arg(section)) : QVariant();
    static const char *const names[kStates] = {QT_TR_NOOP("on"), QT_TR_NOOP("zeros"),
                                               QT_TR_NOOP("mean"), QT_TR_NOOP("even")};
    static const char *const words[kStates] = {
        QT_TR_NOOP("The head outputs what it computes"), QT_TR_NOOP("The head's context is zero"),
        QT_TR_NOOP("Every row of the head's context is the mean over the real tokens"),
        QT_TR_NOOP("Each query attends equally to every visible key")};
    if (role == Qt::DisplayRole)
        return tr(names[section]);
    return role == Qt::ToolTipRole ? QVariant(tr(words[section])) : QVariant();
}

bool HeadTable::choose(const QModelIndex &index) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const auto change =
        edits::setHead(m_document.state(), m_attention, index.row(), stateOf(index.column()));
    const core::Outcome outcome = m_document.apply(change);
    if (!outcome)
        emit failed(outcome.error());
    return outcome.ok();
}

} // namespace headlight::ui
