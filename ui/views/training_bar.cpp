#include "ui/views/training_bar.h"

#include "core/result.h"
#include "ui/document/training_controller.h"
#include "ui/text/number_text.h"
#include "ui/widgets/bar_buttons.h"
#include "ui/widgets/elided_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kButtonGap = 4; // px

QString timeText(double seconds) {
    const auto whole = static_cast<qint64>(std::ceil(seconds));
    if (whole < 90)
        return TrainingBar::tr("%1 s left").arg(whole);
    return TrainingBar::tr("%1 min left").arg((whole + 59) / 60);
}

QString megabytes(std::size_t bytes) {
    const double size = static_cast<double>(bytes) / (1 << 20);
    return fixedText(size, size < 10 ? 1 : 0);
}

} // namespace

TrainingBar::TrainingBar(TrainingController &controller, QWidget &view)
    : QWidget(&view), m_controller(controller) {
    setObjectName("trainingBar");
    setAccessibleName(tr("Training controls"));
    setAutoFillBackground(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 3, 8, 3);
    column->setSpacing(3);
    makeActions();
    makeCheckpoints();
    connect(&controller, &TrainingController::changed, this, &TrainingBar::showState);
    showState();
}

void TrainingBar::makeActions() {
    const auto make = [this](const QString &text, const QString &brief, const QKeySequence &key,
                             const QString &says, auto act) {
        auto *action = new QAction(text, this);
        action->setIconText(brief);
        action->setShortcut(key);
        action->setToolTip(
            key.isEmpty() ? says : tr("%1 (%2)").arg(says, key.toString(QKeySequence::NativeText)));
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    m_new = make(tr("&New run…"), tr("New run…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
                 tr("Choose a task and a model, and start from random weights"),
                 [this] { emit newRunRequested(); });
    m_start =
        make(tr("&Train"), tr("Train"), QKeySequence(Qt::CTRL | Qt::Key_T),
             tr("Train until all steps of the recipe are done or you pause"), [this] { start(); });
    m_one = make(tr("&One batch"), tr("One batch"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                 tr("One step: read a batch and update the weights"), [this] {
                     if (const core::Outcome outcome = m_controller.oneBatch(); !outcome)
                         emit failed(outcome.error());
                 });
    m_again = make(tr("Rest&art from the seed"), tr("Restart"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
                   tr("Go back to the initial weights, before the first step"), [this] {
                       if (const core::Outcome outcome = m_controller.beginAgain(); !outcome)
                           emit failed(outcome.error());
                   });
    m_text = make(tr("Text &file…"), {}, {},
                  tr("Choose the training text, if the session does not contain it"),
                  [this] { emit textFileRequested(); });
    m_earlier =
        make(tr("&Earlier checkpoint"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp),
             tr("Previous checkpoint"), [this] { move(-1); });
    m_later =
        make(tr("&Later checkpoint"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown),
             tr("Next checkpoint"), [this] { move(1); });
    m_best = make(tr("Checkpoint w&ith the lowest loss"), {}, {},
                  tr("Go to the checkpoint closest to the step with the lowest loss"), [this] {
                      if (const auto best = m_controller.bestCheckpoint())
                          m_controller.show(*best);
                  });
    auto *row = new QHBoxLayout;
    row->setSpacing(kButtonGap);
    const std::pair<QAction *, const char *> shown[] = {{m_start, "trainingStart"},
                                                        {m_one, "trainingOneBatch"},
                                                        {m_again, "trainingAgain"},
                                                        {m_new, "trainingNewRun"}};
    for (const auto &[action, name] : shown) {
        m_buttons << actionButton(action, name);
        row->addWidget(m_buttons.last());
    }
    m_progress = new ElidedLabel;
    m_progress->setObjectName("trainingProgress");
    m_progress->setAccessibleName(tr("Progress of training"));
    row->addWidget(m_progress, 1);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
}

void TrainingBar::makeCheckpoints() {
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setObjectName("trainingMoments");
    m_slider->setAccessibleName(tr("Checkpoints of the run"));
    m_slider->setToolTip(
        tr("Scrub through the checkpoints. Training resumes from the selected one"));
    m_memory = new ElidedLabel;
    m_memory->setObjectName("trainingMemory");
    m_memory->setAccessibleName(tr("Checkpoints in memory"));
    m_memory->setToolTip(
        tr("Checkpoints in memory. When the limit is reached, every second one is dropped"));
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_slider, 3);
    row->addWidget(m_memory, 2);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    connect(m_slider, &QSlider::valueChanged, this,
            [this](int checkpoint) { m_controller.show(static_cast<std::size_t>(checkpoint)); });
}

void TrainingBar::start() {
    if (m_controller.isRunning())
        return m_controller.pause();
    if (m_controller.lacksText())
        return emit textFileRequested();
    if (!m_controller.unavailableReason().isEmpty())
        return emit newRunRequested();
    if (const core::Outcome outcome = m_controller.start(); !outcome)
        emit failed(outcome.error());
}

void TrainingBar::move(int by) {
    m_slider->setValue(m_slider->value() + by);
}

int TrainingBar::heightFor(int width) {
    // With large text, hides buttons that the menu also offers. Changes only buttons that differ,
    // because each change calls this function again.
    const QMargins around = layout()->contentsMargins();
    const int progress = 16 * fontMetrics().averageCharWidth(); // "step 100 of 2000"
    int taken = around.left() + around.right() + progress;
    for (QToolButton *button : m_buttons) {
        taken += button->sizeHint().width() + kButtonGap;
        const bool fits = button == m_buttons.first() || taken <= width;
        if (button->isHidden() == fits)
            button->setVisible(fits);
    }
    return sizeHint().height();
}

QString TrainingBar::progressText() const {
    const core::TrainingRunPointer run = m_controller.run();
    if (!run)
        return {};
    QStringList facts{tr("step %1 of %2").arg(run->step).arg(run->recipe.steps)};
    const double rate = m_controller.stepsPerSecond();
    if (m_controller.isRunning() && rate > 0) {
        facts << tr("%1 steps per second").arg(fixedText(rate, rate < 10 ? 1 : 0));
        facts << timeText(static_cast<double>(run->recipe.steps - run->step) / rate);
    }
    return facts.join(QStringLiteral(" · "));
}

QString TrainingBar::memoryText() const {
    const Checkpoints &kept = m_controller.checkpoints();
    const std::optional<std::size_t> shown = m_controller.shownCheckpoint();
    if (!shown)
        return {};
    return tr("checkpoint %1 of %2 · %3 of %4 MB")
        .arg(*shown + 1)
        .arg(kept.all().size())
        .arg(megabytes(kept.bytes()), megabytes(kept.budget()));
}

void TrainingBar::showState() {
    const bool runs = m_controller.isRunning();
    const bool can = m_controller.unavailableReason().isEmpty();
    const bool pauses = m_controller.isPausing();
    m_start->setText(pauses ? tr("&Pausing…") : runs ? tr("&Pause training") : tr("&Train"));
    m_start->setIconText(pauses ? tr("Pausing…") : runs ? tr("Pause") : tr("Train"));
    m_start->setEnabled(!can || runs || !m_controller.isDone());
    m_one->setEnabled(can && !runs && !m_controller.isDone());
    m_again->setEnabled(can);
    m_text->setEnabled(m_controller.lacksText());
    const auto kept = static_cast<int>(m_controller.checkpoints().all().size());
    const std::optional<std::size_t> shown = m_controller.shownCheckpoint();
    {
        const QSignalBlocker blocker(m_slider);
        m_slider->setRange(0, std::max(0, kept - 1));
        m_slider->setValue(static_cast<int>(shown.value_or(0)));
    }
    m_slider->setEnabled(kept > 1);
    m_earlier->setEnabled(shown && *shown > 0);
    m_later->setEnabled(shown && static_cast<int>(*shown) + 1 < kept);
    m_best->setEnabled(kept > 1);
    m_progress->setText(can ? progressText() : m_controller.unavailableReason());
    m_memory->setText(memoryText());
}

} // namespace headlight::ui
