// What a new run is made from: its task, its model's sizes and switches, and how it is trained.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"
#include "core/training/tasks/own_text.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace headlight::ui {

class AblationPicker;

class OwnTextWorker;

/// Empty: none was chosen.
QString chooseTextFile(QWidget *parent);

class NewRunFields : public QWidget {
    Q_OBJECT
  public:
    explicit NewRunFields(QWidget *parent = nullptr);

    /// Null: a text is to be chosen, or is being read.
    core::TaskPointer task() const;
    QString whyNoTask() const;
    /// The text that the task reads; empty: the task makes its examples itself.
    QString textFile() const { return units() ? m_path : QString(); }
    core::Recipe recipe() const;
    /// The switch that a rival is to race with; none: it learns alone.
    std::optional<core::Ablation> race() const;
    void setAblation(std::optional<core::Ablation> ablation);
    /// Its task is one of the list.
    void setRecipe(const core::Recipe &recipe);
    /// The groups stand beside each other where they have room.
    void arrange(int width);
    void focusTask();
    /// What a person's own text is made of; changed() follows.
    void readText(const QString &path);

  signals:
    void changed();

  private:
    QWidget *makeTask();
    QWidget *makeModel();
    QWidget *makeTraining();
    QSpinBox *number(const QString &object, const QString &name, int least, int most);
    QCheckBox *flag(const QString &object, const QString &words, const QString &meaning);
    void chooseTask();
    void chooseText();
    void takeText(const core::TaskPointer &task);
    /// The chosen task reads a person's own text.
    std::optional<core::TextUnits> units() const;
    void choosePreset(int preset);
    void describe();
    void tell();

    QComboBox *m_task, *m_preset;
    QLabel *m_description;
    QPushButton *m_chooseText;
    QLabel *m_file;
    OwnTextWorker *m_reader;
    QString m_path;          ///< of the text
    core::TaskPointer m_own; ///< made of it
    QString m_problem;       ///< with it
    QSpinBox *m_layers, *m_heads, *m_width, *m_feedForward;
    QComboBox *m_positions, *m_norm, *m_activation;
    QCheckBox *m_residual, *m_scaled, *m_masked;
    QSpinBox *m_steps, *m_batch, *m_seed;
    QDoubleSpinBox *m_rate;
    QComboBox *m_optimizer;
    AblationPicker *m_race;
    core::Recipe m_base; ///< of which the fields show a part
    QGridLayout *m_groups;
    QList<QWidget *> m_parts;
    bool m_isSetting = false;
};

} // namespace headlight::ui
