#include "ui/panels/editor/mechanism_page.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/panels/editor/number_spin.h"
#include "ui/text/mechanism_text.h"
#include "ui/widgets/eyebrow.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight::ui {

namespace {

using core::MaskOptions;
using core::Scale;

const std::array<MaskOptions, 4> kMaskings{{{-std::numeric_limits<float>::infinity(), false},
                                            {-1e9f, false},
                                            {-1e4f, false},
                                            {-std::numeric_limits<float>::infinity(), true}}};

QLabel *explanation() {
    auto *label = new QLabel;
    label->setObjectName("explanation");
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    return label;
}

QLabel *nameOf(const QString &text, QWidget *control) {
    auto *label = new QLabel(text);
    label->setBuddy(control);
    return label;
}

} // namespace

MechanismPage::MechanismPage(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_scale(new QComboBox),
      m_divisor(new NumberSpin),
      m_temperature(new NumberSpin),
      m_masking(new QComboBox),
      m_softmax(new QCheckBox(tr("Softmax"))),
      m_scaleText(explanation()),
      m_temperatureText(explanation()),
      m_maskingText(explanation()),
      m_softmaxText(explanation()) {
    m_scale->setObjectName("scaleChoice");
    m_scale->setAccessibleName(tr("Scaling of the scores"));
    m_scale->setToolTip(m_scale->accessibleName());
    // same order as Scale::Kind
    m_scale->addItems({QStringLiteral("÷√d"), tr("÷ number"), tr("off")});
    m_divisor->setObjectName("scaleDivisor");
    m_divisor->setAccessibleName(tr("Divisor of the scores"));
    m_divisor->setToolTip(
        tr("Divides the scores. Drag sideways (Shift: fine, Ctrl: coarse) or type"));
    m_divisor->setRange(1e-6, 1e6);
    m_temperature->setObjectName("temperature");
    m_temperature->setAccessibleName(tr("Temperature"));
    m_temperature->setToolTip(tr("Divides the scores just before softmax. Drag sideways (Shift: "
                                 "fine, Ctrl: coarse) or type"));
    m_temperature->setRange(1e-3, 1e6);
    m_temperature->setSingleStep(0.05);
    m_masking->setObjectName("maskingChoice");
    m_masking->setAccessibleName(tr("Value of hidden scores"));
    m_masking->setToolTip(m_masking->accessibleName());
    for (const MaskOptions &masking : kMaskings)
        m_masking->addItem(maskingText(masking));
    for (QComboBox *box : {m_scale, m_masking})
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_softmax->setObjectName("softmaxSwitch");
    m_softmax->setAccessibleName(tr("Softmax"));
    m_softmax->setToolTip(tr("Turns each row of scores into weights"));

    auto *heading = eyebrow(tr("WHAT IF"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(heading);
    const auto add = [layout](QWidget *name, const QList<QWidget *> &controls, QLabel *words) {
        auto *line = new QHBoxLayout;
        line->setSpacing(6);
        if (name)
            line->addWidget(name);
        for (QWidget *control : controls)
            line->addWidget(control, 1);
        layout->addLayout(line);
        layout->addWidget(words);
        layout->addSpacing(4);
    };
    add(nameOf(tr("Hidden keys"), m_masking), {m_masking}, m_maskingText);
    add(nameOf(tr("Scaling"), m_scale), {m_scale, m_divisor}, m_scaleText);
    add(nameOf(tr("Temperature"), m_temperature), {m_temperature}, m_temperatureText);
    add(nullptr, {m_softmax}, m_softmaxText);

    connect(m_scale, &QComboBox::activated, this, &MechanismPage::chooseScale);
    connect(m_masking, &QComboBox::activated, this, &MechanismPage::chooseMasking);
    connect(m_divisor, &NumberSpin::valueChanged, this, &MechanismPage::setDivisor);
    connect(m_temperature, &NumberSpin::valueChanged, this, &MechanismPage::setTemperature);
    followDrags(m_divisor);
    followDrags(m_temperature);
    connect(m_softmax, &QCheckBox::clicked, this,
            [this](bool on) { apply(edits::setSoftmax(m_document.state(), on)); });
}

/// Makes a drag one undo step. Esc restores the number from before the drag.
void MechanismPage::followDrags(NumberSpin *spin) {
    const auto end = [this] { m_gesture = Document::kNoGesture; };
    connect(spin, &NumberSpin::editingFinished, this, end);
    connect(spin, &NumberSpin::dragEnded, this, end);
    connect(spin, &NumberSpin::dragStarted, this, [this] {
        m_gesture = m_document.newGesture();
        m_beforeDrag = m_document.state();
    });
    connect(spin, &NumberSpin::dragCancelled, this, [this] {
        if (m_beforeDrag)
            apply(checked({*m_beforeDrag, {}}), std::exchange(m_gesture, Document::kNoGesture));
    });
}

void MechanismPage::update() {
    const core::Config &config = m_document.state().model.config;
    const QSignalBlocker blockers[] = {QSignalBlocker(m_divisor), QSignalBlocker(m_temperature)};
    m_scale->setCurrentIndex(static_cast<int>(config.scale.kind));
    m_divisor->setVisible(config.scale.kind == Scale::Kind::Number);
    m_divisor->setValue(static_cast<double>(config.scale.number));
    m_temperature->setValue(static_cast<double>(config.temperature));
    m_softmax->setChecked(config.softmax);
    int at = 0;
    while (at < static_cast<int>(kMaskings.size()) &&
           !(kMaskings[static_cast<std::size_t>(at)].afterSoftmax == config.masking.afterSoftmax &&
             (config.masking.afterSoftmax ||
              kMaskings[static_cast<std::size_t>(at)].value == config.masking.value)))
        ++at;
    while (m_masking->count() > static_cast<int>(kMaskings.size()))
        m_masking->removeItem(m_masking->count() - 1);
    if (at == static_cast<int>(kMaskings.size())) // the file's value is not in the list
        m_masking->addItem(maskingText(config.masking));
    m_masking->setCurrentIndex(at);
    explain();
}

void MechanismPage::explain() {
    const core::Config &config = m_document.state().model.config;
    m_scaleText->setText(
        config.scale.kind == Scale::Kind::SquareRoot
            ? tr("Scores are divided by √%1, so that they do not grow with the head size.")
                  .arg(config.headSize)
        : config.scale.kind == Scale::Kind::Off
            ? (config.softmax ? tr("The scores differ more than with √d, so softmax is sharper.")
                              : tr("The scores are not divided by √d."))
            : tr("The larger the number, the more even the weights."));
    m_temperatureText->setText(
        !config.softmax
            ? tr("Without softmax, the weights are the scores divided by the temperature.")
        : config.temperature == 1 ? tr("1: the scores enter softmax unchanged.")
        : config.temperature < 1  ? tr("Below 1: the largest scores take more of the weight.")
                                  : tr("Above 1: the weights become more even."));
    const bool infinite = std::isinf(config.masking.value);
    m_maskingText->setText(
        config.masking.afterSoftmax
            ? (config.softmax ? tr("The weights of hidden keys become 0 after softmax, so their "
                                   "rows no longer sum to 1.")
                              : tr("The weights of hidden keys become 0."))
        : infinite ? tr("A hidden key gets a weight of exactly 0, even in a fully masked row.")
        : config.softmax
            ? tr("A hidden key's score becomes %1, so a fully masked row attends equally to all "
                 "keys.")
                  .arg(maskValueText(config.masking.value))
            : tr("A hidden key's score becomes %1, which without softmax is its weight.")
                  .arg(maskValueText(config.masking.value)));
    const core::Model &model = m_document.state().model;
    const bool hasSinks =
        std::ranges::any_of(model.attentions(), [&model](const core::AttentionId &attention) {
            return model.hasSinks(attention);
        });
    m_softmaxText->setText(
        config.softmax
            ? (config.masking.afterSoftmax ? tr("On: softmax covers all keys; the weights of "
                                                "hidden keys become 0 afterwards.")
               : hasSinks
                   ? tr("On: no weight is negative. The heads' sinks take a share, so rows sum to "
                        "less than 1.")
                   : tr("On: no weight is negative, and each row with a visible key sums to 1."))
            : tr("Off: the weights are the scores divided by the temperature. They may be "
                 "negative, and rows need not sum to 1."));
}

void MechanismPage::chooseScale(int index) {
    Scale scale = m_document.state().model.config.scale;
    scale.kind = static_cast<Scale::Kind>(index);
    apply(edits::setScale(m_document.state(), scale));
}

void MechanismPage::setDivisor(double divisor) {
    if (m_gesture == Document::kNoGesture)
        m_gesture = m_document.newGesture();
    apply(edits::setScale(m_document.state(), {Scale::Kind::Number, static_cast<float>(divisor)}),
          m_gesture);
}

void MechanismPage::setTemperature(double temperature) {
    if (m_gesture == Document::kNoGesture)
        m_gesture = m_document.newGesture();
    apply(edits::setTemperature(m_document.state(), static_cast<float>(temperature)), m_gesture);
}

void MechanismPage::chooseMasking(int index) {
    if (index < static_cast<int>(kMaskings.size()))
        apply(edits::setMasking(m_document.state(), kMaskings[static_cast<std::size_t>(index)]));
}

void MechanismPage::apply(const core::Result<Change> &change, int gesture) {
    const core::Outcome outcome = m_document.apply(change, gesture);
    if (!outcome) {
        emit failed(outcome.error());
        update();
    }
}

} // namespace headlight::ui
