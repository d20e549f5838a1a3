#include "ui/views/training_view.h"

namespace headlight::ui {

TrainingView::TrainingView(Document &document, QWidget *parent)
    : FigureView(core::View::Training, document, parent) {}

TrainingGeometry TrainingView::geometry() const {
    return training()->geometry(figureArea());
}

void TrainingView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    training()->paint(painter, figureArea(), Device::Raster);
}

FigurePlace TrainingView::placeAt(QPointF point) const {
    core::Selection selection = document().selection();
    if (training())
        if (const TrainingContent::Curve *curve = training()->headAt(geometry(), point)) {
            const core::Stage stage =
                core::infoOf(selection.stage).perHead ? selection.stage : core::Stage::Weights;
            selection = atStage(selection, {stage, curve->site});
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
