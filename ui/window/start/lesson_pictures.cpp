#include "ui/window/start/lesson_pictures.h"

#include "core/transformer/run/forward.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/source.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/heatmap/trace_heatmap.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

/// Returns the first step that shows attention weights.
core::Index tellingStep(const QString &id) {
    const core::Result<core::Session> lesson = readLesson(id);
    if (!lesson || !lesson->lesson)
        return 0;
    const auto &steps = lesson->lesson->steps;
    const auto found = std::ranges::find_if(steps, [](const core::LessonStep &step) {
        return step.show.stage == core::Stage::AttentionWeights;
    });
    return found == steps.end() ? 0 : found - steps.begin();
}

} // namespace

QImage lessonPicture(const QString &id, QSizeF size, double pixelRatio, const FigureStyle &style,
                     std::stop_token stop) {
    SourceRequest request;
    request.source = id;
    request.step = tellingStep(id);
    const core::Result<OpenedSource> opened = openSource(request, stop);
    if (!opened)
        return {};
    const auto computable = core::Computable::of(opened->state.model, opened->state.input);
    if (!computable)
        return {};
    const core::Result<core::TracePointer> trace = core::forward(*computable, nullptr, stop);
    if (!trace)
        return {};
    core::Selection selection = opened->selection;
    selection.stage = core::Stage::AttentionWeights;
    HeatmapContent content = contentOf(*trace, selection, style, {});
    content.title.clear();
    content.subtitle.clear();
    content.rowAxis.clear();
    content.columnAxis.clear();
    content.selectedRow.reset();
    content.selectedColumn.reset();
    content.marks.clear();
    QImage image((size * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(style.background);
    const HeatmapFigure figure(std::move(content), style);
    const double air = style.scaled(10);
    HeatmapRequest available =
        figure.request(QRectF(QPointF(), size).adjusted(air, air, -air, -air));
    available.colourBar = false;
    HeatmapGeometry geometry = HeatmapGeometry::of(available);
    const QPointF middle = QRectF(QPointF(), size).center() - geometry.used.center();
    geometry.moveBy({std::round(middle.x()), std::round(middle.y())});
    QPainter painter(&image);
    figure.paintContent(painter, geometry, Device::Raster);
    return image;
}

void LessonPictures::paint(QSizeF size, double pixelRatio, const FigureStyle &style) {
    paintFrom(startLessonIds(), size, pixelRatio, style);
}

/// Paints the first of the lessons and then the others.
void LessonPictures::paintFrom(const QStringList &ids, QSizeF size, double pixelRatio,
                               const FigureStyle &style) {
    if (ids.isEmpty())
        return;
    m_job.start(
        [id = ids.first(), size, pixelRatio, style](const std::stop_token &stop) {
            return lessonPicture(id, size, pixelRatio, style, stop);
        },
        [this, ids, size, pixelRatio, style](const QImage &picture) {
            paintFrom(ids.mid(1), size, pixelRatio, style);
            if (!picture.isNull())
                emit painted(ids.first(), picture);
        });
}

} // namespace headlight::ui
