#include "ui/views/training_bar.h"

#include "core/result.h"
#include "ui/document/learner.h"
#include "ui/widgets/elided_label.h"
#include "ui/words/number_text.h"

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

QString timeWords(double seconds) {
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

TrainingBar::TrainingBar(Learner &learner, QWidget &view) : QWidget(&view), m_learner(learner) {
    setObjectName("trainingBar");
    setAccessibleName(tr("How the model is trained"));
    setAutoFillBackground(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 3, 8, 3);
    column->setSpacing(3);
    makeActions();
    makeMoments();
    connect(&learner, &Learner::changed, this, &TrainingBar::showState);
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
    m_new = make(tr("&New run…"), tr("New run…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_T),
                 tr("Choose a task and a model, and begin with its first random weights"),
                 [this] { emit newRunRequested(); });
    m_start =
        make(tr("&Train"), tr("Train"), QKeySequence(Qt::CTRL | Qt::Key_T),
             tr("Train until all steps of the recipe are made, or pause"), [this] { start(); });
    m_one = make(tr("&One batch"), tr("One batch"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                 tr("One step: read a batch, and change the weights a little"), [this] {
                     if (const core::Outcome outcome = m_learner.oneBatch(); !outcome)
                         emit failed(outcome.error());
                 });
    m_again = make(tr("&Again from the seed"), tr("Again"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
                   tr("Back to the first weights of the recipe, before the first step"), [this] {
                       if (const core::Outcome outcome = m_learner.beginAgain(); !outcome)
                           emit failed(outcome.error());
                   });
    m_text = make(tr("Text &file…"), {}, {},
                  tr("The text that the run learns from, where the session does not hold it"),
                  [this] { emit textFileRequested(); });
    m_earlier =
        make(tr("&Earlier moment"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp),
             tr("Every view shows the moment before this one that was kept"), [this] { move(-1); });
    m_later = make(tr("&Later moment"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown),
                   tr("Every view shows the next moment that was kept"), [this] { move(1); });
    m_best =
        make(tr("&Moment of the lowest loss"), {}, {},
             tr("Every view shows the moment that was kept nearest to the lowest loss"), [this] {
                 if (const auto best = m_learner.bestCheckpoint())
                     m_learner.show(*best);
             });
    auto *row = new QHBoxLayout;
    row->setSpacing(kButtonGap);
    const std::pair<QAction *, const char *> shown[] = {{m_start, "trainingStart"},
                                                        {m_one, "trainingOneBatch"},
                                                        {m_again, "trainingAgain"},
                                                        {m_new, "trainingNewRun"}};
    for (const auto &[action, name] : shown) {
        auto *button = new QToolButton;
        button->setObjectName(name);
        button->setFocusPolicy(Qt::TabFocus);
        button->setDefaultAction(action);
        row->addWidget(button);
        m_buttons << button;
    }
    m_progress = new ElidedLabel;
    m_progress->setObjectName("trainingProgress");
    m_progress->setAccessibleName(tr("How far training has come"));
    row->addWidget(m_progress, 1);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
}

void TrainingBar::makeMoments() {
    m_moments = new QSlider(Qt::Horizontal);
    m_moments->setObjectName("trainingMoments");
    m_moments->setAccessibleName(tr("Moments of the run"));
    m_moments->setToolTip(tr("Back through the run: every view shows the moment. Training goes on "
                             "from there"));
    m_memory = new ElidedLabel;
    m_memory->setObjectName("trainingMemory");
    m_memory->setAccessibleName(tr("Moments that are kept"));
    m_memory->setToolTip(tr("So many moments of the run are kept in memory. When there is no more "
                            "room, every second one goes"));
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_moments, 3);
    row->addWidget(m_memory, 2);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    connect(m_moments, &QSlider::valueChanged, this,
            [this](int moment) { m_learner.show(static_cast<std::size_t>(moment)); });
}

void TrainingBar::start() {
    if (m_learner.isRunning())
        return m_learner.pause();
    if (m_learner.lacksText())
        return emit textFileRequested();
    if (!m_learner.whyNot().isEmpty())
        return emit newRunRequested();
    if (const core::Outcome outcome = m_learner.start(); !outcome)
        emit failed(outcome.error());
}

void TrainingBar::move(int by) {
    m_moments->setValue(m_moments->value() + by);
}

int TrainingBar::heightFor(int width) {
    // What the menu has as well gives way where the text is large. Nothing is changed that stays:
    // a change asks for this again.
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

QString TrainingBar::progressWords() const {
    const core::TrainingRunPointer run = m_learner.run();
    if (!run)
        return {};
    QStringList facts{tr("step %1 of %2").arg(run->step).arg(run->recipe.steps)};
    const double rate = m_learner.stepsPerSecond();
    if (m_learner.isRunning() && rate > 0) {
        facts << tr("%1 steps a second").arg(fixedText(rate, rate < 10 ? 1 : 0));
        facts << timeWords(static_cast<double>(run->recipe.steps - run->step) / rate);
    }
    return facts.join(QStringLiteral(" · "));
}

QString TrainingBar::memoryWords() const {
    const Checkpoints &kept = m_learner.checkpoints();
    const std::optional<std::size_t> shown = m_learner.shownCheckpoint();
    if (!shown)
        return {};
    return tr("moment %1 of %2 · %3 of %4 MB")
        .arg(*shown + 1)
        .arg(kept.all().size())
        .arg(megabytes(kept.bytes()), megabytes(kept.budget()));
}

void TrainingBar::showState() {
    const bool runs = m_learner.isRunning();
    const bool can = m_learner.whyNot().isEmpty();
    const bool pauses = m_learner.isPausing();
    m_start->setText(pauses ? tr("&Pausing…") : runs ? tr("&Pause training") : tr("&Train"));
    m_start->setIconText(pauses ? tr("Pausing…") : runs ? tr("Pause") : tr("Train"));
    m_start->setEnabled(!can || runs || !m_learner.isDone());
    m_one->setEnabled(can && !runs && !m_learner.isDone());
    m_again->setEnabled(can);
    m_text->setEnabled(m_learner.lacksText());
    const auto kept = static_cast<int>(m_learner.checkpoints().all().size());
    const std::optional<std::size_t> shown = m_learner.shownCheckpoint();
    {
        const QSignalBlocker blocker(m_moments);
        m_moments->setRange(0, std::max(0, kept - 1));
        m_moments->setValue(static_cast<int>(shown.value_or(0)));
    }
    m_moments->setEnabled(kept > 1);
    m_earlier->setEnabled(shown && *shown > 0);
    m_later->setEnabled(shown && static_cast<int>(*shown) + 1 < kept);
    m_best->setEnabled(kept > 1);
    m_progress->setText(can ? progressWords() : m_learner.whyNot());
    m_memory->setText(memoryWords());
}

} // namespace headlight::ui
