// What a new run is made from: its task, its model's sizes and switches, and how it is trained.
#pragma once

#include "core/training/recipe/recipe.h"
#include "core/training/tasks/task.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace headlight::ui {

class NewRunFields : public QWidget {
    Q_OBJECT
  public:
    explicit NewRunFields(QWidget *parent = nullptr);

    core::TaskPointer task() const;
    core::Recipe recipe() const;
    /// Its task is one of the list.
    void setRecipe(const core::Recipe &recipe);
    /// The groups stand beside each other where they have room.
    void arrange(int width);
    void focusTask();

  signals:
    void changed();

  private:
    QWidget *makeTask();
    QWidget *makeModel();
    QWidget *makeTraining();
    QSpinBox *number(const QString &object, const QString &name, int least, int most);
    QCheckBox *flag(const QString &object, const QString &words, const QString &meaning);
    void chooseTask();
    void choosePreset(int preset);
    void describe();
    void tell();

    QComboBox *m_task, *m_preset;
    QLabel *m_description;
    QSpinBox *m_layers, *m_heads, *m_width, *m_feedForward;
    QComboBox *m_positions, *m_norm, *m_activation;
    QCheckBox *m_residual, *m_scaled, *m_masked;
    QSpinBox *m_steps, *m_batch, *m_seed;
    QDoubleSpinBox *m_rate;
    QComboBox *m_optimizer;
    core::Recipe m_base; ///< of which the fields show a part
    QGridLayout *m_groups;
    QList<QWidget *> m_parts;
    bool m_isSetting = false;
};

} // namespace headlight::ui
