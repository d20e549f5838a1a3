// Fields of a new run: its task, the model's sizes and switches, and how it is trained.
#pragma once

#include "core/training/recipe/recipe_fields.h"
#include "core/training/tasks/own_text.h"
#include "ui/compute/latest_job.h"
#include "ui/widgets/field_form.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;

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
    /// Returns the text file that the task reads; empty if the task generates its examples.
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
    void chooseTask();
    /// Sets the fields to a task's recipe, but keeps the seed that is shown.
    void takeRecipe(core::Recipe recipe);
    void chooseText();
    void takeText(const core::Result<core::TaskPointer> &task);
    /// Returns the task's default recipe.
    core::Recipe usualRecipe() const;
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
    FieldForm<core::Architecture> m_model{"run", [this] { tell(); }};
    FieldForm<core::OptimizerSettings> m_optimizer{"run", [this] { tell(); }};
    FieldForm<core::Recipe> m_run{"run", [this] { tell(); }};
    AblationPicker *m_ablation;
    QGridLayout *m_groups;
    QList<QWidget *> m_parts;
};

} // namespace headlight::ui
