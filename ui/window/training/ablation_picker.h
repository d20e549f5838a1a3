// What a new run races against: nothing, or the same model with one switch turned.
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
    /// What would change nothing of it is disabled, and says why; one that was chosen is chosen no
    /// more.
    void showFor(const core::Architecture &architecture, const core::TaskInfo &task);
};

} // namespace headlight::ui
