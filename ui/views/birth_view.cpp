#include "ui/views/birth_view.h"

#include "core/training/recipe/architecture.h"
#include "core/training/tasks/batch_of.h"
#include "ui/document/training_controller.h"
#include "ui/figures/birth/birth_moments_figure.h"
#include "ui/figures/birth/birth_painting.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/views/birth_panel.h"
#include "ui/views/birth_replay.h"

#include <QAction>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace headlight::ui {

BirthView::BirthView(Document &document, QWidget *parent)
    : FigureView(core::View::Birth, document, parent),
      m_replay(new BirthReplay(this)),
      m_panel(new BirthPanel(*m_replay)),
      m_scroll(new QScrollArea(this)) {
    m_scroll->setWidget(m_panel);
    m_scroll->setObjectName("birthScroll");
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(&document, &Document::changed, this, &BirthView::documentChanged);
    connect(m_replay, &BirthReplay::changed, this, &BirthView::replayChanged);
    connect(m_replay, &BirthReplay::recorded, this, &BirthView::recorded);
    connect(m_replay, &BirthReplay::failed, this, &FigureView::failed);
    connect(m_panel, &BirthPanel::taskWanted, this, &BirthView::taskWanted);
    connect(m_panel, &BirthPanel::recordWanted, this, &BirthView::record);
    connect(m_panel, &BirthPanel::questionAnswered, this, [this] {
        remember();
        remake(); // the figure may now show the answer
    });
    connect(m_panel, &BirthPanel::silenceWanted, this, &BirthView::showSilenced);
    connect(m_panel, &BirthPanel::saveWanted, this, &BirthView::saveWanted);
    connect(m_panel, &BirthPanel::anotherExampleWanted, this,
            [this] { setExample(m_example + 1); });
    makeActions();
    showTask();
    layOut();
}

void BirthView::makeActions() {
    const auto add = [this](const QString &text, const QString &tip, auto act) {
        auto *action = new QAction(text, this);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, act);
        m_actions << action;
        return action;
    };
    add(tr("&Play or pause the replay"), tr("Replay the recorded run (Space in the view)"),
        [this] { m_panel->playOrPause(); });
    add(tr("&First step of the replay"), tr("Go back to the first step (Home in the view)"),
        [this] { m_replay->show(0); });
    add(tr("&Last step of the replay"), tr("Go to the last step (End in the view)"), [this] {
        if (m_replay->run())
            m_replay->show(m_replay->run()->snapshots.size() - 1);
    });
    add(tr("Another e&xample"), tr("Show another example that training never sees (N in the view)"),
        [this] { setExample(m_example + 1); });
    add(tr("&Silence a head"),
        tr("Set the output of the last head to zero, then that of the head before it (S in the "
           "view)"),
        [this] { m_panel->silenceNext(); });
}

const core::WatchableTask *BirthView::watchable() const {
    const core::TrainingRunPointer &run = document().state().training;
    return run ? core::findWatchableTask(run->recipe.task) : nullptr;
}

void BirthView::documentChanged(const ChangeEvent &event) {
    if (!is<SessionChanged>(event) && !is<StateChanged>(event))
        return;
    const core::TrainingRunPointer &run = document().state().training;
    const bool isOther = !run || !(run->recipe == m_recipe);
    if (is<SessionChanged>(event) || isOther) {
        m_restores = m_restores || is<SessionChanged>(event);
        m_startsWhenShown = false;
        if (isOther || !m_replay->run()) {
            m_replay->clear();
            m_moments = {};
            emit exampleChanged();
            m_recipe = {};
            m_example = 0;
        } else { // another session of the same run, so do not train again
            m_replay->pause();
            m_replay->show(0);
        }
        showTask();
        if (isVisible())
            record();
    }
    remake();
}

void BirthView::showTask() {
    m_panel->setTask(watchable());
    m_panel->showState();
    if (!m_replay->run()) {
        m_panel->setQuestion({}, {}, 0, figureStyle());
        m_panel->setProgress({}, {}, {});
        m_panel->setSilenceResult({});
    }
}

bool BirthView::record() {
    const core::TrainingRunPointer &run = document().state().training;
    if (!watchable())
        return false;
    if ((m_replay->run() || m_replay->isRecording()) && m_recipe == run->recipe) {
        // Another session of the same run. Queued, because the session can be edited only after all
        // views know that it is open.
        if (m_replay->run() && m_restores)
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (m_restores)
                        recorded();
                },
                Qt::QueuedConnection);
        return true;
    }
    m_recipe = run->recipe;
    m_replay->record(run->recipe, core::findTask(run->recipe.task));
    return true;
}

void BirthView::recorded() {
    if (!m_replay->run())
        return;
    const core::BirthState saved =
        std::exchange(m_restores, false) ? document().birth() : core::BirthState();
    restore(saved);
    // If the session has not been trained, store the recorded run in the document, so that the
    // other views show the same model.
    const core::TrainingRunPointer &run = document().state().training;
    if (run && run->step == 0 && run->history.empty() && run->recipe == m_recipe)
        giveRun();
    if (saved == core::BirthState())
        start();
}

/// Stores the recorded run in the document, and the shown example unless the user has changed the
/// text.
void BirthView::giveRun() {
    const core::RecordedRun &run = *m_replay->run();
    const bool wasModified = document().isModified();
    std::optional<core::Input> input;
    if (document().state().input == document().session().input)
        if (const auto shown =
                core::inputOf(run.examples[m_example], run.end.model,
                              core::masksOf(run.task->info(), run.end.recipe.architecture)))
            input = *shown;
    TrainingController::of(document()).adopt(run.end, std::move(input));
    if (!wasModified) // the user has only watched, and the run can be recorded again
        document().setSaved(document().source());
}

/// Starts the replay of a new run, unless a question must be answered or skipped first.
void BirthView::start() {
    if (m_panel->isAsking() || m_isPresented || !m_replay->run() || m_replay->snapshot() != 0)
        return;
    m_startsWhenShown = !isVisible();
    if (!m_startsWhenShown)
        m_replay->play();
}

core::BirthState BirthView::state() const {
    core::BirthState state;
    state.step = m_replay->run()->snapshots[m_replay->snapshot()].step;
    state.example = static_cast<core::Index>(m_example);
    if (const std::optional<std::size_t> answer = m_panel->answered()) {
        state.answer = static_cast<core::Index>(*answer);
        state.questionExample = static_cast<core::Index>(m_questionExample);
    }
    return state;
}

/// Shows the recorded run with the state's step, example and answer.
void BirthView::restore(core::BirthState state) {
    m_panel->setQuestion({}, {}, 0, figureStyle());
    if (state.answer) {
        setExample(static_cast<std::size_t>(state.questionExample)); // asks the question
        m_panel->setAnswer(static_cast<std::size_t>(*state.answer));
    }
    setExample(static_cast<std::size_t>(state.example));
    m_replay->show(m_replay->run()->snapshotAtStep(static_cast<double>(state.step)));
}

/// Stores the state in the document, so that it is saved.
void BirthView::remember() {
    const core::TrainingRunPointer &run = document().state().training;
    const bool isCurrent = !m_isPresented && !m_restores;
    if (isCurrent && m_replay->run() && run && run->recipe == m_recipe)
        document().setBirth(state());
}

QStringList BirthView::replayKeys() const {
    return {tr("Space\u00A0play"), tr("1\u00A02\u00A03\u00A0answer"), tr("S\u00A0silence"),
            tr("←\u00A0→\u00A0step"), tr("N\u00A0example")};
}

void BirthView::makeCompact() {
    m_isCompact = true;
    m_panel->makeCompact();
    replayChanged();
}

void BirthView::take(const BirthView &other) {
    if (!other.m_replay->run())
        return;
    m_recipe = other.m_recipe;
    m_restores = false;
    m_replay->take(*other.m_replay);
    m_panel->setSilenced(other.m_panel->silenced()); // set first, because restore() uses it
    restore(other.state());
    m_panel->setSilenceResult(other.m_panel->silenceResult());
    if (other.m_replay->isPlaying())
        m_replay->play();
}

void BirthView::setIsPresented(bool isPresented) {
    m_isPresented = isPresented;
    if (isPresented)
        m_replay->pause();
}

const core::FormedHead *BirthView::lastHead() const {
    const core::RecordedRunPointer &run = m_replay->run();
    return run && !run->heads.empty() ? &run->heads.back() : nullptr;
}

const core::FormedHead *BirthView::silencedHead() const {
    const core::RecordedRunPointer &run = m_replay->run();
    const std::optional<std::size_t> head = m_panel->silenced();
    return run && head && *head < run->heads.size() ? &run->heads[*head] : nullptr;
}

void BirthView::setExample(std::size_t example) {
    if (!m_replay->run())
        return;
    m_example = example % m_replay->run()->examples.size();
    const core::FormedHead *head = silencedHead();
    m_moments = MomentCache(m_replay->run(), m_example,
                            head ? head->silenced() : std::vector<core::HeadIntervention>());
    emit exampleChanged();
    if (!m_panel->answered())
        askQuestion();
    replayChanged();
    remake();
}

void BirthView::askQuestion() {
    m_questionExample = m_example;
    const core::FormedHead *head = lastHead();
    if (!head)
        return m_panel->setQuestion({}, {}, 0, figureStyle());
    MomentCache moments(m_replay->run(), m_example);
    const auto choices = core::patternChoices(*m_replay->run(), m_replay->run()->heads.size() - 1,
                                              moments.example());
    if (!choices)
        return emit failed(choices.error());
    std::vector<HeatmapContent> pictures;
    std::size_t right = 0;
    for (const core::PatternChoice &choice : *choices) {
        const core::Result<HeatmapContent> picture = patternContent(moments, choice, figureStyle());
        if (!picture)
            return emit failed(picture.error());
        if (choice.isRight)
            right = pictures.size();
        pictures.push_back(*picture);
    }
    m_panel->setQuestion(headNameOf(head->attention, head->head), std::move(pictures), right,
                         figureStyle());
}

/// Shows the run without the head that is silenced in the panel, or with all heads.
void BirthView::showSilenced() {
    if (!m_replay->run())
        return;
    const core::RecordedRun &run = *m_replay->run();
    const std::size_t snapshot = m_replay->snapshot();
    const core::FormedHead *head = silencedHead();
    QString result;
    if (head) {
        const auto with = core::rightShareOf(run, snapshot, {});
        const auto without = core::rightShareOf(run, snapshot, head->silenced());
        if (!with || !without)
            return emit failed(with ? without.error() : with.error());
        const auto percent = [](double share) { return fixedText(100 * share, 0); };
        result = tr("Right answers on 64 examples: %1 % with all heads, %2 % after silencing.")
                     .arg(percent(*with), percent(*without));
    }
    m_panel->setSilenceResult(result);
    setExample(m_example);
    if (head) // scroll to the result once it is laid out
        QMetaObject::invokeMethod(
            this,
            [this] { m_scroll->verticalScrollBar()->triggerAction(QScrollBar::SliderToMaximum); },
            Qt::QueuedConnection);
}

/// Returns the texts of the buttons that silence the heads, each empty until its head has formed. A
/// silenced head keeps its button at earlier steps.
QStringList BirthView::silenceTexts() const {
    const core::RecordedRun &run = *m_replay->run();
    QStringList texts;
    for (const core::FormedHead &head : run.heads) {
        QString &text = texts.emplace_back();
        if (m_replay->snapshot() < head.formed && &head != silencedHead())
            continue;
        QStringList names;
        for (const core::Index each : head.alike)
            names << tr("%1.%2").arg(head.attention.layer).arg(each);
        text = m_isCompact         ? tr("Silence %1").arg(listed(names))
               : names.size() == 1 ? tr("Silence head %1").arg(names.front())
                                   : tr("Silence heads %1").arg(listed(names));
    }
    return texts;
}

void BirthView::replayChanged() {
    if (m_replay->run() && m_moments.run() == m_replay->run()) {
        const core::RecordedRun &run = *m_replay->run();
        const core::RunSnapshot &now = run.snapshots[m_replay->snapshot()];
        BirthContent facts;
        facts.step = now.step;
        facts.steps = run.end.recipe.steps;
        facts.loss = now.heldOut.loss;
        facts.accuracy = now.heldOut.accuracy;
        if (m_panel->silenced() && m_shownSnapshot != m_replay->snapshot())
            m_panel->setSilenceResult({});            // the result was measured at another step
        const QString measured = progressText(facts); // measured with all heads
        m_panel->setProgress(stepText(facts),
                             m_panel->silenced() ? tr("With all heads: %1").arg(measured)
                                                 : measured,
                             silenceTexts());
        remember();
    } else {
        m_panel->setProgress(
            m_replay->isRecording()
                ? tr("Training the run: %1 %").arg(fixedText(100 * m_replay->progress(), 0))
                : QString(),
            m_replay->isRecording()
                ? tr("The run is replayed afterwards, at the speed that you choose.")
                : QString(),
            {});
    }
    m_shownSnapshot = m_replay->snapshot();
    remake();
}

std::unique_ptr<Figure> BirthView::makeFigure(const FigureInput &input) const {
    if (!input.kept) { // for a file, make the figure with all six snapshots
        FigureInput whole = input;
        whole.birth = m_replay->run();
        return FigureView::makeFigure(whole);
    }
    const auto room = static_cast<double>(m_scroll->width());
    if (!m_replay->run() || !m_moments.run()) {
        const QString why = m_replay->isRecording() ? tr("The model is being trained…")
                            : watchable()
                                ? tr("Press Watch a head being born: a small model is trained in a "
                                     "few seconds, and its training is replayed.")
                                : tr("This session has no training run for a task of this view. "
                                     "Choose a task on the left.");
        return std::make_unique<BirthFigure>(noBirthContent({}, why), input.style, room);
    }
    BirthContent content = birthContentOf(m_moments, m_replay->snapshot(), input.style);
    if (m_panel->isAsking() && !m_replay->isAtEnd())
        for (BirthHead &head : content.heads)
            if (head.name == headNameOf(lastHead()->attention, lastHead()->head))
                withholdPurpose(head); // the purpose is the answer
    return std::make_unique<BirthFigure>(std::move(content), input.style, room);
}

void BirthView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    birth()->paint(painter, figureArea(), Device::Raster);
}

/// Sets the controls' text size to the figure's, which is larger in a presentation.
void BirthView::placeControls() {
    FigureView::placeControls();
    const int pixels = figureStyle().font(FigureStyle::Text::Body).pixelSize();
    if (std::exchange(m_textPixels, pixels) != pixels) { // a style sheet may set another font
        QFont font = m_panel->font();
        font.setPixelSize(pixels);
        m_panel->setFont(font);
    }
    if (m_scroll->width() == controlsWidth())
        return;
    layOut();
    remake();
}

/// Returns the width that the controls need, with their scroll bar, up to half of the view.
int BirthView::controlsWidth() const {
    const int bar = m_scroll->verticalScrollBar()->sizeHint().width();
    return std::min(m_panel->wantedWidth() + bar, width() / 2);
}

HitTestResult BirthView::placeAt(QPointF) const {
    return {document().selection(), {}};
}

QString BirthView::wordsAt(QPointF point) const {
    return birth() && birth()->content().nothing.isEmpty()
               ? birth()->words(geometry(), inFigure(point))
               : QString();
}

bool BirthView::handleKey(QKeyEvent *event) {
    if (event->modifiers() & ~Qt::KeypadModifier)
        return false;
    switch (event->key()) {
    case Qt::Key_Space:
    case Qt::Key_PageDown: // key of a presenter remote
        m_panel->playOrPause();
        return true;
    case Qt::Key_PageUp:
        m_replay->show(0);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_replay->pause();
        m_replay->step(event->key() == Qt::Key_Left ? -1 : 1);
        return true;
    case Qt::Key_Home:
        m_replay->show(0);
        return true;
    case Qt::Key_End:
        m_actions[2]->trigger();
        return true;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
        m_panel->answer(static_cast<std::size_t>(event->key() - Qt::Key_1));
        return true;
    case Qt::Key_N:
        setExample(m_example + 1);
        return true;
    case Qt::Key_S:
        m_panel->silenceNext();
        return true;
    default:
        return false;
    }
}

/// Shows the snapshot for the point, if the point is on the curves or a drag began there.
bool BirthView::dragTo(QPointF point) {
    if (!birth() || !m_replay->run())
        return false;
    const BirthGeometry places = geometry();
    const QPointF at = inFigure(point);
    if (!m_isDragging && !birth()->stepAt(places, at))
        return false;
    m_replay->show(m_replay->run()->snapshotAtStep(places.curve.stepAt(at.x())));
    return true;
}

void BirthView::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && !isSpaceDown() && dragTo(event->position())) {
        m_replay->pause();
        m_isDragging = true;
        return;
    }
    FigureView::mousePressEvent(event);
}

void BirthView::mouseMoveEvent(QMouseEvent *event) {
    if (m_isDragging && event->buttons().testFlag(Qt::LeftButton)) {
        dragTo(event->position());
        return;
    }
    FigureView::mouseMoveEvent(event);
}

void BirthView::mouseReleaseEvent(QMouseEvent *event) {
    m_isDragging = false;
    FigureView::mouseReleaseEvent(event);
}

void BirthView::layOut() {
    m_scroll->setGeometry(0, 0, controlsWidth(), height());
}

void BirthView::resizeEvent(QResizeEvent *event) {
    layOut();
    remake(); // the figure leaves room for the controls
    FigureView::resizeEvent(event);
}

bool BirthView::event(QEvent *event) {
    if (event->type() == QEvent::LayoutRequest) // the text size has changed
        layOut();
    return FigureView::event(event);
}

void BirthView::showEvent(QShowEvent *event) {
    FigureView::showEvent(event);
    // Return the focus, so that the view's keys work immediately.
    if (m_panel->isAncestorOf(focusWidget()))
        setFocus(Qt::OtherFocusReason);
    record();
    if (std::exchange(m_startsWhenShown, false))
        start();
}

} // namespace headlight::ui
