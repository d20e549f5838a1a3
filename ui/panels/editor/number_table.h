// The table's model: numbers of the document, cell by cell. It changes nothing itself: what is
// typed becomes a change of the document, and what the document then holds is shown.
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
    /// Scores of another layer of a long input are made elsewhere; wasMade() follows.
    bool isBeingMade() const { return m_isBeingMade; }
    const core::ParameterBlock &view() const { return m_numbers.view; }
    float number(const QModelIndex &index) const {
        return m_numbers.view(index.row(), index.column());
    }
    /// NaN left out, which is what cannot be read.
    const core::BlockSummary &summary() const { return m_summary; }
    /// The largest absolute value: the ends of the colours.
    float largest() const { return m_summary.largest(); }
    /// Brings it up to what the document holds.
    void update();

    /// Errors are told by failed(); false then.
    bool setCells(const std::vector<edits::CellValue> &cells, int gesture = Document::kNoGesture);
    bool apply(const core::Result<Change> &change, int gesture = Document::kNoGesture);
    /// The same, as people type it.
    bool setCells(const QModelIndexList &indexes, const QString &text);
    /// A block of a spreadsheet, its first number at the index. Larger than the room that is left
    /// there: an error, and nothing is pasted.
    /// `commas`: what somebody said they are.
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
    /// Other numbers, or another matrix.
    void numbersChanged();
    void wasMade();

  private:
    core::TracePointer traceForTarget();
    /// What the labels are made of: while that is the same, so are they, of every word of a
    /// vocabulary.
    struct Labelled {
        EditorTarget target;
        core::BatchPointer batch, source;
        core::VocabularyPointer vocabulary, sourceVocabulary;
        bool hasOwnWords = false; ///< the encoder
        core::Index rows = 0, columns = 0;
        bool operator==(const Labelled &) const = default;
    };

    /// True where they are others than before.
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
    core::Interventions m_interventions; ///< as they are shown
    Labelled m_labelled;
    QStringList m_rowLabels, m_columnLabels;
    core::BlockSummary m_summary;
};

} // namespace headlight::ui
