#include "ui/panels/mechanism_actions.h"

#include "ui/document/edits/mask_edits.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/text/capture_text.h"
#include "ui/text/head_text.h"
#include "ui/text/mask_text.h"
#include "ui/text/mechanism_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/widgets/plain_text.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using Setting = MechanismActions::Setting;

constexpr float kTemperatures[] = {0.125F, 0.25F, 0.5F, 1, 2, 4, 8};

bool isOther(const core::MaskLayer &layer) {
    return !std::holds_alternative<core::CausalMask>(layer) &&
           !std::holds_alternative<core::PaddingMask>(layer);
}

template <typename Layer>
bool hasLayer(const core::MaskLayers &layers) {
    return std::any_of(layers.begin(), layers.end(), [](const core::MaskLayer &layer) {
        return std::holds_alternative<Layer>(layer);
    });
}

/// True if the change affects a setting that an action shows.
bool concerns(const StateChanged &change) {
    using core::StatePart;
    constexpr StatePart kShown[] = {StatePart::Text, StatePart::Masks, StatePart::Positions,
                                    StatePart::Scale, StatePart::Structure};
    return std::ranges::any_of(kShown, [&](StatePart part) { return change.parts.has(part); });
}

} // namespace

MechanismActions::MechanismActions(Document &document, QObject *parent)
    : QObject(parent), m_document(document) {
    m_noMask = addSwitch(tr("None"), tr("Every token sees every token"), {});
    m_causal = addSwitch(tr("Causal"), tr("A token sees itself and earlier tokens (C)"),
                         QKeySequence(Qt::Key_C));
    m_padding = addSwitch(tr("Padding"), tr("No token sees padding (P)"), QKeySequence(Qt::Key_P));
    m_otherMasks = addSwitch(tr("Other"), tr("Masks without a button here"), {});
    m_otherMasks->setVisible(false);
    m_editMask = addSwitch(tr("Edit"), tr("Paint the mask's cells in the picture (M)"),
                           QKeySequence(Qt::Key_M));
    m_scaling = addSwitch(tr("Scale the scores by 1/√d"),
                          tr("Divide the scores by the square root of the head size (D)"),
                          QKeySequence(Qt::Key_D));
    m_positions =
        addSwitch(tr("Add sinusoidal positions"),
                  tr("Add sinusoidal positions to the embeddings (E)"), QKeySequence(Qt::Key_E));
    // The menu shows "Mask: causal". The tool bar shows "Causal" next to its label.
    for (QAction *action : {m_noMask, m_causal, m_padding}) {
        action->setIconText(action->text());
        action->setText(maskSentence({action->text().toLower()}));
    }
    m_editMask->setIconText(m_editMask->text());
    m_editMask->setText(tr("Mask: edit in the picture"));
    connect(m_noMask, &QAction::triggered, this, [this] { setMasks({}); });
    connect(m_causal, &QAction::triggered, this,
            [this](bool on) { toggleMaskLayer(core::CausalMask{}, on); });
    connect(m_padding, &QAction::triggered, this,
            [this](bool on) { toggleMaskLayer(core::PaddingMask{}, on); });
    connect(m_otherMasks, &QAction::triggered, this, [this] {
        core::MaskLayers layers = shownMasks();
        std::erase_if(layers, isOther);
        setMasks(std::move(layers));
    });
    connect(m_scaling, &QAction::triggered, this, &MechanismActions::switchScaling);
    connect(m_positions, &QAction::triggered, this, &MechanismActions::switchPositions);

    const auto addTemperature = [this](const QString &text, const QString &toolTip,
                                       const QKeySequence &key, auto next) {
        auto *action = new QAction(text, this);
        action->setToolTip(toolTip);
        action->setData(toolTip);
        action->setShortcut(key);
        connect(action, &QAction::triggered, this, [this, next] {
            setTemperature(next(m_document.state().model.config.temperature));
        });
        return action;
    };
    m_colder = addTemperature(tr("Lower temperature"),
                              tr("Halve the temperature: sharper weights (Shift+T)"),
                              QKeySequence(Qt::SHIFT | Qt::Key_T),
                              [](float now) { return std::max(kTemperatures[0], now / 2); });
    m_hotter = addTemperature(
        tr("Higher temperature"), tr("Double the temperature: more even weights (T)"),
        QKeySequence(Qt::Key_T),
        [](float now) { return std::min(kTemperatures[std::size(kTemperatures) - 1], now * 2); });
    m_usual = addTemperature(tr("Temperature 1"), tr("The scores enter softmax unchanged"), {},
                             [](float) { return 1.0F; });
    connect(&document, &Document::changed, this, &MechanismActions::documentChanged);
}

QAction *MechanismActions::addSwitch(const QString &text, const QString &toolTip,
                                     const QKeySequence &key) {
    auto *action = new QAction(text, this);
    action->setCheckable(true);
    action->setToolTip(toolTip);
    action->setData(toolTip); // keeps the usual tooltip while another one is set
    action->setShortcut(key);
    return action;
}

std::vector<Setting> MechanismActions::settingsOf(core::StageId at) const {
    using core::Stage;
    std::vector<Setting> settings;
    const core::Model &model = m_document.state().model;
    if (hasSeveralHeads(model, at))
        settings.push_back(Setting::Head);
    if (m_document.isCapture())
        return settings; // a capture has no other settings
    const bool isMaskedAfter = model.config.masking.afterSoftmax;
    switch (at.stage) {
    case Stage::Embeddings:
    case Stage::EmbeddingSum:
    case Stage::PositionBias:
    case Stage::BiasedScores:
        settings.push_back(Setting::Positions);
        break;
    case Stage::Scores:
    case Stage::ScaledScores:
        settings.push_back(Setting::Scaling);
        break;
    case Stage::MaskedScores:
        settings.push_back(Setting::Mask);
        break;
    case Stage::UnmaskedWeights:
        settings.push_back(Setting::Temperature);
        break;
    case Stage::AttentionWeights:
        settings.push_back(isMaskedAfter ? Setting::Mask : Setting::Temperature);
        break;
    default:
        break;
    }
    return settings;
}

std::optional<Setting> MechanismActions::settingOfFrame(core::StageId at) const {
    if (at.stage == core::Stage::Scores || at.stage == core::Stage::PositionBias)
        return std::nullopt; // the frame of the next stage offers the setting
    for (const Setting setting : settingsOf(at))
        if (setting != Setting::Head)
            return setting;
    return std::nullopt;
}

QString MechanismActions::textOf(Setting setting) const {
    const DocumentState &state = m_document.state();
    const core::Config &config = state.model.config;
    switch (setting) {
    case Setting::Head:
        return headText(false);
    case Setting::Mask: {
        const core::MaskLayers &layers = shownMasks();
        if (layers.empty())
            return tr("no mask");
        return layers.size() > 1 ? tr("%n masks", nullptr, static_cast<int>(layers.size()))
                                 : maskName(layers.front());
    }
    case Setting::Scaling:
        return config.scale.kind == core::Scale::Kind::Off ? tr("not scaled")
                                                           : scalingText(config.scale);
    case Setting::Positions:
        return config.positions == core::Positions::None
                   ? tr("no positions")
                   : tr("positions: %1").arg(positionsName(config.positions));
    case Setting::Temperature:
        return tr("temperature %1").arg(fullText(config.temperature));
    }
    return {};
}

QString MechanismActions::headText(bool isShort) const {
    const core::Index head = m_document.selection().head;
    return isShort ? QString::number(head) : ui::headText(head);
}

QString MechanismActions::toolTipOf(Setting setting) {
    switch (setting) {
    case Setting::Head:
        return tr("Select another head ([ and ], or turn the wheel)");
    case Setting::Mask:
        return tr("Select the mask (C: causal, P: padding, M: edit)");
    case Setting::Scaling:
        return tr("Divide the scores by the square root of the head size, or not (D)");
    case Setting::Positions:
        return tr("Add positions, or leave them out (E)");
    case Setting::Temperature:
        return tr("Set the temperature of softmax (T: higher, Shift+T: lower)");
    }
    return {};
}

QString MechanismActions::termOf(Setting setting) {
    switch (setting) {
    case Setting::Head:
        return QStringLiteral("head");
    case Setting::Mask:
        return QStringLiteral("mask");
    case Setting::Scaling:
        return QStringLiteral("scaling");
    case Setting::Positions:
        return QStringLiteral("position");
    case Setting::Temperature:
        return QStringLiteral("temperature");
    }
    return {};
}

void MechanismActions::fill(QMenu &menu, Setting setting) {
    menu.setToolTipsVisible(true);
    switch (setting) {
    case Setting::Head:
        return fillHeads(menu);
    case Setting::Mask:
        menu.addActions(maskActions());
        menu.addSeparator();
        menu.addAction(m_editMask);
        break;
    case Setting::Scaling:
        menu.addAction(m_scaling);
        break;
    case Setting::Positions:
        menu.addAction(m_positions);
        break;
    case Setting::Temperature:
        return fillTemperature(menu);
    }
    if (setting == Setting::Scaling)
        menu.addAction(tr("Other divisor…"), this, &MechanismActions::editorRequested)
            ->setToolTip(tr("Show the settings of the heads in the editor"));
}

void MechanismActions::fillHeads(QMenu &menu) {
    const core::Selection &selection = m_document.selection();
    const core::Index heads = m_document.state().model.headsOf(selection.attention());
    auto *group = new QActionGroup(&menu);
    for (core::Index head = 0; head < heads; ++head) {
        QAction *action = menu.addAction(ui::headText(head), this, [this, head] {
            core::Selection chosen = m_document.selection();
            chosen.head = head;
            m_document.select(chosen);
        });
        action->setCheckable(true);
        action->setChecked(head == selection.head);
        group->addAction(action);
    }
}

void MechanismActions::fillTemperature(QMenu &menu) {
    const float now = m_document.state().model.config.temperature;
    auto *group = new QActionGroup(&menu);
    for (const float each : kTemperatures) {
        QAction *action =
            menu.addAction(fullText(each), this, [this, each] { setTemperature(each); });
        action->setCheckable(true);
        action->setChecked(each == now);
        group->addAction(action);
    }
    menu.addSeparator();
    menu.addAction(tr("Other number…"), this, &MechanismActions::editorRequested)
        ->setToolTip(tr("Show the settings of the heads in the editor"));
}

void MechanismActions::moveHead(core::Index by) {
    core::Selection selection = m_document.requestedSelection();
    selection.head += by;
    m_document.select(selection);
}

void MechanismActions::apply(core::Result<Change> change) {
    if (const core::Outcome outcome = m_document.apply(std::move(change)))
        emit succeeded();
    else
        emit failed(outcome.error());
}

void MechanismActions::documentChanged(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || is<SelectionChanged>(event) || (state && concerns(*state)))
        showState();
}

void MechanismActions::showState() {
    const DocumentState &state = m_document.state();
    if (!state.input.batch)
        return;
    const core::MaskLayers &masks = shownMasks();
    m_noMask->setChecked(masks.empty());
    m_causal->setChecked(hasLayer<core::CausalMask>(masks));
    m_padding->setChecked(hasLayer<core::PaddingMask>(masks));
    showOtherMasks(masks);
    m_scaling->setChecked(state.model.config.scale.kind != core::Scale::Kind::Off);
    m_positions->setChecked(state.model.config.positions != core::Positions::None);
    const core::Positions own = m_document.session().model.config.positions;
    const bool addsSinusoids = own == core::Positions::None || own == core::Positions::Sinusoidal;
    m_positions->setText(addsSinusoids ? tr("Add sinusoidal positions")
                                       : tr("Use the model's own positions"));
    m_positions->setData(addsSinusoids ? tr("Add sinusoidal positions to the embeddings (E)")
                                       : tr("Use the model's own positional encoding (E)"));
    if (!m_document.isCapture())
        m_positions->setToolTip(m_positions->data().toString());
    showWhatCanBeChanged();
}

/// Disables and unchecks all actions for a capture, whose settings are unknown.
void MechanismActions::showWhatCanBeChanged() {
    const bool isFixed = m_document.isCapture();
    for (QAction *action : {m_noMask, m_causal, m_padding, m_otherMasks, m_editMask, m_scaling,
                            m_positions, m_colder, m_hotter, m_usual}) {
        if (isFixed)
            action->setChecked(false);
        if (action->isEnabled() != isFixed)
            continue;
        action->setEnabled(!isFixed);
        action->setToolTip(isFixed ? readOnlyReason() : action->data().toString());
    }
}

/// Shows the mask layers that have no switch.
void MechanismActions::showOtherMasks(const core::MaskLayers &layers) {
    QStringList names;
    for (const core::MaskLayer &layer : layers)
        if (isOther(layer))
            names << maskName(layer);
    m_otherMasks->setVisible(!names.isEmpty());
    m_otherMasks->setChecked(true);
    m_otherMasks->setIconText(QStringLiteral("+%1").arg(names.size()));
    m_otherMasks->setText(withAmpersands(maskSentence(names)));
    m_otherMasks->setToolTip(
        tr("Also: %1. Click to remove; M shows the mask editor.").arg(listed(names)));
}

const core::MaskLayers &MechanismActions::shownMasks() const {
    return m_document.state().input.masksOf(m_document.selection().attention());
}

void MechanismActions::toggleMaskLayer(const core::MaskLayer &layer, bool on) {
    core::MaskLayers layers = shownMasks();
    std::erase_if(layers,
                  [&](const core::MaskLayer &each) { return each.index() == layer.index(); });
    if (on) // insert before the edited cells, which take precedence
        layers.insert(std::find_if(layers.begin(), layers.end(),
                                   [](const core::MaskLayer &each) {
                                       return std::holds_alternative<core::CellMask>(each);
                                   }),
                      layer);
    setMasks(std::move(layers));
}

void MechanismActions::setMasks(core::MaskLayers masks) {
    apply(
        edits::setLayers(m_document.state(), std::move(masks), m_document.selection().attention()));
    showState();
}

/// Turns scaling off, or on with the session's own divisor if it has one.
void MechanismActions::switchScaling(bool on) {
    core::Scale scale = m_document.session().model.config.scale;
    if (!on)
        scale.kind = core::Scale::Kind::Off;
    else if (scale.kind == core::Scale::Kind::Off)
        scale.kind = core::Scale::Kind::SquareRoot;
    const core::Result<Change> change = edits::setScale(m_document.state(), scale);
    // The undo text of a switch needs no "before → after".
    const QString words = scale.kind == core::Scale::Kind::Off ? tr("Scores not scaled")
                          : scale.kind == core::Scale::Kind::Number
                              ? tr("Scores divided by %1").arg(static_cast<double>(scale.number))
                              : tr("Scores divided by the square root of d");
    apply(change ? change->named({words, {}, {}}) : change);
    showState();
}

/// Turns positions off, or on with the session's own kind if it has one.
void MechanismActions::switchPositions(bool on) {
    const core::Model &own = m_document.session().model;
    const core::Positions usual = own.config.positions == core::Positions::None
                                      ? core::Positions::Sinusoidal
                                      : own.config.positions;
    apply(edits::setPositions(m_document.state(), on ? usual : core::Positions::None,
                              own.parameters));
    showState();
}

void MechanismActions::setTemperature(float temperature) {
    if (temperature != m_document.state().model.config.temperature)
        apply(edits::setTemperature(m_document.state(), temperature));
}

} // namespace headlight::ui
