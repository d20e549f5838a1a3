// Shows how the next training step changes the selected parameter value. On request, also shows the
// gradient, the optimizer's state, and the values before and after.
#pragma once

#include "core/training/run/trainer.h"
#include "ui/compute/latest_job.h"
#include "ui/document/document.h"
#include "ui/document/edits/matrix_id.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QTableWidget;
class QToolButton;

namespace headlight::ui {

/// Index of one value of a parameter.
struct ParameterIndex {
    core::ParameterId id{};
    core::Index row = 0, column = 0;
    bool operator==(const ParameterIndex &) const = default;
};

/// Returns the parameter value that a cell displays. For a token's vector, this is the value in its
/// word's embedding. Empty if the cell does not belong to a parameter.
std::optional<ParameterIndex> weightAt(const DocumentState &state, const MatrixId &matrix,
                                       const core::ParameterBlock &shown, core::Index row,
                                       core::Index column);

class UpdateLines : public QWidget {
    Q_OBJECT
  public:
    explicit UpdateLines(Document &document, QWidget *parent = nullptr);

    /// Shows the update of the value at `place`, or nothing if `place` is unset. The widget is only
    /// visible if the model is being trained.
    void show(const std::optional<ParameterIndex> &place);
    /// Returns the table as text: one line per row, with cells separated by tabs.
    QString text() const;

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void ask();
    void showOpened();
    void showUpdate(const core::WeightUpdate &update);
    /// Makes the table as tall as its rows.
    void fitTable();

    Document &m_document;
    LatestJob m_job;
    std::optional<ParameterIndex> m_place;
    core::TrainingRunPointer m_run; // training run whose next update is shown or requested
    core::Parameter m_parameter;
    QTimer m_wait;        // waits for a pause, because values that keep changing are unreadable
    QToolButton *m_title; ///< shows the change; a click opens the table
    QTableWidget *m_table;
};

} // namespace headlight::ui
