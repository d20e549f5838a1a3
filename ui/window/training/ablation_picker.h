// Selects the ablation of a new run: none, or the same model with one setting changed.
#pragma once

#include "core/training/recipe/ablation.h"

#include <QComboBox>

#include <optional>

namespace headlight::ui {

class AblationPicker : public QComboBox {
    Q_OBJECT
  public:
    explicit AblationPicker(QWidget *parent = nullptr);

    std::optional<core::Ablation> chosen() const;
    void choose(std::optional<core::Ablation> ablation);
    /// Disables ablations that would not change this run, and explains why. If the selected one is
    /// disabled, selects none.
    void showFor(const core::Architecture &architecture, const core::TaskInfo &task);
};

} // namespace headlight::ui
