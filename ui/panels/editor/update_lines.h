// What the next step of training will do to the selected weight: the change, and opened line by
// line its gradient, what the optimizer remembers of it, the weight before and after.
#pragma once

#include "ui/compute/update_worker.h"
#include "ui/document/document.h"
#include "ui/document/edits/matrix_id.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QToolButton;

namespace headlight::ui {

/// A number of a parameter.
struct ParameterIndex {
    core::ParameterId id{};
    core::Index row = 0, column = 0;
    bool operator==(const ParameterIndex &) const = default;
};

/// Which one a cell of a shown matrix is; of a token's vector the word's. None: it is of none.
std::optional<ParameterIndex> weightAt(const DocumentState &state, const MatrixId &matrix,
                                       const core::ParameterBlock &shown, core::Index row,
                                       core::Index column);

class UpdateLines : public QWidget {
    Q_OBJECT
  public:
    explicit UpdateLines(Document &document, QWidget *parent = nullptr);

    /// None: no weight is selected. It is there only where the model is being trained.
    void show(const std::optional<ParameterIndex> &place);
    QString text() const;

  private:
    void ask();
    void showOpened();
    void showUpdate(const core::WeightUpdate &update);

    Document &m_document;
    UpdateWorker m_maker;
    std::optional<ParameterIndex> m_place;
    core::TrainingRunPointer m_run; // of what is shown, or asked for
    core::Parameter m_parameter;
    QTimer m_wait;        // while it learns nobody can read it
    QToolButton *m_title; ///< the change itself; opens the lines
    QLabel *m_lines;
};

} // namespace headlight::ui
