// What the next step of training will do to the selected weight, line by line: its gradient, what
// the optimizer remembers of it, the weight before and after.
#pragma once

#include "ui/compute/update_maker.h"
#include "ui/document/document.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;

namespace headlight::ui {

class UpdateLines : public QWidget {
    Q_OBJECT
  public:
    explicit UpdateLines(Document &document, QWidget *parent = nullptr);

    struct Place {
        core::ParameterId id{};
        core::Index row = 0, column = 0;
        bool operator==(const Place &) const = default;
    };
    /// None: no weight is selected. It is there only where the model is being trained.
    void show(const std::optional<Place> &place);
    QString text() const;

  private:
    void ask();
    void showUpdate(const core::WeightUpdate &update);

    Document &m_document;
    UpdateMaker m_maker;
    std::optional<Place> m_place;
    core::TrainingRunPointer m_run; // of what is shown, or asked for
    core::Parameter m_parameter;
    QTimer m_wait; // while it learns nobody can read it
    QLabel *m_lines;
};

} // namespace headlight::ui
