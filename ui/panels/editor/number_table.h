// Table model of the document's numbers. The user's input is applied as a change to the document,
// and the table then shows the result.
#pragma once

#include "core/analysis/block_summary.h"
#include "core/formats/parse_table.h"
#include "ui/compute/stage_worker.h"
#include "ui/figures/base/style.h"
#include "ui/panels/editor/editor_target.h"

#include <QAbstractTableModel>

namespace headlight::ui {

class NumberTable : public QAbstractTableModel {
    Q_OBJECT
  public:
    explicit NumberTable(Document &document, QObject *parent = nullptr);

    void setTarget(const EditorTarget &target);
    const EditorTarget &target() const { return m_target; }
    void setStyle(const FigureStyle &style);
    bool exists() const { return m_numbers.exists(); }
    /// True while a worker computes the scores; wasMade() follows.
    bool isBeingMade() const { return m_isBeingMade; }
    const core::ParameterBlock &view() const { return m_numbers.view; }
    float number(const QModelIndex &index) const {
        return m_numbers.view(index.row(), index.column());
    }
    /// Returns the summary of the values. It leaves out NaN, which marks unreadable values.
    const core::BlockSummary &summary() const { return m_summary; }
    /// Returns the largest absolute value, the end of the colour scale.
    float largest() const { return m_summary.largest(); }
    /// Updates the table from the document.
    void update();

    /// Returns false after reporting an error with failed().
    bool setCells(const std::vector<edits::CellValue> &cells, int gesture = Document::kNoGesture);
    bool apply(const core::Result<Change> &change, int gesture = Document::kNoGesture);
    /// Sets these cells to the number that the user typed.
    bool setCells(const QModelIndexList &indexes, const QString &text);
    /// Pastes a spreadsheet block with its first number at the index. Fails without pasting if the
    /// block does not fit. `commas`: the meaning of commas, if the user has chosen one.
    bool paste(const QModelIndex &first, const QString &text,
               std::optional<core::Commas> commas = {});
    Document &document() const { return m_document; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

  signals:
    void failed(const headlight::core::Error &error);
    /// The numbers or the matrix changed.
    void numbersChanged();
    void wasMade();

  private:
    core::TracePointer traceForTarget();
    /// The data from which the labels are made. The labels are rebuilt only if this data changes,
    /// because a vocabulary has many words.
    struct Labelled {
        EditorTarget target;
        core::BatchPointer batch, source;
        core::VocabularyPointer vocabulary, sourceVocabulary;
        bool hasOwnWords = false; ///< true if the encoder has its own words
        core::Index rows = 0, columns = 0;
        bool operator==(const Labelled &) const = default;
    };

    /// Returns true if the labels changed.
    bool updateLabels();
    void tellChangedCells(const core::ParameterBlock &before);
    QVariant dataOfUnreadable(int role) const;
    QString toolTip(const QModelIndex &index) const;

    Document &m_document;
    FigureStyle m_style;
    EditorTarget m_target;
    MatrixNumbers m_numbers;
    StageWorker m_maker;
    bool m_isBeingMade = false;
    core::Interventions m_interventions; ///< interventions when the table was last updated
    Labelled m_labelled;
    QStringList m_rowLabels, m_columnLabels;
    core::BlockSummary m_summary;
};

} // namespace headlight::ui
