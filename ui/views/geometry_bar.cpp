#include "ui/views/geometry_bar.h"

#include "ui/text/capture_text.h"
#include "ui/views/geometry_view.h"
#include "ui/views/option_choices.h"
#include "ui/widgets/bar_buttons.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QToolButton>

namespace headlight::ui {

GeometryBar::GeometryBar(GeometryView &view) : QWidget(&view), m_view(view) {
    setObjectName("geometryBar");
    setAccessibleName(tr("Geometry controls"));
    setAutoFillBackground(true);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 3, 8, 3);
    layout->setSpacing(4);
    m_spaces = makeActions(optionChoice("spaces"), view, this);
    m_axes = makeActions(optionChoice("axes"), view, this);
    m_actions = m_spaces + m_axes;
    m_spacesButton = addMenuButton("spaces", m_spaces);
    m_axesButton = addMenuButton("axes", m_axes);
    makeTogether();
    layout->addStretch(1);
    makeGravity();
    connect(&view, &FigureView::optionsChanged, this, &GeometryBar::showState);
    connect(&view, &GeometryView::playingChanged, this, &GeometryBar::showState);
    connect(&view.document(), &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event) || is<TraceChanged>(event))
            showState();
    });
}

QToolButton *GeometryBar::addMenuButton(const char *name, const QList<QAction *> &actions) {
    QToolButton *button = menuButton(name);
    button->menu()->setToolTipsVisible(true);
    button->menu()->addActions(actions);
    layout()->addWidget(button);
    return button;
}

void GeometryBar::makeTogether() {
    m_together = new QAction(tr("Sequences together"), this);
    m_together->setCheckable(true);
    m_together->setToolTip(
        tr("Show up to four sequences of the batch in one plane of the residual stream"));
    connect(m_together, &QAction::triggered, this, [this](bool together) {
        PlaneOptions planes = m_view.options().plane;
        planes.together = together;
        m_view.setOption(&FigureOptions::plane, planes);
    });
    m_actions << m_together;
    m_togetherButton = actionButton(m_together, "together");
    m_togetherButton->setAutoRaise(true);
    layout()->addWidget(m_togetherButton);
}

void GeometryBar::makeGravity() {
    m_play = new QAction(tr("Play gravity"), this);
    m_play->setShortcut(QKeySequence(Qt::Key_G));
    connect(m_play, &QAction::triggered, this,
            [this] { m_view.isPlaying() ? m_view.pause() : m_view.play(); });
    m_actions << m_play;
    m_playButton = barButton("playGravity");
    m_playButton->setAutoRaise(true);
    connect(m_playButton, &QToolButton::clicked, m_play, &QAction::trigger);
    m_gravity = new QSlider(Qt::Horizontal);
    m_gravity->setObjectName("gravity");
    m_gravity->setRange(0, 100);
    m_gravity->setPageStep(10);
    m_gravity->setMinimumWidth(60);
    m_gravity->setMaximumWidth(220);
    m_gravity->setAccessibleName(tr("Gravity: how far attention has moved the words, in percent"));
    connect(m_gravity, &QSlider::valueChanged, this, [this](int value) {
        m_view.pause();
        m_view.setGravity(value / 100.0);
    });
    m_share = new QLabel;
    m_share->setAccessibleName(tr("Gravity"));
    static_cast<QHBoxLayout *>(layout())->addWidget(m_playButton);
    static_cast<QHBoxLayout *>(layout())->addWidget(m_gravity, 2);
    layout()->addWidget(m_share);
}

int GeometryBar::heightFor(int width) {
    setShort(false);
    if (sizeHint().width() > width)
        setShort(true);
    return sizeHint().height();
}

void GeometryBar::setShort(bool isShort) {
    m_isShort = isShort;
    showState();
    layout()->activate();
}

void GeometryBar::showState() {
    const PlaneOptions &planes = m_view.options().plane;
    const OptionChoice &spaces = optionChoice("spaces"), &axesChoice = optionChoice("axes");
    showValue(spaces, m_view, m_spaces);
    showValue(axesChoice, m_view, m_axes);
    const QString shown = spaces.valueIn(m_view.options()).title;
    m_spacesButton->setText(m_isShort ? tr("Spaces") : shown);
    m_spacesButton->setAccessibleName(tr("Spaces shown: %1").arg(shown));
    m_spacesButton->setToolTip(tr("Select the spaces to show. Vectors of different spaces cannot "
                                  "be compared, so each space has its own plane."));
    const core::Config &config = m_view.document().state().model.config;
    const bool isCapture = m_view.document().isCapture(); // a capture's sizes may be unknown (0)
    const bool isExact =
        !isCapture && config.width <= 2 && config.headSize <= 2 && config.valueWidth() <= 2;
    const OptionValue &chosenAxes = axesChoice.valueIn(m_view.options());
    const QString axes = isExact ? tr("Exact axes") : chosenAxes.title;
    m_axesButton->setText(m_isShort ? tr("Axes") : axes);
    m_axesButton->setAccessibleName(tr("Axes of the planes: %1").arg(axes));
    m_axesButton->setEnabled(!isExact);
    m_axesButton->setToolTip(isExact ? tr("Two dimensions are shown exactly as they are")
                                     : chosenAxes.tip);
    for (QAction *action : m_axes)
        action->setEnabled(!isExact);
    const core::BatchPointer &batch = m_view.document().state().input.batch;
    const bool several = batch && batch->count() > 1;
    m_together->setChecked(planes.together);
    m_together->setEnabled(several);
    m_together->setIconText(m_isShort ? tr("Together") : m_together->text());
    m_togetherButton->setVisible(several);
    const bool playing = m_view.isPlaying();
    m_play->setText(playing ? tr("Pause gravity") : tr("Play gravity"));
    m_playButton->setText(m_isShort ? (playing ? QStringLiteral("⏸") : QStringLiteral("▶"))
                          : playing ? tr("⏸ Gravity")
                                    : tr("▶ Gravity"));
    m_playButton->setAccessibleName(m_play->text());
    for (QWidget *control :
         {static_cast<QWidget *>(m_playButton), static_cast<QWidget *>(m_gravity)})
        control->setEnabled(!isCapture);
    m_play->setEnabled(!isCapture);
    m_play->setToolTip(isCapture ? playUnavailableReason() : QString());
    m_gravity->setToolTip(
        isCapture ? playUnavailableReason()
                  : tr("How far each word has moved from its start to where attention takes "
                       "it.\nThe pull is the attention weight, not the similarity of two words."));
    m_playButton->setToolTip(
        isCapture
            ? playUnavailableReason()
            : tr("%1: each word moves in a straight line from its start to where attention takes "
                 "it; thicker lines are larger weights (%2)")
                  .arg(m_play->text(), m_play->shortcut().toString(QKeySequence::NativeText)));
    const int percent = qRound(planes.gravity * 100);
    {
        const QSignalBlocker quiet(m_gravity); // the slider's signal would stop the animation
        m_gravity->setValue(percent);
    }
    m_share->setText(tr("%1 %").arg(percent));
    m_share->setMinimumWidth(m_share->fontMetrics().horizontalAdvance(tr("%1 %").arg(100)));
}

} // namespace headlight::ui
