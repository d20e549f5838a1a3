#include "ui/views/lines_bar.h"

#include "ui/figures/base/head_colours.h"
#include "ui/panels/chip_strip.h"
#include "ui/text/number_text.h"
#include "ui/views/lines_view.h"
#include "ui/widgets/bar_buttons.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSlider>
#include <QToolButton>

#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kThresholdSteps = 100; // slider steps of 0.01

/// Returns a short thick line in the colour of the head.
QIcon lineIcon(const QColor &colour, double ratio) {
    QPixmap pixmap(QSize(14, 14) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.fillRect(QRectF(1, 5, 12, 4), colour);
    return pixmap;
}

/// True if the slider can show this threshold. A lesson or a command may set another one.
bool isInSteps(double threshold) {
    const double steps = threshold * kThresholdSteps;
    return std::abs(steps - std::round(steps)) < 1e-6;
}

} // namespace

LinesBar::LinesBar(LinesView &view)
    : QWidget(&view), m_view(view), m_chips(new QWidget), m_strip(new ChipStrip(m_chips)) {
    setObjectName("linesBar");
    setAccessibleName(tr("Heads and threshold of the lines"));
    setAutoFillBackground(true);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 3, 8, 3);
    layout->setSpacing(4);
    makeActions();
    for (QAction *action : {m_all, m_selected}) {
        QToolButton *button = actionButton(action, action->objectName());
        layout->addWidget(button);
    }
    auto *row = new QHBoxLayout(m_chips);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addStretch(1);
    m_strip->nameButtons(tr("Heads to the left"), tr("Heads to the right"));
    layout->addWidget(m_strip, 1);
    makeThreshold(*layout);
    connect(&view, &FigureView::optionsChanged, this, &LinesBar::showState);
    connect(&view.document(), &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<SelectionChanged>(event))
            showState();
    });
    showState();
}

void LinesBar::makeActions() {
    const auto add = [this](const char *name, const QString &text, const QString &tip, auto act) {
        auto *action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, [this, act] {
            act();
            showState(); // a click also unchecks the button, even if nothing changes
            if (!m_view.isVisible())
                emit m_view.wanted();
        });
        m_actions << action;
        return action;
    };
    m_all =
        add("allHeads", tr("All heads"), tr("Draw the lines of all heads of the layer"), [this] {
            m_view.setHeads({true, {}});
        });
    m_selected = add("selectedHead", tr("Selected head"),
                     tr("Draw the lines of the selected head only ([ and ] select another one)"),
                     [this] { m_view.setHeads({}); });
    for (QAction *action : {m_all, m_selected})
        action->setCheckable(true);
    add("lowerThreshold", tr("More lines"), tr("Lower the threshold of the lines by 0.01"),
        [this] { moveThreshold(-1); });
    add("higherThreshold", tr("Fewer lines"), tr("Raise the threshold of the lines by 0.01"),
        [this] { moveThreshold(1); });
}

/// Goes to the next step of the slider, even from a threshold between two steps.
void LinesBar::moveThreshold(int steps) {
    constexpr double kRounding = 1e-6; // rounding error of a threshold in percent
    const double now = m_view.options().headLines.threshold * kThresholdSteps;
    const double from = steps > 0 ? std::floor(now + kRounding) : std::ceil(now - kRounding);
    m_view.setThreshold((from + steps) / kThresholdSteps);
}

void LinesBar::makeThreshold(QHBoxLayout &layout) {
    auto *label = new QLabel(tr("Threshold"));
    m_threshold = new QSlider(Qt::Horizontal);
    m_threshold->setObjectName("lineThreshold");
    m_threshold->setRange(0, kThresholdSteps);
    m_threshold->setPageStep(5);
    m_threshold->setMinimumWidth(60);
    m_threshold->setMaximumWidth(180);
    m_threshold->setAccessibleName(
        tr("Threshold: the smallest weight that has a line, in percent"));
    m_threshold->setToolTip(tr("Set the smallest weight that has a line"));
    label->setBuddy(m_threshold);
    connect(m_threshold, &QSlider::valueChanged, this, [this](int value) {
        m_view.setThreshold(static_cast<double>(value) / kThresholdSteps);
    });
    m_value = new QLabel;
    m_value->setObjectName("lineThresholdValue");
    layout.addWidget(label);
    layout.addWidget(m_threshold, 1);
    layout.addWidget(m_value);
}

void LinesBar::makeChips(int count) {
    if (static_cast<int>(m_heads.size()) == count)
        return;
    for (QToolButton *chip : m_heads)
        chip->deleteLater();
    m_heads.clear();
    for (int head = 0; head < count; ++head) {
        QToolButton *chip = barButton(QStringLiteral("lineHead%1").arg(head));
        chip->setText(QString::number(head));
        chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        chip->setCheckable(true);
        chip->setAutoRaise(true);
        connect(chip, &QToolButton::clicked, this, [this, head] {
            m_view.toggleHead(head);
            showState(); // a click always toggles the button, but the last head cannot be removed
        });
        static_cast<QHBoxLayout *>(m_chips->layout())->insertWidget(head, chip);
        m_heads.push_back(chip);
    }
}

void LinesBar::showState() {
    const core::Model &model = m_view.document().state().model;
    const core::Selection &selection = m_view.document().selection();
    const bool hasHeads = model.hasAttention(selection.attention());
    const core::Index count = hasHeads ? model.headsOf(selection.attention()) : 0;
    makeChips(static_cast<int>(count));
    const HeadLines &chosen = m_view.options().headLines;
    const std::vector<core::Index> shown = chosen.heads.of(count, selection.head);
    m_all->setChecked(chosen.heads.all);
    m_selected->setChecked(!chosen.heads.all && chosen.heads.heads.empty());
    for (QAction *action : m_actions)
        action->setEnabled(hasHeads);
    for (std::size_t head = 0; head < m_heads.size(); ++head) {
        const bool isShown =
            std::ranges::find(shown, static_cast<core::Index>(head)) != shown.end();
        m_heads[head]->setChecked(isShown);
        m_heads[head]->setAccessibleName(tr("head %1").arg(head));
        m_heads[head]->setToolTip(isShown ? tr("Hide the lines of head %1").arg(head)
                                          : tr("Draw the lines of head %1 too").arg(head));
    }
    showChips();
    m_strip->setVisible(count > 1);
    m_strip->setFixedHeight(m_chips->sizeHint().height()); // the strip's own size hint is taller
    const QSignalBlocker quiet(m_threshold);
    m_threshold->setValue(qRound(chosen.threshold * kThresholdSteps));
    const auto threshold = static_cast<float>(chosen.threshold);
    m_value->setText(isInSteps(chosen.threshold) ? fixedText(chosen.threshold, 2)
                                                 : fullText(threshold));
    m_value->setAccessibleName(tr("Threshold: %1").arg(m_value->text()));
    m_value->setMinimumWidth(m_value->fontMetrics().horizontalAdvance(QStringLiteral("0.00")));
}

void LinesBar::showChips() {
    for (std::size_t head = 0; head < m_heads.size(); ++head)
        m_heads[head]->setIcon(lineIcon(
            headColour(static_cast<core::Index>(head), m_view.figureStyle()), devicePixelRatioF()));
}

void LinesBar::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::FontChange)
        QMetaObject::invokeMethod(this, &LinesBar::showState, Qt::QueuedConnection);
}

} // namespace headlight::ui
