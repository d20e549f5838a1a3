#include "ui/window/training/new_run_fields.h"

#include "ui/widgets/elided_label.h"
#include "ui/widgets/titled_form.h"
#include "ui/window/training/ablation_picker.h"
#include "ui/words/core_message.h"
#include "ui/words/file_path.h"
#include "ui/words/number_text.h"
#include "ui/words/sentences.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

#include <cmath>
#include <limits>

namespace headlight::ui {

namespace {

// Models up to these sizes still learn visibly while the user watches.
constexpr int kMaxLearnedLayers = 8, kMaxLearnedHeads = 16;
constexpr int kWidestLearned = 256, kWidestLearnedNetwork = 1024;

/// Adds an item whose data is the enumerator's value.
template <typename Choice>
void offer(QComboBox *box, Choice choice, const QString &name) {
    box->addItem(name, static_cast<int>(choice));
}

template <typename Choice>
void present(QComboBox *box, Choice choice) {
    box->setCurrentIndex(std::max(0, box->findData(static_cast<int>(choice))));
}

template <typename Choice>
Choice shownIn(const QComboBox *box) {
    return static_cast<Choice>(box->currentData().toInt());
}

/// Returns the seed as the field shows it.
int shownSeed(std::uint64_t seed) {
    return static_cast<int>(std::min<std::uint64_t>(seed, std::numeric_limits<int>::max()));
}

/// Model sizes that are instructive because of their limits or their abilities.
struct ModelPreset {
    const char *name;
    int layers, heads, width, feedForward;
};
constexpr ModelPreset kPresets[] = {
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "One layer, attention alone"), 1, 1, 32, 0},
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "Two layers, attention alone"), 2, 2, 32, 0},
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "Two layers with networks"), 2, 2, 32, 128},
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "Four layers, 128 wide"), 4, 4, 128, 512},
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "Two layers, one head of width 256"), 2, 1,
     256, 0}};

} // namespace

NewRunFields::NewRunFields(QWidget *parent) : QWidget(parent), m_groups(new QGridLayout) {
    m_groups->setContentsMargins(0, 0, 0, 0);
    m_groups->setHorizontalSpacing(24);
    m_groups->setVerticalSpacing(16);
    QWidget *task = makeTask();
    m_parts = {makeModel(), makeTraining()};
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(16);
    column->addWidget(task);
    column->addLayout(m_groups);
    column->addStretch();
    arrange(1000);
    setRecipe(this->task()->info().recipe);
}

QString chooseTextFile(QWidget *parent) {
    QSettings settings;
    const QString path =
        QFileDialog::getOpenFileName(parent, NewRunFields::tr("A text to learn from"),
                                     settings.value("training/folder").toString(),
                                     NewRunFields::tr("Texts (*.txt *.md);;All files (*)"));
    if (!path.isEmpty())
        settings.setValue("training/folder", QFileInfo(path).absolutePath());
    return path;
}

QWidget *NewRunFields::makeTask() {
    auto [widget, form] = titledForm(tr("TASK"));
    m_task = new QComboBox;
    m_task->setObjectName("runTask");
    m_task->setAccessibleName(tr("Task"));
    for (const core::TaskPointer &task : core::allTasks())
        m_task->addItem(translated(task->info().title), QString::fromStdString(task->info().id));
    m_description = new QLabel;
    m_description->setObjectName("runDescription");
    m_description->setTextFormat(Qt::PlainText);
    m_description->setWordWrap(true);
    for (const core::TextUnits units : {core::TextUnits::Characters, core::TextUnits::Words})
        m_task->addItem(translated(core::ownTextInfo(units).title),
                        QString::fromLatin1(core::idOf(units).data()));
    m_chooseText = new QPushButton(tr("Choose a te&xt file…"));
    m_chooseText->setObjectName("runTextFile");
    m_chooseText->setAutoDefault(false);
    m_file = new ElidedLabel;
    m_file->setObjectName("runTextName");
    m_file->setAccessibleName(tr("The text file"));
    connect(m_chooseText, &QPushButton::clicked, this, &NewRunFields::chooseText);
    auto *text = new QHBoxLayout;
    text->addWidget(m_chooseText);
    text->addWidget(m_file, 1);
    form->addRow(tr("Tas&k"), m_task);
    form->addRow(m_description);
    form->addRow(text);
    connect(m_task, &QComboBox::currentIndexChanged, this, &NewRunFields::chooseTask);
    return widget;
}

QSpinBox *NewRunFields::number(const QString &object, const QString &name, int least, int most) {
    auto *field = new QSpinBox;
    field->setObjectName(object);
    field->setAccessibleName(name);
    field->setRange(least, most);
    connect(field, &QSpinBox::valueChanged, this, &NewRunFields::tell);
    return field;
}

QCheckBox *NewRunFields::flag(const QString &object, const QString &words, const QString &meaning) {
    auto *box = new QCheckBox(words);
    box->setObjectName(object);
    box->setToolTip(meaning);
    connect(box, &QCheckBox::toggled, this, &NewRunFields::tell);
    return box;
}

QWidget *NewRunFields::makeModel() {
    auto [widget, form] = titledForm(tr("MODEL"));
    m_preset = new QComboBox;
    m_preset->setObjectName("runPreset");
    m_preset->setAccessibleName(tr("Sizes"));
    m_preset->addItem(tr("What learns this task"));
    for (const ModelPreset &preset : kPresets)
        m_preset->addItem(tr(preset.name));
    m_preset->addItem(tr("Other sizes"));
    form->addRow(tr("Si&zes"), m_preset);
    connect(m_preset, &QComboBox::activated, this, &NewRunFields::choosePreset);
    m_layers = number("runLayers", tr("Layers"), 1, kMaxLearnedLayers);
    m_heads = number("runHeads", tr("Heads"), 1, kMaxLearnedHeads);
    m_width = number("runWidth", tr("Width"), 1, kWidestLearned);
    m_feedForward =
        number("runFeedForward", tr("Width of the feed-forward network"), 0, kWidestLearnedNetwork);
    m_feedForward->setSpecialValueText(tr("none: attention alone"));
    form->addRow(tr("&Layers"), m_layers);
    form->addRow(tr("&Heads"), m_heads);
    form->addRow(tr("&Width C"), m_width);
    form->addRow(tr("&Feed-forward"), m_feedForward);
    m_activation = new QComboBox;
    m_activation->setAccessibleName(tr("Activation"));
    offer(m_activation, core::Activation::Relu, QStringLiteral("ReLU"));
    offer(m_activation, core::Activation::Gelu, QStringLiteral("GELU"));
    offer(m_activation, core::Activation::Silu, QStringLiteral("SiLU"));
    form->addRow(tr("Acti&vation"), m_activation);
    m_positions = new QComboBox;
    m_positions->setAccessibleName(tr("Positions"));
    offer(m_positions, core::Positions::None, tr("None"));
    offer(m_positions, core::Positions::Sinusoidal, tr("Sinusoidal"));
    offer(m_positions, core::Positions::Learned, tr("Learned"));
    offer(m_positions, core::Positions::Rotary, tr("Rotary"));
    form->addRow(tr("&Positions"), m_positions);
    m_norm = new QComboBox;
    m_norm->setAccessibleName(tr("Norm"));
    offer(m_norm, core::NormKind::None, tr("None"));
    offer(m_norm, core::NormKind::Layer, tr("Layer norm"));
    offer(m_norm, core::NormKind::RootMeanSquare, tr("RMS"));
    form->addRow(tr("&Norm"), m_norm);
    for (QComboBox *box : {m_activation, m_positions, m_norm})
        connect(box, &QComboBox::currentIndexChanged, this, &NewRunFields::tell);
    m_residual = flag("runResidual", tr("&Residual connections"),
                      tr("What a block makes is added to what it reads"));
    m_scaled = flag("runScaled", tr("Scores ÷ √&d"),
                    tr("Without it the scores of wide heads are so large that softmax learns "
                       "little"));
    m_masked = flag("runMasked", tr("&Mask what comes after"),
                    tr("Without it the model sees the token that it should predict"));
    for (QCheckBox *box : {m_residual, m_scaled, m_masked})
        form->addRow(box);
    return widget;
}

QWidget *NewRunFields::makeTraining() {
    auto [widget, form] = titledForm(tr("TRAINING"));
    m_steps = number("runSteps", tr("Steps"), 1, 1'000'000);
    m_steps->setSingleStep(100);
    m_batch = number("runBatch", tr("Examples in a step"), 1, 512);
    m_seed = number("runSeed", tr("Seed"), 0, std::numeric_limits<int>::max());
    m_seed->setToolTip(tr("Of the first weights and of the examples: the same seed gives the same "
                          "run, to the last bit"));
    m_rate = new QDoubleSpinBox;
    m_rate->setObjectName("runRate");
    m_rate->setAccessibleName(tr("Learning rate"));
    m_rate->setDecimals(6);
    m_rate->setRange(0.000001, 1000);
    m_rate->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    connect(m_rate, &QDoubleSpinBox::valueChanged, this, &NewRunFields::tell);
    m_optimizer = new QComboBox;
    m_optimizer->setAccessibleName(tr("Optimizer"));
    offer(m_optimizer, core::OptimizerKind::AdamW, QStringLiteral("AdamW"));
    offer(m_optimizer, core::OptimizerKind::Sgd, tr("SGD with momentum"));
    connect(m_optimizer, &QComboBox::currentIndexChanged, this, &NewRunFields::tell);
    form->addRow(tr("&Steps"), m_steps);
    form->addRow(tr("&Batch"), m_batch);
    form->addRow(tr("Learning ra&te"), m_rate);
    form->addRow(tr("&Optimizer"), m_optimizer);
    form->addRow(tr("S&eed"), m_seed);
    m_ablation = new AblationPicker;
    connect(m_ablation, &QComboBox::currentIndexChanged, this, &NewRunFields::tell);
    form->addRow(tr("Race a&gainst"), m_ablation);
    return widget;
}

std::optional<core::TextUnits> NewRunFields::units() const {
    return core::findTextUnits(m_task->currentData().toString().toStdString());
}

QString NewRunFields::taskUnavailableReason() const {
    if (m_textJob.isBusy())
        return tr("The text is being read…");
    return m_problem.isEmpty() ? tr("Choose the text that it is to learn from.") : m_problem;
}

void NewRunFields::chooseText() {
    const QString path = chooseTextFile(this);
    if (!path.isEmpty())
        readText(path);
}

void NewRunFields::readText(const QString &path) {
    m_path = path;
    m_file->setText(QFileInfo(path).fileName());
    m_own.reset();
    m_problem.clear();
    m_textJob.start(
        [file = bytesOf(path), units = units().value_or(core::TextUnits::Characters)](
            const std::stop_token &stop) { return core::readOwnTextTask(file, units, stop); },
        [this](const core::Result<core::TaskPointer> &task) { takeText(task); });
    emit changed();
}

void NewRunFields::takeText(const core::Result<core::TaskPointer> &task) {
    m_own = task ? *task : nullptr;
    m_problem = task ? QString() : translated(task.error());
    if (task)
        takeRecipe(m_own->info().recipe);
    else
        emit changed();
}

core::TaskPointer NewRunFields::task() const {
    if (units())
        return m_own && m_own->info().id == m_task->currentData().toString().toStdString()
                   ? m_own
                   : nullptr;
    return core::findTask(m_task->currentData().toString().toStdString());
}

core::Recipe NewRunFields::recipe() const {
    core::Recipe recipe = m_base;
    core::Architecture &model = recipe.architecture;
    model.layers = m_layers->value();
    model.heads = m_heads->value();
    model.width = m_width->value();
    model.feedForward = m_feedForward->value();
    model.activation = shownIn<core::Activation>(m_activation);
    model.positions = shownIn<core::Positions>(m_positions);
    model.norm = shownIn<core::NormKind>(m_norm);
    model.residual = m_residual->isChecked();
    model.scaled = m_scaled->isChecked();
    model.masked = m_masked->isChecked();
    recipe.steps = m_steps->value();
    recipe.batch = m_batch->value();
    recipe.seed = seed();
    // The field shows six decimals, so an unchanged rate keeps its exact value.
    if (std::abs(m_rate->value() - double(m_base.optimizer.learningRate)) > 1e-6)
        recipe.optimizer.learningRate = static_cast<float>(m_rate->value());
    recipe.optimizer.kind = shownIn<core::OptimizerKind>(m_optimizer);
    return recipe;
}

std::optional<core::Ablation> NewRunFields::ablation() const {
    return m_ablation->chosen();
}

void NewRunFields::setAblation(std::optional<core::Ablation> ablation) {
    m_ablation->choose(ablation);
}

void NewRunFields::setRecipe(const core::Recipe &recipe) {
    m_isSetting = true;
    m_base = recipe;
    const int index = m_task->findData(QString::fromStdString(recipe.task));
    {
        const QSignalBlocker blocker(m_task);
        m_task->setCurrentIndex(std::max(0, index));
    }
    const core::Architecture &model = recipe.architecture;
    m_layers->setValue(static_cast<int>(model.layers));
    m_heads->setValue(static_cast<int>(model.heads));
    m_width->setValue(static_cast<int>(model.width));
    m_feedForward->setValue(static_cast<int>(model.feedForward));
    present(m_activation, model.activation);
    present(m_positions, model.positions);
    present(m_norm, model.norm);
    m_residual->setChecked(model.residual);
    m_scaled->setChecked(model.scaled);
    m_masked->setChecked(model.masked);
    m_steps->setValue(static_cast<int>(recipe.steps));
    m_batch->setValue(static_cast<int>(recipe.batch));
    m_seed->setValue(shownSeed(recipe.seed));
    m_rate->setValue(double(recipe.optimizer.learningRate));
    present(m_optimizer, recipe.optimizer.kind);
    m_isSetting = false;
    describe();
    tell();
}

/// Seeds can be larger than the field's numbers. Such a seed stays until the field is changed.
std::uint64_t NewRunFields::seed() const {
    return m_seed->value() == shownSeed(m_base.seed) ? m_base.seed
                                                     : static_cast<std::uint64_t>(m_seed->value());
}

void NewRunFields::takeRecipe(core::Recipe recipe) {
    recipe.seed = seed();
    setRecipe(recipe);
}

/// Sets the fields to the recipe of the chosen task.
void NewRunFields::chooseTask() {
    if (const core::TaskPointer chosen = task())
        return takeRecipe(chosen->info().recipe);
    takeRecipe(core::ownTextInfo(*units()).recipe);
    if (!m_path.isEmpty()) // read the text again in other units
        readText(m_path);
}

void NewRunFields::choosePreset(int preset) {
    const auto chosen = static_cast<std::size_t>(preset);
    if (chosen == 0)
        return chooseTask();
    if (chosen > std::size(kPresets))
        return; // last item: other sizes, set by the user
    const ModelPreset &sizes = kPresets[chosen - 1];
    m_isSetting = true;
    m_layers->setValue(sizes.layers);
    m_heads->setValue(sizes.heads);
    m_width->setValue(sizes.width);
    m_feedForward->setValue(sizes.feedForward);
    m_isSetting = false;
    tell();
}

void NewRunFields::describe() {
    const auto ofText = units();
    m_chooseText->setVisible(ofText.has_value());
    m_file->setVisible(ofText.has_value());
    if (ofText)
        return m_description->setText(translated(core::ownTextInfo(*ofText).description));
    const core::TaskInfo &info = task()->info();
    const auto percent = [](double share) {
        if (share > 0 && share < 1e-5)
            return tr("less than 0.001 %");
        const int decimals = share > 0 && share < 0.01 ? 3 : 0;
        return tr("%1 %").arg(fixedText(100 * share, decimals));
    };
    m_description->setText(sentences(
        {translated(info.description), tr("Chance gives %1, the best possible is %2.")
                                           .arg(percent(info.chance), percent(info.best))}));
}

void NewRunFields::tell() {
    if (m_isSetting)
        return;
    m_activation->setEnabled(m_feedForward->value() > 0);
    const core::Recipe now = recipe();
    if (const core::TaskPointer chosen = task()) {
        const QSignalBlocker blocker(m_ablation);
        m_ablation->showFor(now.architecture, chosen->info());
    }
    const auto has = [&now](const ModelPreset &preset) {
        return now.architecture.layers == preset.layers && now.architecture.heads == preset.heads &&
               now.architecture.width == preset.width &&
               now.architecture.feedForward == preset.feedForward;
    };
    const auto shown = static_cast<std::size_t>(m_preset->currentIndex());
    const bool stays = shown > 0 && shown <= std::size(kPresets) && has(kPresets[shown - 1]);
    int preset = static_cast<int>(std::size(kPresets)) + 1;
    for (std::size_t i = 0; i < std::size(kPresets); ++i)
        if (has(kPresets[i]))
            preset = static_cast<int>(i) + 1;
    const auto ofText = units();
    const core::Recipe usual = ofText ? core::ownTextInfo(*ofText).recipe : task()->info().recipe;
    if (usual.architecture == now.architecture)
        preset = 0;
    if (stays) // presets may be equal: stay at the shown one
        preset = static_cast<int>(shown);
    m_preset->setCurrentIndex(preset);
    emit changed();
}

void NewRunFields::arrange(int width) {
    int needed = m_groups->horizontalSpacing();
    for (QWidget *part : m_parts)
        needed += part->sizeHint().width();
    const bool isWide = needed <= width;
    for (int i = 0; i < m_parts.size(); ++i)
        m_groups->addWidget(m_parts[i], isWide ? 0 : i, isWide ? i : 0, Qt::AlignTop);
    for (int i = 0; i < m_parts.size(); ++i)
        m_groups->setColumnStretch(i, isWide || i == 0 ? 1 : 0);
}

void NewRunFields::focusTask() {
    m_task->setFocus();
}

} // namespace headlight::ui
