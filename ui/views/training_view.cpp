#include "ui/views/training_view.h"

#include "ui/document/training_controller.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/views/training_bar.h"

#include <QMouseEvent>

#include <cmath>

namespace headlight::ui {

TrainingView::TrainingView(Document &document, QWidget *parent)
    : FigureView(core::View::Training, document, parent),
      m_controller(&TrainingController::of(document)),
      m_bar(new TrainingBar(*m_controller, *this)) {
    connect(&document, &Document::changed, this, &TrainingView::documentChanged);
    connect(m_controller, &TrainingController::failed, this, &FigureView::failed);
    connect(m_controller, &TrainingController::diverged, this, &TrainingView::diverged);
    connect(m_bar, &TrainingBar::failed, this, &FigureView::failed);
    connect(m_bar, &TrainingBar::newRunRequested, this, &TrainingView::newRunRequested);
    connect(m_bar, &TrainingBar::textFileRequested, this, &TrainingView::textFileRequested);
    showBar();
}

QList<QAction *> TrainingView::trainingActions() const {
    return m_bar->actions();
}

void TrainingView::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event) || (is<StateChanged>(event) && !changesOnlyLesson(event))) {
        m_bar->showState();
        remake(); // another checkpoint of a run may have the same trace
    }
}

QSizeF TrainingView::figureSize() const {
    return {static_cast<double>(width()), std::max(1.0, double(height()) - m_bar->height())};
}

void TrainingView::resizeEvent(QResizeEvent *event) {
    showBar();
    FigureView::resizeEvent(event);
}

bool TrainingView::event(QEvent *event) {
    if (event->type() == QEvent::LayoutRequest) // the bar's text size has changed
        showBar();
    return FigureView::event(event);
}

void TrainingView::showBar() {
    const int high = m_bar->heightFor(width());
    m_bar->setGeometry(0, height() - high, width(), high);
}

/// A click on a head's curve selects the head. A click elsewhere in a plot shows the nearest
/// checkpoint.
void TrainingView::mousePressEvent(QMouseEvent *event) {
    (void)figure();
    const QPointF at = inFigure(event->position());
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier && training() &&
        !training()->headAt(geometry(), at))
        if (const auto step = training()->stepAt(geometry(), at);
            step && !m_controller->checkpoints().isEmpty() && !m_controller->isRunning() &&
            document().comparison().shown() !=
                ComparisonSide::A) // A's checkpoints are not in the document
            m_controller->show(
                m_controller->checkpoints().nearest(static_cast<core::Index>(std::llround(*step))));
    FigureView::mousePressEvent(event);
}

TrainingGeometry TrainingView::geometry() const {
    return training()->geometry(figureArea());
}

void TrainingView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    training()->paint(painter, figureArea(), Device::Raster);
}

HitTestResult TrainingView::placeAt(QPointF point) const {
    core::Selection selection = document().selection();
    if (training())
        if (const TrainingContent::Curve *curve = training()->headAt(geometry(), point)) {
            const core::Stage stage = core::infoOf(selection.stage).perHead
                                          ? selection.stage
                                          : core::Stage::AttentionWeights;
            selection = atStage(selection, {stage, curve->attention});
            selection.head = curve->head;
        }
    return {selection, {}};
}

QString TrainingView::wordsAt(QPointF point) const {
    return training() ? training()->words(geometry(), inFigure(point)) : QString();
}

QString TrainingView::termAt(QPointF point) const {
    if (!training())
        return {};
    const TrainingGeometry places = geometry();
    for (std::size_t i = 0; i < places.plots.size(); ++i) {
        if (!places.plots[i].title.contains(point))
            continue;
        switch (training()->content().plots[i].kind) {
        case TrainingContent::Plot::Kind::Loss:
            return QStringLiteral("loss");
        case TrainingContent::Plot::Kind::Accuracy:
            return QStringLiteral("accuracy");
        case TrainingContent::Plot::Kind::Heads:
            return QStringLiteral("induction");
        }
    }
    return {};
}

} // namespace headlight::ui
