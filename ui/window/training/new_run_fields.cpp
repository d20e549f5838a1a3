#include "ui/window/training/new_run_fields.h"

#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/widgets/elided_label.h"
#include "ui/window/training/ablation_picker.h"

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

#include <algorithm>

namespace headlight::ui {

namespace {

// Models up to these sizes still learn visibly while the user watches.
constexpr int kMaxLearnedLayers = 8, kMaxLearnedHeads = 16;
constexpr int kWidestLearned = 256, kWidestLearnedNetwork = 1024;
constexpr int kMaxShownSteps = 1'000'000, kMaxShownBatch = 512;

/// Model sizes that are instructive because of their limits or their abilities.
struct ModelPreset {
    const char *name;
    core::Index layers, heads, width, feedForward;

    core::Architecture in(core::Architecture model) const {
        model.layers = layers;
        model.heads = heads;
        model.width = width;
        model.feedForward = feedForward;
        return model;
    }
};
constexpr ModelPreset kPresets[] = {
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "One layer, attention only"), 1, 1, 32, 0},
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "Two layers, attention only"), 2, 2, 32, 0},
    {QT_TRANSLATE_NOOP("headlight::ui::NewRunFields", "Two layers with feed-forward networks"), 2,
     2, 32, 128},
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
    const QString path = QFileDialog::getOpenFileName(
        parent, NewRunFields::tr("Training text"), settings.value("training/folder").toString(),
        NewRunFields::tr("Text files (*.txt *.md);;All files (*)"));
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

QWidget *NewRunFields::makeModel() {
    auto [widget, form] = titledForm(tr("MODEL"));
    m_preset = new QComboBox;
    m_preset->setObjectName("runPreset");
    m_preset->setAccessibleName(tr("Sizes"));
    m_preset->addItem(tr("Model for this task"));
    for (const ModelPreset &preset : kPresets)
        m_preset->addItem(tr(preset.name));
    m_preset->addItem(tr("Other sizes"));
    form->addRow(tr("Si&zes"), m_preset);
    connect(m_preset, &QComboBox::activated, this, &NewRunFields::choosePreset);
    m_model.setLayout(form);
    m_model.addWhole("layers", {tr("&Layers")}, kMaxLearnedLayers);
    m_model.addWhole("heads", {tr("&Heads")}, kMaxLearnedHeads);
    m_model.addWhole("width", {tr("&Width C"), {}, {}, tr("Width")}, kWidestLearned);
    m_model.addWhole("feed_forward",
                     {tr("&Feed-forward"),
                      {},
                      tr("none: attention only"),
                      tr("Width of the feed-forward network")},
                     kWidestLearnedNetwork);
    using A = core::Activation;
    m_model.addChoice("activation", {tr("Acti&vation")},
                      {{A::Relu, QStringLiteral("ReLU")},
                       {A::Gelu, QStringLiteral("GELU")},
                       {A::Silu, QStringLiteral("SiLU")}});
    m_model.addChoice("positions", {tr("&Positions")}, positionsChoices());
    using N = core::NormKind;
    m_model.addChoice(
        "norm", {tr("&Norm")},
        {{N::None, tr("None")}, {N::Layer, tr("Layer norm")}, {N::RootMeanSquare, tr("RMS")}});
    m_model.addFlag(
        "residual",
        {tr("&Residual connections"), tr("The output of a block is added to its input")}, true);
    m_model.addFlag("scaled",
                    {tr("Scores ÷ √&d"), tr("Without the division, the scores of wide heads are so "
                                            "large that softmax passes back hardly any gradient")},
                    true);
    m_model.addFlag("masked",
                    {tr("&Mask later tokens"),
                     tr("Without the mask, the model sees the token that it should predict")},
                    true);
    return widget;
}

QWidget *NewRunFields::makeTraining() {
    auto [widget, form] = titledForm(tr("TRAINING"));
    m_run.setLayout(form);
    m_optimizer.setLayout(form);
    m_run.addWhole("steps", {tr("&Steps")}, kMaxShownSteps)->setSingleStep(100);
    m_run.addWhole("batch", {tr("&Batch"), {}, {}, tr("Examples per step")}, kMaxShownBatch);
    QDoubleSpinBox *rate = m_optimizer.addNumber("learning_rate", {tr("Learning ra&te")});
    rate->setDecimals(6);
    rate->setRange(0.000001, 1000);
    rate->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_optimizer.addChoice("kind", {tr("&Optimizer")},
                          {{core::OptimizerKind::AdamW, QStringLiteral("AdamW")},
                           {core::OptimizerKind::Sgd, tr("SGD with momentum")}});
    m_run.addWhole("seed", {tr("S&eed"), tr("Seed of the initial parameters and the examples: the "
                                            "same seed gives the same run, to the last bit")});
    m_ablation = new AblationPicker;
    connect(m_ablation, &QComboBox::currentIndexChanged, this, &NewRunFields::tell);
    form->addRow(tr("Compare with a&blation"), m_ablation);
    return widget;
}

std::optional<core::TextUnits> NewRunFields::units() const {
    return core::findTextUnits(m_task->currentData().toString().toStdString());
}

QString NewRunFields::taskUnavailableReason() const {
    if (m_textJob.isBusy())
        return tr("The text is being read…");
    return m_problem.isEmpty() ? tr("Choose the training text.") : m_problem;
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
    core::Recipe recipe = m_run.value();
    recipe.architecture = m_model.value();
    recipe.optimizer = m_optimizer.value();
    return recipe;
}

core::Recipe NewRunFields::usualRecipe() const {
    if (const core::TaskPointer chosen = task())
        return chosen->info().recipe;
    return core::ownTextInfo(*units()).recipe;
}

std::optional<core::Ablation> NewRunFields::ablation() const {
    return m_ablation->chosen();
}

void NewRunFields::setAblation(std::optional<core::Ablation> ablation) {
    m_ablation->choose(ablation);
}

void NewRunFields::setRecipe(const core::Recipe &recipe) {
    {
        const QSignalBlocker blocker(m_task);
        m_task->setCurrentIndex(std::max(0, m_task->findData(QString::fromStdString(recipe.task))));
    }
    m_run.show(recipe);
    m_model.show(recipe.architecture);
    m_optimizer.show(recipe.optimizer);
    describe();
    tell();
}

void NewRunFields::takeRecipe(core::Recipe recipe) {
    recipe.seed = m_run.value().seed;
    setRecipe(recipe);
}

/// Sets the fields to the recipe of the chosen task.
void NewRunFields::chooseTask() {
    takeRecipe(usualRecipe());
    if (!task() && !m_path.isEmpty()) // read the text again in other units
        readText(m_path);
}

void NewRunFields::choosePreset(int preset) {
    const auto chosen = static_cast<std::size_t>(preset);
    if (chosen == 0)
        return chooseTask();
    if (chosen > std::size(kPresets))
        return; // the last item means custom sizes
    m_model.show(kPresets[chosen - 1].in(m_model.value()));
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
        {translated(info.description), tr("Chance gives %1; the best possible is %2.")
                                           .arg(percent(info.chance), percent(info.best))}));
}

void NewRunFields::tell() {
    const core::Architecture now = m_model.value();
    m_model.setEnabled("activation", now.feedForward > 0);
    if (const core::TaskPointer chosen = task()) {
        const QSignalBlocker blocker(m_ablation);
        m_ablation->showFor(now, chosen->info());
    }
    const auto has = [&now](const ModelPreset &preset) { return preset.in(now) == now; };
    int preset = m_preset->currentIndex();
    // Several presets may match. Keep the displayed one if it does.
    if (preset < 1 || preset > std::ssize(kPresets) || !has(kPresets[preset - 1]))
        preset = usualRecipe().architecture == now
                     ? 0
                     : 1 + static_cast<int>(std::ranges::find_if(kPresets, has) - kPresets);
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
