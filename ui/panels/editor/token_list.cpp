#include "ui/panels/editor/token_list.h"

#include "ui/figures/text/text.h"
#include "ui/text/token_names.h"
#include "ui/text/word_id.h"

#include <QMimeData>

namespace headlight::ui {

namespace {

const QString kMimeType = QStringLiteral("application/x-headlight-token");

} // namespace

TokenList::TokenList(Document &document, QObject *parent)
    : QAbstractListModel(parent), m_document(document) {}

void TokenList::update() {
    const core::Selection &selection = m_document.selection();
    const core::Sequence &read = m_document.state().input.of(selection.stack)[selection.sequence];
    std::vector<core::Token> now = read.tokenized().tokens;
    if (now == m_tokens)
        return;
    if (now.size() != m_tokens.size()) {
        beginResetModel();
        m_tokens = std::move(now);
        endResetModel();
        return;
    }
    m_tokens = std::move(now);
    emit dataChanged(index(0), index(rowCount() - 1));
}

edits::SequenceId TokenList::place(int token) const {
    const edits::TextId text = m_document.textId(sideOf(m_document.selection().stack));
    return {text.minimumLength, text.sequence, token, text.side};
}

bool TokenList::apply(const core::Result<Change> &change) {
    const core::Outcome outcome = m_document.apply(change);
    if (!outcome)
        emit failed(outcome.error());
    return outcome.ok();
}

int TokenList::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_tokens.size());
}

QVariant TokenList::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const core::Token &token = m_tokens[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return tokenText(token.text);
    case Qt::EditRole:
        return QString::fromStdString(token.text);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("token %1: %2")
            .arg(QString::number(index.row()),
                 withId(tokenText(token.text), m_document.state().model,
                        m_document.selection().stack, token));
    default:
        return {};
    }
}

bool TokenList::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    if (value.toString() == data(index, Qt::EditRole).toString())
        return true;
    return apply(edits::changeToken(m_document.state(), place(index.row()), value.toString()));
}

Qt::ItemFlags TokenList::flags(const QModelIndex &index) const {
    const Qt::ItemFlags flags = QAbstractListModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable | Qt::ItemIsDragEnabled
                           : flags | Qt::ItemIsDropEnabled; // allows a drop between two tokens
}

QStringList TokenList::mimeTypes() const {
    return {kMimeType};
}

QMimeData *TokenList::mimeData(const QModelIndexList &indexes) const {
    if (indexes.isEmpty())
        return nullptr;
    auto *data = new QMimeData;
    data->setData(kMimeType, QByteArray::number(indexes.first().row()));
    return data;
}

bool TokenList::dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int,
                             const QModelIndex &parent) {
    if (action != Qt::MoveAction || !data || !data->hasFormat(kMimeType) || parent.isValid())
        return false;
    bool isNumber = false;
    const int from = data->data(kMimeType).toInt(&isNumber);
    if (!isNumber || from < 0 || from >= rowCount())
        return false;
    const int before = row < 0 ? rowCount() : row; // the token is dropped before this one
    const int to = before > from ? before - 1 : before;
    if (to != from && apply(edits::moveToken(m_document.state(), place(from), to)))
        emit moved(to);
    return false;
}

} // namespace headlight::ui
