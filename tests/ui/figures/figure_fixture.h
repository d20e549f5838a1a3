// Traces of small random models, and figures painted, recorded and exported.
#pragma once

#include "core/formats/figure/figure_session.h"
#include "core/random.h"
#include "tests/support/forward.h"
#include "tests/support/large_model.h"
#include "tests/support/opened.h"
#include "tests/support/painting_record.h"
#include "tests/support/test_main.h"
#include "ui/figures/arithmetic/stage_arithmetic.h"
#include "ui/figures/close_up/close_up_figure.h"
#include "ui/figures/files/export.h"
#include "ui/figures/geometry/geometry_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/output/output_figure.h"
#include "ui/figures/parts/part_titles.h"
#include "ui/figures/similarity/similarity_figure.h"
#include "ui/figures/softmax/softmax_figure.h"
#include "ui/figures/table/views.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/whole/whole_figure.h"
#include "ui/text/cell_numbers.h"
#include "ui/text/number_text.h"
#include "ui/text/stage_titles.h"
#include "ui/text/token_names.h"

namespace headlight::test {

struct TraceRecipe {
    std::vector<std::vector<std::string>> tokens{
        {"She", "visited", "the", "money", "bank", "near", "river", "bank"}};
    core::Index width = 32;
    core::Index heads = 2;
    core::Index headSize = 16;
    core::Index layers = 1;
    core::Index atLeast = 0; ///< minimum length of the batch, which is padded to it
    bool output = true;
    bool biases = false; ///< queries, keys and values have biases
    core::Positions positions = core::Positions::None;
    core::MaskLayers masks{core::CausalMask{}};
    std::uint64_t seed = 7;
    core::MaskOptions masking{};
    bool softmax = true;
    core::Interventions interventions{};
};

inline core::Parameter randomMatrix(core::Random &random, core::Index rows, core::Index columns) {
    core::Matrix matrix(rows, columns);
    for (core::Index r = 0; r < rows; ++r)
        for (core::Index c = 0; c < columns; ++c)
            matrix(r, c) =
                static_cast<float>(random.normal() / std::sqrt(static_cast<double>(rows)) * 1.4);
    return core::makeParameter(std::move(matrix));
}

inline core::TracePointer makeTrace(const TraceRecipe &recipe = {}) {
    core::Random random(recipe.seed);
    core::Model model;
    model.config.width = recipe.width;
    model.config.heads = recipe.heads;
    model.config.headSize = recipe.headSize;
    model.config.positions = recipe.positions;
    model.config.masking = recipe.masking;
    model.config.softmax = recipe.softmax;
    const core::Index inner = recipe.heads * recipe.headSize;
    for (core::Index layer = 0; layer < recipe.layers; ++layer) {
        core::AttentionParameters weights;
        weights.query = randomMatrix(random, recipe.width, inner);
        weights.key = randomMatrix(random, recipe.width, inner);
        weights.value = randomMatrix(random, recipe.width, inner);
        if (recipe.biases)
            for (core::Parameter *bias : {&weights.queryBias, &weights.keyBias, &weights.valueBias})
                *bias = randomMatrix(random, 1, inner);
        if (recipe.output)
            weights.output = randomMatrix(random, inner, recipe.width);
        model.parameters.main.layers.push_back({weights});
    }
    core::Embeddings::Given given;
    given.width = recipe.width;
    given.seed = recipe.seed;
    model.embeddings = std::make_shared<const core::Embeddings>(given);
    const auto batch = valueOf(core::Batch::ofWords(recipe.tokens, recipe.atLeast));
    return passOf(model, {batch, recipe.masks, recipe.interventions});
}

/// Returns a lesson's id, or the path of a session of tests/data.
inline QString sourceOf(const QString &name) {
    const QString path = sessionPath(name);
    return QFile::exists(path) ? path : name;
}

/// Returns the trace of a lesson or a session of tests/data.
inline core::TracePointer traceOf(const QString &name) {
    return passOf(sourceOf(name));
}

/// Returns a run in which the measures of a head all differ.
inline core::TrainingRunPointer someRun(const core::Model &model, double measure = 0.3) {
    core::TrainingRun run;
    run.recipe.task = "repeat";
    for (core::Index step = 0; step < 3; ++step) {
        core::HistoryPoint &point = run.history.emplace_back();
        point.step = step;
        point.isStep = true;
        point.loss = 4 * measure;
        point.accuracy = measure;
        for (const core::AttentionId &attention : model.attentions())
            point.heads.emplace_back(static_cast<std::size_t>(model.headsOf(attention)),
                                     core::HeadMeasures{1, 2, measure, 0.4, 0.5, 0.6});
    }
    return std::make_shared<const core::TrainingRun>(std::move(run));
}

inline const ui::FigureStyle &style() {
    static const ui::FigureStyle style = ui::FigureStyle::light();
    return style;
}

inline ui::FigureStyle styleOf(const QString &theme, double textScale = 1) {
    return theme == "dark"    ? ui::FigureStyle::dark(textScale)
           : theme == "paper" ? ui::FigureStyle::paper(textScale)
                              : ui::FigureStyle::light(textScale);
}

/// Returns the selection of a stage, in this head, sequence and layer.
inline core::Selection at(core::Stage stage, core::Index head = 0, core::Index sequence = 0,
                          core::Index layer = 0) {
    core::Selection selection;
    selection.stage = stage;
    selection.head = head;
    selection.sequence = sequence;
    selection.layer = layer;
    return selection;
}

/// Returns the selection of a stage's number. If the stage has a column for each key, `column` is a
/// key.
inline core::Selection cellAt(core::Stage stage, std::optional<core::Index> row,
                              std::optional<core::Index> column = {}) {
    core::Selection selection = at(stage);
    selection.query = row;
    (core::infoOf(stage).overKeys() ? selection.key : selection.dimension) = column;
    return selection;
}

inline QImage paintedOn(const ui::Figure &figure, QSize size,
                        ui::Device device = ui::Device::Raster) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    figure.paint(painter, QRectF(QPointF(), size), device);
    return image;
}

/// Returns the texts of a vector file of the figure, in the order in which they are painted.
inline QString textOf(const ui::Figure &figure, const QSizeF &size, const QString &between = "|") {
    QStringList all;
    for (const PaintingRecord::Text &text :
         PaintingRecord::of(figure, size, ui::Device::Vector).texts)
        all << text.text;
    return all.join(between);
}

/// Returns the bytes of the file; empty if the export was refused.
inline QByteArray rendered(const ui::Figure &figure, ui::Format format,
                           const ui::ExportOptions &options = {}) {
    const auto bytes = render(figure, format, options);
    return bytes ? *bytes : QByteArray();
}

/// Returns what overlaps or is cut off, or null. Tiles are expected for more than one head.
inline const char *faultOf(const ui::HeadsGeometry &places, QRectF area, int heads) {
    area.adjust(-0.01, -0.01, 0.01, 0.01);
    if (places.tiles.size() != std::size_t(heads == 1 ? 0 : heads))
        return "number of tiles";
    if (!area.contains(places.card) || !places.card.contains(places.enlarged.cells))
        return "card";
    if (heads > 1 && !area.contains(places.colourBar))
        return "bar";
    if (places.title.intersects(places.card) || places.colourBar.intersects(places.card))
        return "title or bar over card";
    std::vector<QRectF> apart{places.card, places.colourBar, places.title};
    for (std::size_t i = 0; i < places.tiles.size(); ++i) {
        const QRectF &tile = places.tiles[i], &matrix = places.matrices[i];
        if (!area.contains(tile) || !tile.contains(matrix) || !tile.contains(places.titles[i]))
            return "tile";
        if (places.titles[i].intersects(matrix))
            return "name over matrix";
        for (const QRectF &other : apart)
            if (tile.intersects(other))
                return "tile over something else";
        apart.push_back(tile);
    }
    return nullptr;
}

} // namespace headlight::test

using namespace headlight;
using namespace headlight::ui;
using core::Index;
using core::Stage;
using test::makeTrace;
using test::PaintingRecord;
using test::TraceRecipe;
