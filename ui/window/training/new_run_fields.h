// Fields of a new run: its task, the model's sizes and switches, and how it is trained.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"
#include "core/training/tasks/own_text.h"
#include "ui/compute/latest_job.h"

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

/// Asks for a text file. Empty if the user cancels.
QString chooseTextFile(QWidget *parent);

class NewRunFields : public QWidget {
    Q_OBJECT
  public:
    explicit NewRunFields(QWidget *parent = nullptr);

    /// Returns null if the user still has to choose a text, or while it is being read.
    core::TaskPointer task() const;
    QString taskUnavailableReason() const;
    /// The text that the task reads; empty: the task makes its examples itself.
    QString textFile() const { return units() ? m_path : QString(); }
    core::Recipe recipe() const;
    /// The setting to ablate; empty for a single run.
    std::optional<core::Ablation> ablation() const;
    void setAblation(std::optional<core::Ablation> ablation);
    /// Sets the fields. The recipe's task must be in the list.
    void setRecipe(const core::Recipe &recipe);
    /// Places the groups side by side if they fit.
    void arrange(int width);
    void focusTask();
    /// Reads the user's text for training; changed() follows.
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
    /// Sets the fields to a task's recipe, with the seed that is shown.
    void takeRecipe(core::Recipe recipe);
    std::uint64_t seed() const;
    void chooseText();
    void takeText(const core::Result<core::TaskPointer> &task);
    /// Returns the units of the user's text; empty if the task reads no text.
    std::optional<core::TextUnits> units() const;
    void choosePreset(int preset);
    void describe();
    void tell();

    QComboBox *m_task, *m_preset;
    QLabel *m_description;
    QPushButton *m_chooseText;
    QLabel *m_file;
    LatestJob m_textJob;     ///< reads the text
    QString m_path;          ///< path of the user's text
    core::TaskPointer m_own; ///< task made from the text
    QString m_problem;       ///< problem with the text
    QSpinBox *m_layers, *m_heads, *m_width, *m_feedForward;
    QComboBox *m_positions, *m_norm, *m_activation;
    QCheckBox *m_residual, *m_scaled, *m_masked;
    QSpinBox *m_steps, *m_batch, *m_seed;
    QDoubleSpinBox *m_rate;
    QComboBox *m_optimizer;
    AblationPicker *m_ablation;
    core::Recipe m_base; ///< complete recipe; the fields show a part of it
    QGridLayout *m_groups;
    QList<QWidget *> m_parts;
    bool m_isSetting = false;
};

} // namespace headlight::ui
