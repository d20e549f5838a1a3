// List of the tokens that the selected stack reads in the selected sequence. The user renames them
// in place and moves them by dragging. Padding is excluded.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/token_edits.h"

#include <QAbstractListModel>

namespace headlight::ui {

class TokenList : public QAbstractListModel {
    Q_OBJECT
  public:
    explicit TokenList(Document &document, QObject *parent = nullptr);
    void update();
    edits::SequenceId place(int token) const;
    /// Returns false after reporting an error with failed().
    bool apply(const core::Result<Change> &change);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData *mimeData(const QModelIndexList &indexes) const override;
    /// Always returns false, because the document moves the token and the view must not remove its
    /// row.
    bool dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                      const QModelIndex &parent) override;

  signals:
    void failed(const headlight::core::Error &error);
    void moved(int to);

  private:
    Document &m_document;
    std::vector<core::Token> m_tokens;
};

} // namespace headlight::ui
