#include "ui/panels/filmstrip.h"

#include "ui/accessibility/button_list.h"
#include "ui/figures/parts/part_titles.h"
#include "ui/panels/chip_strip.h"
#include "ui/panels/layer_chip.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/panels/step_icon.h"
#include "ui/text/capture_text.h"
#include "ui/text/stage_titles.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace headlight::ui {

namespace {

constexpr int kPaintDelay = 25; // ms; the delay avoids painting too often during a drag
constexpr int kRowGap = 4;      // px between rows of layers and frames

} // namespace

Filmstrip::Filmstrip(Document &document, QWidget *parent)
    : QToolBar(tr("Filmstrip"), parent),
      m_document(document),
      m_style(FigureStyle::light()),
      m_film(new QWidget),
      m_rows(new QBoxLayout(QBoxLayout::TopToBottom, m_film)),
      m_layerRows(new QWidget),
      m_layerLayout(new QVBoxLayout(m_layerRows)),
      m_frames(new ButtonList(tr("Stages"))),
      m_strip(new ChipStrip(m_frames)), // lets the user scroll if many stages do not fit
      m_frameLayout(new QHBoxLayout(m_frames)),
      m_group(new QButtonGroup(this)),
      m_layerGroup(new QButtonGroup(this)),
      m_painter(new QTimer(this)),
      m_player(new StepPlayer(this)),
      m_granularityBox(new QComboBox) {
    setObjectName("filmstrip");
    setMovable(false);
    setFocusPolicy(Qt::ClickFocus); // Space plays from anywhere on the bar except its buttons
    const auto makeAction = [this](void (Filmstrip::*slot)()) {
        auto *action = new QAction(this);
        if (slot)
            connect(action, &QAction::triggered, this, slot);
        m_film->addAction(action); // the shortcut needs a widget
        return action;
    };
    m_first = makeAction(&Filmstrip::first);
    m_back = makeAction(&Filmstrip::back);
    m_play = makeAction(nullptr);
    m_next = makeAction(&Filmstrip::next);
    m_last = makeAction(&Filmstrip::last);
    m_play->setCheckable(true);
    connect(m_play, &QAction::toggled, this, &Filmstrip::setPlaying);
    makeChoices();

    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(kRowGap);
    m_layerLayout->setContentsMargins(0, 0, 0, 0);
    m_layerLayout->setSpacing(kRowGap);
    m_layerRows->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_layerRows->hide();
    m_rows->addWidget(m_layerRows);
    m_rows->addWidget(m_strip);
    m_frameLayout->setContentsMargins(8, 0, 8, 0);
    m_frameLayout->setSpacing(8);
    m_film->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(m_film);
    // The range also changes when the bar or the text is resized.
    connect(m_strip->horizontalScrollBar(), &QScrollBar::rangeChanged, this,
            &Filmstrip::showCurrentFrame);

    nameActions();
    m_painter->setSingleShot(true);
    m_painter->setInterval(kPaintDelay);
    connect(m_painter, &QTimer::timeout, this, &Filmstrip::paintFrames);
    connect(m_player, &StepPlayer::stepDue, this, &Filmstrip::playStep);
    connect(m_group, &QButtonGroup::idClicked, this, [this](int id) { goToStage(id); });
    connect(m_layerGroup, &QButtonGroup::idClicked, this,
            [this](int id) { goToLayer(static_cast<std::size_t>(id)); });
    connect(&document, &Document::changed, this, &Filmstrip::documentChanged);
    connect(&document.slowPass(), &SlowPass::changed, this, &Filmstrip::showMarks);
    connect(&document.recomputedStages(), &RecomputedStages::changed, this, &Filmstrip::showMarks);
}

Filmstrip::~Filmstrip() {
    // When ~QWidget destroys the children, the scroll bar's range changes again and the mouse
    // leaves a chip. Their signals must not reach a Filmstrip under destruction.
    for (QObject *child : findChildren<QObject *>())
        child->disconnect(this);
}

void Filmstrip::makeChoices() {
    m_granularityBox->addItems({tr("by stage"), tr("by row"), tr("by cell")});
    m_granularityBox->setObjectName("granularity");
    m_granularityBox->setAccessibleName(tr("Step size"));
    m_granularityBox->setToolTip(m_granularityBox->accessibleName());
    restoreGranularity();
    connect(m_granularityBox, &QComboBox::activated, this,
            [this](int index) { setGranularity(static_cast<Granularity>(index)); });
    // First and last have no buttons, because they are in the menu and have keys.
    auto *controls = new QWidget;
    controls->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto *rows = new QVBoxLayout(controls);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QAction *action : {m_back, m_play, m_next}) {
        auto *button = new QToolButton;
        button->setObjectName("step");
        button->setDefaultAction(action);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        buttons->addWidget(button);
        m_buttons.append(button);
    }
    auto *choices = new QHBoxLayout;
    choices->setSpacing(4);
    choices->addWidget(m_granularityBox);
    choices->addWidget(m_player->speedBox());
    rows->addLayout(buttons);
    rows->addLayout(choices);
    addWidget(controls);
}

/// Restores the saved granularity.
void Filmstrip::restoreGranularity() {
    showGranularity(granularityOf(QSettings().value("stepper/granularity").toString()));
}

void Filmstrip::nameActions() {
    struct Words {
        QAction *action;
        QString name;
        QKeySequence key;
    };
    const auto byGranularity = [this](const QString &stage, const QString &row,
                                      const QString &cell) {
        return m_granularity == Granularity::Stage ? stage
               : m_granularity == Granularity::Row ? row
                                                   : cell;
    };
    const Words words[] = {
        {m_first, byGranularity(tr("First stage"), tr("First row"), tr("First cell")),
         QKeySequence(Qt::CTRL | Qt::Key_PageUp)},
        {m_back, byGranularity(tr("Previous stage"), tr("Previous row"), tr("Previous cell")),
         QKeySequence(Qt::Key_PageUp)},
        {m_play, byGranularity(tr("Play the stages"), tr("Play the rows"), tr("Play the cells")),
         QKeySequence()},
        {m_next, byGranularity(tr("Next stage"), tr("Next row"), tr("Next cell")),
         QKeySequence(Qt::Key_PageDown)},
        {m_last, byGranularity(tr("Last stage"), tr("Last row"), tr("Last cell")),
         QKeySequence(Qt::CTRL | Qt::Key_PageDown)}};
    for (const Words &word : words) {
        word.action->setText(word.name);
        word.action->setShortcut(word.key);
        const QString key =
            word.action == m_play ? tr("Space") : word.key.toString(QKeySequence::NativeText);
        const QString tip = QString("%1 (%2)").arg(word.name, key);
        word.action->setToolTip(m_document.isCapture() && word.action == m_play
                                    ? QStringLiteral("%1\n%2").arg(tip, playUnavailableReason())
                                    : tip);
        for (QToolButton *button : m_buttons)
            if (button->defaultAction() == word.action)
                button->setAccessibleName(word.name);
    }
}

void Filmstrip::setGranularity(Granularity granularity) {
    QSettings().setValue("stepper/granularity", nameOf(granularity));
    showGranularity(granularity);
}

void Filmstrip::showGranularity(Granularity granularity) {
    if (granularity == m_granularity)
        return;
    m_granularity = granularity;
    m_granularityBox->setCurrentIndex(static_cast<int>(granularity));
    nameActions();
    showCurrent();
    m_player->setGranularity(granularity);
    emit granularityChanged(granularity);
}

bool Filmstrip::isPlaying() const {
    return m_play->isChecked();
}

std::optional<StepPositions> Filmstrip::steps() const {
    if (!m_document.trace() || m_stages.empty())
        return std::nullopt;
    return StepPositions{*m_document.trace(), m_all, m_granularity};
}

void Filmstrip::select(const std::optional<core::Selection> &selection) {
    if (selection)
        m_document.select(*selection);
}

void Filmstrip::first() {
    if (const auto all = steps())
        select(m_goesBack ? all->last(m_document.selection()) : all->first(m_document.selection()));
}

void Filmstrip::back() {
    if (const auto all = steps())
        select(m_goesBack ? all->next(m_document.selection()) : all->back(m_document.selection()));
}

void Filmstrip::next() {
    const core::Selection before = m_document.selection();
    if (const auto all = steps())
        select(m_goesBack ? all->back(before) : all->next(before));
    if (m_document.selection() != before) // unchanged at the end or until the trace is ready
        emit wentOn();
}

void Filmstrip::last() {
    if (const auto all = steps())
        select(m_goesBack ? all->first(m_document.selection()) : all->last(m_document.selection()));
}

void Filmstrip::setGoesBack(bool goesBack) {
    if (m_goesBack == goesBack)
        return;
    setPlaying(false);
    m_goesBack = goesBack;
    showCurrent();
}

void Filmstrip::playStep() {
    next();
    if (!m_next->isEnabled())
        setPlaying(false);
}

void Filmstrip::keyPressEvent(QKeyEvent *event) {
    if (event->key() != Qt::Key_Space)
        return QToolBar::keyPressEvent(event);
    if (!event->isAutoRepeat())
        togglePlaying();
}

QList<QAction *> Filmstrip::stepActions() const {
    return {m_first, m_back, m_play, m_next, m_last};
}

void Filmstrip::setStyle(const FigureStyle &style) {
    m_style = style;
    const int side = qRound(style.scaled(16));
    setIconSize(QSize(side, side));
    for (QToolButton *button : m_buttons)
        button->setIconSize(iconSize());
    placeLayers();
    showIcons();
    if (hasStages()) // otherwise keep the frames of an earlier session
        m_stages.clear();
    m_kept.clear();
    documentChanged(TraceChanged{});
}

void Filmstrip::showIcons() {
    const QColor disabled = mixed(m_style.mutedText, m_style.surface, 0.4);
    const StepSymbol playing = m_play->isChecked() ? StepSymbol::Pause : StepSymbol::Play;
    const std::pair<QAction *, StepSymbol> symbols[] = {{m_first, StepSymbol::First},
                                                        {m_back, StepSymbol::Back},
                                                        {m_play, playing},
                                                        {m_next, StepSymbol::Next},
                                                        {m_last, StepSymbol::Last}};
    for (const auto &[action, symbol] : symbols)
        action->setIcon(stepIcon(
            symbol, action == m_play && m_play->isChecked() ? m_style.accent : m_style.text,
            disabled, iconSize().width()));
}

void Filmstrip::setPlaying(bool playing) {
    playing = playing && m_play->isEnabled();
    m_play->setChecked(playing);
    showIcons();
    if (!playing)
        return m_player->stop();
    if (!m_next->isEnabled())
        first();
    m_player->start();
}

void Filmstrip::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event)) {
        m_play->setChecked(false);
        m_play->setEnabled(!m_document.isCapture());
        nameActions();
        if (!m_document.session().lesson && m_lessonLook)
            restoreGranularity();
        m_lessonLook = m_document.session().lesson.has_value();
    }
    if (const auto *step = std::get_if<StepShown>(&event)) {
        m_play->setChecked(false);
        showGranularity(step->look.granularity);
    }
    if (is<SessionChanged>(event) || is<TraceChanged>(event))
        m_kept.clear();
    // While the first trace is computed, show frames without pictures.
    const bool isAhead = is<SessionChanged>(event) && !m_document.trace();
    if (!isAhead && !is<TraceChanged>(event) && !is<SelectionChanged>(event))
        return;
    readLayers();
    showCurrent();
    const auto *selected = std::get_if<SelectionChanged>(&event);
    const core::Selection &now = m_document.selection();
    if (!selected || selected->before.head != now.head || selected->before.sequence != now.sequence)
        m_painter->start();
}

std::vector<Filmstrip::Layer> Filmstrip::layersOf(const ModelParts &parts) {
    const auto isInLayer = [](const ModelPart &part) {
        return part.kind == ModelPart::Kind::Attention || part.kind == ModelPart::Kind::FeedForward;
    };
    std::vector<Layer> layers;
    for (const ModelPart &part : parts.parts()) {
        const ModelPart *before = layers.empty() ? nullptr : &layers.back().parts.back();
        if (before && isInLayer(*before) && isInLayer(part) &&
            before->attention.layer == part.attention.layer &&
            before->attention.stack == part.attention.stack)
            layers.back().parts.push_back(part);
        else
            layers.push_back({part.attention.stack, {part}});
    }
    return layers;
}

const core::Model &Filmstrip::model() const {
    return m_document.trace() ? m_document.trace()->model() : m_document.computable()->model();
}

ModelParts Filmstrip::modelParts() const {
    return m_document.trace() ? ModelParts(*m_document.trace())
                              : ModelParts(m_document.computable()->model(), *m_planAhead);
}

void Filmstrip::readLayers() {
    const auto &ahead = m_document.computable();
    m_planAhead =
        m_document.trace() || !ahead
            ? nullptr
            : std::make_shared<const core::Plan>(core::planOf(ahead->model(), ahead->input()));
    if (!hasStages())
        return;
    const ModelParts parts = modelParts();
    const ModelPart current = parts.partOf(m_document.selection());
    std::vector<Layer> layers = layersOf(parts);
    const auto found = std::ranges::find_if(layers, [&](const Layer &layer) {
        return std::ranges::find(layer.parts, current) != layer.parts.end();
    });
    const auto index = static_cast<std::size_t>(found - layers.begin());
    m_layerStages.clear();
    m_all.clear();
    for (const Layer &layer : layers) {
        std::vector<core::StageId> &own = m_layerStages.emplace_back();
        for (const ModelPart &part : layer.parts)
            std::ranges::copy(parts.stagesOf(part), std::back_inserter(own));
        std::ranges::copy(own, std::back_inserter(m_all));
    }
    std::vector<core::StageId> stages = m_layerStages[index];
    const bool others = layers != m_layers;
    if (others) {
        m_layers = std::move(layers);
        m_layer = index;
        rebuildLayers();
    }
    if (others || stages != m_stages || index != m_layer) {
        m_stages = std::move(stages);
        m_layer = index;
        rebuildFrames();
    }
}

void Filmstrip::rebuildLayers() {
    for (ChipStrip *strip : m_layerStrips) {
        m_layerLayout->removeWidget(strip);
        for (QAbstractButton *button : strip->findChildren<QAbstractButton *>())
            m_layerGroup->removeButton(button);
        strip->hide();
        strip->setParent(nullptr);
        strip->deleteLater(); // later, because one of its buttons may be handling a click
    }
    m_layerStrips.clear();
    m_layerRows->setVisible(m_layers.size() > 1);
    if (m_layers.size() < 2)
        return;
    const bool hasStacks = m_layers.front().stack != m_layers.back().stack;
    QHBoxLayout *row = nullptr;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const Layer &layer = m_layers[i];
        const QString stack = ui::titleOf(layer.stack);
        if (i == 0 || layer.stack != m_layers[i - 1].stack) {
            auto *chips = new ButtonList(tr("Layers"));
            row = new QHBoxLayout(chips);
            row->setContentsMargins(8, 0, 8, 0);
            row->setSpacing(6);
            m_layerStrips.push_back(new ChipStrip(chips));
            m_layerStrips.back()->nameButtons(tr("Layers to the left"), tr("Layers to the right"));
            m_layerLayout->addWidget(m_layerStrips.back());
            if (hasStacks) {
                auto *label = new QLabel(stack);
                label->setObjectName("stackName");
                row->addWidget(label);
            }
            row->addStretch();
        }
        auto *chip = new LayerChip(row->parentWidget());
        chip->setText(titleOf(layer));
        chip->setAccessibleName(hasStacks ? QStringLiteral("%1 · %2").arg(stack, chip->text())
                                          : chip->text());
        chip->setToolTip(chip->accessibleName());
        m_layerGroup->addButton(chip, static_cast<int>(i));
        row->insertWidget(row->count() - 1, chip);
    }
}

qsizetype Filmstrip::currentIndex() const {
    if (!hasStages())
        return 0;
    const auto found = std::ranges::find(m_stages, modelParts().shown(m_document.selection()));
    return found == m_stages.end() ? 0 : found - m_stages.begin();
}

void Filmstrip::showCurrent() {
    const qsizetype index = currentIndex();
    QAbstractButton *frame = m_group->button(static_cast<int>(index));
    const bool isOther = frame && frame != m_group->checkedButton();
    if (frame)
        frame->setChecked(true);
    if (QAbstractButton *layer = m_layerGroup->button(static_cast<int>(m_layer)))
        layer->setChecked(true);
    const auto all = steps();
    bool hasBack = all && all->back(m_document.selection());
    bool hasNext = all && all->next(m_document.selection());
    if (m_goesBack)
        std::swap(hasBack, hasNext);
    for (QAction *action : {m_first, m_back})
        action->setEnabled(hasBack);
    for (QAction *action : {m_next, m_last})
        action->setEnabled(hasNext);
    if (m_document.isCapture())
        showEnds(hasBack, hasNext);
    showMarks();
    if (!isOther)
        return; // the usual case: the frames have not changed
    fitFrames();
    showCurrentFrame();
    // Repeat after the layout, when the frames have their final sizes.
    QMetaObject::invokeMethod(this, &Filmstrip::showCurrentFrame, Qt::QueuedConnection);
}

/// Sets tooltips for a capture, whose earlier and later stages exist but were not captured.
void Filmstrip::showEnds(bool hasBack, bool hasNext) {
    nameActions();
    const auto add = [](QAction *action, const QString &why) {
        action->setToolTip(QStringLiteral("%1\n%2").arg(action->toolTip(), why));
    };
    if (!hasBack)
        for (QAction *action : {m_first, m_back})
            add(action, tr("Nothing earlier was captured"));
    if (!hasNext)
        for (QAction *action : {m_next, m_last})
            add(action, tr("Nothing later was captured"));
}

void Filmstrip::resizeEvent(QResizeEvent *event) {
    QToolBar::resizeEvent(event);
    // Queued until the bar has laid out its widgets.
    QMetaObject::invokeMethod(this, &Filmstrip::showCurrentFrame, Qt::QueuedConnection);
}

void Filmstrip::showCurrentFrame() {
    if (const QAbstractButton *frame = m_group->checkedButton()) {
        m_frameLayout->activate();
        m_strip->show(*frame);
    }
    if (const QAbstractButton *layer = m_layerGroup->checkedButton())
        for (ChipStrip *strip : m_layerStrips)
            if (strip->isAncestorOf(layer))
                strip->show(*layer);
}

void Filmstrip::goToLayer(std::size_t index) {
    if (index >= m_layers.size() || !hasStages())
        return;
    const std::vector<core::StageId> &stages = m_layerStages[index];
    if (stages.empty())
        return;
    const core::Selection now = m_document.selection();
    const auto same = std::ranges::find_if(stages, [&](const core::StageId &at) {
        return at.stage == now.stage && at.attention.block == now.block;
    });
    m_document.select(atStage(now, same == stages.end() ? stages.front() : *same));
    showCurrent(); // even if nothing changed: a click on the checked chip must not uncheck it
}

void Filmstrip::goToStage(qsizetype index) {
    if (index < 0 || index >= static_cast<qsizetype>(m_stages.size()))
        return;
    m_document.select(atStage(m_document.selection(), m_stages[static_cast<std::size_t>(index)]));
    showCurrent(); // even if nothing changed: a click on the checked chip must not uncheck it
}

} // namespace headlight::ui
