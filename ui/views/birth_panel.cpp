#include "ui/views/birth_panel.h"

#include "core/selection/view_states.h"
#include "ui/figures/heatmap/thumbnail.h"
#include "ui/text/core_message.h"
#include "ui/views/birth_replay.h"
#include "ui/widgets/eyebrow.h"

#include <QButtonGroup>
#include <QFrame>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kPictureSize = 48; // px, side of the question's pictures
constexpr auto kPictures = static_cast<std::size_t>(core::kBirthPictures);
constexpr int kTimes[] = {60, 20, 0};
constexpr int kCompactSpacing = 5; // px, in a presentation
constexpr int kTrack = 100'000;    // slider range, with a separate position per snapshot

QLabel *wrappedLabel(const char *name) {
    auto *label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    return label;
}

} // namespace

BirthPanel::BirthPanel(BirthReplay &replay, QWidget *parent)
    : QWidget(parent),
      m_replay(replay),
      m_heading(eyebrow(tr("A head being born"))),
      m_tasks(new QPushButton),
      m_learned(wrappedLabel("birthLearned")),
      m_question(new QFrame),
      m_questionText(wrappedLabel("birthQuestionText")),
      m_verdict(wrappedLabel("birthVerdict")),
      m_times(new QButtonGroup(this)),
      m_play(new QPushButton),
      m_again(new QPushButton(tr("Start again"))),
      m_other(new QPushButton(tr("Another example"))),
      m_save(new QPushButton(tr("Save model…"))),
      m_silenceRow(new QBoxLayout(QBoxLayout::TopToBottom)),
      m_progress(new QProgressBar),
      m_slider(new QSlider(Qt::Horizontal)),
      m_step(wrappedLabel("birthStep")),
      m_facts(wrappedLabel("birthFacts")),
      m_silenceResult(wrappedLabel("birthSilenceResult")) {
    setObjectName("birthPanel");
    setAccessibleName(tr("A head being born: controls"));
    setAutoFillBackground(true);
    setAttribute(Qt::WA_StyledBackground); // the theme's style sheet draws the panel's edge
    m_tasks->setObjectName("birthTask");
    m_tasks->setAccessibleName(tr("Task to learn"));
    m_tasks->setToolTip(tr("Choose another task, and train a model for it in this window"));
    m_tasks->setMenu(new QMenu(m_tasks));
    for (const core::WatchableTask &task : core::watchableTasks()) {
        const auto id = QString::fromUtf8(task.id.data(), qsizetype(task.id.size()));
        m_tasks->menu()->addAction(translated(task.title), this,
                                   [this, id] { emit taskWanted(id); });
    }
    makeQuestion();
    m_play->setObjectName("birthPlay");
    m_play->setDefault(true);
    connect(m_play, &QPushButton::clicked, this, &BirthPanel::playOrPause);
    m_again->setObjectName("birthAgain");
    m_again->setToolTip(tr("Go back to the first step (Home)"));
    connect(m_again, &QPushButton::clicked, this, [this] { m_replay.show(0); });
    m_other->setObjectName("birthOther");
    m_other->setToolTip(tr("Show another example that training never sees (N)"));
    connect(m_other, &QPushButton::clicked, this, &BirthPanel::anotherExampleWanted);
    m_save->setObjectName("birthSave");
    m_save->setToolTip(tr("Save the trained model, with the seed of its run, as a session"));
    connect(m_save, &QPushButton::clicked, this, &BirthPanel::saveWanted);
    m_progress->setObjectName("birthProgress");
    m_progress->setAccessibleName(tr("Recording the run"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_slider->setObjectName("birthMoments");
    m_slider->setAccessibleName(tr("Steps of the run"));
    m_slider->setToolTip(tr("Drag back and forth through the run. As in the replay, steps with "
                            "larger changes take up more space."));
    m_slider->setSingleStep(kTrack / 100);
    m_slider->setPageStep(kTrack / 10);
    connect(m_slider, &QSlider::valueChanged, this,
            [this](int place) { m_replay.show(snapshotAt(place)); });
    // The arrow keys move to the next or previous snapshot.
    connect(m_slider, &QSlider::actionTriggered, this, [this](int action) {
        if (!m_replay.run())
            return;
        const std::size_t now = m_replay.snapshot();
        if (action == QSlider::SliderSingleStepAdd)
            m_slider->setSliderPosition(placeOf(now + 1));
        else if (action == QSlider::SliderSingleStepSub && now > 0)
            m_slider->setSliderPosition(placeOf(now - 1));
    });
    m_step->setObjectName("birthStep");

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    column->addWidget(m_heading);
    column->addWidget(m_tasks);
    column->addWidget(m_learned);
    column->addWidget(m_question);
    makeTimes();
    column->addWidget(m_play);
    column->addWidget(m_progress);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_again);
    row->addWidget(m_other);
    column->addLayout(row);
    column->addWidget(m_slider);
    column->addWidget(m_step);
    column->addWidget(m_facts);
    m_silenceRow->setSpacing(8);
    column->addLayout(m_silenceRow);
    column->addWidget(m_silenceResult);
    column->addStretch(1);
    column->addWidget(m_save);
    QFont bold = m_step->font();
    bold.setBold(true);
    m_step->setFont(bold);
    m_questionText->setFont(bold);
    connect(&replay, &BirthReplay::changed, this, &BirthPanel::showState);
    setTask(nullptr);
    setQuestion({}, {}, 0, {});
}

void BirthPanel::makeQuestion() {
    m_question->setObjectName("birthQuestion");
    auto *column = new QVBoxLayout(m_question);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addWidget(m_questionText);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (std::size_t i = 0; i < kPictures; ++i) {
        auto *picture = new QPushButton;
        picture->setObjectName(QStringLiteral("birthPicture%1").arg(i + 1));
        picture->setCheckable(true);
        picture->setIconSize({kPictureSize, kPictureSize});
        picture->setToolTip(tr("Press %1").arg(i + 1));
        connect(picture, &QPushButton::clicked, this, [this, i] { answer(i); });
        m_pictures << picture;
        row->addWidget(picture);
    }
    row->addStretch(1);
    column->addLayout(row);
    column->addWidget(m_verdict);
}

void BirthPanel::makeTimes() {
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    auto *label = new QLabel(tr("Time"));
    row->addWidget(label);
    for (const int seconds : kTimes) {
        auto *button = new QPushButton(seconds > 0 ? tr("%1 s").arg(seconds) : tr("instantly"));
        button->setObjectName(QStringLiteral("birthTime%1").arg(seconds));
        button->setCheckable(true);
        button->setAccessibleName(seconds > 0 ? tr("Replay in %1 seconds").arg(seconds)
                                              : tr("Show the end immediately"));
        button->setChecked(seconds == m_replay.duration());
        m_times->addButton(button, seconds);
        row->addWidget(button);
    }
    row->addStretch(1);
    connect(m_times, &QButtonGroup::idClicked, this,
            [this](int seconds) { m_replay.setDuration(seconds); });
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
}

void BirthPanel::makeSilences(std::size_t count) {
    while (m_silences.size() < static_cast<qsizetype>(count)) {
        auto *button = new QPushButton;
        button->setObjectName(QStringLiteral("birthSilence%1").arg(m_silences.size()));
        button->setCheckable(true);
        button->setToolTip(tr("Set the head's output to zero, and compute the answers again (S "
                              "goes from head to head)"));
        button->hide();
        connect(button, &QPushButton::toggled, this, [this, button](bool on) {
            for (QPushButton *other : std::as_const(m_silences)) {
                const QSignalBlocker blocker(other);
                other->setChecked(on && other == button);
            }
            emit silenceWanted();
        });
        m_silenceRow->addWidget(button);
        m_silences << button;
    }
}

void BirthPanel::setTask(const core::WatchableTask *task) {
    m_hasTask = task != nullptr;
    m_tasks->setText(task ? translated(task->title) : tr("Choose what to learn…"));
    m_learned->setText(task ? translated(task->learned)
                            : tr("Choose a task. A small model learns it from its first step, and "
                                 "you see its heads form."));
}

void BirthPanel::setQuestion(const QString &head, std::vector<HeatmapContent> pictures,
                             std::size_t right, const FigureStyle &style) {
    m_answered.reset();
    m_head = head;
    m_right = right;
    m_question->setVisible(pictures.size() > 1);
    m_questionText->setText(tr("What will %1 look like?").arg(head));
    m_question->setAccessibleName(m_questionText->text());
    for (std::size_t i = 0; i < kPictures; ++i) {
        QPushButton *button = m_pictures[static_cast<qsizetype>(i)];
        button->setVisible(i < pictures.size());
        button->setChecked(false);
        button->setEnabled(true);
        if (i >= pictures.size())
            continue;
        const QImage image = thumbnailOf(pictures[i], style, {kPictureSize, kPictureSize},
                                         button->devicePixelRatioF());
        QIcon icon(QPixmap::fromImage(image));
        icon.addPixmap(QPixmap::fromImage(image), QIcon::Disabled);
        button->setIcon(icon);
        button->setAccessibleName(tr("Picture %1").arg(i + 1));
        button->setAccessibleDescription(HeatmapFigure(pictures[i], style).description());
    }
    showState();
}

bool BirthPanel::isAsking() const {
    return !m_answered && !m_question->isHidden();
}

bool BirthPanel::setAnswer(std::size_t picture) {
    if (!isAsking() || picture >= kPictures ||
        m_pictures[static_cast<qsizetype>(picture)]->isHidden())
        return false;
    m_answered = picture;
    if (window()->focusWidget() == m_pictures[static_cast<qsizetype>(picture)])
        m_play->setFocus(); // a disabled button would pass the focus to the next control
    for (qsizetype i = 0; i < m_pictures.size(); ++i) {
        m_pictures[i]->setChecked(i == static_cast<qsizetype>(picture));
        m_pictures[i]->setEnabled(false);
    }
    showState();
    return true;
}

void BirthPanel::answer(std::size_t picture) {
    if (!setAnswer(picture))
        return;
    emit questionAnswered();
    if (m_replay.run() && !m_replay.isPlaying() && !m_replay.isAtEnd())
        m_replay.play();
}

/// Shows whether the answer was right, once the replay has reached its end.
void BirthPanel::showVerdict() {
    QString text;
    if (m_answered && !m_replay.isAtEnd())
        text = tr("You chose picture %1. Watch.").arg(*m_answered + 1);
    else if (m_answered && *m_answered == m_right)
        text = tr("Right: it is picture %1.").arg(m_right + 1);
    else if (m_answered)
        text = tr("Not quite: it is picture %1. The other pictures are from this run too.")
                   .arg(m_right + 1);
    m_verdict->setText(text);
    m_verdict->setVisible(!text.isEmpty());
}

void BirthPanel::setProgress(const QString &step, const QString &facts,
                             const QStringList &silences) {
    m_step->setText(step);
    m_slider->setAccessibleDescription(step);
    m_facts->setText(facts);
    makeSilences(static_cast<std::size_t>(silences.size()));
    for (qsizetype head = 0; head < m_silences.size(); ++head) {
        const QString text = silences.value(head);
        m_silences[head]->setVisible(!text.isEmpty());
        m_silences[head]->setText(text);
        if (text.isEmpty())
            m_silences[head]->setChecked(false);
    }
    placeSilences();
    showVerdict();
}

void BirthPanel::placeSilences() {
    int needed = 0;
    for (const QPushButton *button : std::as_const(m_silences))
        if (!button->isHidden())
            needed += button->sizeHint().width() + m_silenceRow->spacing();
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right() + m_silenceRow->spacing();
    m_silenceRow->setDirection(m_isCompact && needed <= room ? QBoxLayout::LeftToRight
                                                             : QBoxLayout::TopToBottom);
}

void BirthPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    placeSilences();
}

void BirthPanel::setSilenceResult(const QString &words) {
    m_silenceResult->setText(words);
    m_silenceResult->setVisible(!words.isEmpty());
}

QString BirthPanel::silenceResult() const {
    return m_silenceResult->text();
}

std::optional<std::size_t> BirthPanel::silenced() const {
    for (qsizetype head = 0; head < m_silences.size(); ++head)
        if (m_silences[head]->isChecked())
            return static_cast<std::size_t>(head);
    return std::nullopt;
}

void BirthPanel::setSilenced(std::optional<std::size_t> head) {
    makeSilences(head ? *head + 1 : 0);
    for (qsizetype each = 0; each < m_silences.size(); ++each) {
        const QSignalBlocker blocker(m_silences[each]);
        m_silences[each]->setChecked(head == static_cast<std::size_t>(each));
    }
}

void BirthPanel::silenceNext() {
    const std::optional<std::size_t> now = silenced();
    for (qsizetype next = now ? static_cast<qsizetype>(*now) : m_silences.size(); next-- > 0;)
        if (!m_silences[next]->isHidden())
            return m_silences[next]->setChecked(true);
    if (now)
        m_silences[static_cast<qsizetype>(*now)]->setChecked(false);
}

void BirthPanel::playOrPause() {
    if (m_replay.isRecording())
        return m_replay.clear();
    if (!m_replay.run())
        return emit recordWanted();
    if (m_replay.isPlaying())
        return m_replay.pause();
    m_replay.play();
}

void BirthPanel::showState() {
    const bool isRecording = m_replay.isRecording();
    const bool hasRun = m_replay.run() != nullptr;
    const bool isWaiting = isAsking() && !m_replay.isPlaying() && m_replay.snapshot() == 0;
    m_play->setText(isRecording            ? tr("Cancel")
                    : !hasRun              ? tr("Watch a head being born")
                    : m_replay.isPlaying() ? tr("Pause")
                    : isWaiting            ? tr("Skip question and play")
                                           : tr("Play"));
    m_play->setEnabled(hasRun || m_hasTask);
    m_play->setToolTip(isRecording ? tr("Stop training the run (Space)")
                       : !hasRun   ? tr("Train the run in the background, then replay it (Space)")
                       : isWaiting ? tr("Skip the question and replay the run (Space)")
                                   : tr("Replay the run, or pause (Space)"));
    m_progress->setVisible(isRecording);
    m_progress->setValue(static_cast<int>(1000 * m_replay.progress()));
    for (QWidget *widget : {static_cast<QWidget *>(m_again), static_cast<QWidget *>(m_other),
                            static_cast<QWidget *>(m_slider), static_cast<QWidget *>(m_save)})
        widget->setEnabled(hasRun);
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, hasRun ? kTrack : 0);
    // Within the shown snapshot, the slider stays under the mouse.
    if (!hasRun)
        m_slider->setValue(0);
    else if (snapshotAt(m_slider->sliderPosition()) != m_replay.snapshot())
        m_slider->setValue(placeOf(m_replay.snapshot()));
    if (auto *time = m_times->button(m_replay.duration()))
        time->setChecked(true);
    showVerdict();
}

int BirthPanel::placeOf(std::size_t snapshot) const {
    const std::vector<double> &pace = m_replay.run()->pace;
    return static_cast<int>(std::ceil(pace[std::min(snapshot, pace.size() - 1)] * kTrack));
}

std::size_t BirthPanel::snapshotAt(int place) const {
    return m_replay.run() ? m_replay.run()->snapshotAtShare((place + 0.5) / kTrack) : 0;
}

void BirthPanel::makeCompact() {
    m_isCompact = true;
    m_save->hide();
    m_heading->hide();
    layout()->setSpacing(kCompactSpacing);
    QMargins margins = layout()->contentsMargins();
    margins.setTop(kCompactSpacing);
    margins.setBottom(kCompactSpacing);
    layout()->setContentsMargins(margins);
    placeSilences();
}

int BirthPanel::wantedWidth() const {
    return std::max({240, 32 * fontMetrics().averageCharWidth(), minimumSizeHint().width()});
}

} // namespace headlight::ui
