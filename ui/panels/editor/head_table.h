// A table of the states of a layer's heads. It has a row for each head, a column for each state,
// and a mark in the current state.
#pragma once

#include "ui/document/document.h"

#include <QAbstractTableModel>

namespace headlight::ui {

class HeadTable : public QAbstractTableModel {
    Q_OBJECT
  public:
    explicit HeadTable(Document &document, QObject *parent = nullptr);
    void update();
    static constexpr int kStates = 4;
    static core::HeadState stateOf(int column) { return static_cast<core::HeadState>(column); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Sets the row's head to the column's state.
    bool choose(const QModelIndex &index);

  signals:
    void failed(const headlight::core::Error &error);

  private:
    Document &m_document;
    int m_heads = 0;
    core::AttentionId m_attention;
};

} // namespace headlight::ui
